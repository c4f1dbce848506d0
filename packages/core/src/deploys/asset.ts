import { isNamePart } from '../access/names.ts';

/** What an asset builds: a managed table, a view or an artifact file. */
export const ASSET_KINDS = ['table', 'view', 'artifact'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

/** How a build writes a table: all rows again, new rows, or new rows and those that replace others with the same key. */
export const ASSET_MODES = ['replace', 'append', 'merge'] as const;
export type AssetMode = (typeof ASSET_MODES)[number];

/** What can run the statements of an SQL asset. */
export const SQL_ENGINES = ['duckdb', 'trino'] as const;
/** What a Python asset can work with besides its own process. */
export const PYTHON_ENGINES = ['spark'] as const;
export type AssetEngine = (typeof SQL_ENGINES | typeof PYTHON_ENGINES)[number];

/** A SELECT that must return no rows. */
export interface AssetCheck {
  readonly name: string;
  readonly sql: string;
  /** `warn`: rows are reported, and the table is built nevertheless (default: error). */
  readonly severity?: 'warn' | undefined;
}

/** One asset of a project, in SQL, Python or a CSV file (DEPLOY-6). */
export interface Asset {
  /** `<namespace>.<table>` as written; compared without letter case. */
  readonly name: string;
  readonly namespace: string;
  readonly table: string;
  readonly kind: AssetKind;
  readonly description: string | null;
  /** Descriptions by column name. */
  readonly columns: Readonly<Record<string, string>>;
  /** Tables that it is built from, as written; they may be outside the project. */
  readonly dependsOn: readonly string[];
  readonly tags: readonly string[];
  readonly mode: AssetMode;
  /** The column whose largest value an incremental asset continues from. */
  readonly watermark: string | null;
  /** With mode `merge`: the columns that identify a row. */
  readonly key?: readonly string[] | undefined;
  /** With mode `merge`: a condition on the asset's columns; rows that meet it delete those with the same key. */
  readonly deleteWhen?: string | undefined;
  /** How much earlier than the watermark a build starts, such as `3 days`, for rows that arrive late. */
  readonly lookback?: string | undefined;
  /**
   * What runs the statement and the checks of an SQL asset (default: as the operator chose for the environment), or the engine that a
   * Python asset gets a session of (default: none).
   */
  readonly engine?: AssetEngine | undefined;
  readonly checks: readonly AssetCheck[];
  /** Tables that its checks read, found in their SQL. Versions of earlier releases don't have it. */
  readonly checkReads?: readonly string[] | undefined;
  /** Where the project declares it. */
  readonly file: string;
  readonly line: number;
  readonly source: SqlSource | PythonSource | CsvSource;
}

export interface SqlSource {
  readonly language: 'sql';
  /** The SELECT without its header; its placeholders are not yet replaced. */
  readonly sql: string;
}

export interface PythonSource {
  readonly language: 'python';
  readonly function: string;
}

/** The CSV file of a seed (DEPLOY-23). */
export interface CsvSource {
  readonly language: 'csv';
  readonly file: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  readonly columns: readonly SeedColumn[];
}

export interface SeedColumn {
  readonly name: string;
  readonly type: string;
}

/** The languages that assets are written in. */
export const ASSET_LANGUAGES = ['sql', 'python', 'csv'] as const satisfies readonly Asset['source']['language'][];

/** Splits `a.b.table` into namespace and table; null if it isn't the name of a table in a namespace. */
export function splitAssetName(name: string): { namespace: string; table: string } | null {
  const parts = name.split('.');
  if (parts.length < 2 || name.length > 1024 || !parts.every(isNamePart)) return null;
  return { namespace: parts.slice(0, -1).join('.'), table: parts.at(-1)! };
}

/** The comparison key of an asset or table name, which ignores letter case. */
export function assetKey(name: string): string {
  return name.toLowerCase();
}

/** Whether a text is a valid tag. */
export function isTag(text: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,128}$/.test(text);
}
