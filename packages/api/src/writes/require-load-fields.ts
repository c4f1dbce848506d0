import { invalid } from '@svc/core/errors';
import type { DataFormat } from '@svc/core/tables';
import { type CsvOptions, csvConflict, csvOptionsOf, type LoadFields } from '@svc/core/writes';

type At = 'query' | 'body';

const inputOf = (field: string, at: At) => (at === 'query' ? { parameter: field } : { pointer: `/${field}` });

/** Validates how a load reads its rows. @throws ApiError `invalid-request` */
export function requireLoadFields(fields: LoadFields, format: DataFormat, at: At): void {
  const { on_error: onError, max_errors: maxErrors } = fields;
  if (onError === 'skip' && format === 'parquet') throw invalid(inputOf('on_error', at), 'must be abort for Parquet');
  if (maxErrors !== undefined && onError !== 'skip')
    throw invalid(inputOf('max_errors', at), 'is only valid with on_error skip');
  requireCsvOptions(csvOptionsOf(fields), format, at);
}

/** @throws ApiError `invalid-request` if the options aren't for the format, or contradict each other */
export function requireCsvOptions(options: CsvOptions | null, format: DataFormat, at: At): void {
  if (options === null) return;
  if (format !== 'csv') throw invalid(inputOf(Object.keys(options)[0]!, at), 'is only valid for CSV');
  const conflict = csvConflict(options);
  if (conflict !== null) throw invalid(inputOf(conflict.field, at), conflict.message);
}
