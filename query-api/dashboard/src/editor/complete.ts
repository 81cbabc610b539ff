// What could be meant at the cursor of a Cypher query, from the graph's own schema.

import type { Schema } from '../api/types';

export interface Suggestion {
  label: string;
  detail: string;
  info?: string;
  type: 'class' | 'type' | 'property' | 'function' | 'keyword' | 'variable' | 'constant';
}

export interface Suggestions {
  /** Where the word to replace begins. */
  from: number;
  options: Suggestion[];
}

const KEYWORDS =
  'MATCH OPTIONAL WHERE RETURN DISTINCT WITH ORDER BY ASC DESC LIMIT SKIP UNWIND AS AND OR NOT IN IS NULL CONTAINS STARTS ENDS UNION ALL SHORTEST CASE WHEN THEN ELSE END EXISTS EXPLAIN'.split(
    ' ',
  );

export const FUNCTIONS: [string, string][] = [
  ['count', 'how many'], ['collect', 'values as a list'], ['min', 'smallest'], ['max', 'largest'], ['sum', 'sum'], ['avg', 'mean'],
  ['label', 'label of a node, type of a relationship'], ['nodes', 'nodes of a path'], ['rels', 'relationships of a path'], ['length', 'steps of a path'],
  ['properties', 'one property of each: properties(nodes(p), \'name\')'], ['size', 'length of a list or text'], ['lower', 'in small letters'],
  ['upper', 'in capitals'], ['substring', 'part of a text'], ['regexp_matches', 'whether a text matches'], ['coalesce', 'first that is not null'], ['id', 'internal id'],
];

/** Suggestions for the text up to the cursor; null where nothing can be said. */
export function suggest(before: string, schema: Schema | null): Suggestions | null {
  if (inText(before)) return null;
  const word = /[\w$]*$/.exec(before)?.[0] ?? '';
  const from = before.length - word.length;
  const ahead = before.slice(0, from);
  if (/\[[^\]]*[:|]\s*$/.test(ahead) && schema) {
    return { from, options: schema.relationships.map((r) => ({ label: r.name, detail: joins(r.joins), info: r.doc, type: 'type' })) };
  }
  if (/\([^()]*:\s*$/.test(ahead) && !/\{[^}]*$/.test(ahead) && schema) {
    return { from, options: schema.labels.map((label) => ({ label: label.name, detail: 'label', info: label.doc, type: 'class' })) };
  }
  if (schema && (/\w\.$/.test(ahead) || /\{\s*$/.test(ahead) || /\{[^}]*,\s*$/.test(ahead))) {
    const ofRelationship = /\[[^\]]*\{[^}]*$/.test(ahead) || isRelationshipVariable(before, /(\w+)\.$/.exec(ahead)?.[1]);
    const list = ofRelationship ? schema.relationship_properties : schema.node_properties;
    return { from, options: list.map((p) => ({ label: p.name, detail: p.type, info: p.doc, type: 'property' })) };
  }
  const value = schema && valuesAt(ahead, schema);
  if (value) return { from, options: value };
  if (word.length < 1) return null;
  const names = [...new Set([...before.slice(0, from).matchAll(/[([]\s*([a-z]\w*)\s*[:)\]]/g)].map((found) => found[1] as string))];
  return {
    from,
    options: [
      ...names.map((label): Suggestion => ({ label, detail: 'in this query', type: 'variable' })),
      ...KEYWORDS.map((label): Suggestion => ({ label, detail: '', type: 'keyword' })),
      ...FUNCTIONS.map(([label, detail]): Suggestion => ({ label, detail, type: 'function' })),
    ],
  };
}

/** `r.rule = '` is followed by a rule; likewise `how` and `language`. */
function valuesAt(ahead: string, schema: Schema): Suggestion[] | null {
  const name = /\b(rule|how|language)\s*(?:=|:|<>)\s*$/.exec(ahead)?.[1];
  if (!name) return null;
  const list = { rule: schema.rules, how: schema.hows, language: schema.languages }[name] ?? [];
  return list.filter((v) => v.name).map((v) => ({ label: `'${v.name}'`, detail: name, info: v.doc, type: 'constant' }));
}

function isRelationshipVariable(text: string, name: string | undefined): boolean {
  return name !== undefined && new RegExp(`\\[\\s*${name}\\s*[:\\]]`).test(text);
}

function joins(list: { from: string; to: string }[]): string {
  const first = list[0];
  return first ? `${first.from} → ${first.to}${list.length > 1 ? ` and ${list.length - 1} more` : ''}` : '';
}

/** Whether the end of the text is within a string or a comment. */
function inText(text: string): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quote === '\n') {
      if (char === '\n') quote = '';
    } else if (quote === '*') {
      if (char === '*' && text[at + 1] === '/') {
        quote = '';
        at += 1;
      }
    } else if (quote) {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '/' && text[at + 1] === '/') quote = '\n';
    else if (char === '/' && text[at + 1] === '*') quote = '*';
  }
  return quote !== '';
}
