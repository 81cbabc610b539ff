import { expect, test } from 'vitest';
import type { EdgeView, NodeView } from '../api/types';
import { PLAIN, READABLE, type View, picture } from './picture';

const node = (id: number, file = 'a.py', name = `n${id}`): NodeView => ({
  id, label: 'Variable', kind: 'local', name, qualified_name: `m.${name}`, language: 'python', file, line: 1, end_line: 1, signature: '', doc: '', type: '', test: false, tags: [],
});
const edge = (from: number, to: number, kind = 'FLOWS_TO', confidence = 1): EdgeView => ({ from, to, kind, how: '', file: '', line: from, col: to, rule: 'syntax', confidence });
const view = (change: Partial<View>): View => ({ ...PLAIN, ...change });
const ids = (shown: { shapes: { id: string }[] }) => shown.shapes.map((shape) => shape.id).sort();

const chain = { nodes: [1, 2, 3, 4].map((id) => node(id)), edges: [edge(1, 2), edge(2, 3, 'PASSES_TO', 0.4), edge(3, 4)], seeds: [1] };

test('depth counts steps from the beginning', () => {
  expect(ids(picture(chain, view({ depth: 2 })))).toEqual(['1', '2', '3']);
  expect(ids(picture({ ...chain, seeds: [4] }, view({ depth: 1 })))).toEqual(['3', '4']);
});

test('a hidden kind and a low confidence cut off what lies behind', () => {
  expect(ids(picture(chain, view({ hidden: new Set(['PASSES_TO']) })))).toEqual(['1', '2']);
  expect(ids(picture(chain, view({ confidence: 0.5 })))).toEqual(['1', '2']);
});

test('without a beginning everything is shown', () => {
  expect(ids(picture({ ...chain, seeds: [] }, view({ depth: 1 })))).toEqual(['1', '2', '3', '4']);
});

test('expanded nodes keep their neighbours beyond the depth', () => {
  expect(ids(picture(chain, view({ depth: 1, kept: new Set([3]) })))).toEqual(['1', '2', '3', '4']);
});

test('groups are boxes until there is too much; then they are shapes', () => {
  const small = picture({ nodes: [node(1, 'a/x.py'), node(2, 'a/y.py')], edges: [edge(1, 2)], seeds: [] }, view({ groupBy: 'package' }));
  expect(small.shapes.map((shape) => shape.box)).toEqual(['a', 'a']);
  expect(small.collapsed).toBe(false);
});

test('5,000 nodes collapse to their groups, and edges are added up', () => {
  const nodes = Array.from({ length: 5000 }, (_, at) => node(at + 1, `p${at % 40}/f.py`));
  const edges = nodes.slice(1).map((to) => edge(to.id - 1, to.id));
  const shown = picture({ nodes, edges, seeds: [1] }, view({ groupBy: 'file' }));
  expect(shown.collapsed).toBe(true);
  expect(shown.shapes).toHaveLength(40);
  expect(shown.shapes.reduce((sum, shape) => sum + shape.members, 0)).toBe(5000);
  expect(shown.lines.reduce((sum, line) => sum + line.edges.length, 0)).toBe(4999);
  const opened = picture({ nodes, edges, seeds: [1] }, view({ groupBy: 'file', open: new Set(['p3/f.py']) }));
  expect(opened.shapes.filter((shape) => shape.box === 'p3/f.py')).toHaveLength(125);
  expect(opened.shapes.filter((shape) => !shape.node)).toHaveLength(39);
});

test('many files are grouped by folder, until they can be read', () => {
  const nodes = Array.from({ length: 3000 }, (_, at) => node(at + 1, `src/p${at % 300}/d${at % 3}/f${at}.py`));
  const shown = picture({ nodes, edges: [], seeds: [] }, view({ groupBy: 'file' }));
  expect(shown.shapes.length).toBeLessThanOrEqual(READABLE);
  expect(shown.shapes.reduce((sum, shape) => sum + shape.members, 0)).toBe(3000);
});

test('edges within a collapsed group are not drawn', () => {
  const shown = picture(chain, view({ groupBy: 'file', fold: true }));
  expect(shown.shapes.map((shape) => [shape.id, shape.members])).toEqual([['g:a.py', 4]]);
  expect(shown.lines).toEqual([]);
});
