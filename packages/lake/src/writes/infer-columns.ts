import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type CsvDialect, type CsvOptions, dialectOf } from '@svc/core/writes';
import { externalSource } from '../queries/relations/relation-sql.ts';
import type { ResultColumn } from '../queries/results/result-columns.ts';
import { EngineError } from '../queries/sandbox/child-errors.ts';
import { confine } from '../queries/sandbox/confine.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import { sql } from '../queries/sql-text.ts';
import { CutOffError } from './decompress.ts';
import { inferColumns } from './external-files.ts';
import type { LoadFormat } from './file-sources.ts';
import { LoadRejectedError, malformed } from './load-errors.ts';
import { plainText } from './local-files.ts';
import { readInferred } from './read-csv.ts';
import { sniffDialect } from './sniff-dialect.ts';

export type InferredColumns =
  | { readonly ok: true; readonly columns: readonly ResultColumn[]; readonly csv: CsvDialect | null }
  | { readonly ok: false; readonly message: string };

/** Otherwise the engine takes the name of a folder such as `env=prod` for a column. */
const NO_FOLDERS = sql`, hive_partitioning = false`;

interface InferRequest {
  readonly format: LoadFormat;
  /** A local file, or its start if it is CSV or NDJSON. It may be compressed. */
  readonly path: string;
  readonly csv?: CsvOptions;
  /** So much of an uncompressed file is read (default: all of it). */
  readonly maxBytes?: number;
  readonly owner: string;
}

/** Infers the columns of a local file, read as a load would read it. */
export async function inferLoadColumns(sandbox: Sandbox, request: InferRequest): Promise<InferredColumns> {
  const { format, owner } = request;
  const stage = await sandbox.options.store.openStage();
  try {
    const { file, encoding } = await readable(request, stage.dir);
    const csv = format === 'csv' ? { ...(await dialectIn(sandbox, file, request)), encoding } : null;
    const rows = csv === null ? externalSource(format, [file], null, NO_FOLDERS) : readInferred(file, csv);
    const inferred = await inferColumns(sandbox, { format, paths: [file], rows, owner });
    if (inferred.ok) return { ...inferred, csv };
    if (csv !== null) await rejectMalformed(sandbox, { file, csv, owner });
    return inferred;
  } catch (error) {
    if (error instanceof LoadRejectedError) return { ok: false, message: error.message };
    throw error;
  } finally {
    await stage.close();
  }
}

/** The engine names neither the line nor the cause. @throws LoadRejectedError if the file doesn't have the form of CSV */
function rejectMalformed(
  sandbox: Sandbox,
  { file, csv: dialect, owner }: { file: string; csv: CsvDialect; owner: string },
): Promise<void> {
  return sandbox.withChild(async (child) => {
    child.watch(sandbox.options);
    await confine(child, sandbox.options, { files: [file], outputDir: null });
    const row = await child.send({ op: 'csv-header', path: file, dialect });
    if (typeof row === 'string') throw malformed(row, 1);
    if (row === null) return;
    const { problem } = await child.send({ op: 'scan-csv', path: file, columns: row.length, record: null, dialect });
    if (problem !== null) throw malformed(problem.message, problem.line);
  }, owner);
}

function dialectIn(sandbox: Sandbox, file: string, { csv = {}, owner }: InferRequest): Promise<CsvDialect> {
  if (!csv.detect) return Promise.resolve(dialectOf(csv));
  return sandbox.withChild(async (child) => {
    child.watch(sandbox.options);
    try {
      await confine(child, sandbox.options, { files: [file], outputDir: null });
      return await sniffDialect(child, file, csv);
    } catch (error) {
      // The columns can't be inferred either, which reports the cause.
      if (error instanceof EngineError) return dialectOf(csv);
      throw error;
    }
  }, owner);
}

/** A copy that is uncompressed and in UTF-8: whole lines, as far as the file has them. */
async function readable(
  { format, path: file, csv = {}, maxBytes = Number.POSITIVE_INFINITY }: InferRequest,
  dir: string,
) {
  if (format === 'parquet') return { file, encoding: 'utf-8' as const };
  const copy = path.join(dir, 'sample');
  const plain = plainText(createReadStream(file, { highWaterMark: 1 << 20 }), format, csv);
  await pipeline(wholeLines(plain.pieces, maxBytes), createWriteStream(copy, { flags: 'wx' }));
  return { file: copy, encoding: plain.encoding() };
}

const LF = 10;
/** Longer than any row that a load accepts, and than the sample of a file with one line. */
const MAX_LINE_BYTES = 16_000_000;

/** If the file continues, its last line is left out. */
async function* wholeLines(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let bytes = 0;
  let restBytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      const end = piece.lastIndexOf(LF) + 1;
      if (end > 0) {
        yield* rest;
        yield piece.subarray(0, end);
        rest = [];
        restBytes = 0;
      }
      rest.push(piece.subarray(end));
      restBytes += piece.length - end;
      if (restBytes > MAX_LINE_BYTES) throw malformed(`A line is longer than ${MAX_LINE_BYTES / 1e6} MB.`);
      if (bytes >= maxBytes) return;
    }
    yield* rest;
  } catch (error) {
    if (!(error instanceof CutOffError)) throw error;
    // There may be no whole line.
    if (bytes === restBytes) yield* rest;
  }
}
