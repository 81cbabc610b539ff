// Cypher by hand: `#/console?query=…&params=…&limit=…&view=table|graph|json`; `run=1` asks at once, `run=explain` for the plan.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api, type Trouble } from '../api/client';
import type { Answer, Schema } from '../api/types';
import type { Editor } from '../editor/editor';
import { meant } from '../editor/mend';
import { graphOf } from '../graph/rows';
import { place, setQuery } from '../route';
import { csv } from '../ui/csv';
import { Icon } from '../ui/icons';
import { lazy } from '../ui/lazy';
import { asTrouble } from '../ui/load';
import { Busy, Copy, Empty, Failed, Head, Tabs, count, download } from '../ui/parts';
import { type Range, rangeOf } from '../ui/span';
import { Rows, plain } from '../ui/table';
import { forget, recall, remember } from './console-history';
import '../style/console.css';

const Graph = lazy(async () => (await import('../graph/rows-view')).RowsGraph);

/** Queries to begin with, which say something of any index. */
const EXAMPLES: [string, string][] = [
  [
    'Most called functions',
    'MATCH (f:Function)<-[:CALLS]-(g:Function)\nWHERE NOT f.test AND NOT g.test\nRETURN f, count(DISTINCT g) AS callers, f.file AS file, f.line AS line\nORDER BY callers DESC LIMIT 50',
  ],
  [
    'Fields that most functions write',
    'MATCH (g:Function)-[:WRITES]->(f:Field)\nWHERE NOT g.test\nRETURN f, count(DISTINCT g) AS writers, f.file AS file, f.line AS line\nORDER BY writers DESC LIMIT 50',
  ],
  ['Keys on the wire', 'MATCH (k:Key)-[r:FLOWS_TO]->(x)\nRETURN k, count(r) AS flows\nORDER BY flows DESC LIMIT 50'],
  [
    'Calls that were not resolved',
    "MATCH (f:Function)-[c:CALLS]->(x:External {kind: 'unresolved'})\nRETURN x.name AS callee, count(*) AS calls, collect(DISTINCT c.rule) AS rules\nORDER BY calls DESC LIMIT 50",
  ],
  ['Ways from a key to fields, as a graph', 'MATCH p = (k:Key)-[:FLOWS_TO]->(f:Field)-[:FLOWS_TO|RETURNS_TO]->(m)\nRETURN p LIMIT 40'],
];

const FIRST = EXAMPLES[0]?.[1] ?? '';

const LIMITS = [100, 1000, 10_000, 100_000];
const TIMES = [5, 30, 120];

/** The choices, with the one that an address asks for. */
const among = (choices: number[], value: number): number[] => (choices.includes(value) ? choices : [...choices, value].sort((a, b) => a - b));

