// A layered layout: causes on the left, effects on the right, the members of a file or package together in a box.
//
//   "email" -> OrderRequest.Email -> Order.Email -> …
//   rank 0     rank 1                rank 2
//
// Four steps. Ranks: every edge leads to a higher rank (the edges that close a cycle are left out of this). Units: the
// members of a box within neighbouring ranks become one unit, so that boxes never overlap. Order: units are sorted again and
// again by the mean height of what they are tied to. Heights: in this order each takes the first place that is free in all of
// its ranks. From top to bottom it is the same on its side. All steps but the sorting are linear in nodes and edges: 1,000 nodes take some hundredths of a second, so it needs no worker.

export interface Item {
  id: string;
  width: number;
  height: number;
  /** Box that it belongs to; empty for none. */
  box: string;
  seed: boolean;
}

export interface Tie {
  from: string;
  to: string;
}

export interface Box {
  id: string;
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  /** Centres. */
  at: Map<string, { x: number; y: number }>;
  boxes: Box[];
  width: number;
  height: number;
}

const GAP = 14;

/** Room that a drawing keeps: between ranks, within a box, and for a box's title, which takes height and not width. */
interface Room {
  rank: number;
  pad: number;
  /** For the title, across the ranks and along them. */
  across: number;
  along: number;
}

const RIGHT: Room = { rank: 64, pad: 14, across: 22, along: 0 };
const DOWN: Room = { rank: 46, pad: 11, across: 0, along: 18 };

/** Width of a character of a box's title. */
const CHARACTER = 6.4;
/** A box is cut in two where it would reach over more empty ranks than this. */
const REACH = 2;
const SWEEPS = 8;

interface Unit {
  box: string;
  first: number;
  last: number;
  /** Its items by rank - first. */
  cells: number[][];
  height: number;
  y: number;
}

/** Places for everything, from left to right or from top to bottom. */
export function layered(items: Item[], ties: Tie[], down = false): Layout {
  if (!down) return lay(items, ties, RIGHT);
  const turned = lay(items.map((item) => ({ ...item, width: item.height, height: item.width })), ties, DOWN);
  return {
    at: new Map([...turned.at].map(([id, { x, y }]) => [id, { x: y, y: x }])),
    boxes: turned.boxes.map((box) => ({ ...box, x: box.y, y: box.x, width: box.height, height: box.width })),
    width: turned.height,
    height: turned.width,
  };
}

function lay(items: Item[], ties: Tie[], room: Room): Layout {
  const index = new Map(items.map((item, at) => [item.id, at]));
  const out: number[][] = items.map(() => []);
  const into: number[][] = items.map(() => []);
  for (const tie of ties) {
    const [from, to] = [index.get(tie.from), index.get(tie.to)];
    if (from === undefined || to === undefined || from === to) continue;
    out[from]?.push(to);
    into[to]?.push(from);
  }
  const ranks = rank(items, out, into);
  const units = unite(items, ranks, room);
  const y = new Float64Array(items.length);
  arrange(items, units, y, out, into, ranks, room);
  return place(items, units, ranks, y, room);
}

/** Longest path from the beginning, with the edges that close a cycle left out. */
function rank(items: Item[], out: number[][], into: number[][]): number[] {
  const n = items.length;
  const state = new Uint8Array(n);
  const order: number[] = [];
  const back = new Set<number>();
  const roots = [...items.keys()].sort((a, b) => Number(items[b]?.seed) - Number(items[a]?.seed) || (into[a]?.length ?? 0) - (into[b]?.length ?? 0));
  for (const root of roots) {
    if (state[root]) continue;
    const stack: [number, number][] = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1] as [number, number];
      const [at, next] = top;
      const to = out[at]?.[next];
      if (to === undefined) {
        state[at] = 2;
        order.push(at);
        stack.pop();
        continue;
      }
      top[1] += 1;
      if (state[to] === 1) back.add(at * n + to);
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push([to, 0]);
      }
    }
  }
  const ranks = new Array<number>(n).fill(0);
  for (const at of order.reverse()) {
    for (const to of out[at] ?? []) if (!back.has(at * n + to)) ranks[to] = Math.max(ranks[to] ?? 0, (ranks[at] ?? 0) + 1);
  }
  // What nothing leads to stands right before the first that it leads to, not far off on the left.
  for (let at = 0; at < n; at += 1) {
    if (items[at]?.seed || into[at]?.length || !out[at]?.length) continue;
    ranks[at] = Math.max(0, Math.min(...(out[at] ?? []).map((to) => ranks[to] ?? 0)) - 1);
  }
  return ranks;
}

function unite(items: Item[], ranks: number[], room: Room): Unit[] {
  const boxes = new Map<string, number[]>();
  const units: Unit[] = [];
  const unit = (box: string, members: number[]) => {
    const of = members.map((at) => ranks[at] ?? 0);
    const [first, last] = [Math.min(...of), Math.max(...of)];
    const cells: number[][] = Array.from({ length: last - first + 1 }, () => []);
    for (const at of members) cells[(ranks[at] ?? 0) - first]?.push(at);
    const tallest = Math.max(...cells.map((cell) => stack(items, cell)));
    const least = room.along ? titled(box, room) : 0;
    units.push({ box, first, last, cells, height: box ? Math.max(tallest + room.across + 2 * room.pad, least) : tallest, y: 0 });
  };
  items.forEach((item, at) => {
    if (!item.box) unit('', [at]);
    else boxes.set(item.box, [...(boxes.get(item.box) ?? []), at]);
  });
  for (const [box, members] of boxes) {
    members.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
    let run: number[] = [];
    for (const at of members) {
      const previous = run.at(-1);
      if (previous !== undefined && (ranks[at] ?? 0) - (ranks[previous] ?? 0) > REACH) {
        unit(box, run);
        run = [];
      }
      run.push(at);
    }
    unit(box, run);
  }
  return units;
}

