import { expect, test } from 'vitest';
import { siteOf } from './markdown';

test('a place in the source', () => {
  expect(siteOf('pipeline/model.py:12')).toEqual({ file: 'pipeline/model.py', line: 12 });
  expect(siteOf('a%20b.go:3-9')).toBeNull();
});

test('anything else is no place', () => {
  for (const href of ['https://example.com/a.py:12', 'javascript:alert(1)', '//host/a:1', 'a.py', 'a.py:x', 'data:text/html:1', '']) {
    expect(siteOf(href), href).toBeNull();
  }
});
