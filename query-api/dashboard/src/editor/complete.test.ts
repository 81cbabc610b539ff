import { expect, test } from 'vitest';
import type { Schema } from '../api/types';
import { suggest } from './complete';

const named = (name: string) => ({ name, doc: '' });
const schema: Schema = {
  format_version: 1,
  labels: ['Function', 'Field', 'Key'].map(named),
  node_properties: [{ ...named('qualified_name'), type: 'STRING' }],
  relationships: [{ ...named('CALLS'), joins: [{ from: 'Function', to: 'Function' }] }],
  relationship_properties: [{ ...named('confidence'), type: 'DOUBLE' }],
  hows: [named('direct'), named('')],
  rules: [{ ...named('syntax'), confidence: 1, measured: false }],
  languages: [named('go')],
};
const labels = (before: string) => suggest(before, schema)?.options.map((option) => option.label);

test('labels after a colon in a node, also after |', () => {
  expect(labels('MATCH (f:')).toEqual(['Function', 'Field', 'Key']);
  expect(labels('MATCH (f:Fun')).toEqual(['Function', 'Field', 'Key']);
  expect(suggest('MATCH (f:Fun', schema)?.from).toBe(9);
});

test('relationships within brackets', () => {
  expect(labels('MATCH (a)-[:')).toEqual(['CALLS']);
  expect(labels('MATCH (a)-[r:READS|')).toEqual(['CALLS']);
});

test('properties of nodes and of relationships', () => {
  expect(labels('MATCH (f:Function) RETURN f.')).toEqual(['qualified_name']);
  expect(labels('MATCH (f:Function {')).toEqual(['qualified_name']);
  expect(labels('MATCH (a)-[r:CALLS]->(b) RETURN r.')).toEqual(['confidence']);
});

test('values of rule, how and language', () => {
  expect(labels('MATCH ()-[r]->() WHERE r.rule = ')).toEqual(["'syntax'"]);
  expect(labels('MATCH ()-[r]->() WHERE r.how = ')).toEqual(["'direct'"]);
});

test('words, functions and the names of this query', () => {
  const found = labels('MATCH (feature:Function) WHERE f');
  expect(found).toContain('feature');
  expect(found).toContain('count');
  expect(found).toContain('RETURN');
});

test('nothing within strings and comments', () => {
  expect(suggest("MATCH (f {name: 'RET", schema)).toBeNull();
  expect(suggest('// MATCH (f:', schema)).toBeNull();
  expect(suggest("RETURN 'it\\'s' AS x, RET", schema)).not.toBeNull();
  expect(suggest('/* a */ MAT', schema)).not.toBeNull();
});
