import { type CsvOptions, type LoadFormat, SvcError, type Write } from '@svc/sdk/browser';
import { svc } from '../service/client.ts';
import { failedWork } from '../service/failed-work.ts';
import { bytes } from '../text/numbers.ts';

/** The service waits this many seconds for a write before it reports the progress. */
const WAIT = 1;
/** A slow connection needs minutes for a part. */
const SEND_TIMEOUT_MS = 15 * 60_000;

/** What an upload is doing. */
export interface Progress {
  readonly text: string;
  /** 0 to 1; null if it isn't known. */
  readonly part: number | null;
  /** Nothing has been loaded yet. */
  readonly canStop: boolean;
}

/** What an attempt has reached: another one after a broken connection must not load the rows twice. */
export interface Attempt {
  key: string;
  started: Write | null;
}

export const newAttempt = (): Attempt => ({
  key: Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-'),
  started: null,
});

export interface FileLoad {
  readonly env: string;
  /** The full name. */
  readonly table: string;
  readonly file: File;
  readonly format: LoadFormat;
  readonly csv: CsvOptions | undefined;
  readonly mode: 'append' | 'replace' | 'merge';
  readonly key?: string[] | undefined;
  readonly onError?: 'skip' | undefined;
  readonly breakGlass: string | undefined;
}

export interface Following {
  readonly attempt: Attempt;
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Not every browser can iterate over the stream of a blob. */
async function* piecesOf(part: Blob, name: string): AsyncGenerator<Uint8Array> {
  const whole = await part.arrayBuffer().catch(() => {
    const text = `${name} can't be read, or it has changed since you chose it. Nothing was loaded: choose it again.`;
    throw new SvcError(text, { code: 'file-changed' });
  });
  if (whole.byteLength > 0) yield new Uint8Array(whole);
}

/** Recognizes the file if an interrupted upload is continued. The service compares the content of each part too. */
const fingerprintOf = ({ name, size, lastModified }: File): string =>
  JSON.stringify([size, lastModified, Array.from(name).slice(0, 100).join('')]);

async function send(load: FileLoad, { attempt, signal, report }: Following): Promise<Write> {
  const { env, table, file, ...options } = load;
  const { size } = file;
  const text = `Sending ${bytes(size)} …`;
  report({ text, part: null, canStop: true });
  const slice = (start: number, end: number) => {
    if (end - start < size) report({ text, part: start / size, canStop: true });
    return { stream: () => piecesOf(file.slice(start, end), file.name) };
  };
  const sent = { fingerprint: fingerprintOf(file), idempotencyKey: attempt.key, timeout: SEND_TIMEOUT_MS, signal };
  return svc.tables.load(env, table, { size, slice }, { ...options, ...sent });
}

/** Whether the service has refused the load, so that another attempt is a new one. */
const isRefusal = (error: unknown): boolean => error instanceof SvcError && error.status >= 400 && error.status < 500;

/**
 * Sends a file, in parts if it is large, and waits until its rows are loaded. If the connection breaks, another call with the same
 * attempt continues.
 * @throws WorkFailed if the load fails
 */
export async function loadFile(load: FileLoad, following: Following): Promise<Write> {
  const { attempt, report } = following;
  try {
    attempt.started ??= await send(load, following);
  } catch (error) {
    if (isRefusal(error)) Object.assign(attempt, newAttempt());
    throw error;
  }
  let write = attempt.started;
  while (write.ended_at === null) {
    report({ text: 'Loading the rows …', part: write.progress, canStop: false });
    write = await svc.writes.get(load.env, write.id, { wait: WAIT });
  }
  Object.assign(attempt, newAttempt());
  if (write.status === 'succeeded') return write;
  throw failedWork(write);
}
