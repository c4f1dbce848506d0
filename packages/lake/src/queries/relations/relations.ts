import type { FileReading, IcebergField, ScanFile } from '../../tables/index.ts';
import type { TableName, TableVersion } from '../statement/guard.ts';

/** A field that a policy names: the names from the column down, as they were when the policy was made. */
export type PolicyField = { readonly path: readonly string[]; readonly id: number };

/** What becomes of a policy when a query is planned. */
export type PolicyUse =
  | { readonly applies: true; readonly fields: readonly PolicyField[] }
  | { readonly applies: false; readonly column: string | null; readonly reason: string };

/** What is stored of a policy on a managed table, whose columns have ids. */
export interface PolicyRecord {
  /** The fields it was made for; null of a policy that is older than this record. */
  readonly fields: readonly PolicyField[] | null;
  /** Called at every use, before the query is refused or run. */
  readonly used: (use: PolicyUse) => Promise<void>;
}

export interface RowFilter {
  readonly predicate: string;
  readonly record?: PolicyRecord;
}

export interface ColumnMask {
  readonly column: string;
  readonly expression: string;
  readonly record?: PolicyRecord;
}

/** What binds the reader of a table: filters combine with AND, masks of one column apply in order. */
export type Policies = {
  readonly rowFilters?: readonly RowFilter[];
  readonly masks?: readonly ColumnMask[];
};

export type ExternalFormat = 'csv' | 'ndjson' | 'parquet';

/** Data files with the columns to read of them. */
export type ManagedFiles = FileReading & {
  readonly fields: readonly IcebergField[];
  readonly files: readonly ScanFile[];
};

/** What the names of tables mean in a view that an engine made. */
export interface ViewNames {
  /** Where names without a namespace lie: dotted, or empty. */
  readonly namespace: string;
  /** What the engine called this catalog: its tables' names may begin with it. */
  readonly catalog: string | null;
}

/** What is known of a view that an engine made. */
export interface EngineView extends ViewNames {
  readonly dialect: string;
  /** The names of its columns, whatever the statement calls them. */
  readonly columns: readonly string[];
}

/** A managed table as the catalog interface shows it to another engine. */
export interface CatalogTable {
  readonly environment: string;
  readonly namespace: string;
  readonly table: string;
  /** The snapshot to be read; null for a table without one, which has no rows. */
  readonly snapshotId: string | null;
  /** The columns that the snapshot was written with. */
  readonly fields: readonly IcebergField[];
}

/** A table as the query's reader may see it. */
export type Relation = Policies &
  (
    | (ManagedFiles & {
        readonly kind: 'managed';
        /**
         * Of an older version: the table's columns of now. Policies are written for these, so they are applied to the
         * rows read so; `fields` are what the reader then gets, by field id.
         */
        readonly present?: readonly IcebergField[];
        readonly catalogTable?: CatalogTable;
      })
    | {
        readonly kind: 'external';
        readonly format: ExternalFormat;
        /** Files; folders and patterns are expanded before (`listExternalFiles`). */
        readonly locations: readonly string[];
        readonly columns: readonly { readonly name: string; readonly type: string }[];
      }
    | { readonly kind: 'view'; readonly sql: string; readonly engine?: EngineView }
  );

/** A table as a query asks for it: of now, or an older version (`AT`). */
export type TableAsked = { readonly name: TableName; readonly version: TableVersion | null };

/** Why a table that the reader may read, or a version of it, cannot be given; the message says what to do. */
export type RelationRefused = {
  readonly kind: 'refused';
  readonly code: 'version-not-found' | 'not-supported';
  readonly message: string;
};

/** Null for a table that does not exist or that the reader may not read: the query is answered alike in both cases. */
export type Resolve = (tables: readonly TableAsked[]) => Promise<readonly (Relation | RelationRefused | null)[]>;
