import type { AssetCheck } from './asset.ts';
import { validateCheck } from './check-asset.ts';
import { expandCheck, isSeverity, kindOf } from './check-shorthand.ts';
import { type Entry, type Reader, readList, readMap, readText, report } from './yaml-reader.ts';

/** A text for each name, such as the descriptions of columns. */
export function readTextMap(reader: Reader, entry: Entry | undefined): Record<string, string> {
  const texts: [string, string][] = [];
  for (const [name, text] of entry === undefined ? [] : readMap(reader, entry, null)) {
    texts.push([name, readText(reader, text) ?? '']);
  }
  return Object.fromEntries(texts);
}

/** The checks of an asset, in SQL or in shorthand (DEPLOY-15). */
export function readChecks(reader: Reader, entry: Entry | undefined, asset: string): AssetCheck[] {
  return readList(reader, entry).map((item) => {
    const raw: unknown = item.node?.toJS(reader.document);
    if (typeof raw !== 'object' || raw === null || kindOf(raw) === null) return readSqlCheck(reader, item, asset);
    const expanded = expandCheck(raw as Record<string, unknown>, asset);
    if (expanded.ok) return expanded.check;
    report(reader, item, `asset ${asset}: ${expanded.message}`, expanded.remedy);
    return { name: item.path, sql: '' };
  });
}

function readSqlCheck(reader: Reader, item: Entry, asset: string): AssetCheck {
  const keys = readMap(reader, item, ['name', 'sql', 'severity']);
  const name = readText(reader, keys.get('name'));
  const statement = keys.get('sql');
  const sql = readText(reader, statement);
  const severity = readText(reader, keys.get('severity'));
  if (!isSeverity(severity ?? undefined))
    report(reader, item, `the severity of ${item.path} is neither error nor warn`, 'write severity: warn');
  if (!name) report(reader, item, `${item.path} has no name`, 'add name: <what the check verifies>');
  const error = name && sql ? validateCheck({ name, sql }) : null;
  if (!sql) report(reader, item, `${item.path} has no sql`, 'add sql: a SELECT that must return no row');
  else if (error !== null) report(reader, statement!, `asset ${asset}: ${error.message}`, error.remedy);
  return { name: name ?? '', sql: sql ?? '', ...(severity === 'warn' ? { severity } : {}) };
}
