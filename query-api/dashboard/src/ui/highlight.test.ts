import { expect, test } from 'vitest';
import { highlight, plainLines } from './highlight';

const text = (lines: Awaited<ReturnType<typeof highlight>>) => lines.map((line) => line.map((piece) => piece.text).join('')).join('\n');

test('no character is lost or added', async () => {
  const sources: [string, string][] = [
    ['python', 'def f(a):\n    """<img src=x onerror=alert(1)>"""\n    return a + 1  # é\n\n'],
    ['go', 'package a\n\nfunc f(s string) string {\n\treturn s + "<b>"\n}\n'],
    ['go', 'this is (not go at { all'],
    ['any', 'a\r\nb'],
  ];
  for (const [language, source] of sources) {
    expect(text(await highlight(source, language))).toBe(source.replace(/\r\n/g, '\n').replace(/\n$/, ''));
  }
});

test('keywords and strings are told apart', async () => {
  const [first] = await highlight('return "x"', 'python');
  expect(first?.map((piece) => piece.kind)).toEqual(['tok-keyword', '', 'tok-string']);
});

test('an empty line has no pieces', () => {
  expect(plainLines('a\n\nb')).toEqual([[{ text: 'a', kind: '' }], [], [{ text: 'b', kind: '' }]]);
});
