/** Folds case as DuckDB does: ASCII letters only, so that `K` (the Kelvin sign) doesn't equal `k`. */
export const foldName = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** How an engine distinguishes a reference to a CTE from a reference to a table. */
export interface Scoping {
  /** Two spellings of one name fold to the same text. */
  readonly fold: (name: string) => string;
  /** Whether a recursive CTE is visible in its own anchor member. */
  readonly anchorSeesItself: boolean;
}

export const DUCKDB_SCOPING: Scoping = { fold: foldName, anchorSeesItself: false };
