import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type DataFileRecord, type IcebergField, UnsupportedTableError, type WriteLayout } from '@svc/iceberg';
import { adoptDataFiles, copyDataFiles, isOrdered } from '../queries/output/write-files.ts';
import { childExitError, engineError } from '../queries/query-errors.ts';
import { ChildExitedError, type EngineChild, EngineError } from '../queries/sandbox/child-process.ts';
import { confine } from '../queries/sandbox/confine.ts';
import { ENGINE_THREADS, type SandboxLimits } from '../queries/sandbox/limits.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import { identifier, joined, type Sql, sql } from '../queries/sql-text.ts';
import type { ObjectStore } from '../storage/index.ts';
import { csvSource, type LoadSource, parquetSource } from './file-sources.ts';
import { type LoadError, LoadRejectedError } from './load-errors.ts';
import { ndjsonSource } from './ndjson-source.ts';

export type LoadFormat = 'csv' | 'ndjson' | 'parquet';

export type LoadRequest = {
  /** The staged files, whose bytes, one after the other, are the rows, or a local file. They are only read. */
  readonly source: ({ readonly locations: readonly string[] } | { readonly path: string }) & {
    readonly format: LoadFormat;
  };
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
  try {
    const file = await localFile(store, request, stage.dir);
    return await sandbox.withChild(async (child) => {
      const limits = { ...sandbox.options, ...request.limits };
      const { signal, onProgress } = request;
      child.watch({ memoryLimit: limits.memoryLimit, timeoutMs: limits.timeoutMs, signal, onProgress });
      try {
        const threads = isOrdered(request.layout) ? { threads: ENGINE_THREADS } : {};
        await confine(child, limits, { files: [file], outputDir: stage.dir, ...threads });
        return await write(sandbox, child, request, file, stage.dir);
      } catch (error) {
        return { ok: false, error: asLoadError(error) };
      }
    }, request.owner);
  } finally {
    await stage.close();
  }
}

/** The path of the rows as one file. Parts are put together first. */
async function localFile(store: ObjectStore, { source, signal }: LoadRequest, dir: string): Promise<string> {
  if ('path' in source) return source.path;
  const [first, ...others] = source.locations;
  if (others.length === 0) return store.localPath(first!);
  const file = path.join(dir, 'rows');
  await pipeline(partsOf(store, source.locations), createWriteStream(file, { flags: 'wx' }), { signal });
  return file;
}

async function* partsOf(store: ObjectStore, locations: readonly string[]): AsyncGenerator<Buffer> {
  for (const location of locations) yield* await store.readStream(location);
}

async function write(
  sandbox: Sandbox,
  child: EngineChild,
  request: LoadRequest,
  file: string,
  stageDir: string,
): Promise<LoadOutcome> {
  const source = await SOURCES[request.source.format](child, file, request.fields);
  const { fields, layout } = request;
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
  const files = await adoptDataFiles(sandbox, copied, fields, request.tableLocation, layout);
  return {
    ok: true,
    files,
    fields: source.fields,
    rowCount: copied.reduce((sum, f) => sum + f.rows, 0),
    sizeBytes: files.reduce((sum, f) => sum + Number(f.file_size_in_bytes), 0),
  };
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
  return !['out-of-memory', 'disk-full'].includes(engineError(error.message, { restricted: false }).code);
}

function asLoadError(error: unknown): LoadError {
  if (error instanceof LoadRejectedError) return error.error;
  if (error instanceof ChildExitedError)
    return { code: error.reason, message: childExitError(error.reason).message.replace('query', 'load') };
  if (error instanceof UnsupportedTableError) return { code: 'execution-error', message: error.message };
  if (!(error instanceof EngineError)) throw error;
  const { code, message } = engineError(error.message, { restricted: false });
  return { code, message: `The file can't be loaded: ${message.split('\n')[0]}` };
}
