import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usageError } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { ByteCounter, withProgress } from '../terminal/progress.ts';
import { escapedLines } from './escape.ts';

/** Writes a download to a file, which appears only when it is complete, or to standard output. */
export async function saveDownload(chunks: AsyncIterable<Uint8Array>, file: string | undefined, io: Io): Promise<void> {
  if (file === undefined) return io.pipe(io.terminal ? printable(chunks) : chunks);
  // No other download to this file, and no file of the user, has this name.
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const counted = new ByteCounter();
  try {
    const whole = () => pipeline(Readable.from(counted.countBytes(chunks)), createWriteStream(part, { flags: 'wx' }));
    await withProgress(io, () => `Writing ${file}: ${counted.text()}`, whole);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Text for a terminal, which would interpret control characters. */
async function* printable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const end = rest.lastIndexOf('\n') + 1;
    yield Buffer.from(escapedLines(rest.slice(0, end)));
    rest = rest.slice(end);
  }
  yield Buffer.from(escapedLines(rest + decoder.decode()));
}

/** Rejects binary output on a terminal. @throws CliError */
export function rejectTerminal(file: string | undefined, io: Io): void {
  if (file === undefined && io.terminal)
    throw usageError("Can't print binary data on a terminal. Add --file FILE, or redirect the output.");
}
