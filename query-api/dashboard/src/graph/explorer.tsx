// The ripple as picture and list: filters above, the drawing, and beside it the verdict, what was reached, what is chosen.
// Used by the Ripple page, by answers to questions, and by the impact of a change. Its whole state is in the address.

import { useMemo, useRef } from 'preact/hooks';
import { api } from '../api/client';
import type { EdgeView, Finding, NodeView, OperationAnswer } from '../api/types';
import { link, place, setQuery } from '../route';
import { useLoad } from '../ui/load';
import { Copy, Empty, Glyph, Menu, Tabs, VerdictBox, count, download, percent } from '../ui/parts';
import { Canvas, type Handle, colours } from './canvas';
import { Details } from './details';
import { fitted } from './drawn';
import { mermaid, svg } from './export';
import { graphOfAnswer, pathTo, wayTo } from './from-answer';
import { type GroupBy, PLAIN, type View, brief, opened, picture } from './picture';
import { graphOf } from './rows';
import '../style/graph.css';

export function Explorer({ answer, onMore }: { answer: OperationAnswer; /** Asks for more results than these. */ onMore?: (() => void) | undefined }) {
  const query = place.value.query;
  const kept = numbers(query.more);
  const more = useLoad(kept.length ? query.more ?? '' : null, (signal) => Promise.all(kept.map((id) => neighbours(id, answer.nodes[id]?.label, signal))));
  const graph = useMemo(() => graphOfAnswer(answer, more.data ?? []), [answer, more.data]);
  const furthest = useMemo(() => Math.max(1, ...answer.results.map((result) => result.distance)), [answer]);
  const view: View = {
    groupBy: (['file', 'package', 'none'].includes(query.group ?? '') ? query.group : 'file') as GroupBy,
    hidden: new Set(list(query.hide)),
    confidence: Number(query.sure) / 100 || 0,
    depth: Number(query.steps) || Number.POSITIVE_INFINITY,
    open: new Set(list(query.open)),
    fold: query.fold === '1' ? true : query.fold === '0' ? false : null,
    kept: new Set(kept),
  };
  const key = JSON.stringify([query.group, query.hide, query.sure, query.steps, query.open, query.fold, query.more]);
  const drawn = useMemo(() => fitted(picture(graph, view), room(), query.flow), [graph, key, query.flow]);
  const kinds = useMemo(() => tally(graph.edges), [graph]);
  const handle = useRef<Handle | null>(null);
  const chosen = query.sel ?? null;
  // A result that is not drawn itself, such as the function around a variable, shows the way that leads to it.
  const beside = chosen ? answer.nodes[Number(chosen)] : undefined;
  const shape = drawn.picture.shapes.find((shape) => shape.id === chosen) ?? (beside && { id: chosen ?? '', text: brief(beside), node: beside, box: '', members: 1, seed: false }) ?? null;
  const all = useMemo(() => picture(graph, PLAIN).passed, [graph]);
  const lit = useMemo(() => (shape?.node ? pathTo(answer, shape.node.id) : undefined), [answer, shape]);
  const choose = (id: string | null) => setQuery({ sel: id });
  const open = (group: string) => setQuery({ open: [...opened(view.open, group)].join('|') || null, sel: null });
  const hide = (kind: string) => {
    const next = new Set(view.hidden);
    if (!next.delete(kind)) next.add(kind);
    setQuery({ hide: [...next].join('|') || null });
  };
  const pane = query.pane === 'list' ? 'list' : 'picture';
  const name = `ripple-${(answer.seeds[0]?.name ?? 'graph').replace(/[^\w.-]+/g, '_')}`;

  return (
    <div class="explorer" data-pane={pane}>
      <div class="graph-tools">
        <div class="kinds" role="group" aria-label="Kinds of edges">
          {[...kinds].map(([kind, n]) => (
            <button type="button" key={kind} class={`chip kind k-${kind.toLowerCase()}`} aria-pressed={!view.hidden.has(kind)} onClick={() => hide(kind)}>
              {kind.toLowerCase().replaceAll('_', ' ')}
              <span class="count">{count(n)}</span>
            </button>
          ))}
        </div>
        <label class="slider">
          sure <output>{percent(view.confidence)}</output>
          <input type="range" aria-label="Least confidence, in percent" min="0" max="100" step="5" value={view.confidence * 100} onInput={(event) => setQuery({ sure: Number(event.currentTarget.value) || null })} />
        </label>
        {furthest > 1 && <label class="slider">
          steps <output>{Math.min(view.depth, furthest)}</output>
          <input
            type="range"
            aria-label="Steps from the beginning"
            min="1"
            max={furthest}
            value={Math.min(view.depth, furthest)}
            onInput={(event) => setQuery({ steps: Number(event.currentTarget.value) >= furthest ? null : event.currentTarget.value })}
          />
        </label>}
        <Menu label="Export">
          <button type="button" onClick={() => void handle.current?.png().then((blob) => download(`${name}.png`, 'image/png', blob))}>
            PNG
          </button>
          <button type="button" onClick={() => download(`${name}.svg`, 'image/svg+xml', svg(drawn, colours()))}>
            SVG
          </button>
          <button type="button" onClick={() => download(`${name}.mmd`, 'text/plain', mermaid(drawn.picture, drawn.down))}>
            Mermaid
          </button>
          <Copy text={() => location.href} label="Copy link" />
        </Menu>
      </div>
      <div class="narrow-only">
        <Tabs label="View" value={pane} onChange={(pane) => setQuery({ pane: pane === 'picture' ? null : pane })} choices={[{ value: 'picture', label: 'Picture' }, { value: 'list', label: 'List', count: answer.results.length }]} />
      </div>
      <div class="graph-side">
        <div class="graph-main">
          {drawn.picture.shapes.length === 0 ? (
            <Empty title="Nothing passes these filters" />
          ) : (
            <Canvas
              drawn={drawn}
              chosen={chosen}
              lit={lit}
              onChoose={choose}
              onReady={(ready) => {
                handle.current = ready;
              }}
            />
          )}
          <div class="graph-foot">
            <p class="graph-facts faint" role="status">
              {count(drawn.picture.passed)} of {count(all)} places
              {drawn.picture.collapsed && `, collapsed to ${count(drawn.picture.shapes.length)}: choose a group to open it`}
            </p>
            <select aria-label="Group by" value={view.groupBy} onChange={(event) => setQuery({ group: event.currentTarget.value === 'file' ? null : event.currentTarget.value, open: null })}>
              <option value="file">by file</option>
              <option value="package">by package</option>
              <option value="none">no groups</option>
            </select>
            <label class="check">
              <input type="checkbox" checked={drawn.picture.collapsed && view.open.size === 0} onChange={(event) => setQuery({ fold: event.currentTarget.checked ? '1' : '0', open: null })} />
              collapsed
            </label>
            <select aria-label="Direction of the drawing" value={query.flow ?? ''} onChange={(event) => setQuery({ flow: event.currentTarget.value })}>
              <option value="">as it fits</option>
              <option value="right">left to right</option>
              <option value="down">top to bottom</option>
            </select>
          </div>
        </div>
        <div class="graph-list">
          {shape && <Details shape={shape} way={shape.node ? wayTo(answer, shape.node.id) : undefined} drawn={drawn} onChoose={choose} onOpen={open} onExpand={(id) => setQuery({ more: [...new Set([...kept, id])].join('|') })} onClose={() => choose(null)} />}
          <VerdictBox verdict={answer.verdict} />
          <Reached answer={answer} chosen={chosen} onChoose={choose} onMore={onMore} />
          <p class="graph-queries">
            {answer.cypher.map((query, at) => (
              <a key={at} href={link('console', { query: query.text, params: JSON.stringify(query.params), run: 1 })}>
                Check it in the console{answer.cypher.length > 1 && ` (${at + 1})`}
              </a>
            ))}
          </p>
        </div>
      </div>
    </div>
  );
}

