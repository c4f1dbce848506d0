import type { Failure } from '@svc/core/errors';
import type { DataFileRecord, IcebergField, TableMetadata, WriteLayout } from '@svc/iceberg';
import type { CatalogTable } from '@svc/lake/queries';
import type { Untyped } from '@svc/lake/writes';

export interface RowColumn {
  name: string;
  type: string;
  /** The parts of the type for which the rows have no value. */
  untyped?: Untyped | undefined;
}

/** The source of a table asset's rows: a SELECT, or the result of a Python function. */
export interface RowSource {
  /** Empty if a function returned no rows, because then the columns are unknown. */
  columns: readonly RowColumn[];
  /** Writes the rows as data files of a table. */
  write: (table: RowTarget) => Promise<WrittenRows | Failure>;
  close: () => Promise<void>;
}

/** Where rows are written. */
export interface RowTarget {
  tableLocation: string;
  fields: readonly IcebergField[];
  /** Of an existing table. */
  layout: WriteLayout | undefined;
  target: TableMetadata | undefined;
}

export interface WrittenRows {
  files: readonly DataFileRecord[];
  rows: number;
  /** Where the engine that wrote the files can read them until the source is closed; null if they are only files. */
  staged?: CatalogTable | null;
  /** Of rows that don't come from a source. */
  close?: () => Promise<void>;
}
