import type { Token } from '@svc/core/sql-tokens';

/** How many rows FETCH returns. */
export type FetchCount = number | 'all';

/** A statement as the session handles it. */
export type SessionStatement =
  | { readonly kind: 'empty' }
  /** `isSnapshot`: whether all its statements should read one snapshot. */
  | { readonly kind: 'start-transaction'; readonly tag: string; readonly isSnapshot: boolean }
  | { readonly kind: 'commit' | 'rollback'; readonly tag: string }
  | { readonly kind: 'savepoint' | 'rollback-to'; readonly tag: string }
  /** `isLocal`: only until the transaction finishes. */
  | { readonly kind: 'set'; readonly name: string; readonly value: string | null; readonly isLocal: boolean }
  /** Null: all settings. */
  | { readonly kind: 'reset' | 'show'; readonly name: string | null }
  | { readonly kind: 'discard'; readonly tag: string }
  | { readonly kind: 'deallocate'; readonly name: string | null }
  | { readonly kind: 'declare'; readonly name: string; readonly sql: string; readonly isLasting: boolean }
  | { readonly kind: 'fetch'; readonly name: string; readonly count: FetchCount; readonly isMove: boolean }
  | { readonly kind: 'close'; readonly name: string | null }
  | { readonly kind: 'copy'; readonly sql: string }
  /** CREATE TABLE … AS: the query whose rows the new table gets. */
  | {
      readonly kind: 'create-table';
      /** The parts of the name of the table. */
      readonly name: readonly string[];
      readonly ifNotExists: boolean;
      readonly sql: string;
    }
  /** CREATE SCHEMA or TABLE IF NOT EXISTS, which does nothing if the namespace or table exists, and otherwise isn't available. */
  | {
      readonly kind: 'create-missing';
      readonly what: 'CREATE SCHEMA' | 'CREATE TABLE';
      readonly name: readonly string[];
      readonly hint: string;
    }
  /** `changes`: the verb of a statement that changes rows or tables, otherwise null. */
  | { readonly kind: 'query'; readonly sql: string; readonly changes: string | null }
  /** The query after EXPLAIN and its options, with the space before it. */
  | { readonly kind: 'explain'; readonly sql: string }
  | { readonly kind: 'unsupported'; readonly what: string; readonly hint: string };

/** The value of a literal as a text. */
export function literalOf(token: Token): string {
  const text = /^[eE]?'(.*)'$/s.exec(token.text)?.[1];
  return text === undefined ? token.text : text.replaceAll("''", "'");
}