/** Room for the drawing, about. */
const room = () => (innerWidth > 760 ? { width: innerWidth - 620, height: innerHeight - 290 } : { width: innerWidth - 40, height: 420 });

/** What a result rests on, where that is not the value itself. */
const GROUNDS: Record<Finding['ground'], string> = { flow: '', decision: 'by a decision, ', may: 'maybe, ' };

/** Results that are listed at once. */
const LISTED = 300;

function Reached({ answer, chosen, onChoose, onMore }: { answer: OperationAnswer; chosen: string | null; onChoose: (id: string) => void; onMore?: (() => void) | undefined }) {
  if (answer.results.length === 0) return <Empty title="Nothing is reached" />;
  const groups = answer.groups.length ? answer.groups : [{ package: '', results: answer.results.map((_, at) => at) }];
  let left = LISTED;
  return (
    <div class="reached">
      <h2>
        Reached{' '}
        {answer.truncated && onMore && (
          <button type="button" class="button small quiet" onClick={onMore}>
            Show more
          </button>
        )}
        <span class="count">{answer.truncated ? `${count(answer.results.length)} of ${count(answer.found)}` : count(answer.results.length)}</span>
      </h2>
      {groups.map((group) => {
        const shown = group.results.slice(0, Math.max(0, left));
        left -= shown.length;
        if (shown.length === 0) return null;
        return (
          <section key={group.package}>
            <h3>{group.package || 'elsewhere'}</h3>
            <ul>
              {shown.map((at) => {
                const result = answer.results[at];
                const node = result && answer.nodes[result.node];
                if (!result || !node) return null;
                return (
                  <li key={node.id}>
                    <button type="button" class="reached-item" aria-pressed={chosen === String(node.id)} onClick={() => onChoose(String(node.id))}>
                      <Glyph label={node.label} />
                      <span class="reached-name" title={node.qualified_name}>{brief(node)}</span>
                      <span class="faint" title={result.relation}>
                        {GROUNDS[result.ground]}
                        {result.distance} {result.distance === 1 ? 'step' : 'steps'}, {percent(result.confidence)}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** What is one edge away, in both directions. */
async function neighbours(id: number, label: string | undefined, signal: AbortSignal): Promise<{ nodes: NodeView[]; edges: EdgeView[] }> {
  const node = label ? `n:${label}` : 'n';
  const found = await api.cypher(`MATCH (${node} {id: $id})-[r:FLOWS_TO|PASSES_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO|PACKS_INTO|CALLS|READS|WRITES]-(x) RETURN n, r, x`, { id }, { limit: 80 }, { signal });
  return graphOf(found);
}

function tally(edges: EdgeView[]): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const edge of edges) kinds.set(edge.kind, (kinds.get(edge.kind) ?? 0) + 1);
  return new Map([...kinds].sort(([, a], [, b]) => b - a));
}

const list = (text: string | undefined): string[] => (text ?? '').split('|').filter(Boolean);
const numbers = (text: string | undefined): number[] => list(text).map(Number).filter(Number.isSafeInteger);
