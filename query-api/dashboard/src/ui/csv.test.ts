import { expect, test } from 'vitest';
import { csv } from './csv';

test('what needs quotes gets them', () => {
  const text = csv({ columns: ['name', 'n, of'], rows: [['a"b', 1], ['two\nlines', null], [' edge', true], [['x'], { a: 1 }]] });
  expect(text).toBe('name,"n, of"\r\n"a""b",1\r\n"two\nlines",\r\n" edge",true\r\n"[""x""]","{""a"":1}"\r\n');
});

test('no rows give the head alone', () => {
  expect(csv({ columns: ['a'], rows: [] })).toBe('a\r\n');
});

test('large whole numbers are written in full', () => {
  expect(csv({ columns: ['id'], rows: [[2709130722719581]] })).toBe('id\r\n2709130722719581\r\n');
});
