// From a graph to what is drawn of it: filtered, grouped, and collapsed to groups when it is too large to read.
//
// A graph of 5,000 nodes becomes some dozens of groups, each with the number of its members and edges between groups with
// the number of edges they stand for. An opened group shows its members in a box.

import type { EdgeView, NodeView } from '../api/types';

export interface Graph {
  nodes: NodeView[];
  edges: EdgeView[];
  /** Where it begins; empty when there is no beginning, as for the rows of a query. */
  seeds: number[];
}

export type GroupBy = 'file' | 'package' | 'none';

export interface View {
  groupBy: GroupBy;
  /** Edge kinds that are left out. */
  hidden: Set<string>;
  confidence: number;
  /** Steps from the beginning. */
  depth: number;
  /** Groups that are shown with their members, when the rest is collapsed. */
  open: Set<string>;
  /** Collapse although it would fit (true), show all although it is too much (false), or as it fits (null). */
  fold: boolean | null;
  /** Nodes whose neighbours were asked for. They and theirs stay, whatever the depth. */
  kept: Set<number>;
  /** Most groups when it is collapsed; beyond that they become coarser. */
  most?: number;
}

export const PLAIN: View = { groupBy: 'none', hidden: new Set(), confidence: 0, depth: Number.POSITIVE_INFINITY, open: new Set(), fold: null, kept: new Set() };

export interface Shape {
  id: string;
  text: string;
  /** The node, unless this is a group. */
  node: NodeView | null;
  /** Name of the box it stands in; empty for none. */
  box: string;
  /** Nodes that it stands for. */
  members: number;
  seed: boolean;
}

export interface Line {
  id: string;
  from: string;
  to: string;
  kind: string;
  confidence: number;
  /** Edges that it stands for. */
  edges: EdgeView[];
}

export interface Picture {
  shapes: Shape[];
  lines: Line[];
  /** Some nodes are collapsed into groups. */
  collapsed: boolean;
  /** Nodes that passed the filters. */
  passed: number;
}

/** Shapes beyond which a picture is collapsed: more cannot be read. */
export const READABLE = 350;

/** The open groups with one more, or with `-name` one less. */
export function opened(open: Set<string>, group: string): Set<string> {
  const next = new Set(open);
  if (group.startsWith('-')) next.delete(group.slice(1));
  else next.add(group);
  return next;
}

export function picture(graph: Graph, view: View): Picture {
  const edges = graph.edges.filter((edge) => !view.hidden.has(edge.kind) && edge.confidence >= view.confidence);
  const nodes = reached(graph, edges, view);
  const ids = new Set(nodes.map((node) => node.id));
  const seeds = new Set(graph.seeds);
  const collapse = view.fold ?? nodes.length > READABLE;
  const groupOf = collapse ? fitting(nodes, view.groupBy === 'none' ? 'package' : view.groupBy, view.most ?? READABLE / 2) : (node: NodeView) => group(node, view.groupBy);
  const shapeOf = new Map<number, string>();
  const shapes = new Map<string, Shape>();
  for (const node of nodes) {
    const name = groupOf(node);
    // Where it begins stays in sight.
    const folded = collapse && name !== '' && !view.open.has(name) && !(seeds.has(node.id) && !node.file);
    const id = folded ? `g:${name}` : String(node.id);
    shapeOf.set(node.id, id);
    const there = shapes.get(id);
    if (there) {
      there.members += 1;
      there.seed ||= seeds.has(node.id);
    } else {
      shapes.set(id, {
        id,
        text: folded ? name : brief(node),
        node: folded ? null : node,
        box: folded ? '' : name,
        members: 1,
        seed: seeds.has(node.id),
      });
    }
  }
  const lines = new Map<string, Line>();
  for (const edge of edges) {
    if (!ids.has(edge.from) || !ids.has(edge.to)) continue;
    const [from, to] = [shapeOf.get(edge.from) as string, shapeOf.get(edge.to) as string];
    if (from === to) continue;
    const between = from.startsWith('g:') || to.startsWith('g:');
    const id = between ? `${from}>${to}` : `${from}>${to}:${edge.kind}`;
    const there = lines.get(id);
    if (there) {
      there.edges.push(edge);
      there.confidence = Math.max(there.confidence, edge.confidence);
      if (there.kind !== edge.kind) there.kind = '';
    } else {
      lines.set(id, { id, from, to, kind: edge.kind, confidence: edge.confidence, edges: [edge] });
    }
  }
  return { shapes: [...shapes.values()], lines: [...lines.values()], collapsed: collapse, passed: nodes.length };
}

/**
 * Nodes within the depth of the beginning, along the edges that passed. Either way: an answer holds the edges of its own
 * paths, and some operations look both ways.
 */
function reached(graph: Graph, edges: EdgeView[], view: View): NodeView[] {
  if (graph.seeds.length === 0) return graph.nodes;
  const next = new Map<number, number[]>();
  const add = (from: number, to: number) => {
    const list = next.get(from);
    if (list) list.push(to);
    else next.set(from, [to]);
  };
  for (const edge of edges) {
    add(edge.from, edge.to);
    add(edge.to, edge.from);
  }
  const distance = new Map<number, number>(graph.seeds.map((id) => [id, 0]));
  for (const [id, steps] of distance) {
    if (steps >= view.depth) continue;
    for (const other of next.get(id) ?? []) if (!distance.has(other)) distance.set(other, steps + 1);
  }
  const beside = new Set<number>(view.kept);
  for (const edge of edges) {
    if (view.kept.has(edge.from)) beside.add(edge.to);
    if (view.kept.has(edge.to)) beside.add(edge.from);
  }
  return graph.nodes.filter((node) => distance.has(node.id) || beside.has(node.id));
}

/** The group of a node: its file, or the folder of its file. What has no file stands alone. */
export function group(node: NodeView, by: GroupBy): string {
  if (by === 'none' || !node.file) return '';
  return by === 'file' ? node.file : folder(node.file);
}

/** Groups coarse enough that they can be read: files, folders, folders of folders. */
function fitting(nodes: NodeView[], by: GroupBy, most: number): (node: NodeView) => string {
  const names = new Map<string, string>();
  for (const node of nodes) if (node.file) names.set(group(node, by), group(node, by));
  const loose = nodes.some((node) => !node.file);
  while (new Set(names.values()).size > most) {
    let coarser = false;
    for (const [name, now] of names) {
      const up = folder(now);
      if (up !== now && up !== '') {
        names.set(name, up);
        coarser = true;
      }
    }
    if (!coarser) break;
  }
  const many = loose && nodes.filter((node) => !node.file).length > 20;
  return (node) => (node.file ? (names.get(group(node, by)) ?? '') : many ? `${node.label.toLowerCase()}s` : '');
}

function folder(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash > 0 ? path.slice(0, slash) : slash === 0 ? '/' : '.';
}

/** The last two parts of a name: enough to know it by, within its box. */
export function brief(node: NodeView): string {
  if (node.label === 'Key') return `"${node.name}"`;
  if (node.label === 'File') return node.name.slice(node.name.lastIndexOf('/') + 1);
  const full = node.qualified_name || node.name;
  if (!full.endsWith(node.name)) return node.name || full;
  const before = full.slice(0, full.length - node.name.length).replace(/\.$/, '');
  const holder = before.slice(Math.max(before.lastIndexOf('.'), before.lastIndexOf('/')) + 1);
  const text = holder && node.label !== 'Package' ? `${holder}.${node.name}` : node.name;
  return text.length > 38 ? `${text.slice(0, 37)}…` : text;
}
