import { escaped } from '../output/escape.ts';
import { bytes } from '../output/format.ts';
import type { Io } from './io.ts';
import { widthOf } from './io.ts';

const LINE_START = '\r\u001b[2K';
/** Time between two updates, and how long work may take before any progress is shown. */
const TICK_MS = 500;
const QUIET_MS = 1000;

/** Describes the current activity in a few words; null shows nothing. */
export type DescribeProgress = () => string | null;

/**
 * Shows the progress and elapsed time of work in one line on standard error. The line disappears when the work finishes;
 * without a terminal it doesn't appear. The work prints its own lines through `print`.
 */
export async function withProgress<T>(
  io: Io,
  describe: DescribeProgress,
  work: (print: (text: string) => void) => Promise<T>,
): Promise<T> {
  if (!io.interactive) return work((text) => io.stderr(text));
  const startedAt = io.now().getTime();
  const stop = new AbortController();
  let visible = false;
  const clear = () => {
    if (visible) io.stderr(LINE_START);
    visible = false;
  };
  const result = work((text) => {
    clear();
    io.stderr(text);
  }).finally(() => stop.abort());
  // The caller handles the rejection: it awaits the same promise below.
  result.catch(() => undefined);
  while (!stop.signal.aborted) {
    await Promise.race([io.pause(TICK_MS, stop.signal).catch(() => undefined), result.catch(() => undefined)]);
    const took = io.now().getTime() - startedAt;
    const text = describe();
    if (stop.signal.aborted || took < QUIET_MS || text === null) continue;
    io.stderr(`${LINE_START}${`${escaped(text)} … ${Math.floor(took / 1000)} s`.slice(0, (widthOf(io) ?? 80) - 1)}`);
    visible = true;
  }
  clear();
  return result;
}

/** Counts the bytes of a stream while they pass through. */
export class ByteCounter {
  count = 0;

  async *countBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.count += chunk.length;
      yield chunk;
    }
  }

  /** `1.2 MB`, or `1.2 MB of 5 MB` if the total is known. */
  text(whole?: number): string {
    return whole === undefined ? bytes(this.count) : `${bytes(Math.min(this.count, whole))} of ${bytes(whole)}`;
  }
}
