import type { TableName } from './table-name.ts';

/** `column = expression`. */
export interface Assignment {
  readonly column: string;
  readonly expression: string;
}

/** One WHEN of a MERGE. */
export type MergeClause =
  | { readonly kind: 'update'; readonly condition: string | null; readonly set: readonly Assignment[] }
  | { readonly kind: 'delete' | 'nothing'; readonly isMatched: boolean; readonly condition: string | null }
  | {
      readonly kind: 'insert';
      readonly condition: string | null;
      /** Null: all columns of the table, in their order. */
      readonly columns: readonly string[] | null;
      readonly values: readonly string[];
    };

interface Target extends TableName {
  /** The name by which expressions refer to its rows. */
  readonly alias: string;
  /** The common table expressions before the statement, which all of its parts may use; or an empty text. */
  readonly with: string;
}

/** A statement that changes rows, in parts that are SQL texts without comments. */
export type RowChange = Target &
  (
    | {
        readonly kind: 'insert';
        readonly columns: readonly string[] | null;
        readonly byName: boolean;
        readonly query: string;
      }
    | { readonly kind: 'delete'; readonly using: string | null; readonly condition: string | null }
    | { readonly kind: 'truncate' }
    | {
        readonly kind: 'update';
        readonly set: readonly Assignment[];
        readonly from: string | null;
        readonly condition: string | null;
      }
    | { readonly kind: 'merge'; readonly source: string; readonly on: string; readonly clauses: readonly MergeClause[] }
  );

export type RowChangeResult =
  | { readonly ok: true; readonly change: RowChange }
  | { readonly ok: false; readonly message: string };

/** How a statement names the table that it changes. */
export interface ChangedName {
  /** Without a namespace, it is one part. */
  readonly parts: readonly string[];
  /** The text of the statement before and after the name. */
  readonly around: readonly [before: string, after: string];
}
