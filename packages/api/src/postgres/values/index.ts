export type { CopyLoad } from './copy/copy-data.ts';
export { copyLoad } from './copy/copy-load.ts';
export type { CopyOptions } from './copy/copy-options.ts';
export { copyEnd, copyStart } from './copy/copy-rows.ts';
export { type CopyStatement, type CopyTable, parseCopy } from './copy/copy-statement.ts';
export { decodeParameter, decodeParameters, parameterCast } from './parameters.ts';
export { type Format, formatOf, type RowBatch, rowsOfArrow, rowsOfJson } from './rows.ts';
export { OID_ARRAY, type PgType, pgTypeOf, pgTypeOfEngine } from './types.ts';
export { PgValueError } from './value-error.ts';
