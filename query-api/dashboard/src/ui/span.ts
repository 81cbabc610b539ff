// Where in a query an error is meant. The server counts bytes of UTF-8; editors count UTF-16 units.
//
//   unitsOf('é MATCH', { start: 3, end: 8 })  // { from: 2, to: 7 }

export interface Range {
  from: number;
  to: number;
}

export function unitsOf(text: string, span: { start: number; end: number }): Range {
  let byte = 0;
  let unit = 0;
  let from = -1;
  for (const char of text) {
    if (from < 0 && byte >= span.start) from = unit;
    if (byte >= span.end) return widened(text, from, unit);
    byte += byteLength(char);
    unit += char.length;
  }
  return widened(text, from < 0 ? text.length : from, text.length);
}

/** What the error is about: the span that the server gives, else the word that its message names, where it stands once. */
export function rangeOf(text: string, error: { message: string; span?: { start: number; end: number } | undefined }): Range | null {
  if (error.span) return unitsOf(text, error.span);
  for (const pattern of NAMED) {
    const name = pattern.exec(error.message)?.[1];
    if (!name) continue;
    const found = [...text.matchAll(new RegExp(`(?<![\\w$])${escape(name)}(?!\\w)`, 'g'))];
    if (found.length === 1) return { from: found[0]?.index ?? 0, to: (found[0]?.index ?? 0) + name.length };
  }
  return null;
}

/** Messages of the engine that name what they complain about. */
const NAMED = [
  /Table (\w+) does not exist/,
  /Cannot find property (\w+) for/,
  /Variable (\w+) is not in scope/,
  /[Ff]unction (\w+) (?:does not exist|is not defined)/,
  /Parameter (\w+) not found/,
  /parameter (\$\w+)/,
];

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** At least one character wide, so that there is something to see. */
function widened(text: string, from: number, to: number): Range {
  if (to > from) return { from, to };
  return from < text.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}

function byteLength(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
