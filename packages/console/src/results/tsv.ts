import { escapeFormula } from '@svc/core/spreadsheets';
import type { ResultPage } from '@svc/sdk/browser';

/**
 * Rows as a spreadsheet pastes them: cells between tabs, NULL as an empty cell, and text that it would run as a formula with `'`
 * before it.
 */
export function tsvOf({ columns, rows }: Pick<ResultPage, 'columns' | 'rows'>): string {
  const header = columns.map(({ name }) => cellOf(escapeFormula(name)));
  const cells = rows.map((row) =>
    row.map((value, i) =>
      cellOf(columns[i]?.type === 'string' && typeof value === 'string' ? escapeFormula(value) : value),
    ),
  );
  return [header, ...cells].map((row) => row.join('\t')).join('\n');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
