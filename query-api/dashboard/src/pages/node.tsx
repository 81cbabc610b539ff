// One symbol: `#/node/Function/81`. What it is, its source, what stands around it, its tests, its history.

import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api/client';
import type { NodeView } from '../api/types';
import { asNode } from '../graph/rows';
import { link, nodeLink, place } from '../route';
import { Code } from '../ui/code';
import { Icon } from '../ui/icons';
import { useLoad } from '../ui/load';
import { Busy, Copy, Empty, Failed, Glyph, Loaded, LongList, NodeLine, Site, VerdictBox, count, openSource, percent } from '../ui/parts';
import { type Section, isLabel, sectionsOf } from './node-sections';
import '../style/explore.css';

/** Neighbours of one section that are shown; the console shows the rest. */
const SHOWN = 60;

export function Node() {
  const [, label = '', number = ''] = place.value.path;
  const id = Number(number);
  const good = isLabel(label) && Number.isSafeInteger(id);
  const node = useLoad(good ? `${label}:${id}` : null, async (signal) => {
    const found = await api.cypher(`MATCH (n:${label} {id: $id}) RETURN n`, { id }, { limit: 1 }, { signal });
    return asNode(found.rows[0]?.[0]) ?? false;
  });
  if (!good) return <Empty title="That is not the address of a symbol">It reads #/node/Function/81.</Empty>;
  return (
    <Loaded load={node} what="Looking it up">
      {(node) =>
        node ? (
          <Found node={node} key={node.id} />
        ) : (
          <Empty title="It is not in this index">
            The code may have changed since this link was made. <a href={link('explore')}>Look for it by name.</a>
          </Empty>
        )
      }
    </Loaded>
  );
}

