import type { DataFileRecord, IcebergField, Int64, TableMetadata } from '@svc/iceberg';

/** Rows that an engine will write, and the table that gets them. */
export interface StagingRequest {
  readonly environment: { readonly id: string; readonly name: string };
  readonly tableLocation: string;
  readonly fields: readonly IcebergField[];
  /** The metadata of the table that gets the rows; null for a new table. */
  readonly target: TableMetadata | null;
  /** Milliseconds after which no statement writes to it anymore. */
  readonly timeoutMs: number;
}

/**
 * A table in the catalog that only the engine's account sees. The engine writes the rows of one statement to it, in data files in the
 * folder of the table that gets them.
 */
export interface StagingTable {
  readonly namespace: string;
  readonly name: string;
  /** The rows that the engine has written. */
  readonly rows: () => Promise<{ readonly snapshotId: Int64 | null; readonly files: readonly DataFileRecord[] }>;
  /** Removes the table, but not its data files. */
  readonly close: () => Promise<void>;
}

/** Creates staging tables. @throws QueryRejectedError if the engine has no account */
export type StartStaging = (request: StagingRequest) => Promise<StagingTable>;
