import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { formatOfName, sampleRange, wholeLines } from '@svc/core/load-files';
import {
  ConnectionError,
  isSentInParts,
  type LoadFormat,
  type LoadOptions,
  type NamedFile,
  SvcError,
  type Write,
} from '@svc/sdk';
import { detectedText } from '../arguments/csv-flags.ts';
import { CliError, EXIT, usageError, workError } from '../cli-error.ts';
import { duration, plural } from '../output/format.ts';
import { saveDownload } from '../output/save-download.ts';
import type { CommandContext } from '../svc-command.ts';
import { ByteCounter, withProgress } from '../terminal/progress.ts';
import { freePath, isUrl } from './input-files.ts';

/** The format of files by their extension, before `.gz` or `.zst`. @throws CliError for other or different extensions */
export function formatOf(files: readonly string[], format: string | undefined): LoadFormat {
  const [first, ...others] = files.map((file) => ({ file, format: formatOfName(format ?? pathOf(file)) }));
  for (const { file, format: found } of [first!, ...others]) {
    if (found === undefined)
      throw usageError(`Can't detect the format of ${file} from its extension. Add --format csv, ndjson or parquet.`);
    if (found !== first!.format)
      throw usageError(`${file} is ${found}, but ${first!.file} is ${first!.format}. Load files of one format.`);
  }
  return first!.format!;
}

const pathOf = (file: string): string => (isUrl(file) && URL.canParse(file) ? new URL(file).pathname : file);

interface Loading {
  table: string;
  /** Several are loaded in one write. */
  files: readonly string[];
  waits: boolean;
}

/** Uploads files, or standard input, and waits until their rows are loaded. */
export async function loadFiles(command: CommandContext, loading: Loading, options: LoadOptions): Promise<void> {
  const { table, files, waits } = loading;
  const { environment } = command;
  // Rejected lines of a URL or of standard input are saved in the current folder.
  const input = files[0] === '-' || isUrl(files[0]!) ? table : files[0]!;
  if (waits && options.onError === 'skip') await requireWritable(dirname(input));
  const started = await upload(command, loading, options);
  if (!waits) {
    const status = `svc write show ${started.id} --env ${environment}`;
    command.done(started, `Queued the write ${started.id}. To see its status: ${status}`);
    return;
  }
  const write = await followWrite(command, started);
  const detected = detectedText(write.csv, options.csv);
  if (detected !== null) command.note(detected);
  command.done(write, sentence(write));
  if ((write.rejected ?? 0) > 0) await saveRejected(command, write, input);
  if (write.status !== 'succeeded')
    throw workError(write.error?.detail ?? `The write ${write.id} was ${write.status}.`, write.error?.remedy);
}

/** Waits for a write, and shows how much of its rows has been read. */
async function followWrite({ client, environment, io }: CommandContext, started: Write): Promise<Write> {
  let write = started;
  const describe = () =>
    `Loading into ${write.table}${write.progress == null ? '' : `, ${Math.round(write.progress * 100)} %`}`;
  return withProgress(io, describe, async () => {
    while (write.ended_at === null) write = await client.writes.get(environment, write.id, { wait: 1 });
    return write;
  });
}

async function upload(command: CommandContext, { table, files }: Loading, options: LoadOptions): Promise<Write> {
  const { client, environment, io } = command;
  const counted = new ByteCounter();
  if (files[0] === '-') {
    const send = () => client.tables.load(environment, table, counted.countBytes(io.stdin), options);
    return withProgress(io, () => `Sending: ${counted.text()}`, send);
  }
  if (isUrl(files[0]!)) {
    const load = () => client.tables.load(environment, table, { url: files[0]! }, options);
    return withProgress(io, () => `Reading ${files[0]}`, load);
  }
  const opened: NamedFile[] = [];
  for (const file of files) opened.push(await openFile(file, counted, sizeOf(opened)));
  const [first] = opened;
  const send = () =>
    opened.length === 1
      ? client.tables.load(environment, table, first!, { ...options, fingerprint: first!.fingerprint })
      : client.tables.loadFiles(environment, table, opened, options);
  const canContinue = opened.length > 1 || isSentInParts(first!);
  return withProgress(io, () => `Sending: ${counted.text(sizeOf(opened))}`, send).catch((error: unknown) => {
    if (error instanceof SvcError && error.code === FILE_CHANGED) throw workError(error.message);
    throw error instanceof ConnectionError && canContinue
      ? new CliError(error.message, EXIT.unavailable, CONTINUE)
      : error;
  });
}

const FILE_CHANGED = 'file-changed';

const sizeOf = (files: readonly NamedFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Saves the lines that a load left out next to its first file. */
async function saveRejected(command: CommandContext, write: Write, input: string): Promise<void> {
  const { client, environment, io } = command;
  const file = await freePath(`${input}.rejected`);
  try {
    await saveDownload(await client.writes.rejected(environment, write.id), file, io);
  } catch (error) {
    const text = `The rows are loaded, but the lines that were left out can't be saved: ${(error as Error).message}`;
    throw workError(text, `svc write rejected ${write.id} --env ${environment} --file FILE`);
  }
  command.note(`Left out ${plural(write.rejected!, 'line')} that can't be loaded: see ${file}`);
}

/** Checked before anything is loaded: the same command again would load the rows again. */
async function requireWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch(() => {
    throw usageError(`The lines that are left out can't be saved in ${folder}: the folder isn't writable.`);
  });
}

/** Opens the file again for each part and each retry. `before`: the bytes of the files that are sent before it. */
async function openFile(file: string, counted: ByteCounter, before: number): Promise<NamedFile> {
  const { size, mtimeMs } = await requireFile(file);
  const unchanged = async function* (pieces: AsyncIterable<Uint8Array>) {
    yield* pieces;
    const now = await stat(file).catch(() => null);
    if (now?.size === size && now.mtimeMs === mtimeMs) return;
    const text = `${file} changed while it was read, so nothing was loaded. Load it again.`;
    throw new SvcError(text, { code: FILE_CHANGED });
  };
  const slice = (start: number, end: number) => ({
    stream: () => {
      counted.count = before + start;
      if (start === end) return unchanged(Readable.from([]));
      return unchanged(counted.countBytes(createReadStream(file, { start, end: end - 1, highWaterMark: 1 << 20 })));
    },
  });
  // The service learns nothing about the path.
  const identity = JSON.stringify([await realpath(file), size, mtimeMs]);
  const fingerprint = createHash('sha256').update(identity).digest('hex');
  return { name: basename(file), size, slice, fingerprint };
}

async function requireFile(file: string) {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw usageError(`The file ${file} doesn't exist.`);
  return found;
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

/** The part of a file that shows its columns: the first lines of CSV and NDJSON, the end of Parquet. */
export async function sampleOf(file: string, format: LoadFormat): Promise<Buffer> {
  const { size } = await requireFile(file);
  const { start, end } = sampleRange(size, format);
  return wholeLines(await bytesOf(file, start, end - start), size, format);
}

const CONTINUE = 'The parts that have arrived are kept for a day. To send the rest, run the same command again.';

function sentence(write: Write): string {
  if (write.status !== 'succeeded')
    return `The write ${write.id} ${write.status === 'failed' ? 'failed' : 'was cancelled'}.`;
  return `Loaded ${plural(write.rows ?? 0, 'row')} into ${write.table} (${write.mode}) in ${duration(write.created_at, write.ended_at)}.`;
}
