// What may have been meant by a name that is not there.
//
//   meant('Functin', 'Table Functin does not exist.', 'MATCH (f:Functin) RETURN f', schema)  // 'Function'

import type { Schema } from '../api/types';
import { FUNCTIONS } from './complete';

export function meant(wrong: string, message: string, query: string, schema: Schema | null): string | null {
  const names = (list: { name: string }[] | undefined) => (list ?? []).map(({ name }) => name);
  const known = () => {
    if (/Table .* does not exist/.test(message)) return [...names(schema?.labels), ...names(schema?.relationships)];
    if (/Cannot find property/.test(message)) return [...names(schema?.node_properties), ...names(schema?.relationship_properties)];
    if (/function .* does not exist/i.test(message)) return FUNCTIONS.map(([name]) => name);
    if (/is not in scope/.test(message)) return [...query.matchAll(/[([,]\s*([A-Za-z_]\w*)\s*[:)\]]|\bAS\s+(\w+)/gi)].map((found) => found[1] ?? found[2] ?? '');
    return [];
  };
  const word = wrong.replaceAll('`', '');
  let best: [string, number] | null = null;
  for (const name of new Set(known())) {
    if (!name || name === word) continue;
    const far = name.toLowerCase() === word.toLowerCase() ? 0 : distance(word.toLowerCase(), name.toLowerCase());
    if (far <= Math.max(1, word.length / 3) && (!best || far < best[1])) best = [name, far];
  }
  return best?.[0] ?? null;
}

/** Letters to put in, take out, change, or swap with their neighbour. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
