// What the index holds and how far it can be believed: counts, calls resolved, files left out, freshness, communities,
// generations, and an index run that is under way.

import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client';
import type { Generations, Status } from '../api/types';
import { link } from '../route';
import { lazy } from '../ui/lazy';
import { useLoad } from '../ui/load';
import { Busy, Failed, Head, Loaded, Site, age, bytes, count } from '../ui/parts';
import '../style/index.css';

const Communities = lazy(async () => (await import('./communities')).Communities);

export function Index() {
  const status = useLoad('status', (signal) => api.status(true, false, { signal }));
  const generations = useLoad('generations', (signal) => api.generations({ signal }));
  const running = generations.data?.running ?? null;
  // A running index is looked at every second and a half; else nothing is asked twice.
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => {
      generations.reload();
      status.reload();
    }, 1500);
    return () => clearTimeout(timer);
  }, [generations.data]);
  return (
    <div class="index-page">
      <Head
        title="Index"
        lead={
          status.data && (
            <>
              {status.data.roots.map((root) => root.path).join(', ')}, built {age(status.data.age_seconds)} ago by Ripple {status.data.ripple_version}
            </>
          )
        }
      />
      {running && <Running running={running} />}
      <Loaded load={status} what="Reading the index">
        {(status) => (
          <>
            <Figures status={status} />
            <Freshness />
            <div class="two">
              <Calls status={status} />
              <Files status={status} />
            </div>
            <div class="two">
              <Counts title="Nodes" counts={status.nodes} query={(name) => `MATCH (n:${name}) RETURN n LIMIT 100`} />
              <Counts title="Relationships" counts={status.relationships} query={(name) => `MATCH (a)-[r:${name}]->(b) RETURN a, r, b LIMIT 100`} />
            </div>
            <Left status={status} />
          </>
        )}
      </Loaded>
      <section class="section">
        <h2>
          Communities <span class="faint">code that hangs together, as a map</span>
        </h2>
        <Communities />
      </section>
      <section class="section">
        <h2>Generations</h2>
        {generations.error ? <Failed error={generations.error} retry={generations.reload} /> : generations.data ? <Builds generations={generations.data} /> : <Busy what="Looking" />}
      </section>
    </div>
  );
}

