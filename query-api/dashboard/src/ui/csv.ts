// Rows as CSV (RFC 4180): what holds a comma, a quote or a line end is quoted; nodes, relationships and lists are JSON.

import type { Answer, Value } from '../api/types';

export function csv(answer: Pick<Answer, 'columns' | 'rows'>): string {
  const lines = [answer.columns, ...answer.rows].map((row) => row.map(cell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function cell(value: Value): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
