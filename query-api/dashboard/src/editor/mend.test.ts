import { expect, test } from 'vitest';
import type { Schema } from '../api/types';
import { distance, meant } from './mend';

const schema = {
  labels: [{ name: 'Function' }, { name: 'Field' }], relationships: [{ name: 'CALLS' }, { name: 'CONTAINS' }],
  node_properties: [{ name: 'name' }, { name: 'qualified_name' }], relationship_properties: [{ name: 'rule' }],
} as unknown as Schema;

test('a name that is near', () => {
  expect(meant('Functin', 'Binder exception: Table Functin does not exist.', '', schema)).toBe('Function');
  expect(meant('calls', 'Binder exception: Table calls does not exist.', '', schema)).toBe('CALLS');
  expect(meant('nam', 'Binder exception: Cannot find property nam for f.', '', schema)).toBe('name');
  expect(meant('lwoer', 'Catalog exception: function LWOER does not exist.', '', schema)).toBe('lower');
  expect(meant('fn', 'Binder exception: Variable fn is not in scope.', 'MATCH (f:Function)-[r]->(g) RETURN fn', null)).toBe('f');
});

test('nothing that is far', () => {
  expect(meant('Banana', 'Binder exception: Table Banana does not exist.', '', schema)).toBeNull();
  expect(meant('nam', 'Parser exception: Invalid input', '', schema)).toBeNull();
});

test('distance', () => {
  expect(distance('ab', 'ba')).toBe(1);
  expect(distance('', 'abc')).toBe(3);
  expect(distance('kitten', 'sitting')).toBe(3);
});
