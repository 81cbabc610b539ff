import { expect, test } from 'vitest';
import { rangeOf, unitsOf } from './span';

const shown = (text: string, start: number, end: number) => {
  const { from, to } = unitsOf(text, { start, end });
  return text.slice(from, to);
};

test('bytes become characters', () => {
  expect(shown('MATCH (n) DELETE n', 10, 16)).toBe('DELETE');
  expect(shown('é MATCH', 3, 8)).toBe('MATCH');
  expect(shown('🌊🌊 RETRN', 9, 14)).toBe('RETRN');
});

test('there is always something to see', () => {
  expect(unitsOf('abc', { start: 3, end: 3 })).toEqual({ from: 2, to: 3 });
  expect(unitsOf('abc', { start: 99, end: 120 })).toEqual({ from: 2, to: 3 });
  expect(unitsOf('abc', { start: 1, end: 1 })).toEqual({ from: 1, to: 2 });
  expect(unitsOf('', { start: 0, end: 1 })).toEqual({ from: 0, to: 0 });
});

const meant = (text: string, message: string) => {
  const range = rangeOf(text, { message });
  return range && `${text.slice(0, range.from)}>${text.slice(range.from, range.to)}<${text.slice(range.to)}`;
};

test('without a span, what the message names', () => {
  for (const [text, message, expected] of [
    ['MATCH (f:Functin) RETURN f', 'Binder exception: Table Functin does not exist.', 'MATCH (f:>Functin<) RETURN f'],
    ['MATCH (a)-[r:CALLS|CALS]->(b) RETURN b', 'Binder exception: Table CALS does not exist.', 'MATCH (a)-[r:CALLS|>CALS<]->(b) RETURN b'],
    ['MATCH (f:`Functin`) RETURN f', 'Binder exception: Table Functin does not exist.', 'MATCH (f:>`Functin`<) RETURN f'],
    ['MATCH (a) RETURN a.x', 'Binder exception: Cannot find property x for a.', 'MATCH (a) RETURN a.>x<'],
    ['MATCH (x)-->(a) RETURN x, a.x, a.x', 'Binder exception: Cannot find property x for a.', 'MATCH (x)-->(a) RETURN x, a.>x<, a.x'],
    ["MATCH (a {nam: 'x'}) RETURN a", 'Binder exception: Cannot find property nam for a.', "MATCH (a {>nam<: 'x'}) RETURN a"],
    ['MATCH (a) RETURN b', 'Binder exception: Variable b is not in scope.', 'MATCH (a) RETURN >b<'],
    ['MATCH (a)\nWITH a.name AS n\nRETURN n, a', 'Binder exception: Variable a is not in scope.', 'MATCH (a)\nWITH a.name AS n\nRETURN n, >a<'],
    ['MATCH (a) WITH a, a.b AS b MATCH (b) WITH b WHERE a.x = 1 RETURN a', 'Binder exception: Variable a is not in scope.', 'MATCH (a) WITH a, a.b AS b MATCH (b) WITH b WHERE >a<.x = 1 RETURN a'],
    ['RETURN foo(1), food(2)', 'Catalog exception: function FOO does not exist.', 'RETURN >foo<(1), food(2)'],
    ['RETURN lower(1)', 'Binder exception: Cannot match a built-in function for given function LOWER(INT64). Supported inputs are', 'RETURN >lower<(1)'],
    ['RETURN 1 AS a, 2 AS a', 'Binder exception: Multiple result column with the same name a are not supported.', 'RETURN 1 AS a, 2 AS >a<'],
    ['MATCH (f) RETURN f + 1', 'Binder exception: Function + did not receive correct arguments:\nActual:   (NODE,INT64)', 'MATCH (f) RETURN f >+< 1'],
    ['MATCH (a)-[*1..9]->(b)-[r*1..100]->(c) RETURN c', 'Binder exception: Upper bound of rel r exceeds maximum: 30.', 'MATCH (a)-[*1..9]->(b)-[r*1..>100<]->(c) RETURN c'],
    ['MATCH (f) WITH f, f.name RETURN 1', 'Binder exception: Expression in WITH must be aliased (use AS).', 'MATCH (f) WITH f, >f.name< RETURN 1'],
    ["MATCH (f) WHERE f.line = 'x' RETURN f", 'Conversion exception: Cast failed. Could not convert "x" to INT64.', "MATCH (f) WHERE f.line = >'x'< RETURN f"],
    ['MATCH (f) WHERE f.name RETURN f', 'Binder exception: Expression f.name has data type STRING but expected BOOL. Implicit cast is not supported.', 'MATCH (f) WHERE >f.name< RETURN f'],
    ['MATCH (f) WHERE count(f) > 1 RETURN count(f)', 'Cannot evaluate expression with type AGGREGATE_FUNCTION.', 'MATCH (f) WHERE >count<(f) > 1 RETURN count(f)'],
    ['RETURN $nam', 'parameter $nam: is used in the query and not given', 'RETURN >$nam<'],
    ['RETURN $nam', 'Parameter nam not found.', 'RETURN >$nam<'],
  ] as const) {
    expect(meant(text, message), message).toBe(expected);
  }
});

test('not in a string or a comment, and nothing where nothing is named', () => {
  expect(meant("MATCH (a {name: 'b'}) // b\nRETURN b", 'Binder exception: Variable b is not in scope.')).toBe("MATCH (a {name: 'b'}) // b\nRETURN >b<");
  expect(meant('MATCH (a) RETURN a', 'Something else')).toBeNull();
  expect(meant('MATCH (a) RETURN a', 'Binder exception: Table Functin does not exist.')).toBeNull();
});
