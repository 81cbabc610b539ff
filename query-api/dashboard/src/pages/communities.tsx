// Communities as a map: a circle each, as large as it has members, near those that it is tied to, with its parts within.

import { type SimulationLinkDatum, type SimulationNodeDatum, forceCollide, forceLink, forceSimulation, forceX, forceY } from 'd3-force';
import { packEnclose, packSiblings } from 'd3-hierarchy';
import { useMemo } from 'preact/hooks';
import { api } from '../api/client';
import type { Community } from '../api/types';
import { link, place, setQuery } from '../route';
import { useLoad } from '../ui/load';
import { Empty, Loaded, NodeLine, Ticked, count } from '../ui/parts';

/** Circles that a map can hold and still be read. */
const MOST = 60;

/** Radius from which on a circle has room for words. */
const LABELLED = 16;

export function Communities() {
  const load = useLoad('communities', (signal) => api.communities({ signal }));
  return (
    <Loaded load={load} what="Drawing the map">
      {({ communities }) => (communities.length === 0 ? <Empty title="No communities">The index is too small to have any, or was built without them.</Empty> : <Map_ all={communities} />)}
    </Loaded>
  );
}

function Map_({ all }: { all: Community[] }) {
  const chosen = all.find((c) => String(c.id) === place.value.query.community) ?? null;
  // The map shows one level: the children of the chosen one's parent, or the top.
  const parent = chosen ? (all.some((c) => c.parent === chosen.id) ? chosen.id : (chosen.parent ?? null)) : null;
  const level = all.filter((c) => (c.parent ?? null) === parent).sort((a, b) => b.size - a.size).slice(0, MOST);
  const narrow = innerWidth < 760;
  const drawn = useMemo(() => arrange(level, (id) => all.filter((c) => c.parent === id), narrow ? 360 : 720, narrow ? 480 : 500), [all, parent, narrow]);
  const up = parent === null ? null : (all.find((c) => c.id === parent) ?? null);
  const shown = chosen ?? level[0] ?? null;
  const choose = (id: number | null) => setQuery({ community: id });
  return (
    <div class="map">
      <div>
        {up && (
          <p class="crumbs">
            <button type="button" class="button small quiet" onClick={() => choose(up.parent ?? null)}>
              Back up
            </button>{' '}
            {up.name}
          </p>
        )}
        <svg viewBox={drawn.view} role="group" aria-label={`Map of ${level.length} communities`}>
          {drawn.links.map((l, at) => (
            <line key={at} class={l.from === shown?.id || l.to === shown?.id ? 'map-link lit' : 'map-link'} x1={l.x1} y1={l.y1} x2={l.x2} y2={l.y2} stroke-width={l.width} />
          ))}
          {drawn.circles.map(({ community, x, y, r, parts }) => {
            const words = lines(community.name, r);
            return (
              <g
                key={community.id}
                class="map-node"
                role="button"
                tabindex={0}
                transform={`translate(${x} ${y})`}
                aria-pressed={community.id === shown?.id}
                aria-label={`${words.join(' ')}${words.length ? ': ' : ''}${community.name}, ${count(community.size)} members`}
                onClick={() => choose(community.id)}
                onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), choose(community.id))}
              >
                <title>{`${community.name}, ${count(community.size)} members`}</title>
                <circle r={r} />
                {parts.map((part, at) => <circle key={at} class="map-part" cx={part.x} cy={part.y} r={part.r} />)}
                <text y={4 - (words.length - 1) * 7}>
                  {words.map((word, at) => (
                    <tspan key={word} x="0" dy={at ? 14 : 0} class={at ? 'map-middle' : ''}>{at ? ` ${word}` : word}</tspan>
                  ))}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      {shown && (
        <div>
          <h3>{shown.name}</h3>
          <p class="faint">
            {count(shown.size)} members
            {all.some((c) => c.parent === shown.id) && chosen?.id !== shown.id && <> <button type="button" class="link-button" onClick={() => choose(shown.id)}>Show its parts</button></>}
          </p>
          {shown.summary && <p class="soft"><Ticked text={shown.summary} /></p>}
          <ul class="top">
            {shown.top.map((node) => (
              <li key={node.id}>
                <NodeLine node={node} />
              </li>
            ))}
          </ul>
          {shown.links.length > 0 && (
            <>
              <h3 class="faint">Tied to</h3>
              <ul class="top">
                {[...shown.links].sort((a, b) => b.weight - a.weight).slice(0, 8).flatMap((tie) => {
                  const other = all.find((c) => c.id === tie.to);
                  return other ? [<li key={tie.to}><a href={link('index', { community: other.id })}>{other.name}</a> <span class="count">{count(tie.weight)}</span></li>] : [];
                })}
              </ul>
            </>
          )}
        </div>
      )}
    </div>
  );
}

interface Circle extends SimulationNodeDatum {
  community: Community;
  r: number;
  x: number;
  y: number;
  /** Its parts, packed into it. */
  parts: { x: number; y: number; r: number }[];
}

/** Share of the map that circles cover, about. */
const COVERED = 0.4;

/** Where the circles stand; the same for the same communities. Nothing lies on anything else. */
export function arrange(level: Community[], partsOf: (id: number) => Community[], width: number, height: number) {
  const sum = level.reduce((all, c) => all + c.size, 0) || 1;
  const unit = Math.sqrt((COVERED * width * height) / (Math.PI * sum));
  const most = Math.min(width, height) / 5;
  const circles: Circle[] = level.map((community, at) => {
    const angle = at * 2.4;
    const away = 24 * Math.sqrt(at);
    const r = Math.min(most, Math.max(6, unit * Math.sqrt(community.size)));
    return { community, r, x: Math.cos(angle) * away, y: Math.sin(angle) * away, parts: packed(partsOf(community.id), r - 4) };
  });
  const at = new Map(circles.map((c) => [c.community.id, c]));
  const ties = level.flatMap((c) => c.links.filter((l) => at.has(l.to) && l.to !== c.id).map((l) => ({ source: at.get(c.id) as Circle, target: at.get(l.to) as Circle, weight: l.weight })));
  const heaviest = Math.max(1, ...ties.map((t) => t.weight));
  forceSimulation(circles)
    .force('near', forceLink<Circle, SimulationLinkDatum<Circle> & { weight: number }>(ties).distance((t) => (t.source as Circle).r + (t.target as Circle).r + 16).strength((t) => 0.05 + (0.4 * t.weight) / heaviest))
    .force('apart', forceCollide<Circle>((c) => Math.max(c.r, LABELLED) + 5).strength(1).iterations(6))
    .force('x', forceX(0).strength(0.08))
    .force('y', forceY(0).strength((0.08 * width) / height))
    .stop()
    .tick(320);
  const links = ties.map((t) => ({ from: t.source.community.id, to: t.target.community.id, x1: t.source.x, y1: t.source.y, x2: t.target.x, y2: t.target.y, width: 0.6 + (4 * t.weight) / heaviest }));
  const edge = (side: (c: Circle) => number) => circles.map(side);
  const [left, right] = [Math.min(...edge((c) => c.x - c.r)), Math.max(...edge((c) => c.x + c.r))];
  const [top, bottom] = [Math.min(...edge((c) => c.y - c.r)), Math.max(...edge((c) => c.y + c.r))];
  // At least the whole map, so that few communities are not drawn as giants.
  const [w, h] = [Math.max(width, right - left + 48), Math.max(height, bottom - top + 48)];
  const view = [(left + right - w) / 2, (top + bottom - h) / 2, w, h].map(Math.round);
  return { circles, links, view: view.join(' ') };
}

/** Circles side by side within one of this radius. */
function packed(parts: Community[], r: number): { x: number; y: number; r: number }[] {
  if (parts.length < 2 || r < 12) return [];
  const inner = packSiblings(parts.map((part) => ({ r: Math.sqrt(part.size) + 0.6 })));
  const around = packEnclose(inner);
  const scale = r / around.r;
  return inner.map((c) => ({ x: (c.x - around.x) * scale, y: (c.y - around.y) * scale, r: Math.max(1, c.r * scale - 1) }));
}

/** What a circle bears: the last part of its package, and what stands in its middle, as far as there is room. */
export function lines(name: string, r: number): string[] {
  const fits = Math.floor((2 * r - 6) / 6.3);
  const [package_ = '', middle = ''] = name.split(' · ');
  const [first, second] = [lastOf(package_), lastOf(middle.split(', ')[0] ?? '')];
  return [first, second].filter((line, at, all) => line && line.length <= fits && all.indexOf(line) === at).slice(0, r > 22 ? 2 : 1);
}

const lastOf = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1);
