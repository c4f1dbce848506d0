import { PgValueError } from '../value-error.ts';

/** Options of COPY with their defaults. */
export interface CopyOptions {
  readonly format: 'text' | 'csv' | 'binary';
  readonly delimiter: string;
  /** The text that stands for null. */
  readonly nullText: string;
  /** Whether the first line has the names of the columns; `match` if they must be those of the table. */
  readonly header: boolean | 'match';
  readonly quote: string;
  readonly escape: string;
  /** CSV: columns whose values are always quoted, or `*`. */
  readonly forceQuote: CopyColumns;
  /** CSV: columns in which no text stands for null, or `*`. */
  readonly forceNotNull: CopyColumns;
  /** CSV: columns in which also a quoted text may stand for null, or `*`. */
  readonly forceNull: CopyColumns;
  readonly encoding: 'utf-8' | 'latin-1';
}

export type CopyColumns = '*' | readonly string[];

/** What a statement sets. */
export type SetOptions = { -readonly [K in keyof CopyOptions]?: CopyOptions[K] };

export const isForced = (columns: CopyColumns, name: string): boolean =>
  columns === '*' || columns.some((column) => column.toLowerCase() === name.toLowerCase());

/** The options with their defaults. @throws PgValueError for options that can't go together */
export function completeOptions(set: SetOptions, direction: 'to' | 'from'): CopyOptions {
  const format = set.format ?? 'text';
  const isCsv = format === 'csv';
  requireFitting(set, format, direction);
  const options: CopyOptions = {
    ...{ delimiter: isCsv ? ',' : '\t', nullText: isCsv ? '' : String.raw`\N`, header: false, quote: '"' },
    ...{ escape: set.quote ?? '"', forceQuote: [], forceNotNull: [], forceNull: [], encoding: 'utf-8' },
    ...set,
    format,
  };
  validate(options);
  return options;
}

/** Refuses options that the format or the direction doesn't have. */
function requireFitting(set: SetOptions, format: CopyOptions['format'], direction: 'to' | 'from'): void {
  for (const [name, label] of Object.entries(LABELS)) {
    if (set[name as keyof SetOptions] === undefined) continue;
    if (format === 'binary') throw syntax(`COPY has no option ${label} in BINARY mode.`);
    if (format !== 'csv' && CSV_ONLY.has(name)) throw syntax(`COPY has the option ${label} only in CSV mode.`);
  }
  if (direction === 'from' && set.forceQuote !== undefined) throw syntax('COPY FROM has no option FORCE_QUOTE.');
  if (direction === 'to' && (set.forceNotNull ?? set.forceNull) !== undefined)
    throw syntax('COPY TO has no option FORCE_NOT_NULL or FORCE_NULL.');
  if (direction === 'to' && set.header === 'match') throw syntax('COPY TO has no HEADER MATCH.');
  if (direction === 'to' && (set.encoding ?? 'utf-8') !== 'utf-8')
    throw new PgValueError('0A000', 'COPY TO writes UTF-8 only.');
}

const LABELS: Readonly<Record<string, string>> = {
  delimiter: 'DELIMITER',
  nullText: 'NULL',
  header: 'HEADER',
  quote: 'QUOTE',
  escape: 'ESCAPE',
  forceQuote: 'FORCE_QUOTE',
  forceNotNull: 'FORCE_NOT_NULL',
  forceNull: 'FORCE_NULL',
};
const CSV_ONLY = new Set(['quote', 'escape', 'forceQuote', 'forceNotNull', 'forceNull']);

const syntax = (message: string): PgValueError => new PgValueError('42601', message);
const invalid = (message: string): PgValueError => new PgValueError('22023', message);

/** As PostgreSQL validates them. */
function validate({ format, delimiter, nullText, quote, escape: before }: CopyOptions): void {
  const isOneByte = (text: string) => text.length === 1 && text.charCodeAt(0) > 0 && text.charCodeAt(0) < 128;
  if (!isOneByte(delimiter)) throw new PgValueError('0A000', 'The delimiter of COPY must be one ASCII character.');
  if (/[\r\n]/.test(delimiter)) throw invalid("The delimiter of COPY can't be a line break.");
  if (/[\r\n]/.test(nullText)) throw invalid("The NULL text of COPY can't contain line breaks.");
  if (format === 'text' && /[\\.a-z0-9]/.test(delimiter))
    throw invalid(`The delimiter of COPY can't be ${JSON.stringify(delimiter)}. Use another character, such as a tab.`);
  if (nullText.includes(delimiter)) throw invalid("The NULL text of COPY can't contain the delimiter.");
  if (format !== 'csv') return;
  if (!isOneByte(quote)) throw new PgValueError('0A000', 'The quote of COPY must be one ASCII character.');
  if (!isOneByte(before)) throw new PgValueError('0A000', 'The escape of COPY must be one ASCII character.');
  if (delimiter === quote) throw invalid('The delimiter and the quote of COPY must differ.');
  if (nullText.includes(quote)) throw invalid("The NULL text of COPY can't contain the quote.");
}
