// Small parts that every page is made of.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Trouble } from '../api/client';
import type { NodeView, Verdict } from '../api/types';
import { nodeLink, place, setQuery } from '../route';
import { Icon, type IconName } from './icons';
import type { Load } from './load';

/** The head of a page. */
export function Head({ title, lead, children }: { title: string; lead?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="head-tools">{children}</div>}
    </header>
  );
}

export function Busy({ what }: { what: string }) {
  return (
    <p class="busy" role="status">
      <span class="rings" aria-hidden="true" />
      {what}
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="soft">{children}</div>}
    </div>
  );
}

const TITLES: Record<string, string> = {
  unreachable: 'No connection',
  timeout: 'It took too long',
  memory_limit: 'It needed too much memory',
  overloaded: 'The server is busy',
  unauthorized: 'A token is needed',
  query_refused: 'Only reading is allowed',
  query_error: 'The query is not understood',
  bad_parameter: 'A parameter does not fit',
  not_found: 'Not there',
  no_index: 'There is no index',
  cut: 'The answer broke off',
};

/** An error: what happened, what can be done, and a way to try again. */
export function Failed({ error, retry, children }: { error: Trouble; retry?: (() => void) | undefined; children?: ComponentChildren }) {
  return (
    <div class="failed" role="alert">
      <Icon name="warn" />
      <div>
        <p class="failed-title">{TITLES[error.code] ?? 'That did not work'}</p>
        <p class="failed-text"><Ticked text={error.message} /></p>
        {error.hint && <p class="failed-text soft"><Ticked text={error.hint} /></p>}
        {children}
        {retry && (
          <button type="button" class="button small" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** Waiting, failed, or what was loaded. */
export function Loaded<T>({ load, what, children }: { load: Load<T>; what: string; children: (data: T) => ComponentChildren }) {
  if (load.error) return <Failed error={load.error} retry={load.reload} />;
  if (load.data === null) return load.loading ? <Busy what={what} /> : null;
  return <>{children(load.data)}</>;
}

const GLYPHS: Record<string, string> = { Function: 'ƒ', Type: 'T', Field: '.', Variable: 'x', Key: '"', Package: 'P', File: '≡', External: '↗' };

export function Glyph({ label }: { label: string }) {
  return (
    <span class={`glyph g-${label.toLowerCase()}`} title={label} aria-hidden="true">
      {GLYPHS[label] ?? '?'}
    </span>
  );
}

/** Text in which `backticks` mean code. */
export function Ticked({ text }: { text: string }) {
  return <>{text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? <code>{part.slice(1, -1)}</code> : part))}</>;
}

/** A node as a line: glyph, name that leads to its page, what tells it apart. */
export function NodeLine({ node, extra }: { node: NodeView; extra?: ComponentChildren }) {
  return (
    <span class="node-line">
      <Glyph label={node.label} />
      <span class="node-text">
        <a href={nodeLink(node)} class="node-name" title={node.qualified_name || node.name}>
          <span class="visually-hidden">{node.kind || node.label} </span>
          {shortName(node)}
        </a>
        {node.file && <Site file={node.file} line={node.line} />}
        {node.test && <span class="tag">test</span>}
        {extra}
      </span>
    </span>
  );
}

/** Items that a long list shows at first. */
const FIRST = 10;

/** A list that shows its first items, and all of them when asked. */
export function LongList({ children, first = FIRST }: { children: ComponentChildren[]; first?: number }) {
  const [all, setAll] = useState(false);
  // One more than fits is no reason to hide it.
  const some = all || children.length <= first + 2 ? children : children.slice(0, first);
  return (
    <>
      <ul>{some}</ul>
      {some.length < children.length && (
        <button type="button" class="button small quiet more" onClick={() => setAll(true)}>
          Show all {count(children.length)}
        </button>
      )}
    </>
  );
}

/** `handlers.OrderRequest.Email` of `example.com/shop/api/handlers.OrderRequest.Email`. */
export function shortName(node: NodeView): string {
  const full = node.qualified_name || node.name;
  const slash = full.lastIndexOf('/');
  return slash >= 0 && node.label !== 'File' && node.label !== 'Key' ? full.slice(slash + 1) : full;
}

/** A place in the source, which opens beside the page. */
export function Site({ file, line, children }: { file: string; line: number; children?: ComponentChildren }) {
  const open = (event: Event) => {
    event.preventDefault();
    openSource(file, line);
  };
  return (
    <a class="site" href={sourceHref(file, line)} onClick={open} title={`${file}:${line}: open the source`}>
      {children ?? `${file}${line ? `:${line}` : ''}`}
    </a>
  );
}

export const openSource = (file: string, line: number) => setQuery({ src: `${file}:${line || 1}` }, false);

function sourceHref(file: string, line: number): string {
  const query = new URLSearchParams({ ...place.value.query, src: `${file}:${line || 1}` });
  return `#/${place.value.path.map(encodeURIComponent).join('/')}?${query}`;
}

const LEVELS = {
  complete: ['Complete', 'Nothing that could belong to this answer was left unresolved.'],
  'lower bound': ['At least this', 'What is named here is there. There may be more:'],
  unknown: ['Not known', 'Nothing was found, but what could not be resolved may hide something:'],
} as const;

/** How complete an answer is, in plain words. */
export function VerdictBox({ verdict, open = false }: { verdict: Verdict; open?: boolean }) {
  const [title, words] = LEVELS[verdict.level] ?? [verdict.level, ''];
  return (
    <details class={`verdict v-${verdict.level.replace(' ', '-')}`} open={open}>
      <summary>
        <span class="verdict-dot" aria-hidden="true" />
        <strong>{title}</strong>
        {verdict.reasons.length > 0 && <span class="soft">{verdict.reasons.length === 1 ? '1 reason' : `${verdict.reasons.length} reasons`}</span>}
      </summary>
      <p>{words}</p>
      {verdict.reasons.length > 0 && (
        <ul>
          {verdict.reasons.map((reason) => (
            <li key={reason.code}>
              {reason.message}
              {reason.count > 1 && <span class="count">{count(reason.count)}</span>}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

export interface Choice {
  value: string;
  label: string;
  count?: number;
}

/** Tabs, with the arrow keys. */
export function Tabs({ label, choices, value, onChange, panel }: { label: string; choices: Choice[]; value: string; onChange: (value: string) => void; panel?: string }) {
  const bar = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = choices.findIndex((choice) => choice.value === value);
    const next = choices[(at + step + choices.length) % choices.length];
    if (!next) return;
    onChange(next.value);
    bar.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={bar} onKeyDown={move}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="tab"
          data-value={choice.value}
          aria-selected={choice.value === value}
          aria-controls={panel}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}{' '}
          {choice.count !== undefined && <span class="count">{count(choice.count)}</span>}
        </button>
      ))}
    </div>
  );
}

/** A button that opens a list of things to do; it closes when one is done, with Escape, and when the focus leaves it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null);
  const close = (focus: boolean) => {
    if (!box.current?.open) return;
    box.current.open = false;
    if (focus) box.current.querySelector('summary')?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>('.menu-list button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') close(true);
    else if (event.key === 'ArrowDown' && box.current?.open) items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp' && box.current?.open) items[(at - 1 + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <details class="menu" ref={box} onKeyDown={press} onFocusOut={(event) => event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget) && close(false)}>
      <summary class="button small">{label}</summary>
      <div class="menu-list" onClick={() => setTimeout(() => close(true), 700)}>
        {children}
      </div>
    </details>
  );
}

/** A button that puts text on the clipboard and says so. */
export function Copy({ text, label = 'Copy', icon = 'copy' }: { text: () => string; label?: string; icon?: IconName }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(''), 1600);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => copyText(text()).then((done) => setSaid(done ? 'Copied' : 'Not allowed'));
  return (
    <button type="button" class="button small quiet" onClick={copy}>
      <Icon name={icon} size={16} />
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http from another machine there is no clipboard interface; a selection can still be copied.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

export function download(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const count = (n: number): string => n.toLocaleString('en-US');

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `4 min`, `3 days`. */
export function age(seconds: number): string {
  const steps: [number, string][] = [[60, 's'], [60, 'min'], [24, 'h']];
  let value = seconds;
  for (const [size, unit] of steps) {
    if (value < size) return `${Math.floor(value)} ${unit}`;
    value /= size;
  }
  const days = Math.floor(value);
  return days === 1 ? '1 day' : `${count(days)} days`;
}

export function bytes(n: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = n;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
