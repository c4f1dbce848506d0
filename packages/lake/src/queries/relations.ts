import type { IcebergField, ScanFile } from '../tables/index.ts';
import type { TableName } from './guard.ts';

/** What binds the reader of a table: filters combine with AND, masks of one column apply in order. */
export type Policies = {
  readonly rowFilters?: readonly string[];
  readonly masks?: readonly { readonly column: string; readonly expression: string }[];
};

export type ExternalFormat = 'csv' | 'ndjson' | 'parquet';

/** A table as the query's reader may see it. */
export type Relation = Policies &
  (
    | { readonly kind: 'managed'; readonly fields: readonly IcebergField[]; readonly files: readonly ScanFile[] }
    | {
        readonly kind: 'external';
        readonly format: ExternalFormat;
        /** Files; folders and patterns are expanded before (`listExternalFiles`). */
        readonly locations: readonly string[];
        readonly columns: readonly { readonly name: string; readonly type: string }[];
      }
    | { readonly kind: 'view'; readonly sql: string }
  );

/** Null for a table that does not exist or that the reader may not read: the query is answered alike in both cases. */
export type Resolve = (tables: readonly TableName[]) => Promise<readonly (Relation | null)[]>;