function Figures({ status }: { status: Status }) {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, n) => all + n, 0);
  const inGraph = status.files.filter((files) => files.status !== 'skipped');
  const figures: [string, string][] = [
    [count(inGraph.reduce((all, f) => all + f.files, 0)), 'files'],
    [count(inGraph.reduce((all, f) => all + f.lines, 0)), 'lines'],
    [count(sum(status.nodes)), 'nodes'],
    [count(sum(status.relationships)), 'relationships'],
    [bytes(status.database_bytes), 'on disk'],
  ];
  return (
    <dl class="figures">
      {figures.map(([figure, what]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Reads every source file on the server, so it is asked for. */
function Freshness() {
  const [asked, setAsked] = useState(false);
  const status = useLoad(asked ? 'fresh' : null, (signal) => api.status(false, true, { signal, patience: 120_000 }));
  const tree = status.data?.work_tree;
  return (
    <section class="section fresh">
      <h2>Is it up to date?</h2>
      {!asked && (
        <p class="soft">
          Compare it with the files on disk.{' '}
          <button type="button" class="button small" onClick={() => setAsked(true)}>
            Compare
          </button>
        </p>
      )}
      {status.loading && <Busy what="Reading the files" />}
      {status.error && <Failed error={status.error} retry={status.reload} />}
      {status.data?.work_tree_error && <p class="soft">The source cannot be compared: {status.data.work_tree_error}</p>}
      {tree && !tree.moved_on && <p class="good">Nothing has changed since it was built.</p>}
      {tree?.moved_on && (
        <>
          <p>
            The source has moved on; run <code>ripple index</code> to catch up.
          </p>
          {(['changed', 'added', 'removed'] as const).map((what) =>
            tree[what].length ? (
              <details key={what}>
                <summary>
                  {count(tree[what].length)} {what}
                </summary>
                <ul class="file-list">{tree[what].slice(0, 200).map((file) => <li key={file}>{file}</li>)}</ul>
              </details>
            ) : null,
          )}
        </>
      )}
    </section>
  );
}

function Calls({ status }: { status: Status }) {
  const unresolved = 'MATCH (f:Function)-[c:CALLS]->(x:External) WHERE x.kind = \'unresolved\' RETURN f.qualified_name AS caller, x.name AS callee, c.rule AS rule, c.file AS file, c.line AS line';
  return (
    <section class="section">
      <h2>
        Calls <a class="aside" href={link('console', { query: unresolved, run: 1 })}>list the unresolved</a>
      </h2>
      {Object.entries(status.calls).map(([language, calls]) => (
        <div class="calls" key={language}>
          <h3>{language}</h3>
          <div class="bar" role="img" aria-label={`${calls.resolved_percent} % resolved, ${calls.external_percent} % library, ${calls.unresolved_percent} % unresolved`}>
            <span class="bar-good" style={{ flexGrow: calls.resolved }} />
            <span class="bar-far" style={{ flexGrow: calls.external }} />
            <span class="bar-bad" style={{ flexGrow: calls.unresolved }} />
          </div>
          <dl class="legend">
            <div><dt><i class="bar-good" />in the index</dt><dd>{count(calls.resolved)} <span class="faint">{calls.resolved_percent} %</span></dd></div>
            <div><dt><i class="bar-far" />libraries</dt><dd>{count(calls.external)} <span class="faint">{calls.external_percent} %</span></dd></div>
            <div><dt><i class="bar-bad" />not resolved</dt><dd>{count(calls.unresolved)} <span class="faint">{calls.unresolved_percent} %</span></dd></div>
          </dl>
        </div>
      ))}
    </section>
  );
}

function Files({ status }: { status: Status }) {
  return (
    <section class="section">
      <h2>Files</h2>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">Language</th>
            <th scope="col">Read</th>
            <th scope="col" class="number">Files</th>
            <th scope="col" class="number">Lines</th>
            <th scope="col" class="number">Size</th>
          </tr>
        </thead>
        <tbody>
          {status.files.map((files) => (
            <tr key={files.language + files.status}>
              <td>{files.language}</td>
              <td>{{ indexed: 'whole', partial: 'in part', skipped: 'not' }[files.status] ?? files.status}</td>
              <td class="number">{count(files.files)}</td>
              <td class="number">{count(files.lines)}</td>
              <td class="number">{bytes(files.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Counts({ title, counts, query }: { title: string; counts: Record<string, number>; query: (name: string) => string }) {
  const entries = Object.entries(counts).filter(([, n]) => n > 0).sort(([, a], [, b]) => b - a);
  const none = Object.keys(counts).filter((name) => counts[name] === 0);
  const most = entries[0]?.[1] ?? 1;
  return (
    <section class="section">
      <h2>{title}</h2>
      <ul class="counts">
        {entries.map(([name, n]) => (
          <li key={name}>
            <a href={link('console', { query: query(name), run: 1 })}>{name}</a>
            <span class="measure" aria-hidden="true">
              <span style={{ width: `${(100 * n) / most}%` }} />
            </span>
            <span class="number">{count(n)}</span>
          </li>
        ))}
      </ul>
      {none.length > 0 && <p class="faint counts-none">None of <span class="mono">{none.join(', ')}</span></p>}
    </section>
  );
}

/** Files that are not in the graph, or only in part. */
function Left({ status }: { status: Status }) {
  const list = status.files_in_trouble ?? [];
  return (
    <section class="section">
      <h2>
        Left out <span class="count">{count(list.length)}</span>
      </h2>
      {list.length === 0 ? (
        <p class="soft">Every file was read whole.</p>
      ) : (
        <ul class="troubles">
          {list.slice(0, 300).map((trouble) => (
            <li key={trouble.path + trouble.line + trouble.code}>
              <span class="tag">{trouble.code}</span> <Site file={trouble.path} line={trouble.line} /> <span class="soft">{trouble.message}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const BUILDING: Record<string, string> = {
  discover: 'Finding the files', lower: 'Reading the source', link: 'Joining names to what they name', propagate: 'Following values and types', emit: 'Writing the graph down', load: 'Loading the database',
};

function Running({ running }: { running: NonNullable<Generations['running']> }) {
  const known = running.total > 0;
  const share = known ? Math.min(1, running.done / running.total) : 0;
  const seconds = Math.max(0, Date.now() / 1000 - running.started_at);
  return (
    <section class="card running" aria-label="An index run is under way">
      <p>
        <strong>A new index is being built</strong>
        <span class="soft">
          {BUILDING[running.stage] ?? running.stage}
          {known && `, ${count(running.done)} of ${count(running.total)}`}, for {age(seconds)}
        </span>
      </p>
      <progress max={1} value={known ? share : undefined} aria-label={running.stage} />
    </section>
  );
}

function Builds({ generations }: { generations: Generations }) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Generations">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">Generation</th>
            <th scope="col">Built</th>
            <th scope="col" class="number">Files</th>
            <th scope="col" class="number">Lines</th>
            <th scope="col" class="number">Nodes</th>
            <th scope="col" class="number">Relationships</th>
            <th scope="col" class="number">Took</th>
          </tr>
        </thead>
        <tbody>
          {generations.generations.map((build) => (
            <tr key={build.name}>
              <td class="mono">
                {build.name} {build.name === generations.current && <span class="tag">served</span>}
              </td>
              <td>{new Date(build.built_at * 1000).toISOString().slice(0, 16).replace('T', ' ')}</td>
              <td class="number">{count(build.files)}</td>
              <td class="number">{count(build.lines)}</td>
              <td class="number">{count(build.nodes)}</td>
              <td class="number">{count(build.relationships)}</td>
              <td class="number">{build.seconds.toFixed(1)} s</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
