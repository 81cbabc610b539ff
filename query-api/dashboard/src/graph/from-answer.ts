// An operation's answer as a graph to draw, with the neighbours that were asked for since.

import type { EdgeView, NodeView, OperationAnswer } from '../api/types';
import type { Graph } from './picture';
import { edgeKey } from './rows';

export function graphOfAnswer(answer: OperationAnswer, more: { nodes: NodeView[]; edges: EdgeView[] }[] = []): Graph {
  const nodes = new Map<number, NodeView>();
  for (const node of [...answer.seeds, ...Object.values(answer.nodes), ...more.flatMap((part) => part.nodes)]) nodes.set(node.id, node);
  const edges = new Map<string, EdgeView>();
  for (const edge of [...answer.edges, ...more.flatMap((part) => part.edges)]) {
    if (nodes.has(edge.from) && nodes.has(edge.to)) edges.set(edgeKey(edge), edge);
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], seeds: answer.seeds.map((node) => node.id) };
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
  return lit;
}
