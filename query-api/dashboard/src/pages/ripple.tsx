// An operation from the table and the picture of its answer: `#/ripple?op=impact&target=key:email&direction=up`.

import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { OperationInfo } from '../api/types';
import { named } from '../api/names';
import { brief } from '../graph/picture';
import { asNode } from '../graph/rows';
import { go, link, place, setQuery } from '../route';
import { lazy } from '../ui/lazy';
import { useLoad, useSettled } from '../ui/load';
import { Busy, Failed, Glyph, Head, Loaded, Ticked, shortName } from '../ui/parts';
import '../style/graph.css';

const Explorer = lazy(async () => (await import('../graph/explorer')).Explorer);

/** Parameters that the address hands on to the operation, and how they are read. */
const PARAMETERS: Record<string, (text: string) => unknown> = {
  target: String,
  from: String,
  to: String,
  direction: String,
  depth: Number,
  limit: Number,
  min_confidence: Number,
  ground: String,
  tests: (text) => text === '1' || text === 'true',
};

/** Results that are asked for, one step after the other; the server's own first. */
const LIMITS = [1000, 5000, 10_000];

/** Operations between two places. */
const TWO = ['path'];

export function Ripple() {
  const query = place.value.query;
  const operations = useLoad('operations', (signal) => api.operations({ signal }));
  const name = query.op ?? 'impact';
  const info = operations.data?.operations.find((operation) => operation.name === name) ?? null;
  const parameters = parametersOf(query, info);
  const next = LIMITS.find((limit) => limit > (Number(query.limit) || 100));
  const more = next && parameters.target !== undefined ? () => setQuery({ limit: next }, false) : undefined;
  // What an operation takes is known when the table is there; without a table everything is handed on.
  const waiting = operations.loading && !operations.data;
  const asked = parameters.target !== undefined || (parameters.from !== undefined && parameters.to !== undefined);
  const answer = useLoad(asked && !waiting ? JSON.stringify([name, parameters]) : null, (signal) => api.operation(name, parameters, { signal }));
  return (
    <div class="fill">
      <Head title="Ripple" lead={asked ? undefined : 'What a value touches, drawn from cause to effect.'} />
      <Form operations={operations.data?.operations ?? []} name={name} />
      {!asked && <Start operations={operations} />}
      {answer.error ? <Failed error={answer.error} retry={answer.reload} /> : answer.data && asked ? <Explorer answer={answer.data} onMore={more} /> : asked && <Busy what="Following the values" />}
    </div>
  );
}

/** Only what the operation knows is handed on. */
export function parametersOf(query: Record<string, string>, info: OperationInfo | null): Record<string, unknown> {
  const known = info ? new Set(info.parameters.map((parameter) => parameter.name)) : null;
  const parameters: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(PARAMETERS)) {
    const text = query[name];
    if (text && (!known || known.has(name))) parameters[name] = read(text);
  }
  return parameters;
}

/** What can be started from: nodes whose names begin with what was typed, as the field's own list. */
function Names({ id, text }: { id: string; text: string }) {
  const word = useSettled(text.trim(), 160);
  const found = useLoad(word.length > 1 && !/[\s:]/.test(word) ? word : null, (signal) => named(word, [], {}, { signal }));
  return (
    <datalist id={id}>
      {found.data?.map((node) => (
        <option key={node.id} value={node.label === 'Key' ? `key:${node.name}` : node.qualified_name}>
          {`${node.kind || node.label}${node.file ? `, ${node.file}` : ''}`}
        </option>
      ))}
    </datalist>
  );
}

