import fs from 'node:fs/promises';
import path from 'node:path';
import type { CsvDialect, CsvOptions } from '@svc/core/writes';
import { type DataFileRecord, type IcebergField, UnsupportedTableError, type WriteLayout } from '@svc/iceberg';
import { adoptDataFiles, copyDataFiles, isOrdered } from '../queries/output/write-files.ts';
import { childExitError, engineError, quotesNothing } from '../queries/query-errors.ts';
import { ChildExitedError, EngineError } from '../queries/sandbox/child-errors.ts';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { confine } from '../queries/sandbox/confine.ts';
import { ENGINE_THREADS, type SandboxLimits } from '../queries/sandbox/limits.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import { identifier, joined, type Sql, sql } from '../queries/sql-text.ts';
import { csvSource } from './csv-source.ts';
import type { LoadFormat, LoadSource } from './file-sources.ts';
import { type LoadError, LoadRejectedError } from './load-errors.ts';
import { type LocalFiles, localFiles, type StagedFile } from './local-files.ts';
import { ndjsonSource } from './ndjson-source.ts';
import { parquetSource } from './parquet-source.ts';
import { skipSource } from './skip-source.ts';

export type LoadRequest = {
  readonly source: {
    readonly files: readonly StagedFile[];
    readonly format: LoadFormat;
    readonly csv?: CsvOptions | null;
  };
  /** Leaves out lines of CSV and NDJSON that can't be loaded, up to a number, and stores them at a location. */
  readonly skip?: { readonly maxErrors: number; readonly location: string } | null;
  /** Whether all files, and all lines of NDJSON, must have the same columns. */
  readonly sameColumns?: boolean;
  readonly fields: readonly IcebergField[];
  readonly tableLocation: string;
  /** The layout of a table that has one. */
  readonly layout?: WriteLayout;
  /** The principal that the load runs for: loads and queries of one owner may share a process, one after the other. */
  readonly owner?: string;
  readonly limits?: Partial<Omit<SandboxLimits, 'threads'>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (percentage: number | null) => void;
};

export type LoadOutcome =
  | {
      readonly ok: true;
      /** For `prepareSnapshot` or `commitFiles`; empty for a file without rows. */
      readonly files: readonly DataFileRecord[];
      /** The fields that the file has. */
      readonly fields: readonly IcebergField[];
      /** What CSV was read as; null for other formats. */
      readonly csv: CsvDialect | null;
      /** Number of lines that were left out. */
      readonly rejected: number;
      readonly rowCount: number;
      readonly sizeBytes: number;
    }
  | { readonly ok: false; readonly error: LoadError };

const SOURCES = { csv: csvSource, ndjson: ndjsonSource, parquet: parquetSource } as const;

/**
 * Converts a file to Iceberg data files of a table, in its own process and with bounded memory. Returns every error in
 * the file as a value with line, column and value; a failed load leaves no file. Doesn't commit anything.
 */
export async function load(sandbox: Sandbox, request: LoadRequest): Promise<LoadOutcome> {
  const { store } = sandbox.options;
  const stage = await store.openStage();
  const { source, signal, onProgress } = request;
  const csv = source.csv ?? {};
  try {
    const local = await localFiles(store, source.files, { format: source.format, csv, dir: stage.dir, signal });
    return await sandbox.withChild(async (child) => {
      const limits = { ...sandbox.options, ...request.limits };
      child.watch({ memoryLimit: limits.memoryLimit, timeoutMs: limits.timeoutMs, signal, onProgress });
      try {
        const threads = isOrdered(request.layout) ? { threads: ENGINE_THREADS } : {};
        const files = local.files.map((file) => file.path);
        await confine(child, limits, { files, outputDir: stage.dir, ...threads });
        return await write(sandbox, child, request, local, stage.dir);
      } catch (error) {
        return { ok: false, error: asLoadError(error) };
      }
    }, request.owner);
  } catch (error) {
    if (error instanceof LoadRejectedError) return { ok: false, error: error.error };
    throw error;
  } finally {
    await stage.close();
  }
}

