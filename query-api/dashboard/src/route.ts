// The address of everything: `#/console?query=…&view=graph`. It stands after the `#`, so that no question and no name
// from the code reaches a server's log, and the page needs no rewriting of paths where it is served.

import { signal } from '@preact/signals';

export interface Place {
  /** `['node', 'Function', '81']` */
  path: string[];
  query: Record<string, string>;
}

export type Changes = Record<string, string | number | boolean | null | undefined>;

export function parse(hash: string): Place {
  const text = hash.replace(/^#?\/?/, '');
  const mark = text.indexOf('?');
  const path = (mark < 0 ? text : text.slice(0, mark)).split('/').filter(Boolean).map(decode);
  return { path, query: Object.fromEntries(new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1))) };
}

export function format(place: Place): string {
  const query = new URLSearchParams(Object.entries(place.query).sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return `#/${place.path.map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
}

/** The query with these changes; null, '' and false remove. */
export function changed(query: Record<string, string>, changes: Changes): Record<string, string> {
  const next = { ...query };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '' || value === false) delete next[key];
    else next[key] = value === true ? '1' : String(value);
  }
  return next;
}

export const link = (path: string, query: Changes = {}): string => format({ path: path.split('/').filter(Boolean), query: changed({}, query) });

export const nodeLink = (node: { label: string; id: number }): string => link(`node/${node.label}/${node.id}`);

export const place = signal<Place>(parse(typeof location === 'undefined' ? '' : location.hash));

export function go(href: string, replace = false): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  place.value = parse(href);
}

/** Changes the query of this very page. */
export function setQuery(changes: Changes, replace = true): void {
  const next = { path: place.value.path, query: changed(place.value.query, changes) };
  if (format(next) !== format(place.value)) go(format(next), replace);
}

export function listen(): void {
  const read = () => {
    place.value = parse(location.hash);
  };
  addEventListener('hashchange', read);
  addEventListener('popstate', read);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
