/** Folds letter case as DuckDB does: ASCII letters alone, so that `K` (the Kelvin sign) is not `k`. */
export const foldName = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** How an engine tells a reference to a CTE from one to a table. */
export interface Scoping {
  /** Two spellings of one name fold to one text. */
  readonly fold: (name: string) => string;
  /** Whether a recursive CTE is visible in its own anchor member. */
  readonly anchorSeesItself: boolean;
}

export const DUCKDB_SCOPING: Scoping = { fold: foldName, anchorSeesItself: false };
