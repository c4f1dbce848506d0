import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Asset,
  type Caret,
  type ProjectDiagnostic,
  positionIn,
  splitAssetName,
  withoutPlaceholders,
  withReads,
} from '@svc/core/deploys';
import { quotesNothing, readStatements, type Sandbox, type StatementRead } from '@svc/lake/queries';
import { ProjectError } from './project-error.ts';
import { projectFailure } from './project-failure.ts';

/** An asset and, for an SQL asset, where the SQL starts in its file. */
export interface AssetInFile {
  readonly asset: Asset;
  readonly sqlStart: number | null;
}

/** The SELECT of an SQL asset or of a check. */
export interface AssetStatement {
  readonly asset: Asset;
  /** Null for the asset's own SELECT. */
  readonly check: string | null;
  /** The placeholders are replaced by values of the same length, so positions match those in the file. */
  readonly sql: string;
  readonly read: Extract<StatementRead, { ok: true }>;
  readonly locate: (position: number | null) => Located;
}

type Located = Pick<ProjectDiagnostic, 'file' | 'line' | 'caret'>;

/**
 * Parses the SQL of assets and their checks, and adds the tables that the assets read to their dependencies. SQL that
 * doesn't parse is reported as a problem.
 *
 * @throws ProjectError if the engine stopped, with its code: most often the statement isn't the cause
 */
export async function readAssetSql(
  dir: string,
  found: readonly AssetInFile[],
  { sandbox, signal }: { sandbox: Sandbox; signal?: AbortSignal | undefined },
): Promise<{
  assets: readonly Asset[];
  statements: readonly AssetStatement[];
  problems: readonly ProjectDiagnostic[];
}> {
  const unparsed = (await Promise.all(found.map((one) => statementsOf(dir, one)))).flat();
  const reads = await readStatements(sandbox, { statements: unparsed.map(({ sql }) => sql), signal });
  signal?.throwIfAborted();
  const problems: ProjectDiagnostic[] = [];
  const statements: AssetStatement[] = [];
  for (const [i, read] of reads.entries()) {
    const { asset, check, sql, locate } = unparsed[i]!;
    if (read.ok) statements.push({ ...unparsed[i]!, read });
    else {
      const { code, position, message } = read.error;
      const of = `asset ${asset.name}${check === null ? '' : `, check ${JSON.stringify(check)}`}`;
      // The end of the input is after the last character, not on an empty line below.
      const at = position === undefined ? null : Math.min(position, sql.trimEnd().length);
      const { caret, ...line } = locate(at);
      const problem = { ...line, message: `${of}: ${message}`, remedy: null };
      // Without the caret: this text becomes part of the event, which repeats no part of a statement (AUDIT-2).
      if (quotesNothing(code)) throw ProjectError.from(projectFailure([problem], code)!);
      problems.push({ ...problem, ...(caret && { caret }) });
    }
  }
  const own = new Map<Asset, string[]>();
  const ofChecks = new Map<Asset, string[]>();
  for (const { asset, check, read } of statements) {
    const reads = check === null ? own : ofChecks;
    const names = read.tables.map(({ name }) => name.join('.'));
    reads.set(asset, [...(reads.get(asset) ?? []), ...names]);
  }
  const assets = found.map(({ asset }) => withReads(asset, own.get(asset) ?? [], ofChecks.get(asset)));
  return { assets, statements, problems };
}

type Unread = Omit<AssetStatement, 'read'>;

async function statementsOf(dir: string, { asset, sqlStart }: AssetInFile): Promise<Unread[]> {
  const { file, source } = asset;
  const checks = [...asset.checks, ...conditionOf(asset)];
  const text = sqlStart === null && checks.length === 0 ? '' : await readFile(join(dir, file), 'utf8');
  const select: Unread[] = [];
  if (source.language === 'sql' && sqlStart !== null) {
    const sql = withoutPlaceholders(source.sql);
    const locate = (position: number | null): Located => ({ file, ...positionIn(text, sqlStart + (position ?? 0)) });
    select.push({ asset, check: null, sql, locate });
  }
  return [
    ...select,
    ...checks.map(({ name, sql }) => ({
      asset,
      check: name,
      sql,
      locate: (position: number | null) => ({ file, ...inCheck(text, asset.line, sql, position ?? 0) }),
    })),
  ];
}

/** The condition `delete_when` as a check, so that it is parsed and its columns are looked up. */
function conditionOf({ name, deleteWhen }: Asset): { name: string; sql: string }[] {
  if (deleteWhen === undefined) return [];
  const { namespace, table } = splitAssetName(name)!;
  return [{ name: 'delete_when', sql: `SELECT 1 FROM "${namespace}"."${table}" WHERE (${deleteWhen})` }];
}

/**
 * YAML and Python may indent, fold and escape a check. Its position is exact only if its line occurs in the file
 * exactly once.
 */
function inCheck(text: string, line: number, sql: string, position: number): { line: number; caret: Caret } {
  const start = sql.lastIndexOf('\n', position - 1) + 1;
  const [written] = sql.slice(start).split('\n', 1);
  const at = written === '' ? -1 : text.indexOf(written!);
  if (at >= 0 && text.indexOf(written!, at + 1) < 0) return positionIn(text, at + position - start);
  const { caret } = positionIn(sql, position);
  return { line, caret: { ...caret, column: null } };
}
