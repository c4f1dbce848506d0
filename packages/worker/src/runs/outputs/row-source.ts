import type { Failure } from '@svc/core/errors';
import type { DataFileRecord, IcebergField, WriteLayout } from '@svc/iceberg';

export interface RowColumn {
  name: string;
  type: string;
}

/** The source of a table asset's rows: a SELECT, or the result of a Python function. */
export interface RowSource {
  /** Empty if a function returned no rows, because then the columns are unknown. */
  columns: readonly RowColumn[];
  /** Writes the rows as data files with the table's fields, in its layout if the table exists. */
  write: (location: string, fields: readonly IcebergField[], layout?: WriteLayout) => Promise<WrittenRows | Failure>;
  close: () => Promise<void>;
}

export interface WrittenRows {
  files: readonly DataFileRecord[];
  rows: number;
}
