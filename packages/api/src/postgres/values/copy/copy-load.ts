import { pgTypeOf } from '../types.ts';
import { BinaryCopy } from './binary-copy.ts';
import type { CopyLoad } from './copy-data.ts';
import type { CopyOptions } from './copy-options.ts';
import { CsvRows } from './csv-rows.ts';
import { LineCopy } from './line-copy.ts';

/** @param columns of COPY, in the order of its data */
export function copyLoad(
  options: CopyOptions,
  columns: readonly { readonly name: string; readonly type: string }[],
): CopyLoad {
  const rows = new CsvRows(columns.map(({ name, type }) => ({ name, type: pgTypeOf(type) })));
  return options.format === 'binary' ? new BinaryCopy(rows) : new LineCopy(rows, options);
}
