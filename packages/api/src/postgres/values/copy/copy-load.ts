import { pgTypeOf } from '../types.ts';
import { BinaryCopy } from './binary-copy.ts';
import type { CopyOptions } from './copy-options.ts';
import { CsvRows } from './csv-rows.ts';
import { LineCopy } from './line-copy.ts';

/**
 * Converts the data of COPY FROM STDIN to the CSV that loads read by default (TABLE-6), piece by piece. Its header names the columns, so
 * the others get their defaults. Memory is bounded by the longest row.
 */
export interface CopyLoad {
  /**
   * The CSV of the rows that are complete.
   *
   * @throws PgValueError with the line of the data
   */
  write(data: Buffer): Buffer;
  /** The CSV of the rest. @throws PgValueError if the data is incomplete */
  end(): Buffer;
}

/** @param columns of COPY, in the order of its data */
export function copyLoad(
  options: CopyOptions,
  columns: readonly { readonly name: string; readonly type: string }[],
): CopyLoad {
  const rows = new CsvRows(columns.map(({ name, type }) => ({ name, type: pgTypeOf(type) })));
  return options.format === 'binary' ? new BinaryCopy(rows) : new LineCopy(rows, options);
}