/** Room that a box needs for the end of its title. */
const titled = (title: string, room: Room): number => 2 * room.pad + CHARACTER * Math.min(title.length, 24);

const stack = (items: Item[], cell: number[]): number => cell.reduce((sum, at) => sum + (items[at]?.height ?? 0) + GAP, -GAP);

function arrange(items: Item[], units: Unit[], y: Float64Array, out: number[][], into: number[][], ranks: number[], room: Room): void {
  const home = new Map<number, Unit>();
  for (const unit of units) for (const cell of unit.cells) for (const at of cell) home.set(at, unit);
  const ends = Math.max(...units.map((unit) => unit.last), 0) + 1;
  const mean = (at: number, near: (other: number) => boolean): number | null => {
    let sum = 0;
    let count = 0;
    for (const list of [into[at], out[at]]) {
      for (const other of list ?? []) {
        if (!near(other)) continue;
        // Neighbouring ranks say more than far ones.
        const weight = 1 / Math.max(1, Math.abs((ranks[other] ?? 0) - (ranks[at] ?? 0)));
        sum += (y[other] ?? 0) * weight;
        count += weight;
      }
    }
    return count ? sum / count : null;
  };
  const settle = (order: Unit[], wish: Map<Unit, number> | null) => {
    const floor = new Float64Array(ends);
    for (const unit of order) {
      let top = 0;
      for (let r = unit.first; r <= unit.last; r += 1) top = Math.max(top, floor[r] ?? 0);
      const wanted = wish?.get(unit);
      unit.y = wanted === undefined ? top : Math.max(top, wanted - unit.height / 2);
      for (let r = unit.first; r <= unit.last; r += 1) floor[r] = unit.y + unit.height + GAP + (unit.box ? 6 : 0);
      heights(items, unit, y, room);
    }
  };
  settle(units, null);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const wish = new Map<Unit, number>();
    for (const unit of units) {
      let sum = 0;
      let count = 0;
      for (const cell of unit.cells) {
        const wanted = new Map(cell.map((at) => [at, mean(at, () => true) ?? y[at] ?? 0]));
        cell.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
        for (const at of cell) {
          const outside = mean(at, (other) => home.get(other) !== unit);
          if (outside === null) continue;
          sum += outside;
          count += 1;
        }
      }
      if (count) wish.set(unit, sum / count);
    }
    const middle = (unit: Unit) => wish.get(unit) ?? unit.y + unit.height / 2;
    const order = [...units].sort((a, b) => middle(a) - middle(b));
    settle(order, sweep === SWEEPS - 1 ? wish : null);
  }
}

/** Heights of the members of a unit: each rank stacked, in the middle of the unit. */
function heights(items: Item[], unit: Unit, y: Float64Array, room: Room): void {
  const inner = unit.box ? unit.height - room.across - 2 * room.pad : unit.height;
  const top = unit.y + (unit.box ? room.across + room.pad : 0);
  for (const cell of unit.cells) {
    let at = top + (inner - stack(items, cell)) / 2;
    for (const item of cell) {
      const height = items[item]?.height ?? 0;
      y[item] = at + height / 2;
      at += height + GAP;
    }
  }
}

function place(items: Item[], units: Unit[], ranks: number[], y: Float64Array, room: Room): Layout {
  const widths: number[] = [];
  items.forEach((item, at) => {
    const r = ranks[at] ?? 0;
    widths[r] = Math.max(widths[r] ?? 0, item.width);
  });
  const left: number[] = [];
  let x = room.pad + room.along;
  for (let r = 0; r < widths.length; r += 1) {
    left[r] = x;
    x += (widths[r] ?? 0) + room.rank;
  }
  const at = new Map<string, { x: number; y: number }>();
  items.forEach((item, i) => {
    at.set(item.id, { x: (left[ranks[i] ?? 0] ?? 0) + item.width / 2, y: y[i] ?? 0 });
  });
  const boxes: Box[] = [];
  let height = 0;
  for (const unit of units) {
    height = Math.max(height, unit.y + unit.height);
    if (!unit.box) continue;
    const members = unit.cells.flat().map((i) => items[i] as Item);
    const right = Math.max(...members.map((item) => (at.get(item.id)?.x ?? 0) + item.width / 2)) + room.pad;
    const start = (left[unit.first] ?? 0) - room.pad - room.along;
    const width = room.along ? right - start : Math.max(right - start, titled(unit.box, room));
    boxes.push({ id: `b:${unit.box}:${unit.first}`, title: unit.box, x: start, y: unit.y, width, height: unit.height });
  }
  return { at, boxes, width: Math.max(0, x - room.rank) + room.pad, height };
}
