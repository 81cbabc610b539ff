// Where in a query an error is meant. The server counts bytes of UTF-8; editors count UTF-16 units.
//
//   unitsOf('é MATCH', { start: 3, end: 8 })  // { from: 2, to: 7 }
//   rangeOf('MATCH (f:Functin) RETURN f', { message: 'Table Functin does not exist.' })  // { from: 9, to: 16 }

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

/** What the error is about: the span that the server gives, else the place of what its message names. */
export function rangeOf(text: string, error: { message: string; span?: { start: number; end: number } | undefined }): Range | null {
  if (error.span) return unitsOf(text, error.span);
  const code = blanked(text);
  for (const [pattern, find] of NAMED) {
    const found = pattern.exec(error.message);
    const range = found && find(code, found[1] ?? '', found[2] ?? '', text);
    if (range) return range;
  }
  return null;
}

type Find = (code: string, name: string, other: string, text: string) => Range | null;

/** The engine's messages that name what they complain about, and how that stands in a query. */
const NAMED: [RegExp, Find][] = [
  [/Table (.+?) does not exist/, (code, name) => first(code, new RegExp(`[:|]\\s*${word(name)}`)) ?? first(code, new RegExp(word(name)))],
  [/Cannot find property (.+?) for (.+?)\.?$/m, (code, name, holder) => first(code, new RegExp(`${word(holder)}\\s*\\.\\s*${word(name)}`)) ?? first(code, new RegExp(`[{,]\\s*${word(name)}(?=\\s*:)`)) ?? first(code, new RegExp(`\\.\\s*${word(name)}`)) ?? first(code, new RegExp(word(name)))],
  [/Variable (.+?) is not in scope/, (code, name) => dropped(code, name) ?? after(code, name, 0)],
  [/Variable (.+?) already exists/, (code, name) => last(code, name)],
  [/Multiple result columns? with the same name (.+?) are/, (code, name) => last(code, name)],
  [/[Ff]unction (.+?) (?:does not exist|is not defined)/, (code, name) => call(code, name)],
  [/^(?:\w+ exception: )?(\w+) (?:is neither a|is not a) (?:built-in )?function/, (code, name) => call(code, name)],
  [/given function (\w+)\(/, (code, name) => call(code, name)],
  [/[Ff]unction (\w+) (?:did not receive|requires|expects)/, (code, name) => call(code, name)],
  [/[Ff]unction (\W+?) did not receive/, (code, operator) => literally(code, operator)],
  [/Parameter (\w+) not found/, (code, name) => first(code, new RegExp(`\\$${name}(?!\\w)`))],
  [/parameter `?\$(\w+)/, (code, name) => first(code, new RegExp(`\\$${name}(?!\\w)`))],
  // An expression as the engine writes it, which is mostly as it was written.
  [/Expression (.+?) has data type/, (_, name, _other, text) => literally(text, name)],
  [/Cannot bind (\w+) as/, (code, name) => last(code, name)],
  [/^(?:\w+ exception: )?(\w+) has data type/, (code, name) => last(code, name)],
  [/Could not convert "(.*?)" to/, (_, name, _other, text) => literally(text, `'${name}'`) ?? literally(text, `"${name}"`) ?? literally(text, name)],
  [/parsing \w+\. Given: "(.*?)"/, (_, name, _other, text) => literally(text, `'${name}'`) ?? literally(text, `"${name}"`)],
  [/^(?:\w+ exception: )?(\S+) has data type/, (_, name, _other, text) => literally(text, name)],
  // These name a rule, and the clause that breaks it can be found.
  [/Upper bound of rel.* exceeds maximum: (\d+)/, (code, most) => [...code.matchAll(/\*[^\]]*?\.\.\s*(\d+)/g)].map(tail).find((range) => Number(code.slice(range.from, range.to)) > Number(most)) ?? null],
  [/in WITH must be aliased/, (code) => unnamed(code)],
  [/rows to skip\/limit/, (code) => first(code, /\b(?:LIMIT|SKIP)\s+\S+/)],
  [/columns to union/, (code) => first(code, /\bUNION\b(?:\s+ALL\b)?/)],
  [/AGGREGATE_FUNCTION/, (code) => first(code, /(?<=\bWHERE\b[^]*)\b(?:count|sum|avg|min|max|collect)(?=\s*\()/)],
];

/** The first match, from its first letter that is part of a name on. */
function first(code: string, pattern: RegExp): Range | null {
  const found = new RegExp(pattern.source, 'i').exec(code);
  if (!found) return null;
  const from = found.index + (/[\w$`]/.exec(found[0])?.index ?? 0);
  // Of `a.x` it is the x that is not there; a variable before the dot is fine.
  const dot = found[0].lastIndexOf('.');
  const start = dot < 0 ? from : found.index + dot + 1 + (/\S/.exec(found[0].slice(dot + 1))?.index ?? 0);
  return { from: start, to: found.index + found[0].length };
}

