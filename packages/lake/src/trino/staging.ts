import type { IcebergField, StagedChange, StagedRows, TableMetadata } from '@svc/iceberg';

interface Staging {
  readonly environment: { readonly id: string; readonly name: string };
  /** Milliseconds after which no statement writes to it anymore. */
  readonly timeoutMs: number;
}

/** Rows that an engine will write, and the table that gets them. */
export interface RowStaging extends Staging {
  readonly tableLocation: string;
  readonly fields: readonly IcebergField[];
  /** The metadata of the table that gets the rows; null for a new table. */
  readonly target: TableMetadata | null;
}

/** A table that an engine will change. */
export interface ChangeStaging extends Staging {
  readonly target: TableMetadata;
}

/** A table in the catalog that only the engine's account sees, for one statement. */
export interface StagingTable<R> {
  readonly namespace: string;
  readonly name: string;
  /** What the statement wrote. */
  readonly written: () => Promise<R>;
  /** Removes the table, but not its data files. */
  readonly close: () => Promise<void>;
}

/** Creates staging tables. Their folders are inside that of the table that gets their files. */
export interface StagingTables {
  /** An empty table. @throws QueryRejectedError if the engine has no account */
  readonly forRows: (request: RowStaging) => Promise<StagingTable<StagedRows>>;
  /** A table with the current rows of the other one. @throws QueryRejectedError if the engine has no account */
  readonly forChange: (request: ChangeStaging) => Promise<StagingTable<StagedChange>>;
}
