import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  ConnectionError,
  isSentInParts,
  type LoadFormat,
  type LoadOptions,
  type UploadBody,
  type UploadFile,
  type Write,
} from '@svc/sdk';
import { CliError, EXIT, usageError, workError } from './cli-error.ts';
import { duration, plural } from './output/format.ts';
import type { CommandContext } from './svc-command.ts';
import { ByteCounter, type DescribeProgress, withProgress } from './terminal/progress.ts';

const FORMATS: Record<string, LoadFormat> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

/** The format of a file by its extension, before `.gz`. @throws CliError for any other extension */
export function formatOf(file: string, format: string | undefined): LoadFormat {
  const extension = file.toLowerCase().replace(/\.gz$/, '').split('.').at(-1) ?? '';
  const found = FORMATS[format ?? extension];
  if (found === undefined)
    throw usageError(`Can't detect the format of ${file} from its extension. Add --format csv, ndjson or parquet.`);
  return found;
}

/** The body of an upload and its progress. */
interface Upload {
  body: UploadBody | UploadFile;
  /** Recognizes the file if the upload is continued. */
  fingerprint?: string;
  describe: DescribeProgress;
}

/** Uploads a file, or standard input, and waits until its rows are loaded. */
export async function loadFile(
  command: CommandContext,
  { table, file, waits }: { table: string; file: string; waits: boolean },
  options: LoadOptions,
): Promise<void> {
  const { client, environment, io } = command;
  const { body, fingerprint, describe } = file === '-' ? piped(command) : await opened(file);
  const upload = () => client.tables.load(environment, table, body, { ...options, fingerprint });
  const started = await withProgress(io, describe, upload).catch((error: unknown) => {
    throw canContinue(error, body) ? new CliError(error.message, EXIT.unavailable, CONTINUE) : error;
  });
  if (!waits) {
    const status = `svc write show ${started.id} --env ${environment}`;
    command.done(started, `Queued the write ${started.id}. To see its status: ${status}`);
    return;
  }
  const wait = () => client.writes.wait(environment, started.id);
  const write = await withProgress(io, () => `Loading into ${table}`, wait);
  command.done(write, sentence(write));
  if (write.status !== 'succeeded')
    throw workError(write.error?.detail ?? `The write ${write.id} was ${write.status}.`, write.error?.remedy);
}

function piped({ io }: CommandContext): Upload {
  const counted = new ByteCounter();
  return { body: counted.countBytes(io.stdin), describe: () => `Sending: ${counted.text()}` };
}

/** Opens the file again for each part and each retry. A compressed file is sent uncompressed. */
async function opened(file: string): Promise<Upload> {
  const { size, mtimeMs } = await requireFile(file);
  const counted = new ByteCounter();
  if (await isGzip(file)) {
    const stream = () => counted.countBytes(createReadStream(file).pipe(createGunzip()));
    return { body: stream, describe: () => `Sending: ${counted.text()}` };
  }
  const slice = (start: number, end: number) => ({
    stream: () => {
      counted.count = start;
      if (start === end) return counted.countBytes(Readable.from([]));
      return counted.countBytes(createReadStream(file, { start, end: end - 1, highWaterMark: 1 << 20 }));
    },
  });
  // The service learns nothing about the path.
  const identity = JSON.stringify([await realpath(file), size, mtimeMs]);
  const fingerprint = createHash('sha256').update(identity).digest('hex');
  return { body: { size, slice }, fingerprint, describe: () => `Sending: ${counted.text(size)}` };
}

async function requireFile(file: string) {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw usageError(`The file ${file} doesn't exist.`);
  return found;
}

async function isGzip(file: string): Promise<boolean> {
  const start = await bytesOf(file, 0, 2);
  return start[0] === 0x1f && start[1] === 0x8b;
}

async function bytesOf(file: string, start: number, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Bytes of a file from which the service infers its columns. */
const SAMPLE_BYTES = 8 * 1024 * 1024;

/** The part of a file that shows its columns: the first lines of CSV and NDJSON, the end of Parquet. */
export async function sampleOf(file: string, format: LoadFormat): Promise<Buffer> {
  const { size } = await requireFile(file);
  if (format === 'parquet') return bytesOf(file, Math.max(0, size - SAMPLE_BYTES), SAMPLE_BYTES);
  const start = (await isGzip(file)) ? await uncompressed(file) : await bytesOf(file, 0, SAMPLE_BYTES);
  const lastLine = start.lastIndexOf('\n');
  return start.length < SAMPLE_BYTES || lastLine === -1 ? start : start.subarray(0, lastLine + 1);
}

async function uncompressed(file: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(file).pipe(createGunzip())) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, SAMPLE_BYTES);
}

const CONTINUE = 'The parts that have arrived are kept for a day. To send the rest, run the same command again.';

const canContinue = (error: unknown, body: Upload['body']): error is ConnectionError =>
  error instanceof ConnectionError && typeof body === 'object' && 'size' in body && isSentInParts(body);

function sentence(write: Write): string {
  if (write.status !== 'succeeded')
    return `The write ${write.id} ${write.status === 'failed' ? 'failed' : 'was cancelled'}.`;
  return `Loaded ${plural(write.rows ?? 0, 'row')} into ${write.table} (${write.mode}) in ${duration(write.created_at, write.ended_at)}.`;
}
