import { expect, test } from 'vitest';
import type { Answer, Value } from '../api/types';
import { asNode, graphOf } from './rows';

const node = (engine: string, id: number): Value => ({ id: engine, labels: ['Function'], properties: { id, name: `f${id}`, qualified_name: `m.f${id}`, tags: 'a b', test: true } });
const relationship = (start: string, end: string): Value => ({ type: 'CALLS', start, end, properties: { rule: 'scope', confidence: 0.9, line: 3 } });
const answer = (...rows: Value[][]): Answer => ({ columns: [], types: [], rows, truncated: false, elapsed_ms: 1 });

test('nodes, relationships, paths and lists of them, each once', () => {
  const path: Value = { nodes: [node('3:1', 1), node('3:2', 2)], relationships: [relationship('3:1', '3:2')] };
  const graph = graphOf(answer([node('3:1', 1), relationship('3:1', '3:2'), 'text', 7, null], [path, [node('3:3', 3)], null, null, null]));
  expect(graph.nodes.map((n) => n.id).sort()).toEqual([1, 2, 3]);
  expect(graph.edges).toHaveLength(1);
  expect(graph.edges[0]).toMatchObject({ from: 1, to: 2, kind: 'CALLS', confidence: 0.9 });
});

test('a relationship whose ends are not in the rows is left out', () => {
  expect(graphOf(answer([node('3:1', 1), relationship('3:1', '3:9')])).edges).toEqual([]);
});

test('properties that are missing are empty', () => {
  expect(asNode(node('3:1', 1))).toMatchObject({ tags: ['a', 'b'], test: true, file: '', line: 0 });
  expect(asNode({ labels: 'x' })).toBeNull();
  expect(asNode('text')).toBeNull();
});
