/** Options of COPY with their defaults. */
export interface CopyOptions {
  readonly format: 'text' | 'csv' | 'binary';
  readonly delimiter: string;
  /** The text that stands for null. */
  readonly nullText: string;
  /** Whether the first line has the names of the columns; `match` if they are verified. */
  readonly header: boolean | 'match';
  readonly quote: string;
  readonly escape: string;
  /** CSV: columns whose values are always quoted, or `*`. */
  readonly forceQuote: CopyColumns;
  /** CSV: columns in which no text stands for null, or `*`. */
  readonly forceNotNull: CopyColumns;
  /** CSV: columns in which a quoted text may stand for null, or `*`. */
  readonly forceNull: CopyColumns;
  readonly encoding: 'utf-8' | 'latin-1' | 'windows-1252';
}

export type CopyColumns = '*' | readonly string[];
export type CopyFormat = CopyOptions;

export const isForced = (columns: CopyColumns, name: string): boolean => columns === '*' || columns.includes(name);
