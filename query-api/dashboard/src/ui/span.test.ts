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

test('without a span, the word that the message names', () => {
  const text = 'MATCH (f:Functin) RETURN f';
  expect(rangeOf(text, { message: 'Binder exception: Table Functin does not exist.' })).toEqual({ from: 9, to: 16 });
  expect(rangeOf('MATCH (a) RETURN a.x', { message: 'Binder exception: Cannot find property x for a.' })).toEqual({ from: 19, to: 20 });
  expect(rangeOf(text, { message: 'Something else' })).toBeNull();
});

test('a word that stands twice is not guessed at', () => {
  expect(rangeOf('MATCH (a) RETURN a.x, a.x', { message: 'Cannot find property x for a.' })).toBeNull();
});
