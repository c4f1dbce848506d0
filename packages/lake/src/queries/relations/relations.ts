import type { FileReadOptions, IcebergField, ScanFile } from '@svc/iceberg';
import type { TableName, TableVersion } from '../statement/guard.ts';

/** A field that a policy names: the path of names from the column down, as of when the policy was made. */
export type PolicyField = { readonly path: readonly string[]; readonly id: number };

/** The outcome of a policy when a query is planned. */
export type PolicyUse =
  | { readonly applies: true; readonly fields: readonly PolicyField[] }
  | { readonly applies: false; readonly column: string | null; readonly reason: string };

/** The stored record of a policy on a managed table, whose columns have ids. */
export interface PolicyRecord {
  /** The fields it was made for, or null if the policy is older than this record. */
  readonly fields: readonly PolicyField[] | null;
  /** Called at every use, before the query is rejected or run. */
  readonly onPolicyUse: (use: PolicyUse) => Promise<void>;
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

/** The policies that apply to a table's reader: filters combine with AND, masks of one column apply in order. */
export type Policies = {
  readonly rowFilters?: readonly RowFilter[];
  readonly masks?: readonly ColumnMask[];
};

export type ExternalFormat = 'csv' | 'ndjson' | 'parquet';

/** Data files and the columns to read from them. */
export type ManagedFiles = FileReadOptions & {
  readonly fields: readonly IcebergField[];
  readonly files: readonly ScanFile[];
  /** Whether the rows have the columns of `ROW_POSITION` too. No file may have `sameColumns` then. */
  readonly withPositions?: boolean;
};

/** How to resolve table names in a view that another engine created. */
export interface ViewNames {
  /** The namespace of unqualified names: dotted, or empty. */
  readonly namespace: string;
  /** The engine's name for this catalog, which may be the prefix of its table names. */
  readonly catalog: string | null;
}

/** What is known about a view that another engine created. */
export interface EngineView extends ViewNames {
  readonly dialect: string;
  /** The names of its columns, whatever the statement names them. */
  readonly columns: readonly string[];
}

/** A managed table as the catalog interface shows it to another engine. */
export interface CatalogTable {
  readonly environment: string;
  readonly namespace: string;
  readonly table: string;
  /** The snapshot to read, or null for a table without a snapshot, which has no rows. */
  readonly snapshotId: string | null;
  /** The columns that the snapshot was written with. */
  readonly fields: readonly IcebergField[];
}

/** Types of the columns of inline rows. */
export type InlineType =
  | 'BOOLEAN'
  | 'SMALLINT'
  | 'INTEGER'
  | 'BIGINT'
  | 'FLOAT'
  | 'VARCHAR'
  | 'TIMESTAMP WITH TIME ZONE'
  | 'SMALLINT[]'
  | 'BIGINT[]'
  | 'VARCHAR[]';

/** Rows that the service itself provides, by column. */
export interface InlineRows {
  readonly count: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: InlineType;
    /** One for each row, or the one that all rows have. */
    readonly values: readonly unknown[] | { readonly each: unknown };
  }[];
}

/** A table as the query's reader may see it. */
export type Relation = Policies &
  (
    | (ManagedFiles & {
        readonly kind: 'managed';
        /**
         * For an older version, the table's current columns. Policies are written for these, so they are applied to
         * rows read with these columns; `fields` are the columns the reader then gets, by field id.
         */
        readonly present?: readonly IcebergField[];
        /** The tables in the catalog that have its rows together. */
        readonly catalogTables?: readonly CatalogTable[];
      })
    | {
        readonly kind: 'external';
        readonly format: ExternalFormat;
        /** Files; folders and patterns have already been expanded (`listExternalFiles`). */
        readonly locations: readonly string[];
        readonly columns: readonly { readonly name: string; readonly type: string }[];
      }
    | { readonly kind: 'view'; readonly sql: string; readonly engine?: EngineView }
    | ({ readonly kind: 'rows' } & InlineRows)
  );

/** A table as a query requests it: the current version, or an older one (`AT`). */
export type RequestedTable = { readonly name: TableName; readonly version: TableVersion | null };

/** Why a table, or a version of it, is unavailable to a reader with access. The message says what to do. */
export type RelationFailure = {
  readonly kind: 'refused';
  readonly code: 'version-not-found' | 'not-supported' | 'not-allowed';
  readonly message: string;
  /** A command that helps, with which the message ends. */
  readonly remedy?: string;
};

/**
 * Null for a table that doesn't exist or that the reader has no access to: the query reports the same error in both
 * cases.
 */
export type Resolve = (tables: readonly RequestedTable[]) => Promise<readonly (Relation | RelationFailure | null)[]>;
