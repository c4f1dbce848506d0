import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usage } from './exit.ts';
import type { Io } from './terminal/io.ts';
import { Counted, during } from './terminal/progress.ts';

/** Writes a download to a file, which appears when it is whole, or without one to standard output. */
export async function save(pieces: AsyncIterable<Uint8Array>, file: string | undefined, io: Io): Promise<void> {
  if (file === undefined) return io.pipe(pieces);
  const part = `${file}.part`;
  const counted = new Counted();
  try {
    const whole = () => pipeline(Readable.from(counted.through(pieces)), createWriteStream(part));
    await during(io, () => `Writing ${file}: ${counted.text()}`, whole);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Bytes would garble a terminal. @throws Failed naming the option */
export function refuseTerminal(file: string | undefined, io: Io): void {
  if (file === undefined && io.terminal)
    throw usage('This is no text to show: add --file FILE, or redirect the output.');
}
