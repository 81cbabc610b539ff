// Source text to coloured pieces: plain data, which the page writes as text nodes. The parsers come when first needed.

export interface Piece {
  text: string;
  /** `tok-keyword`, …; empty for plain text. */
  kind: string;
}

/** A line is a list of pieces. */
export type Lines = Piece[][];

export const plainLines = (text: string): Lines => split(text).map((line) => (line ? [{ text: line, kind: '' }] : []));

/** Longest text that is coloured; a longer one is shown plain. */
const MOST = 400_000;

export async function highlight(text: string, language: string): Promise<Lines> {
  const parser = text.length > MOST ? null : await parserOf(language);
  if (!parser) return plainLines(text);
  const { highlightCode, classHighlighter } = await import('@lezer/highlight');
  const lines: Lines = [[]];
  const code = split(text).join('\n');
  highlightCode(
    code,
    parser.parse(code),
    classHighlighter,
    (text, kind) => lines.at(-1)?.push({ text, kind }),
    () => lines.push([]),
  );
  return lines;
}

async function parserOf(language: string) {
  if (language === 'python') return (await import('@lezer/python')).parser;
  if (language === 'go') return (await import('@lezer/go')).parser;
  return null;
}

/** Lines without their ends; a line end at the very end opens no line. */
function split(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}
