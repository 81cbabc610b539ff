// Symbols by name or by what they do, as one types: `#/explore?q=email&kinds=Function,Field&lang=go&tests=1&path=api`.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api/client';
import { named } from '../api/names';
import type { SearchAnswer, SearchRequest } from '../api/types';
import { asNode } from '../graph/rows';
import { go, nodeLink, place, setQuery } from '../route';
import { useLoad, useSettled } from '../ui/load';
import { Busy, Empty, Failed, Head, Loaded, NodeLine, Site, count } from '../ui/parts';
import '../style/explore.css';

const KINDS = ['Function', 'Type', 'Field', 'Variable', 'Key', 'Package', 'File', 'External'];

export function Explore() {
  const query = place.value.query;
  const [text, setText] = useState(query.q ?? '');
  const kinds = (query.kinds ?? '').split(',').filter(Boolean);
  const settled = useSettled(text.trim(), 140);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  // What this page itself put into the address is not taken out of it again: by then more may have been typed.
  const told = useRef(query.q ?? '');
  useEffect(() => {
    told.current = settled;
    setQuery({ q: settled });
  }, [settled]);
  useEffect(() => {
    const q = query.q ?? '';
    if (q === told.current) return;
    told.current = q;
    setText(q);
  }, [query.q]);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const body: SearchRequest = {
    query: settled,
    limit: 40,
    ...(kinds.length > 0 && { kinds }),
    ...(query.lang && { languages: [query.lang] }),
    ...(query.path && { paths: [query.path] }),
    tests: query.tests === '1',
    // One word is a name that is being typed; several are a question, for which meaning counts as well.
    ...(!/\s/.test(settled) && { sources: ['name', 'text'] }),
  };
  const hits = useLoad(settled ? JSON.stringify(body) : null, async (signal) => {
    const [found, byName] = await Promise.all([api.search(body, { signal }), named(settled, kinds, query, { signal })]);
    const known = new Set(byName.map((node) => node.id));
    const first = byName.map((node): SearchAnswer['hits'][number] => ({ node, file: node.file, line: node.line, end_line: node.end_line, score: 1, sources: [{ source: 'name', rank: 0, score: 1 }], excerpt: '' }));
    return { ...found, hits: [...first, ...found.hits.filter((hit) => !hit.node || !known.has(hit.node.id))] };
  });
  const toggle = (kind: string) => setQuery({ kinds: (kinds.includes(kind) ? kinds.filter((k) => k !== kind) : [...kinds, kind]).join(',') });

  const move = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.node-name, li > a.site') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    // The filters keep their own keys.
    if (at < 0 && event.target !== field.current) return;
    if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
    else if (event.key === 'ArrowUp') (at <= 0 ? field.current : links[at - 1])?.focus();
    else if (event.key === 'Enter' && event.target === field.current) {
      const node = hits.data?.hits[0]?.node;
      if (node) go(nodeLink(node));
    } else return;
    event.preventDefault();
  };

  return (
    <div class="explore" onKeyDown={move}>
      <Head title="Explore" lead="Every symbol of the index: by name, by what its documentation says, by what it does." />
      <div class="search-box">
        <label class="visually-hidden" for="search">
          Search symbols
        </label>
        <input
          id="search"
          data-first
          ref={field}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="email, OrderRequest.Email, where is the mail address hashed"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="filters" role="group" aria-label="Filters">
          {KINDS.map((kind) => (
            <button type="button" class="chip" aria-pressed={kinds.includes(kind)} onClick={() => toggle(kind)} key={kind}>
              {kind}
            </button>
          ))}
          <select aria-label="Language" value={query.lang ?? ''} onChange={(event) => setQuery({ lang: event.currentTarget.value })}>
            <option value="">any language</option>
            <option value="go">Go</option>
            <option value="python">Python</option>
          </select>
          <input class="path-filter" aria-label="Path begins with" placeholder="path" value={query.path ?? ''} onInput={(event) => setQuery({ path: event.currentTarget.value.trim() })} />
          <label class="check">
            <input type="checkbox" checked={query.tests === '1'} onChange={(event) => setQuery({ tests: event.currentTarget.checked })} />
            with tests
          </label>
        </div>
      </div>
      {settled ? (
        <div aria-busy={hits.loading}>
          {hits.error ? <Failed error={hits.error} retry={hits.reload} /> : hits.data ? <Hits answer={hits.data} list={list} /> : <Busy what="Searching" />}
        </div>
      ) : (
        <Packages />
      )}
    </div>
  );
}

function Hits({ answer, list }: { answer: SearchAnswer; list: { current: HTMLOListElement | null } }) {
  if (answer.hits.length === 0) {
    return <Empty title="Nothing found">Try a shorter word, or fewer filters. Notes: {answer.notes.join('; ') || 'none'}.</Empty>;
  }
  return (
    <>
      <p class="faint" role="status">
        {count(answer.hits.length)} found in {Math.round(answer.elapsed_ms)} ms{answer.notes.length > 0 && `. ${answer.notes.join('; ')}`}
      </p>
      <ol class="hits" ref={list}>
        {answer.hits.map((hit) => (
          <li key={hit.node?.id ?? `${hit.file}:${hit.line}`}>
            {hit.node ? <NodeLine node={hit.node} extra={<Sources hit={hit} />} /> : <Site file={hit.file} line={hit.line} />}
            {hit.node && (hit.node.signature || hit.node.doc) && <p class={hit.node.doc ? 'hit-text' : 'hit-text mono'}>{firstLine(hit.node.doc) || hit.node.signature}</p>}
            {!hit.node && hit.excerpt && <p class="hit-text mono">{firstLine(hit.excerpt)}</p>}
          </li>
        ))}
      </ol>
    </>
  );
}

const WORDS: Record<string, string> = { name: 'name', text: 'words', meaning: 'meaning', vector: 'likeness', chunk: 'passage', pattern: 'pattern', faq: 'FAQ', graph: 'neighbours', feedback: 'votes' };

function Sources({ hit }: { hit: SearchAnswer['hits'][number] }) {
  return (
    <span class="found-by" title="found by">
      {[...new Set(hit.sources.map((source) => WORDS[source.source] ?? source.source))].join(' · ')}
    </span>
  );
}

/** Before anything is typed: the packages, largest first. */
function Packages() {
  const packages = useLoad('packages', (signal) => api.cypher(PACKAGES, {}, { limit: 60 }, { signal }));
  return (
    <Loaded load={packages} what="Reading the packages">
      {(answer) =>
        answer.rows.length === 0 ? (
          <Empty title="The index holds no package" />
        ) : (
          <section class="section">
            <h2>Packages</h2>
            <ul class="package-list">
              {answer.rows.flatMap(([value, functions]) => {
                const node = asNode(value);
                return node ? [<li key={node.id}><NodeLine node={{ ...node, file: '' }} /> <span class="count">{count(Number(functions))} functions</span></li>] : [];
              })}
            </ul>
          </section>
        )
      }
    </Loaded>
  );
}

const PACKAGES = `MATCH (p:Package)-[:CONTAINS]->(f:File)-[:CONTAINS]->(g:Function)
RETURN p, count(g) AS functions ORDER BY functions DESC LIMIT 60`;

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
