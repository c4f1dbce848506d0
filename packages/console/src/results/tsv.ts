import type { ResultPage } from '@svc/sdk/browser';

/** Rows as a spreadsheet pastes them: cells between tabs, NULL as an empty cell. */
export function tsvOf({ columns, rows }: Pick<ResultPage, 'columns' | 'rows'>): string {
  const header = columns.map(({ name }) => name);
  return [header, ...rows].map((row) => row.map(cellOf).join('\t')).join('\n');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
