import type { DataFileRecord, IcebergField } from '@svc/iceberg';
import type { ExternalTables, Prepared } from './prepare-query.ts';
import type { DataFileOutput, OpenRequest, QueryRequest } from './query-request.ts';
import type { CatalogTable } from './relations/relations.ts';
import type { EngineChild } from './sandbox/child-process.ts';

/** Runs a prepared statement instead of DuckDB; DuckDB then reads the rows from a file. */
export interface ExternalEngine extends ExternalTables {
  /** @throws QueryRejectedError */
  readonly rowsOf: (
    prepared: Prepared,
    at: { readonly child: EngineChild; readonly stageDir: string; readonly request: QueryRequest },
  ) => Promise<Prepared>;
  /** Writes the rows of a query, which has the columns of the table with their types. @throws QueryRejectedError */
  readonly writeRows: (
    query: Pick<Prepared, 'sql' | 'restricted'>,
    at: {
      readonly child: EngineChild;
      readonly fields: readonly IcebergField[];
      readonly output: DataFileOutput;
      readonly request: OpenRequest;
    },
  ) => Promise<ExternalRows>;
}

/** Rows that an external engine wrote. */
export interface ExternalRows {
  readonly files: readonly DataFileRecord[];
  readonly rows: number;
  /** Where it can read them, until `close`. */
  readonly catalogTable: CatalogTable;
  readonly close: () => Promise<void>;
}
