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

/** Nodes and edges of the shown path from the beginning to this node. */
export function pathTo(answer: OperationAnswer, id: number): Set<string> {
  const result = answer.results.find((result) => result.node === id && result.path !== null);
  const path = result && result.path !== null ? answer.paths[result.path] : undefined;
  const lit = new Set<string>();
  for (const node of path?.nodes ?? []) lit.add(String(node));
  for (const at of path?.edges ?? []) {
    const edge = answer.edges[at];
    if (edge) lit.add(`${edge.from}>${edge.to}:${edge.kind}`);
  }
  return lit;
}
