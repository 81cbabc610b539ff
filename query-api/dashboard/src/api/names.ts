// Symbols whose name begins with what was typed, the shortest first: what one means while typing a name.
//
//   await named('Order.Em', ['Field'])  // … model.Order.Email

import { asNode } from '../graph/rows';
import { type Options, api } from './client';
import type { NodeView } from './types';

/** Kinds that are looked up by the beginning of a name; there are too many variables for that. */
const NAMED = ['Function', 'Type', 'Field', 'Key', 'Package'];

export interface Filter {
  lang?: string | undefined;
  path?: string | undefined;
  tests?: string | undefined;
}

export async function named(word: string, kinds: string[], filter: Filter, options?: Options): Promise<NodeView[]> {
  const labels = NAMED.filter((kind) => kinds.length === 0 || kinds.includes(kind));
  if (/\s/.test(word) || labels.length === 0) return [];
  const [holder = '', name = ''] = word.includes('.') ? [word.slice(0, word.lastIndexOf('.')), word.slice(word.lastIndexOf('.') + 1)] : ['', word];
  const where = [
    'lower(n.name) STARTS WITH lower($name)',
    holder && 'n.qualified_name CONTAINS $holder',
    filter.lang && 'n.language = $lang',
    filter.path && 'n.file STARTS WITH $path',
    filter.tests !== '1' && 'NOT n.test',
  ].filter(Boolean);
  const params = { name, ...(holder && { holder }), ...(filter.lang && { lang: filter.lang }), ...(filter.path && { path: filter.path }) };
  const found = await api.cypher(`MATCH (n:${labels.join(':')}) WHERE ${where.join(' AND ')} RETURN n ORDER BY size(n.name), n.qualified_name LIMIT 12`, params, {}, options);
  return found.rows.flatMap((row) => asNode(row[0]) ?? []);
}
