import { expect, test } from 'vitest';
import type { EdgeView, NodeView, OperationAnswer } from '../api/types';
import { graphOfAnswer, pathTo } from './from-answer';
import { PLAIN, picture } from './picture';

const node = (id: number, label: string, name: string): NodeView => ({
  id, label, kind: '', name: name.split('.').at(-1) ?? '', qualified_name: name, language: 'go', file: 'a.go', line: id, end_line: id, signature: '', doc: '', type: '', test: false, tags: [],
});
const edge = (from: number, to: number, kind = 'FLOWS_TO'): EdgeView => ({ from, to, kind, how: '', file: '', line: 1, col: 1, rule: '', confidence: 1 });
const answer = (seeds: NodeView[], nodes: NodeView[], edges: EdgeView[], paths: number[][], parameters = {}): OperationAnswer => ({
  operation: 'impact', parameters, seeds, results: paths.map((path, at) => ({ node: path.at(-1) ?? 0, distance: 1, confidence: 1, path: at, relation: '', ground: 'flow' })), groups: [],
  nodes: Object.fromEntries([...seeds, ...nodes].map((n) => [n.id, n])), edges, paths: paths.map((nodes, at) => ({ nodes, edges: [at], confidence: 1 })),
  entry_points: [], tests: [], verdict: { level: 'complete', reasons: [] }, cypher: [], source: [], truncated: false, found: 1, near: 1, grounds: { flow: 1, decision: 0, may: 0 }, in_tests: 0, elapsed_ms: 1,
});

test('the impact of a function begins at what it holds', () => {
  const seeds = [node(1, 'Function', 'p.F'), node(9, 'Function', 'p.F.inner')];
  const asked = answer(seeds, [node(2, 'Variable', 'p.F.result'), node(3, 'Variable', 'q.x'), node(4, 'Variable', 'p.F.inner.y')], [edge(2, 3), edge(4, 3)], [[2, 3], [4, 3]]);
  const graph = graphOfAnswer(asked);
  expect(graph.edges.filter((e) => e.kind === 'CONTAINS').map((e) => [e.from, e.to])).toEqual([[1, 2], [9, 4]]);
  expect(picture(graph, PLAIN).passed).toBe(5);
  expect([...pathTo(asked, 3)]).toContain('1>2:CONTAINS');
});

test('what it comes from ends in it', () => {
  const asked = answer([node(1, 'Function', 'p.F')], [node(2, 'Variable', 'p.F.a'), node(3, 'Variable', 'q.x')], [edge(3, 2)], [[3, 2]], { direction: 'up' });
  expect(graphOfAnswer(asked).edges.filter((e) => e.kind === 'CONTAINS').map((e) => [e.from, e.to])).toEqual([[2, 1]]);
});

test('a way that begins at the seed itself needs nothing', () => {
  const asked = answer([node(1, 'Field', 'p.T.f')], [node(2, 'Variable', 'p.x')], [edge(1, 2)], [[1, 2]]);
  expect(graphOfAnswer(asked).edges.map((e) => e.kind)).toEqual(['FLOWS_TO']);
});
