import { ASSET_KINDS, ASSET_MODES, type Asset, assetKey, SQL_ENGINES, splitAssetName } from './asset.ts';
import { readChecks, readTextMap } from './asset-settings.ts';
import { checkAsset } from './check-asset.ts';
import type { ProjectDiagnostic } from './diagnostics.ts';
import { isIncremental } from './incremental.ts';
import { selectError } from './one-select.ts';
import {
  type Entry,
  openYaml,
  type Reader,
  readMap,
  readText,
  readTextList,
  readTextOrTexts,
  report,
} from './yaml-reader.ts';

/** Folder of a project that contains its SQL assets. */
export const ASSET_FOLDER = 'assets';

const HEADER_KEYS = [
  ...['table', 'kind', 'description', 'columns', 'depends_on', 'tags', 'mode', 'key', 'delete_when', 'watermark'],
  ...['lookback', 'engine', 'checks'],
];

/** The default table name of an SQL file: its path below `assets/` with dots (DEPLOY-6). */
export function tableOfPath(file: string): string {
  const inside = file.startsWith(`${ASSET_FOLDER}/`) ? file.slice(ASSET_FOLDER.length + 1) : file;
  return inside.replace(/\.sql$/i, '').replaceAll('/', '.');
}

interface Parts {
  readonly header: string;
  /** Number of lines in the file before the header's YAML. */
  readonly offset: number;
  readonly sql: string;
  /** Offset of the SQL in the file. */
  readonly sqlStart: number;
}

/** Splits off the first comment if it is a header; white space may precede it. */
function splitHeader(text: string): Parts {
  const opening = /^\uFEFF?\s*\/\*[ \t]*svc\b[ \t]*/.exec(text);
  const end = opening === null ? -1 : text.indexOf('*/', opening[0].length);
  if (opening === null || end < 0) return { header: '', offset: 0, sql: text, sqlStart: 0 };
  const offset = opening[0].split('\n').length - 1;
  const below = text.slice(end + 2);
  const sqlStart = text.length - below.trimStart().length;
  return { header: text.slice(opening[0].length, end), offset, sql: below.trim(), sqlStart };
}

/** The result of parsing one SQL file: the asset is null if there are problems. */
interface ReadSqlAsset {
  readonly asset: Asset | null;
  readonly problems: readonly ProjectDiagnostic[];
  /** Offset of the SQL in the text. */
  readonly sqlStart: number;
}

/**
 * Parses one SQL asset: its `/* svc … *\/` header and its SELECT (DEPLOY-6). The asset depends on the tables that its
 * header names; `withReads` adds the tables that the SQL reads.
 */
export function parseSqlAsset(text: string, file: string): ReadSqlAsset {
  const parts = splitHeader(text);
  const { sqlStart } = parts;
  const { reader, root } = openYaml(parts.header, file, parts.offset);
  if (root === null) return { asset: null, problems: reader.problems, sqlStart };
  const keys = readMap(reader, root, HEADER_KEYS);
  const name = readText(reader, keys.get('table')) ?? tableOfPath(file);
  const names = splitAssetName(name) ?? { namespace: '', table: name };
  const asset: Asset = {
    name,
    ...names,
    kind: readEnum(reader, keys.get('kind'), ASSET_KINDS) ?? 'table',
    description: readText(reader, keys.get('description')),
    columns: readTextMap(reader, keys.get('columns')),
    dependsOn: mergeNames(readTextList(reader, keys.get('depends_on')), []),
    tags: readTextList(reader, keys.get('tags')),
    mode: readEnum(reader, keys.get('mode'), ASSET_MODES) ?? 'replace',
    watermark: readText(reader, keys.get('watermark')),
    ...readMerge(reader, keys),
    ...readEngine(reader, keys),
    checks: readChecks(reader, keys.get('checks'), name),
    file,
    line: 1,
    source: { language: 'sql', sql: parts.sql },
  };
  const problems = [...reader.problems, ...checkAsset(asset), ...checkSql(text, parts, file)];
  return { asset: problems.length > 0 ? null : asset, problems, sqlStart };
}

/** The asset with the tables that its SQL reads added to its dependencies, and those that its checks read. */
export function withReads(asset: Asset, reads: readonly string[], checkReads: readonly string[] = []): Asset {
  // An incremental asset may read its own table, which isn't a dependency.
  const own = isIncremental(asset) ? assetKey(asset.name) : null;
  const inNamespaces = (names: readonly string[]) => names.filter((table) => splitAssetName(table) !== null);
  const dependsOn = inNamespaces(reads).filter((table) => assetKey(table) !== own);
  const ofChecks = asset.checks.length === 0 ? {} : { checkReads: mergeNames([], inNamespaces(checkReads)) };
  return { ...asset, dependsOn: mergeNames(asset.dependsOn, dependsOn), ...ofChecks };
}

/** Declared names first, then those read, without duplicates in any letter case. */
function mergeNames(declared: readonly string[], reads: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const name of [...declared, ...reads]) {
    const key = assetKey(name);
    if (!names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}

function readEnum<W extends string>(reader: Reader, entry: Entry | undefined, allowed: readonly W[]): W | null {
  const text = readText(reader, entry);
  if (text === null || entry === undefined) return null;
  const match = allowed.find((candidate) => candidate === text.toLowerCase());
  if (match === undefined) {
    report(reader, entry, `${entry.path} is ${JSON.stringify(text)}`, `write one of ${allowed.join(', ')}`);
  }
  return match ?? null;
}

/** The keys of incremental assets that most assets don't have. */
function readMerge(reader: Reader, keys: ReadonlyMap<string, Entry>): Pick<Asset, 'key' | 'deleteWhen' | 'lookback'> {
  const key = readTextOrTexts(reader, keys.get('key'));
  const deleteWhen = readText(reader, keys.get('delete_when'));
  const lookback = readText(reader, keys.get('lookback'));
  return {
    ...(key.length === 0 ? {} : { key }),
    ...(deleteWhen === null ? {} : { deleteWhen }),
    ...(lookback === null ? {} : { lookback }),
  };
}

function readEngine(reader: Reader, keys: ReadonlyMap<string, Entry>): Pick<Asset, 'engine'> {
  const engine = readEnum(reader, keys.get('engine'), SQL_ENGINES);
  return engine === null ? {} : { engine };
}

function checkSql(text: string, parts: Parts, file: string): ProjectDiagnostic[] {
  const line = text.slice(0, parts.sqlStart).split('\n').length;
  const problem = (message: string, remedy: string): ProjectDiagnostic => ({ file, line, message, remedy });
  const late = /\/\*[ \t]*svc\b/.exec(parts.sql);
  if (late !== null && parts.sql.includes('\n', late.index)) {
    return [
      problem(
        'a /* svc header is not the first comment, or is not closed',
        'move it to the top of the file and close it',
      ),
    ];
  }
  const error = selectError(parts.sql);
  if (error === null) return [];
  if (error === 'is empty') return [problem('there is no SQL after the header', 'write a SELECT')];
  return [problem(`the SQL ${error}`, 'an SQL asset is one SELECT statement')];
}
