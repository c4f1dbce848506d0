import type { DataFileRecord, IcebergField, TableMetadata, WriteLayout } from '@svc/iceberg';
import type { DataFileForm } from './output/output-sql.ts';
import type { QueryPlan } from './plan-query.ts';
import type { TableRequest } from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import type { CatalogTable } from './relations/relations.ts';
import type { ResultColumn } from './results/result-columns.ts';
import type { TableName } from './statement/guard.ts';

/** Where the rows are written. */
export type QueryOutput =
  /** One Parquet file at `location`, unless the inline rows replace it. */
  | { readonly kind: 'result'; readonly location: string }
  /** Data files below the table's location; `fields` of the target table, or null to take the query's columns. */
  | (DataFileForm & {
      readonly kind: 'data-files';
      readonly tableLocation: string;
      readonly fields: readonly IcebergField[] | null;
      /** The number of columns that the query must have, if their positions decide where they are written. */
      readonly columnCount?: number | undefined;
      /** The layout of an existing table; a new table is unpartitioned. */
      readonly layout?: WriteLayout;
      /** The metadata of an existing table, for an engine that writes the files itself. */
      readonly target?: TableMetadata | undefined;
    });

export type DataFileOutput = Omit<Extract<QueryOutput, { kind: 'data-files' }>, 'kind'>;

export type OpenRequest = TableRequest & {
  /** The environment of the statement; needed to write data files. */
  readonly environment?: { readonly id: string; readonly name: string };
  /** Lets an operator of an external engine find the statement. */
  readonly traceToken?: string;
  /** Set if an earlier attempt may have left a statement running under this token. */
  readonly retried?: boolean;
};

export type QueryRequest = OpenRequest & {
  readonly output: QueryOutput;
  /** Whether a cached result may be returned, and this one cached (default: true). */
  readonly cache?: boolean;
  /**
   * Called before DuckDB runs a statement, or waits for an identical one; not for a cached result. If it throws, the
   * statement doesn't run.
   */
  readonly beforeRun?: (plan: Pick<QueryPlan, 'isLong' | 'tables' | 'usesCatalog'>) => void | Promise<void>;
};

export type QueryOutcome =
  | {
      readonly ok: true;
      readonly columns: readonly ResultColumn[];
      readonly rowCount: number;
      /** Every table read, including views and their tables, as named. */
      readonly tables: readonly TableName[];
      readonly sizeBytes: number;
      /** All rows in JSON form if there are few; otherwise null, as for data files. */
      readonly rows: readonly (readonly unknown[])[] | null;
      /** For `result`: whether its file was written; otherwise the rows are complete (`ResultReader.parquetOfRows`). */
      readonly stored: boolean;
      /** Whether the rows are those of an earlier query, or of an identical one that ran at the same time. */
      readonly isCached: boolean;
      /** For `data-files`: the input of `prepareSnapshot` or `commitFiles`. */
      readonly files: readonly DataFileRecord[];
      /** For `data-files`: the fields written. */
      readonly fields: readonly IcebergField[];
      /** Where the engine that wrote the data files can read them, until the query is closed; null if they are only files. */
      readonly staged: CatalogTable | null;
    }
  | { readonly ok: false; readonly error: QueryError };