function Form({ operations, name }: { operations: OperationInfo[]; name: string }) {
  const query = place.value.query;
  // A link from a symbol carries the id, which no name can mistake, and the name to show.
  const shown = query.name ?? query.target ?? query.from ?? '';
  const [text, setText] = useState(shown);
  const [to, setTo] = useState(query.to ?? '');
  const [operation, setOperation] = useState(name);
  useEffect(() => setText(shown), [shown]);
  // Back and forward choose the operation, too.
  useEffect(() => setOperation(name), [name, query.target, query.from, query.to]);
  useEffect(() => setTo(query.to ?? ''), [query.to]);
  const two = TWO.includes(operation);
  const info = operations.find((entry) => entry.name === operation);
  const grounded = info?.parameters.some((parameter) => parameter.name === 'ground');
  const turns = !info || info.parameters.some((parameter) => parameter.name === 'direction');
  const ask = (event: Event) => {
    event.preventDefault();
    const same = text === shown && query.target;
    const start = same && query.target ? { target: query.target, name: query.name } : { target: text.trim() };
    go(link('ripple', { op: operation === 'impact' ? null : operation, direction: turns ? query.direction : null, ground: grounded ? query.ground : null, ...(two ? { from: text.trim(), to: to.trim() } : start) }));
  };
  const turn = (direction: string) => go(link('ripple', { ...query, direction: direction === 'up' ? 'up' : null, sel: null, open: null, more: null }));
  // Another operation of the same target is drawn at once.
  const choose = (operation: string) => {
    setOperation(operation);
    if (query.target && !TWO.includes(operation)) go(link('ripple', { op: operation === 'impact' ? null : operation, target: query.target, name: query.name }));
    else if (!query.target && !query.from) setQuery({ op: operation === 'impact' ? null : operation });
  };
  return (
    <form class="ripple-form" onSubmit={ask}>
      <select aria-label="Operation" value={operation} onChange={(event) => choose(event.currentTarget.value)}>
        {(operations.length ? operations.map((entry) => entry.name) : [operation]).map((entry) => (
          <option value={entry}>{entry.replaceAll('_', ' ')}</option>
        ))}
      </select>
      <div class="target">
        <input
          data-first
          list="ripple-names"
          aria-label={two ? 'From' : 'Target'}
          placeholder={two ? 'from' : 'a name, key:email, or a place such as api/handlers/request.go:17'}
          spellcheck={false}
          autocomplete="off"
          value={text}
          required
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Names id="ripple-names" text={text === shown ? '' : text} />
      </div>
      {two && (
        <div class="target">
          <input list="ripple-names-to" aria-label="To" placeholder="to" spellcheck={false} autocomplete="off" value={to} required onInput={(event) => setTo(event.currentTarget.value)} />
          <Names id="ripple-names-to" text={to === query.to ? '' : to} />
        </div>
      )}
      {turns && (
        <select aria-label="Direction" value={query.direction === 'up' ? 'up' : 'down'} onChange={(event) => turn(event.currentTarget.value)}>
          <option value="down">what it touches</option>
          <option value="up">what it comes from</option>
        </select>
      )}
      {grounded && (
        <select aria-label="Ground" value={query.ground ?? ''} onChange={(event) => setQuery({ ground: event.currentTarget.value || null })}>
          <option value="">all that may change</option>
          <option value="decision">by values and decisions</option>
          <option value="flow">by values alone</option>
        </select>
      )}
      <button type="submit" class="button primary">
        Draw
      </button>
    </form>
  );
}

/** Before anything is drawn: where one may begin in this very index, and what can be asked. */
function Start({ operations }: { operations: ReturnType<typeof useLoad<{ operations: OperationInfo[] }>> }) {
  const begin = useLoad('starts', async (signal) => {
    const nodes = await Promise.all(STARTS.map((query) => api.cypher(query, {}, {}, { signal })));
    return nodes.flatMap((answer) => answer.rows.flatMap((row) => asNode(row[0]) ?? []));
  });
  return (
    <>
      <section class="begin" aria-label="Where to begin">
        <h2>Begin with</h2>
        <div class="starts">
          {begin.data?.map((node) => (
            <a key={node.id} class="chip" href={link('ripple', { target: node.id, name: node.label === 'Key' ? `key:${node.name}` : shortName(node) })}>
              <Glyph label={node.label} />
              <span class="mono" title={node.qualified_name}>{node.label === 'Key' ? node.name : brief(node)}</span>
            </a>
          ))}
        </div>
      </section>
      <Loaded load={operations} what="Reading the operations">
        {({ operations }) => (
          <dl class="operations">
            {operations.map((operation) => (
              <div key={operation.name}>
                <dt>
                  <button type="button" class="link" onClick={() => (setQuery({ op: operation.name === 'impact' ? null : operation.name }), document.querySelector<HTMLElement>('.ripple-form input')?.focus())}>
                    {operation.name.replaceAll('_', ' ')}
                  </button>
                </dt>
                <dd><Ticked text={operation.summary} /></dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </>
  );
}

/** The keys from the wire that most flows begin at, the fields that most functions read, the functions that most others call. */
const STARTS = [
  'MATCH (k:Key)-[r:FLOWS_TO]->() RETURN k, count(r) AS n ORDER BY n DESC, k.name LIMIT 5',
  'MATCH (f:Field)<-[r:READS]-(g:Function) WHERE NOT f.test AND NOT g.test RETURN f, count(g) AS n ORDER BY n DESC, f.qualified_name LIMIT 5',
  "MATCH (f:Function)<-[:CALLS]-(g:Function) WHERE NOT f.test AND NOT g.test AND NOT f.name STARTS WITH '__' RETURN f, count(DISTINCT g) AS n ORDER BY n DESC, f.qualified_name LIMIT 5",
];
