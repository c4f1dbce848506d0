import type { Asset } from './asset.ts';
import { parseDuration } from './durations.ts';
import { selectError } from './one-select.ts';

/**
 * In the SQL of an incremental asset: the largest value of the watermark column so far, NULL before the first build (RUN-5).
 */
export const WATERMARK_PLACEHOLDER = '${watermark}';

/** In the SQL of an incremental asset: whether this build is the first one (RUN-9). */
export const FIRST_RUN_PLACEHOLDER = '${is_first_run}';

/** Replaces the placeholders in the SQL of an asset. */
export function fillPlaceholders(sql: string, values: { readonly watermark: string; readonly isFirstRun: boolean }) {
  return sql
    .replaceAll(WATERMARK_PLACEHOLDER, () => values.watermark)
    .replaceAll(FIRST_RUN_PLACEHOLDER, String(values.isFirstRun));
}

/** The SQL of a first build; every position in it is the same as in the file. */
export function withoutPlaceholders(sql: string): string {
  return sql
    .replaceAll(WATERMARK_PLACEHOLDER, 'NULL'.padEnd(WATERMARK_PLACEHOLDER.length))
    .replaceAll(FIRST_RUN_PLACEHOLDER, 'true'.padEnd(FIRST_RUN_PLACEHOLDER.length));
}

/** A condition that is true for every row at the first build and afterwards for rows above the watermark. */
export const sinceWatermark = (column: string): string =>
  `${WATERMARK_PLACEHOLDER} IS NULL OR ${column} > ${WATERMARK_PLACEHOLDER}`;

/** Whether a build continues from the rows of the previous ones. */
export const isIncremental = ({ mode }: Pick<Asset, 'mode'>): boolean => mode !== 'replace';

type Found = [message: string, remedy: string | null];

/** Validates mode, key, watermark and what depends on them, with remedies. */
export function checkMode(asset: Asset): Found[] {
  const { mode, kind, watermark, lookback } = asset;
  const found: Found[] = [];
  if (isIncremental(asset) && kind !== 'table') {
    const article = kind === 'artifact' ? 'an' : 'a';
    found.push([`${article} ${kind} does not support mode ${mode}`, 'remove mode, or use kind: table']);
  }
  if (watermark !== null && !isIncremental(asset))
    found.push([
      'a watermark needs mode: append or mode: merge',
      'add mode: append or mode: merge, or remove the watermark',
    ]);
  found.push(...checkKey(asset));
  if (lookback !== undefined) found.push(...checkLookback(asset, lookback));
  if (asset.source.language === 'sql') found.push(...checkPlaceholders(asset, asset.source.sql));
  return found;
}

function checkKey({ mode, key = [], deleteWhen }: Asset): Found[] {
  const found: Found[] = [];
  if (mode === 'merge' && key.length === 0)
    found.push(['mode: merge needs a key', 'add key: [<column>, …], the columns that identify a row']);
  if (mode !== 'merge' && key.length > 0) found.push(['a key needs mode: merge', 'add mode: merge, or remove the key']);
  if (mode !== 'merge' && deleteWhen !== undefined)
    found.push(['delete_when needs mode: merge', 'add mode: merge and a key, or remove delete_when']);
  const twice = key.find((name, i) => key.some((other, j) => j < i && other.toLowerCase() === name.toLowerCase()));
  if (twice !== undefined)
    found.push([`the key names the column ${JSON.stringify(twice)} twice`, 'name each column once']);
  if (deleteWhen !== undefined && selectError(`SELECT (${deleteWhen})`) !== null)
    found.push([
      `delete_when is not a condition: ${JSON.stringify(deleteWhen)}`,
      "write a condition on the asset's columns, such as delete_when: status = 'deleted'",
    ]);
  return found;
}

function checkLookback({ mode, watermark }: Asset, lookback: string): Found[] {
  const found: Found[] = [];
  if (parseDuration(lookback) === null)
    found.push([`lookback is ${JSON.stringify(lookback)}`, 'write a number of minutes, hours or days, such as 3 days']);
  if (watermark === null)
    found.push(['a lookback needs a watermark', 'add watermark: <column>, or remove the lookback']);
  if (mode === 'append')
    found.push([
      'a lookback with mode: append would load the rows of that time again in every build',
      'use mode: merge with a key, or remove the lookback',
    ]);
  return found;
}

function checkPlaceholders(asset: Asset, sql: string): Found[] {
  const found: Found[] = [];
  const hasWatermark = sql.includes(WATERMARK_PLACEHOLDER);
  if (hasWatermark && asset.watermark === null)
    found.push([
      `the SQL uses ${WATERMARK_PLACEHOLDER} but the header names no watermark column`,
      'add watermark: <column>',
    ]);
  if (!hasWatermark && asset.watermark !== null)
    found.push(['the watermark is never used', `add a condition: WHERE ${sinceWatermark(asset.watermark)}`]);
  if (sql.includes(FIRST_RUN_PLACEHOLDER) && !isIncremental(asset))
    found.push([
      `the SQL uses ${FIRST_RUN_PLACEHOLDER}, but every build replaces all rows`,
      'add mode: append or mode: merge, or remove the placeholder',
    ]);
  return found;
}
