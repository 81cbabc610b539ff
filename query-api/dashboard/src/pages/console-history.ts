// Queries that were run in this browser, newest first.

export interface Entry {
  query: string;
  params: string;
}

const KEY = 'ripple.queries';
const MOST = 50;

export function recall(): Entry[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter((entry): entry is Entry => typeof entry?.query === 'string' && typeof entry?.params === 'string') : [];
  } catch {
    return [];
  }
}

export function remember(entry: Entry): Entry[] {
  const list = [entry, ...recall().filter((old) => old.query !== entry.query || old.params !== entry.params)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Full or forbidden: the list lasts as long as the page.
  }
  return list;
}

export function forget(): Entry[] {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept, then.
  }
  return [];
}
