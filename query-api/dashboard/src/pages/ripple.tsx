// An operation from the table and the picture of its answer: `#/ripple?op=impact&target=key:email&direction=up`.

import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { OperationInfo } from '../api/types';
import { lazy } from '../ui/lazy';
import { go, link, place } from '../route';
import { useLoad } from '../ui/load';
import { Busy, Failed, Head, Loaded } from '../ui/parts';
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
  tests: (text) => text === '1' || text === 'true',
};

/** Operations between two places. */
const TWO = ['path'];

export function Ripple() {
  const query = place.value.query;
  const operations = useLoad('operations', (signal) => api.operations({ signal }));
  const name = query.op ?? 'impact';
  const info = operations.data?.operations.find((operation) => operation.name === name) ?? null;
  const parameters = parametersOf(query, info);
  // What an operation takes is known when the table is there; without a table everything is handed on.
  const waiting = operations.loading && !operations.data;
  const asked = parameters.target !== undefined || (parameters.from !== undefined && parameters.to !== undefined);
  const answer = useLoad(asked && !waiting ? JSON.stringify([name, parameters]) : null, (signal) => api.operation(name, parameters, { signal }));
  return (
    <div class="fill">
      <Head title="Ripple" lead={asked ? undefined : 'What a value touches, drawn from cause to effect.'} />
      <Form operations={operations.data?.operations ?? []} name={name} />
      {!asked && <Table operations={operations} />}
      {answer.error ? <Failed error={answer.error} retry={answer.reload} /> : answer.data && asked ? <Explorer answer={answer.data} /> : asked && <Busy what="Following the values" />}
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

function Form({ operations, name }: { operations: OperationInfo[]; name: string }) {
  const query = place.value.query;
  // A link from a symbol carries the id, which no name can mistake, and the name to show.
  const shown = query.name ?? query.target ?? query.from ?? '';
  const [text, setText] = useState(shown);
  const [to, setTo] = useState(query.to ?? '');
  const [operation, setOperation] = useState(name);
  useEffect(() => setText(shown), [shown]);
  useEffect(() => setOperation(name), [name]);
  const two = TWO.includes(operation);
  const ask = (event: Event) => {
    event.preventDefault();
    const same = text === shown && query.target;
    const start = same && query.target ? { target: query.target, name: query.name } : { target: text.trim() };
    go(link('ripple', { op: operation === 'impact' ? null : operation, direction: query.direction, ...(two ? { from: text.trim(), to: to.trim() } : start) }));
  };
  const turn = (direction: string) => go(link('ripple', { ...query, direction: direction === 'up' ? 'up' : null, sel: null, open: null, more: null }));
  return (
    <form class="ripple-form" onSubmit={ask}>
      <select aria-label="Operation" value={operation} onChange={(event) => setOperation(event.currentTarget.value)}>
        {(operations.length ? operations.map((entry) => entry.name) : [operation]).map((entry) => (
          <option value={entry}>{entry.replaceAll('_', ' ')}</option>
        ))}
      </select>
      <div class="target">
        <input
          data-first
          aria-label={two ? 'From' : 'Target'}
          placeholder={two ? 'from' : 'OrderRequest.Email, key:email, api/handlers/request.go:17'}
          spellcheck={false}
          autocomplete="off"
          value={text}
          required
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {two && (
        <div class="target">
          <input aria-label="To" placeholder="to" spellcheck={false} autocomplete="off" value={to} required onInput={(event) => setTo(event.currentTarget.value)} />
        </div>
      )}
      <select aria-label="Direction" value={query.direction === 'up' ? 'up' : 'down'} onChange={(event) => turn(event.currentTarget.value)}>
        <option value="down">what it touches</option>
        <option value="up">what it comes from</option>
      </select>
      <button type="submit" class="button primary">
        Draw
      </button>
    </form>
  );
}

function Table({ operations }: { operations: ReturnType<typeof useLoad<{ operations: OperationInfo[] }>> }) {
  return (
    <Loaded load={operations} what="Reading the operations">
      {({ operations }) => (
        <dl class="operations">
          {operations.map((operation) => (
            <div key={operation.name}>
              <dt>{operation.name}</dt>
              <dd>{operation.summary}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
