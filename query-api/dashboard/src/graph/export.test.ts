import { expect, test } from 'vitest';
import type { NodeView } from '../api/types';
import { draw } from './drawn';
import { mermaid, svg } from './export';
import { PLAIN, picture } from './picture';

const node = (id: number, name: string): NodeView => ({
  id, label: 'Function', kind: 'function', name, qualified_name: name, language: 'go', file: 'a/"x".go', line: 1, end_line: 1, signature: '', doc: '', type: '', test: false, tags: [],
});
const hostile = '<img src=x onerror="alert(1)">]|{`';
const shown = picture(
  {
    nodes: [node(1, hostile), node(2, 'b')],
    edges: [{ from: 1, to: 2, kind: 'PASSES_TO', how: '', file: '', line: 1, col: 1, rule: '', confidence: 1 }],
    seeds: [1],
  },
  { ...PLAIN, groupBy: 'file' },
);
const colours = { paper: '#fff', surface: '#fff', ink: '#000', soft: '#777', line: '#ccc', accent: '#066', wash: '#eff', onAccent: '#fff' };

test('Mermaid: one subgraph a file, labels without a character that would end them', () => {
  const text = mermaid(shown);
  expect(text).toContain('flowchart LR\n  subgraph s0["a/#34;x#34;.go"]\n');
  expect(text).toContain('n0 -.-> n1');
  for (const line of text.split('\n').filter((line) => line.includes('['))) {
    const label = /\["(.*)"\]$/.exec(line)?.[1];
    expect(label).toBeDefined();
    expect(label).not.toMatch(/["<>[\]{}|`]/);
  }
});

test('SVG: names are text', () => {
  const text = svg(draw(shown), colours);
  expect(text).not.toContain('<img');
  expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
  expect(text.match(/<path d="M/g)).toHaveLength(2);
  expect(text).not.toMatch(/NaN|undefined/);
});
