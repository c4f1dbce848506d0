import { isNamePart } from '../access/names.ts';
import type { ProjectDiagnostic } from './diagnostics.ts';
import { selectError } from './one-select.ts';

/** What an asset builds: a managed table, a view or an artifact file. */
export const ASSET_KINDS = ['table', 'view', 'artifact'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

/** How a build writes a table. */
export const ASSET_MODES = ['replace', 'append'] as const;
export type AssetMode = (typeof ASSET_MODES)[number];

/** A SELECT that must return no rows. */
export interface AssetCheck {
  readonly name: string;
  readonly sql: string;
  /** `warn`: rows are reported, and the table is built nevertheless (default: error). */
  readonly severity?: 'warn' | undefined;
}

/** One asset of a project, in SQL or Python (DEPLOY-6). */
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
  /** The column whose largest value an append asset continues from. */
  readonly watermark: string | null;
  readonly checks: readonly AssetCheck[];
  readonly file: string;
  readonly line: number;
  readonly source: SqlSource | PythonSource;
}

export interface SqlSource {
  readonly language: 'sql';
  /** The SELECT without its header; `${watermark}` is not yet replaced. */
  readonly sql: string;
}

export interface PythonSource {
  readonly language: 'python';
  readonly function: string;
}

/**
 * In the SQL of an append asset: the largest value of the watermark column so far, NULL before the first build (RUN-5).
 */
export const WATERMARK_PLACEHOLDER = '${watermark}';

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

/** Validates the rules that SQL and Python assets share; problems are reported at the line of the asset. */
export function checkAsset(asset: Asset): ProjectDiagnostic[] {
  const found: [string, string | null][] = [];
  if (splitAssetName(asset.name) === null) {
    found.push([
      `${JSON.stringify(asset.name)} is not a table name`,
      'write <namespace>.<table>; letters, digits and "_"',
    ]);
  }
  for (const name of asset.dependsOn) {
    if (splitAssetName(name) === null)
      found.push([`depends_on names ${JSON.stringify(name)}`, 'write <namespace>.<table>']);
  }
  for (const tag of asset.tags) {
    if (!isTag(tag))
      found.push([`${JSON.stringify(tag)} is not a valid tag`, 'use up to 128 letters, digits, "_", "-", "." or ":"']);
  }
  const names = asset.checks.map((check) => check.name);
  for (const name of new Set(names.filter((name, i) => names.indexOf(name) !== i))) {
    found.push([`two checks are named ${JSON.stringify(name)}`, 'choose a unique name for each check']);
  }
  found.push(...checkMode(asset));
  return found.map(([message, remedy]) => ({
    file: asset.file,
    line: asset.line,
    message: `asset ${asset.name}: ${message}`,
    remedy,
  }));
}

/** Why a check can't run, whatever the tables contain; null if it can. */
export function validateCheck({ name, sql }: AssetCheck): { message: string; remedy: string } | null {
  const error = selectError(sql);
  if (error === null) return null;
  return {
    message: `the SQL of the check ${JSON.stringify(name)} ${error}`,
    remedy: 'a check is one SELECT that must return no row',
  };
}

/** Whether a text is a valid tag. */
export function isTag(text: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,128}$/.test(text);
}

/** A condition that is true for every row at the first build and afterwards for rows above the watermark. */
export const sinceWatermark = (column: string): string =>
  `${WATERMARK_PLACEHOLDER} IS NULL OR ${column} > ${WATERMARK_PLACEHOLDER}`;

function checkMode(asset: Asset): [string, string | null][] {
  const found: [string, string | null][] = [];
  if (asset.mode === 'append' && asset.kind !== 'table') {
    found.push([
      `${asset.kind === 'artifact' ? 'an' : 'a'} ${asset.kind} does not support mode append`,
      'remove mode, or use kind: table',
    ]);
  }
  if (asset.watermark !== null && asset.mode !== 'append') {
    found.push(['a watermark needs mode: append', 'add mode: append, or remove the watermark']);
  }
  if (asset.kind === 'artifact' && asset.checks.length > 0) {
    found.push(['an artifact has no rows to check', 'remove its checks']);
  }
  if (asset.source.language === 'python') {
    if (asset.kind === 'view')
      found.push(['a Python asset builds a table or an artifact', 'write a view as an SQL asset']);
    return found;
  }
  if (asset.kind === 'artifact')
    found.push(['an SQL asset builds a table or a view', 'write an artifact as a Python asset']);
  const hasPlaceholder = asset.source.sql.includes(WATERMARK_PLACEHOLDER);
  if (hasPlaceholder && asset.watermark === null) {
    found.push([
      `the SQL uses ${WATERMARK_PLACEHOLDER} but the header names no watermark column`,
      'add watermark: <column>',
    ]);
  }
  if (!hasPlaceholder && asset.watermark !== null) {
    found.push(['the watermark is never used', `add a condition: WHERE ${sinceWatermark(asset.watermark)}`]);
  }
  return found;
}
