import { escapeFormula } from '@svc/core/spreadsheets';
import type { ResultColumn } from './result-columns.ts';

/** How to write text that a spreadsheet would run as a formula: as it is (`raw`), or with `'` before it. */
export interface CsvOptions {
  readonly raw: boolean;
}

/** Writes the header row and the rows of a result as CSV. */
export interface CsvWriter {
  readonly header: string;
  line(values: readonly unknown[]): string;
}

/**
 * Writes each row as one line with its line ending. Null is an empty field, the empty text is `""`, a list or struct is its
 * JSON text. Numbers, times and binary values never have a `'`: they can't contain a formula, and stay readable.
 */
export function csvWriter(columns: readonly ResultColumn[], { raw }: CsvOptions): CsvWriter {
  const safe = raw ? (text: string) => text : escapeFormula;
  const isText = columns.map(({ type }) => type === 'string');
  return {
    header: line(columns.map(({ name }) => safe(name))),
    line: (values) => line(values.map((value, i) => (isText[i] && typeof value === 'string' ? safe(value) : value))),
  };
}

const line = (values: readonly unknown[]): string => `${values.map(csvField).join(',')}\r\n`;

function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