type Prepared = LoadSource & {
  readonly rejected: number;
  readonly writeRejected?: (target: string) => Promise<void>;
};

/** Reads the start of each file; of a load that leaves out lines, all of them. */
async function prepare(
  child: EngineChild,
  { source, skip, fields }: LoadRequest,
  { files, encoding }: LocalFiles,
  dir: string,
): Promise<Prepared> {
  const { format } = source;
  const csv: CsvOptions = { ...source.csv, encoding };
  if (!skip || format === 'parquet') return { ...(await SOURCES[format](child, files, fields, csv)), rejected: 0 };
  return skipSource(child, { format, csv, files, fields, dir, maxErrors: skip.maxErrors });
}

async function write(
  sandbox: Sandbox,
  child: EngineChild,
  request: LoadRequest,
  local: LocalFiles,
  stageDir: string,
): Promise<LoadOutcome> {
  const source = await prepare(child, request, local, stageDir);
  const { fields, layout, skip } = request;
  const present = request.sameColumns ? await sameColumns(source) : source.fields;
  const copy = async (rows: Sql, folder: string) => {
    const dir = path.join(stageDir, folder);
    await fs.mkdir(dir);
    const names = joined(fields.map((f) => identifier(f.name)));
    const query = sql`SELECT * FROM (${rows}) AS q(${names})`;
    return copyDataFiles(child, query, fields, dir, { layout });
  };
  const copied = await explained(source, copy(source.sql, 'first')).catch((error: unknown) => {
    if (source.detailed === null || !ofTheFile(error)) throw error;
    return copy(source.detailed, 'second');
  });
  if (skip && source.rejected > 0) {
    const file = path.join(stageDir, 'rejected.csv');
    await source.writeRejected?.(file);
    await sandbox.options.store.moveInto(file, skip.location);
  }
  const files = await adoptDataFiles(sandbox, copied, fields, request.tableLocation, layout);
  return {
    ok: true,
    files,
    fields: present,
    csv: source.csv,
    rejected: source.rejected,
    rowCount: copied.reduce((sum, f) => sum + f.rows, 0),
    sizeBytes: files.reduce((sum, f) => sum + Number(f.file_size_in_bytes), 0),
  };
}

/** The columns that all files, and all lines of NDJSON, have. @throws LoadRejectedError if only some have a column */
async function sameColumns(source: LoadSource): Promise<readonly IcebergField[]> {
  const { fields, uneven } = source.lineFields ? await explained(source, source.lineFields()) : source;
  if (uneven === null) return fields;
  const parts = source.lineFields ? 'lines' : 'files';
  throw new LoadRejectedError({
    code: 'missing-column',
    message: `Only some of the ${parts} have the column "${uneven.name}". In a merge, all need the same columns.`,
  });
}

/** The engine reports that it failed; a second pass finds out where. */
async function explained<R>(source: LoadSource, answer: Promise<R>): Promise<R> {
  try {
    return await answer;
  } catch (error) {
    if (ofTheFile(error)) await source.explain();
    throw error;
  }
}

function ofTheFile(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return !quotesNothing(engineError(error.message, { restricted: false }).code);
}

/** The text of an error that no file causes. */
const ofLoad = (message: string): string =>
  message.replace(/^The query (?=exceeded|was)/, 'The load ').replace('Query less', 'Load less');

function asLoadError(error: unknown): LoadError {
  if (error instanceof LoadRejectedError) return error.error;
  if (error instanceof ChildExitedError)
    return { code: error.reason, message: ofLoad(childExitError(error.reason).message) };
  if (error instanceof UnsupportedTableError) return { code: 'execution-error', message: error.message };
  if (!(error instanceof EngineError)) throw error;
  const { code, message } = engineError(error.message, { restricted: false });
  if (quotesNothing(code)) return { code, message: ofLoad(message) };
  return { code, message: `The file can't be loaded: ${message.split('\n')[0]}` };
}
