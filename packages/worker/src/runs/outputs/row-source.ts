import type { Failure } from '@svc/core/errors';
import type { DataFileRecord, IcebergField, WriteLayout } from '@svc/lake/tables';

export interface RowColumn {
  name: string;
  type: string;
}

/** Where the rows of a table asset come from: a SELECT, or what a Python function gave. */
export interface RowSource {
  /** None where a function gave no row, which tells nothing of them. */
  columns: readonly RowColumn[];
  /** Writes them as data files of a table with those fields, in its layout where there is a table already. */
  write: (location: string, fields: readonly IcebergField[], layout?: WriteLayout) => Promise<WrittenRows | Failure>;
  close: () => Promise<void>;
}

export interface WrittenRows {
  files: readonly DataFileRecord[];
  rows: number;
}
