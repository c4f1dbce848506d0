import { type Asset, type AssetCheck, isTag, splitAssetName } from './asset.ts';
import type { ProjectDiagnostic } from './diagnostics.ts';
import { checkMode } from './incremental.ts';
import { selectError } from './one-select.ts';

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
  found.push(...checkMode(asset), ...checkKind(asset));
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

function checkKind({ kind, checks, source }: Asset): [string, string | null][] {
  const found: [string, string | null][] = [];
  if (kind === 'artifact' && checks.length > 0) {
    found.push(['an artifact has no rows to check', 'remove its checks']);
  }
  if (source.language === 'python' && kind === 'view')
    found.push(['a Python asset builds a table or an artifact', 'write a view as an SQL asset']);
  if (source.language === 'sql' && kind === 'artifact')
    found.push(['an SQL asset builds a table or a view', 'write an artifact as a Python asset']);
  return found;
}
