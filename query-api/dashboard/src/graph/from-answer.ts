// An operation's answer as a graph to draw, with the neighbours that were asked for since.
//
// What is asked about may hold what the ways begin at: the impact of a function begins at its variables and results. Then
// `CONTAINS` joins the two, so that the picture hangs together:
//
//   Execute -CONTAINS-> Execute.result -RETURNS_TO-> …

import type { EdgeView, NodeView, OperationAnswer } from '../api/types';
import type { Graph } from './picture';
import { edgeKey } from './rows';

export function graphOfAnswer(answer: OperationAnswer, more: { nodes: NodeView[]; edges: EdgeView[] }[] = []): Graph {
  const nodes = new Map<number, NodeView>();
  for (const node of [...answer.seeds, ...Object.values(answer.nodes), ...more.flatMap((part) => part.nodes)]) nodes.set(node.id, node);
  const edges = new Map<string, EdgeView>();
  for (const edge of [...answer.edges, ...beginnings(answer), ...more.flatMap((part) => part.edges)]) {
    if (nodes.has(edge.from) && nodes.has(edge.to)) edges.set(edgeKey(edge), edge);
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], seeds: answer.seeds.map((node) => node.id) };
}

/** An edge between what was asked about and each end of a way that lies in it. */
function beginnings(answer: OperationAnswer): EdgeView[] {
  const seeds = new Set(answer.seeds.map((seed) => seed.id));
  const up = answer.parameters.direction === 'up';
  const ends = new Set<number>();
  for (const { nodes } of answer.paths) {
    if (nodes.some((id) => seeds.has(id))) continue;
    const end = up ? nodes.at(-1) : nodes[0];
    if (end !== undefined) ends.add(end);
  }
  return [...ends].flatMap((id) => {
    const node = answer.nodes[id];
    const holder = node && holderOf(node, answer.seeds);
    if (!node || !holder) return [];
    const [from, to] = up ? [id, holder.id] : [holder.id, id];
    return [{ from, to, kind: 'CONTAINS', how: '', file: node.file, line: node.line, col: 0, rule: '', confidence: 1 }];
  });
}

/** The seed that holds a node: the one whose name is the longest beginning of its name, else the one around its line, else the only one. */
function holderOf(node: NodeView, seeds: NodeView[]): NodeView | undefined {
  const named = seeds.filter((seed) => seed.qualified_name && node.qualified_name.startsWith(`${seed.qualified_name}.`));
  if (named.length) return named.reduce((a, b) => (b.qualified_name.length > a.qualified_name.length ? b : a));
  return seeds.find((seed) => seed.file === node.file && seed.line <= node.line && seed.end_line >= node.line) ?? (seeds.length === 1 ? seeds[0] : undefined);
}

/** The shown path to a result; none if there is none. */
function pathOf(answer: OperationAnswer, id: number) {
  const path = answer.results.find((result) => result.node === id && typeof result.path === 'number')?.path;
  return typeof path === 'number' ? answer.paths[path] : undefined;
}

/** The nodes on the shown path to a result, in order. */
export const wayTo = (answer: OperationAnswer, id: number): NodeView[] => (pathOf(answer, id)?.nodes ?? []).flatMap((node) => answer.nodes[node] ?? []);

/** Ids of the shapes and lines on the shown path to a result. */
export function pathTo(answer: OperationAnswer, id: number): Set<string> {
  const path = pathOf(answer, id);
  const lit = new Set<string>();
  for (const node of path?.nodes ?? []) lit.add(String(node));
  for (const at of path?.edges ?? []) {
    const edge = answer.edges[at];
    if (edge) lit.add(`${edge.from}>${edge.to}:${edge.kind}`);
  }
  for (const edge of path ? beginnings(answer) : []) {
    if (!lit.has(String(edge.from)) && !lit.has(String(edge.to))) continue;
    lit.add(String(edge.from)).add(String(edge.to)).add(`${edge.from}>${edge.to}:${edge.kind}`);
  }
  return lit;
}