/** The last group of a match, at the end of it. */
const tail = (found: RegExpMatchArray): Range => ({ from: (found.index ?? 0) + found[0].length - (found[1] ?? '').length, to: (found.index ?? 0) + found[0].length });

/** The first item of a `WITH` that is neither a name nor given one. */
function unnamed(code: string): Range | null {
  for (const found of code.matchAll(WITH)) {
    let from = found.index + 4;
    for (const item of (found[1] ?? '').split(',')) {
      if (!/\bAS\b/i.test(item) && /[^\s\w`*]/.test(item.trim())) {
        const start = from + item.length - item.trimStart().length;
        return { from: start, to: start + item.trim().length };
      }
      from += item.length + 1;
    }
  }
  return null;
}

/** A `WITH` with what it hands on. */
const WITH = /(?<!\b(?:STARTS|ENDS)\s+)\bWITH\b([^]*?)(?=\b(?:WITH|WHERE|RETURN|OPTIONAL|MATCH|UNWIND|CALL|UNION|ORDER|LIMIT|SKIP)\b)/gi;

/** A name is in scope up to the `WITH` that does not hand it on: the first mention behind that. */
function dropped(code: string, name: string): Range | null {
  for (const found of code.matchAll(WITH)) {
    const handed = (found[1] ?? '').split(',').some((item) => new RegExp(`(?:^|\\bAS\\s|DISTINCT\\s)\\s*(?:${word(name)}|\\*)\\s*$`, 'i').test(item));
    if (!handed) return after(code, name, found.index + found[0].length);
  }
  return null;
}

function after(code: string, name: string, from: number): Range | null {
  const found = first(code.slice(from), new RegExp(word(name)));
  return found && { from: found.from + from, to: found.to + from };
}

function last(code: string, name: string): Range | null {
  const found = [...code.matchAll(new RegExp(word(name), 'gi'))].at(-1);
  return found ? { from: found.index, to: found.index + found[0].length } : null;
}

const call = (code: string, name: string): Range | null => {
  const found = first(code, new RegExp(`${word(name)}(?=\\s*\\()`));
  return found ?? after(code, name, 0);
};

function literally(text: string, part: string): Range | null {
  const at = text.indexOf(part);
  return at < 0 ? null : { from: at, to: at + part.length };
}

/** A name by itself, with or without backticks. */
const word = (name: string) => `(?:(?<![\\w$])${escape(name)}(?!\\w)|\`${escape(name)}\`)`;

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The query with spaces for what strings and comments say, at the same length: a name is not looked for in them. */
function blanked(text: string): string {
  return text.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) => part.replace(/[^\n]/g, ' '));
}

/** At least one character wide, so that there is something to see. */
function widened(text: string, from: number, to: number): Range {
  if (to > from) return { from, to };
  return from < text.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}

function byteLength(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
