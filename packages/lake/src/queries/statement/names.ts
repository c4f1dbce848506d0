import { isNamePart } from '@svc/core/access';

/** Folds letter case as DuckDB does: ASCII letters alone, so that `K` (the Kelvin sign) is not `k`. */
export const foldName = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether a table could have this name: no other text reaches the engine as the name of a table. */
export const isTableName = (name: readonly string[]): boolean => name.every(isNamePart);

/** How an engine tells a reference to a CTE from one to a table. */
export interface Scoping {
  /** Two spellings of one name fold to one text. */
  readonly fold: (name: string) => string;
  /** Whether a recursive CTE is visible in its own anchor member. */
  readonly anchorSeesItself: boolean;
}

export const DUCKDB_SCOPING: Scoping = { fold: foldName, anchorSeesItself: false };
