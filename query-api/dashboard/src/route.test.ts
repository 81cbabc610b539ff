import { expect, test } from 'vitest';
import { changed, format, link, nodeLink, parse } from './route';

test('an address is read and written back', () => {
  for (const hash of ['#/ask', '#/node/Function/81', '#/console?query=MATCH+%28n%29+RETURN+n%0ALIMIT+3&run=1&view=graph']) {
    expect(format(parse(hash))).toBe(hash);
  }
});

test('odd addresses do no harm', () => {
  expect(parse('')).toEqual({ path: [], query: {} });
  expect(parse('#')).toEqual({ path: [], query: {} });
  expect(parse('#/a/%zz/b')).toEqual({ path: ['a', '%zz', 'b'], query: {} });
  expect(parse('#/ask?q=a%2Fb%3Fc%26d')).toEqual({ path: ['ask'], query: { q: 'a/b?c&d' } });
  expect(parse('#/ask?q=%E0%A4%A')).toBeDefined();
});

test('names with slashes, ampersands and hashes survive', () => {
  const query = { target: 'example.com/shop/api.Order#Email & "more"', src: 'a b/c.py:12' };
  expect(parse(format({ path: ['ripple'], query })).query).toEqual(query);
});

test('changes remove what is empty and keep the rest', () => {
  expect(changed({ a: '1', b: '2' }, { a: null, c: 3, d: true, e: '' })).toEqual({ b: '2', c: '3', d: '1' });
  expect(changed({ a: '1' }, { a: false })).toEqual({});
});

test('links', () => {
  expect(link('ripple', { target: 'key:email', up: undefined })).toBe('#/ripple?target=key%3Aemail');
  expect(nodeLink({ label: 'Field', id: 7 })).toBe('#/node/Field/7');
});
