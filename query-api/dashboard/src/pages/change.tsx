// What a change touches: `#/change?base=main&head=HEAD`, `#/change?staged=1`, or a pasted diff, packed into the address.

import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { ImpactReport } from '../api/types';
import { place, setQuery } from '../route';
import { lazy } from '../ui/lazy';
import { useLoad } from '../ui/load';
import { pack, unpack } from '../ui/pack';
import { Busy, Copy, Empty, Failed, Head, LongList, NodeLine, Tabs, count } from '../ui/parts';
import '../style/change.css';
import '../style/graph.css';

const Explorer = lazy(async () => (await import('../graph/explorer')).Explorer);

/** Longest packed diff that goes into the address. */
const MOST = 24_000;

type Body = { diff: string } | { base: string; head: string } | { staged: true };

export function Change() {
  const query = place.value.query;
  const way = query.way ?? (query.base ? 'revisions' : query.staged ? 'staged' : 'diff');
  const [diff, setDiff] = useState('');
  const [base, setBase] = useState(query.base ?? 'main');
  const [head, setHead] = useState(query.head ?? 'HEAD');
  const [body, setBody] = useState<Body | null>(() => (query.base ? { base: query.base, head: query.head ?? 'HEAD' } : query.staged ? { staged: true } : null));
  useEffect(() => {
    if (!query.diff || diff) return;
    unpack(query.diff).then(
      (text) => {
        setDiff(text);
        setBody({ diff: text });
      },
      () => {},
    );
  }, []);
  const report = useLoad(body ? JSON.stringify(body) : null, (signal) => api.impact({ ...body }, { signal, patience: 120_000 }));

  const ask = async (event: Event) => {
    event.preventDefault();
    const clean = { sel: null, open: null, more: null, hide: null, steps: null, sure: null };
    if (way === 'diff') {
      setBody({ diff });
      const packed = await pack(diff);
      setQuery({ ...clean, way: null, base: null, head: null, staged: null, diff: packed.length <= MOST ? packed : null }, false);
    } else if (way === 'revisions') {
      setBody({ base: base.trim(), head: head.trim() });
      setQuery({ ...clean, way: null, base: base.trim(), head: head.trim(), staged: null, diff: null }, false);
    } else {
      setBody({ staged: true });
      setQuery({ ...clean, way: null, base: null, head: null, staged: 1, diff: null }, false);
    }
    // Asked again, even if it is the same: the work tree may have changed.
    if (report.data || report.error) report.reload();
  };
  return (
    <div class="fill change">
      <Head title="Change" lead="What a change touches, before it is merged: symbols, the places that their values reach, the tests to run." />
      <Tabs
        label="Where the change is"
        value={way}
        onChange={(way) => setQuery({ way })}
        choices={[
          { value: 'diff', label: 'A diff' },
          { value: 'revisions', label: 'Two revisions' },
          { value: 'staged', label: 'What is staged' },
        ]}
      />
      <form class="change-form" onSubmit={ask}>
        {way === 'diff' && (
          <textarea
            data-first
            class="mono"
            rows={report.data ? 4 : 10}
            required
            spellcheck={false}
            aria-label="Unified diff"
            placeholder={'the output of git diff:\n\n--- a/pipeline/model.py\n+++ b/pipeline/model.py\n@@ -12,7 +12,7 @@'}
            value={diff}
            onInput={(event) => setDiff(event.currentTarget.value)}
          />
        )}
        {way === 'revisions' && (
          <div class="revisions">
            <label class="field">
              <span>From</span>
              <input data-first class="mono" list="revisions" required spellcheck={false} autocomplete="off" value={base} onInput={(event) => setBase(event.currentTarget.value)} />
            </label>
            <label class="field">
              <span>To</span>
              <input class="mono" list="revisions" required spellcheck={false} autocomplete="off" value={head} onInput={(event) => setHead(event.currentTarget.value)} />
            </label>
            <datalist id="revisions">
              {['HEAD', 'HEAD~1', 'HEAD~5', 'main', 'master', 'origin/main'].map((name) => <option key={name} value={name} />)}
            </datalist>
          </div>
        )}
        {way === 'staged' && <p class="soft">What <code>git add</code> has put aside in the indexed folder, on the server.</p>}
        <button type="submit" class="button primary" disabled={report.loading}>
          Find what it touches
        </button>
      </form>
      {report.loading && !report.data && body && <Busy what="Finding the changed symbols" />}
      {report.error ? <Failed error={report.error} retry={report.reload} /> : report.data && <Report report={report.data} />}
    </div>
  );
}

function Report({ report }: { report: ImpactReport }) {
  if (report.changed.length === 0 && (report.unknown_files ?? []).length === 0) {
    return <Empty title="Nothing is changed there.">No line of the change belongs to a symbol of the index.</Empty>;
  }
  const tests = report.tests_to_run.flatMap((id) => report.answer.nodes[id] ?? []);
  return (
    <section class="report" aria-label="Report">
      <div class="report-head">
        <p class="report-line" role="status">
          <strong>{count(report.changed.length)}</strong> {report.changed.length === 1 ? 'symbol' : 'symbols'} changed, <strong>{count(report.answer.results.length)}</strong>{' '}
          {report.answer.results.length === 1 ? 'place' : 'places'} reached, <strong>{count(tests.length)}</strong> {tests.length === 1 ? 'test' : 'tests'} to run
        </p>
        <Copy text={() => report.markdown} label="Copy as Markdown" />
      </div>
      <div class="two-lists">
        <section>
          <h2>Changed</h2>
          {(report.unknown_files ?? []).length > 0 && <p class="soft">Not in the index: {report.unknown_files?.join(', ')}.</p>}
          {report.changed.length === 0 && <p class="soft">No symbol of the index overlaps the changed lines.</p>}
          <LongList>
            {report.changed.map((change) => {
              const node = report.answer.nodes[change.node] ?? report.answer.seeds.find((seed) => seed.id === change.node);
              return (
                <li key={change.node} class="neighbour">
                  {node ? <NodeLine node={node} /> : `${change.file}:${change.lines[0]}`}
                  <span class={`tag change-${change.change}`}>{change.change}</span>
                </li>
              );
            })}
          </LongList>
        </section>
        <section>
          <h2>
            Tests to run
            {tests.length > 0 && <Copy text={() => tests.map((test) => test.qualified_name).join('\n')} label="Copy the names" />}
          </h2>
          {tests.length === 0 && (
            <p class="soft">
              {report.answer.verdict.level === 'complete' ? 'No test in the index reaches what changed.' : 'No test is known to reach what changed. That proves nothing: the verdict says why.'}
            </p>
          )}
          <LongList first={6}>
            {tests.map((test) => (
              <li key={test.id} class="neighbour">
                <NodeLine node={{ ...test, test: false }} />
              </li>
            ))}
          </LongList>
        </section>
      </div>
      {report.answer.seeds.length > 0 && <Explorer answer={report.answer} />}
    </section>
  );
}
