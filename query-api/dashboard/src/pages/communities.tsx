// Communities as a map: a circle each, as large as it has members, near those that it is tied to.

import { type SimulationLinkDatum, type SimulationNodeDatum, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import { useMemo } from 'preact/hooks';
import { api } from '../api/client';
import type { Community } from '../api/types';
import { link, place, setQuery } from '../route';
import { useLoad } from '../ui/load';
import { Empty, Loaded, NodeLine, count } from '../ui/parts';

const WIDTH = 720;
const HEIGHT = 460;
/** Circles that a map can hold and still be read. */
const MOST = 60;

export function Communities() {
  const load = useLoad('communities', (signal) => api.communities({ signal }));
  return (
    <Loaded load={load} what="Drawing the map">
      {({ communities }) => (communities.length === 0 ? <Empty title="No communities">The index is too small to have any, or was built without them.</Empty> : <Map_ all={communities} />)}
    </Loaded>
  );
}

/** What a circle bears: as much of the name as it has room for. */
const label = (c: { community: Community; r: number }) => shortened(c.community.name, Math.max(14, Math.round(c.r / 3.4)));

function Map_({ all }: { all: Community[] }) {
  const chosen = all.find((c) => String(c.id) === place.value.query.community) ?? null;
  // The map shows one level: the children of the chosen one's parent, or the top.
  const parent = chosen ? (all.some((c) => c.parent === chosen.id) ? chosen.id : (chosen.parent ?? null)) : null;
  const level = all.filter((c) => (c.parent ?? null) === parent).sort((a, b) => b.size - a.size).slice(0, MOST);
  const drawn = useMemo(() => arrange(level), [all, parent]);
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
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={`Map of ${level.length} communities`}>
          {drawn.links.map((l, at) => (
            <line key={at} class="map-link" x1={l.x1} y1={l.y1} x2={l.x2} y2={l.y2} stroke-width={l.width} />
          ))}
          {drawn.circles.map((c) => (
            <g
              key={c.community.id}
              class="map-node"
              role="button"
              tabIndex={0}
              aria-pressed={c.community.id === shown?.id}
              aria-label={`${label(c)}: ${c.community.name}, ${c.community.size} members`}
              onClick={() => choose(c.community.id)}
              onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), choose(c.community.id))}
            >
              <title>{c.community.name}</title>
              <circle cx={c.x} cy={c.y} r={c.r} />
              <text x={c.x} y={c.r > 26 ? c.y + 4 : c.y + c.r + 13}>
                {label(c)}
              </text>
            </g>
          ))}
        </svg>
      </div>
      {shown && (
        <div>
          <h3>{shown.name}</h3>
          <p class="faint">{count(shown.size)} members</p>
          {shown.summary && <p class="soft">{shown.summary}</p>}
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
}

/** Where the circles stand; the same for the same communities. */
export function arrange(level: Community[]) {
  const most = Math.max(1, ...level.map((c) => c.size));
  const circles: Circle[] = level.map((community, at) => {
    const angle = at * 2.4;
    const away = 30 * Math.sqrt(at);
    return { community, r: 10 + 42 * Math.sqrt(community.size / most) * Math.min(1, 6 / Math.sqrt(level.length)), x: WIDTH / 2 + Math.cos(angle) * away, y: HEIGHT / 2 + Math.sin(angle) * away };
  });
  const at = new Map(circles.map((c) => [c.community.id, c]));
  const ties = level.flatMap((c) => c.links.filter((l) => at.has(l.to) && l.to !== c.id).map((l) => ({ source: at.get(c.id) as Circle, target: at.get(l.to) as Circle, weight: l.weight })));
  const heaviest = Math.max(1, ...ties.map((t) => t.weight));
  forceSimulation(circles)
    .force('near', forceLink<Circle, SimulationLinkDatum<Circle> & { weight: number }>(ties).distance((t) => (t.source as Circle).r + (t.target as Circle).r + 40).strength((t) => 0.1 + (0.5 * t.weight) / heaviest))
    .force('far', forceManyBody().strength(-160))
    .force('apart', forceCollide<Circle>((c) => c.r + 16))
    .force('x', forceX(WIDTH / 2).strength(0.05))
    .force('y', forceY(HEIGHT / 2).strength(0.09))
    .stop()
    .tick(240);
  for (const c of circles) {
    c.x = Math.min(WIDTH - c.r - 40, Math.max(c.r + 40, c.x));
    c.y = Math.min(HEIGHT - c.r - 20, Math.max(c.r + 12, c.y));
  }
  const links = ties.map((t) => ({ x1: t.source.x, y1: t.source.y, x2: t.target.x, y2: t.target.y, width: 0.6 + (4 * t.weight) / heaviest }));
  return { circles, links };
}

/** The last parts of a path or dotted name that fit; whole words, so that what is seen is part of what is read out. */
export function shortened(name: string, most: number): string {
  let shown = name;
  while (shown.length > most) {
    const cut = shown.search(/[/.]/);
    if (cut < 0 || cut === shown.length - 1) return shown.slice(0, most);
    shown = shown.slice(cut + 1);
  }
  return shown;
}