function Found({ node }: { node: NodeView }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${node.name} · Ripple`;
    title.current?.focus({ preventScroll: true });
  }, [node]);
  const hasBody = node.file !== '' && node.line > 0;
  return (
    <article>
      <Parents node={node} />
      <header class="node-head">
        <h1 ref={title} tabIndex={-1}>
          <Glyph label={node.label} />
          {node.name || node.qualified_name}
        </h1>
        <p class="node-facts">
          <span>
            {node.kind && node.kind !== node.label.toLowerCase() ? `${node.kind}, ` : ''}
            {node.label}
          </span>
          {node.type && <code>{node.type}</code>}
          {node.file && <Site file={node.file} line={node.line} />}
          {node.test && <span class="tag">test</span>}
          {node.tags.map((tag) => (
            <span class="tag" key={tag}>
              {tag}
            </span>
          ))}
        </p>
        {node.signature && <code class="signature">{node.signature}</code>}
        {node.doc && <p class="doc">{node.doc}</p>}
        <div class="node-tools">
          <a class="button primary" href={link('ripple', { target: node.id, name: node.name })}>
            <Icon name="ripple" />
            See the ripple
          </a>
          <a class="button" href={link('ripple', { target: node.id, name: node.name, direction: 'up' })}>
            What it comes from
          </a>
          {hasBody && (
            <button type="button" class="button" onClick={() => openSource(node.file, node.line)}>
              Open the file
            </button>
          )}
          <Copy text={() => node.qualified_name || node.name} label="Copy name" />
        </div>
      </header>
      {hasBody && node.end_line > node.line && node.label !== 'File' && <Body node={node} />}
      <div class="neighbours">
        {sectionsOf(node.label).map((section) => (
          <Neighbours key={section.title} node={node} section={section} />
        ))}
      </div>
      {(node.label === 'Function' || node.label === 'Type') && <Tests node={node} />}
      {hasBody && <History node={node} />}
    </article>
  );
}

/** The whole that it is part of. */
function Parents({ node }: { node: NodeView }) {
  const parents = useLoad(`${node.id}`, (signal) => api.cypher(`MATCH (n:${node.label} {id: $id})<-[:CONTAINS]-(x) RETURN x LIMIT 1`, { id: node.id }, {}, { signal }));
  const parent = asNode(parents.data?.rows[0]?.[0]);
  return (
    <p class="crumbs">
      <a href={link('explore')}>Explore</a>
      {parent && (
        <>
          {' / '}
          <a href={nodeLink(parent)}>{parent.qualified_name}</a>
        </>
      )}
    </p>
  );
}

function Body({ node }: { node: NodeView }) {
  const last = Math.min(node.end_line, node.line + 400);
  const excerpt = useLoad(`${node.file}:${node.line}`, (signal) => api.source(node.file, node.line, last, { signal }));
  return (
    <section class="section">
      <h2>
        Source <span class="aside faint">{node.end_line > last && `first ${count(last - node.line + 1)} of ${count(node.end_line - node.line + 1)} lines`}</span>
      </h2>
      <Loaded load={excerpt} what="Reading the source">
        {(excerpt) => <Code text={excerpt.text} language={excerpt.language} first={excerpt.line} label={`Source of ${node.name}`} onLine={(line) => openSource(node.file, line)} />}
      </Loaded>
    </section>
  );
}

function Neighbours({ node, section }: { node: NodeView; section: Section }) {
  const found = useLoad(`${node.id}`, (signal) => api.cypher(section.query, { id: node.id }, { limit: SHOWN }, { signal }));
  if (found.data && found.data.rows.length === 0) return null;
  const query = link('console', { query: section.query, params: JSON.stringify({ id: node.id }), run: 1 });
  return (
    <section class="section">
      <h2>
        {section.title}
        {found.data && <span class="count">{found.data.truncated ? `more than ${SHOWN}` : count(found.data.rows.length)}</span>}
        <span class="faint">{section.hint}</span>
        <a class="aside" href={query} aria-label={`${section.title} in the console`}>
          in the console
        </a>
      </h2>
      {found.error ? <Failed error={found.error} retry={found.reload} /> : !found.data ? <Busy what="Looking" /> : null}
      <LongList>
        {(found.data?.rows ?? []).map((row, at) => {
          const other = asNode(row[0]);
          const edge = (row[1] as { type?: string; properties?: Record<string, unknown> } | null)?.properties;
          if (!other) return null;
          return (
            <li class="neighbour" key={at}>
              <NodeLine node={edge?.file ? { ...other, file: '' } : other} />
              {edge && (
                <span class="how">
                  {String(edge.how || '')}
                  {typeof edge.confidence === 'number' && edge.confidence < 0.95 && (
                    <span title={`rule ${edge.rule}`}>{edge.confidence === 0 ? 'unresolved' : percent(edge.confidence)}</span>
                  )}
                  {typeof edge.file === 'string' && edge.file && <Site file={edge.file} line={Number(edge.line)}>at {lastPart(edge.file)}:{String(edge.line)}</Site>}
                </span>
              )}
            </li>
          );
        })}
      </LongList>
    </section>
  );
}

function Tests({ node }: { node: NodeView }) {
  const found = useLoad(`${node.id}`, (signal) => api.operation('tests_for', { target: String(node.id) }, { signal }));
  return (
    <section class="section">
      <h2>
        Tests <span class="faint">that reach it</span>
      </h2>
      <Loaded load={found} what="Looking for tests">
        {(answer) => {
          const tests = (answer.tests.length ? answer.tests : answer.results.map((result) => result.node)).flatMap((id) => answer.nodes[id] ?? []);
          return (
            <>
              {tests.length === 0 ? <p class="soft">No test in the index reaches it.</p> : <LongList>{tests.map((test) => <li class="neighbour" key={test.id}><NodeLine node={{ ...test, test: false }} /></li>)}</LongList>}
              <VerdictBox verdict={answer.verdict} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function History({ node }: { node: NodeView }) {
  const found = useLoad(`${node.id}`, (signal) => api.history(node.file, node.line, node.end_line || node.line, { signal }));
  return (
    <section class="section">
      <h2>
        History <span class="faint">commits that changed these lines</span>
      </h2>
      <Loaded load={found} what="Asking git">
        {({ commits }) =>
          commits.length === 0 ? (
            <p class="soft">No commit is known: the folder may not be a git repository.</p>
          ) : (
            <ul class="commits">
              {commits.map((commit) => (
                <li key={commit.hash}>
                  <span class="mono">{commit.hash.slice(0, 8)}</span>
                  <span>{commit.subject}</span>
                  <span class="faint">
                    {commit.author}, {commit.date.slice(0, 10)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