export function Console() {
  const query = place.value.query;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const schema = useRef<Schema | null>(null);
  const stop = useRef<AbortController | null>(null);
  const [ready, setReady] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<Trouble | null>(null);
  const [mend, setMend] = useState<{ range: Range; name: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [params, setParams] = useState(query.params ?? '');
  const [paramsError, setParamsError] = useState('');
  const [history, setHistory] = useState(recall);
  const [showHistory, setShowHistory] = useState(false);
  const limit = Number(query.limit) || 1000;
  const seconds = Number(query.seconds) || 30;
  const view = query.view ?? 'table';
  const paramsNow = useRef(params);
  paramsNow.current = params;
  const limits = useRef({ limit, seconds });
  limits.current = { limit, seconds };

  const run = async (explain = false) => {
    const text = editor.current?.text() ?? '';
    if (!text.trim()) return;
    let values: Record<string, unknown>;
    try {
      values = parseParams(paramsNow.current);
    } catch (error) {
      setParamsError(error instanceof Error ? error.message : '');
      return;
    }
    setParamsError('');
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    setBusy(true);
    setError(null);
    setMend(null);
    editor.current?.mark(null, '');
    const isAsked = text === place.value.query.query;
    setQuery({ query: text, params: paramsNow.current, run: explain ? 'explain' : 1, ...(!isAsked && { sel: null, open: null }) });
    setHistory(remember({ query: text, params: paramsNow.current }));
    const asked = explain && !/^\s*explain\b/i.test(text) ? `EXPLAIN ${text}` : text;
    const { limit, seconds } = limits.current;
    try {
      const answer = await api.cypher(asked, values, { limit, timeout_ms: seconds * 1000 }, { signal: mine.signal, patience: (seconds + 15) * 1000 });
      setAnswer(answer);
    } catch (error) {
      if (mine.signal.aborted) return;
      const trouble = asTrouble(error);
      setError(trouble);
      setAnswer(null);
      const ahead = asked.length - text.length;
      const found = rangeOf(asked, trouble);
      if (!found) return;
      const range = { from: Math.max(0, found.from - ahead), to: Math.max(1, found.to - ahead) };
      editor.current?.mark(range, trouble.message);
      const name = meant(text.slice(range.from, range.to), trouble.message, text, schema.current);
      if (name) setMend({ range, name });
    } finally {
      if (stop.current === mine) setBusy(false);
    }
  };

  useEffect(() => {
    let gone = false;
    import('../editor/editor').then(({ editor: make }) => {
      if (gone || !host.current) return;
      editor.current = make({
        host: host.current,
        text: place.value.query.query ?? FIRST,
        schema: () => schema.current,
        onRun: () => void run(),
        onChange: () => {
          editor.current?.mark(null, '');
          setMend(null);
        },
      });
      setReady(true);
      if (place.value.query.run) void run(place.value.query.run === 'explain');
    });
    api.schema().then(
      (found) => {
        schema.current = found;
      },
      () => {},
    );
    return () => {
      gone = true;
      editor.current?.destroy();
      stop.current?.abort();
    };
  }, []);

  // Another address for this page, as from a link or the back button.
  useEffect(() => {
    const text = query.query;
    if (!ready || !text || text === editor.current?.text()) return;
    editor.current?.setText(text);
    setParams(query.params ?? '');
    paramsNow.current = query.params ?? '';
    if (query.run) void run(query.run === 'explain');
  }, [query.query, ready]);

  const pick = (entry: { query: string; params: string }) => {
    editor.current?.setText(entry.query);
    setParams(entry.params);
    setShowHistory(false);
    editor.current?.focus();
  };
  const put = () => {
    if (!mend) return;
    editor.current?.replace(mend.range, mend.name);
    void run();
  };
  const isPlan = answer?.columns.length === 1 && answer.columns[0] === 'explain result';
  const graph = answer && !isPlan ? graphOf(answer) : null;

  return (
    <div class="console">
      <Head title="Console" lead="Cypher over the graph. Only reading is possible." />
      <div class="console-ask">
        <div class="editor-box" ref={host} data-ready={ready} onKeyDown={(event) => event.stopPropagation()} />
        <div class="console-bar">
          <button type="button" class="button primary" onClick={() => (busy ? stop.current?.abort() : void run(), busy && setBusy(false))} disabled={!ready}>
            <Icon name={busy ? 'stop' : 'run'} />
            {busy ? 'Stop' : 'Run'}
          </button>
          <button type="button" class="button" onClick={() => void run(true)} disabled={!ready || busy}>
            Explain
          </button>
          <button type="button" class="button quiet" aria-expanded={showHistory} onClick={() => setShowHistory(!showHistory)}>
            History
          </button>
          <span class="spacer" />
          <label class="inline-field">
            at most
            <select value={limit} onChange={(event) => setQuery({ limit: event.currentTarget.value })}>
              {among(LIMITS, limit).map((value) => <option value={value}>{count(value)} rows</option>)}
            </select>
          </label>
          <label class="inline-field">
            for
            <select value={seconds} onChange={(event) => setQuery({ seconds: event.currentTarget.value })}>
              {among(TIMES, seconds).map((value) => <option value={value}>{value} s</option>)}
            </select>
          </label>
        </div>
        <details class="params" open={params !== ''}>
          <summary>Parameters</summary>
          <label class="visually-hidden" for="params">
            Parameters as JSON
          </label>
          <textarea
            id="params"
            class="mono"
            rows={2}
            spellcheck={false}
            placeholder={'{"name": "email"}   for $name in the query'}
            value={params}
            aria-invalid={paramsError ? true : undefined}
            aria-describedby="params-error"
            onInput={(event) => setParams(event.currentTarget.value)}
          />
          <p id="params-error" class="field-error" role="alert">
            {paramsError}
          </p>
        </details>
        {showHistory && (
          <div class="history card">
            {history.length === 0 ? <p class="soft">Queries that were run here are listed here.</p> : null}
            <ul>
              {history.map((entry) => (
                <li key={entry.query + entry.params}>
                  <button type="button" onClick={() => pick(entry)}>
                    <code>{entry.query.replace(/\s+/g, ' ')}</code>
                  </button>
                </li>
              ))}
            </ul>
            {history.length > 0 && (
              <button type="button" class="button small quiet" onClick={() => setHistory(forget())}>
                Forget them all
              </button>
            )}
          </div>
        )}
      </div>
      <section class="console-answer" aria-label="Answer" aria-busy={busy}>
        {busy && !answer ? <Busy what="Running" /> : null}
        {error && (
          <Failed error={error}>
            {mend && (
              <button type="button" class="button small" onClick={put}>
                Put <code>{mend.name}</code> there
              </button>
            )}
          </Failed>
        )}
        {answer && !error && (
          <>
            <div class="answer-bar">
              {!isPlan && (
                <Tabs
                  label="Answer as"
                  panel="answer-panel"
                  value={view}
                  onChange={(view) => setQuery({ view: view === 'table' ? null : view })}
                  choices={[
                    { value: 'table', label: 'Table', count: answer.rows.length },
                    { value: 'graph', label: 'Graph', count: graph?.nodes.length ?? 0 },
                    { value: 'json', label: 'JSON' },
                  ]}
                />
              )}
              <p class="answer-facts" role="status">
                {isPlan ? 'The plan' : `${count(answer.rows.length)} ${answer.rows.length === 1 ? 'row' : 'rows'}`} in {answer.elapsed_ms.toFixed(answer.elapsed_ms < 10 ? 1 : 0)} ms
                {answer.truncated && <span class="tag warn">cut at {count(answer.rows.length)} rows; there are more</span>}
              </p>
              {!isPlan && (
                <button type="button" class="button small quiet" onClick={() => download('ripple.csv', 'text/csv;charset=utf-8', csv(answer))}>
                  Download CSV
                </button>
              )}
              <Copy text={() => location.href} label="Copy link" />
            </div>
            <div id="answer-panel" role="tabpanel" aria-label={view} class="answer-panel">
              {isPlan ? (
                <pre class="plan" tabIndex={0}>
                  {answer.rows.map((row) => plain(row[0] ?? '')).join('\n')}
                </pre>
              ) : answer.rows.length === 0 ? (
                <Empty title="No rows">The query ran, and nothing in the graph fits it.</Empty>
              ) : view === 'graph' && graph ? (
                graph.nodes.length === 0 ? (
                  <Empty title="Nothing to draw">
                    Return nodes, relationships or paths, not their properties: <code>MATCH p = (a)-[r]-&gt;(b) RETURN p</code>
                  </Empty>
                ) : (
                  <Graph nodes={graph.nodes} edges={graph.edges} />
                )
              ) : view === 'json' ? (
                <Json answer={answer} />
              ) : (
                <Rows answer={answer} />
              )}
            </div>
          </>
        )}
        {!answer && !error && !busy && (
          <Empty title="Nothing asked yet">
            <p>Ctrl Enter in the editor runs it. Or begin with one of these:</p>
            <p class="starts">
              {EXAMPLES.map(([name, text]) => (
                <button key={name} type="button" class="chip" disabled={!ready} onClick={() => (pick({ query: text, params: '' }), void run())}>
                  {name}
                </button>
              ))}
            </p>
          </Empty>
        )}
      </section>
    </div>
  );
}

/** Longest JSON that is shown; the rest is in the CSV. */
const SHOWN = 2000;

function Json({ answer }: { answer: Answer }) {
  const { rows } = answer;
  return (
    <>
      <pre class="plan" tabIndex={0}>
        {JSON.stringify({ columns: answer.columns, types: answer.types, rows: rows.slice(0, SHOWN) }, null, 1)}
      </pre>
      {rows.length > SHOWN && <p class="faint">The first {count(SHOWN)} rows are shown here; the table and the CSV have all of them.</p>}
    </>
  );
}

export function parseParams(text: string): Record<string, unknown> {
  if (!text.trim()) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`That is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('Parameters are a JSON object, such as {"name": "email"}.');
  return value as Record<string, unknown>;
}
