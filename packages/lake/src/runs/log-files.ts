import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { LogLine } from '@svc/core/runs';
import type { ObjectStore } from '../storage/index.ts';

/** The location of a run's log. Each attempt to write it has an id of its own. */
export const logFile = (store: Pick<ObjectStore, 'root'>, runId: string, attempt: string): string =>
  `${store.root}/logs/${runId}-${attempt}.jsonl.gz`;

/** Writes the lines of a log as JSON lines. */
export async function writeLogFile(
  store: Pick<ObjectStore, 'write'>,
  location: string,
  lines: AsyncIterable<LogLine>,
): Promise<void> {
  const texts = async function* () {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  };
  const gzip = createGzip();
  // An error of the lines also ends the file's stream, which reports it.
  pipeline(Readable.from(texts()), gzip, () => undefined);
  try {
    await store.write(location, gzip);
  } finally {
    gzip.destroy();
  }
}

/** Opens a log and reads its lines in order. @throws StorageError */
export async function readLogFile(
  store: Pick<ObjectStore, 'readStream'>,
  location: string,
): Promise<AsyncIterable<LogLine>> {
  const file = await store.readStream(location);
  return linesOf(file);
}

async function* linesOf(file: Readable): AsyncGenerator<LogLine> {
  const text = pipeline(file, createGunzip(), () => undefined).setEncoding('utf8');
  let rest = '';
  for await (const chunk of text) {
    // Not `readline`, which would also split at other separators inside a line.
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as LogLine;
  }
}
