// The panel beside a page: source at a line, with what is declared there. Its address is `src=file:line` in any page's query.

import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api/client';
import { asNode } from '../graph/rows';
import { link, nodeLink, place, setQuery } from '../route';
import { Code } from './code';
import { Icon } from './icons';
import { useLoad } from './load';
import { Copy, Failed, Loaded } from './parts';

/** Lines above and below the one that was asked for. */
const AROUND = 120;

export function SourcePanel() {
  const asked = parseSite(place.value.query.src ?? '');
  const file = asked?.file ?? '';
  const line = asked?.line ?? 1;
  // A step of a hundred lines, so that the next line nearby needs no new question.
  const from = Math.max(1, Math.floor((line - AROUND) / 100) * 100 + 1);
  const to = from + 2 * AROUND + 200;
  const excerpt = useLoad(asked ? `${file}:${from}` : null, (signal) => api.source(file, from, to, { signal }));
  const holder = useLoad(asked ? `${file}:${line}:holder` : null, async (signal) => {
    const found = await api.cypher(HOLDER, { file, line }, { limit: 3 }, { signal });
    return found.rows.flatMap((row) => asNode(row[0]) ?? []);
  });
  const panel = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  const close = () => setQuery({ src: null }, false);
  const isOpen = asked !== null;
  // Who opened it is where the focus goes back to.
  useEffect(() => {
    if (isOpen) before.current = document.activeElement;
    else if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (asked) panel.current?.focus();
  }, [place.value.query.src]);
  if (!asked) return null;
  return (
    <aside
      class="panel"
      aria-label={`Source of ${file}`}
      ref={panel}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && (event.stopPropagation(), close())}
    >
      <header class="panel-head">
        <div class="panel-title">
          <strong>{file.slice(file.lastIndexOf('/') + 1)}</strong>
          <span class="soft mono">
            {file}:{line}
          </span>
        </div>
        <Copy text={() => `${file}:${line}`} label="Copy place" />
        <button type="button" class="button icon-only quiet" aria-label="Close the source" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {holder.data?.[0] && (
        <p class="panel-holder">
          <span class="soft">in</span> <a href={nodeLink(holder.data[0])}>{holder.data[0].qualified_name}</a>
          <a class="quiet-link" href={link('ripple', { target: `${file}:${line}` })}>
            Ripple of this line
          </a>
        </p>
      )}
      {excerpt.error ? (
        <Failed error={excerpt.error} retry={excerpt.reload} />
      ) : (
        <Loaded load={excerpt} what="Reading the source">
          {(excerpt) => (
            <Code
              text={excerpt.text}
              language={excerpt.language}
              first={excerpt.line}
              marked={[line, line]}
              label={`Source of ${file}`}
              onLine={(line) => setQuery({ src: `${file}:${line}` })}
            />
          )}
        </Loaded>
      )}
    </aside>
  );
}

/** The innermost function or type around a line. */
const HOLDER = `MATCH (n:Function:Type {file: $file})
WHERE n.line <= $line AND n.end_line >= $line AND n.kind <> 'initializer'
RETURN n ORDER BY n.end_line - n.line LIMIT 3`;

export function parseSite(text: string): { file: string; line: number } | null {
  const found = /^(.+):(\d+)$/.exec(text);
  return found ? { file: found[1] as string, line: Math.max(1, Number(found[2])) } : null;
}
