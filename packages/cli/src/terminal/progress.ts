import { bytes } from '../output/format.ts';
import type { Io } from './io.ts';
import { widthOf } from './io.ts';

const LINE_START = '\r\u001b[2K';
/** Between two looks at the clock, and how long work may last before anything is shown. */
const TICK_MS = 500;
const QUIET_MS = 1000;

/** What goes on, in a few words; null for nothing. */
export type Tell = () => string | null;

/**
 * Shows on a terminal's standard error how long a piece of work has taken and how far it is, in one line that goes away
 * with its end; elsewhere nothing. What else is written meanwhile goes through `beside`.
 */
export async function during<T>(io: Io, tell: Tell, work: (beside: (text: string) => void) => Promise<T>): Promise<T> {
  if (!io.interactive) return work((text) => io.stderr(text));
  const begun = io.now().getTime();
  const stop = new AbortController();
  let shown = false;
  const clear = () => {
    if (shown) io.stderr(LINE_START);
    shown = false;
  };
  const result = work((text) => {
    clear();
    io.stderr(text);
  }).finally(() => stop.abort());
  // The rejection is the caller's, who awaits it below.
  result.catch(() => undefined);
  while (!stop.signal.aborted) {
    await Promise.race([io.pause(TICK_MS, stop.signal).catch(() => undefined), result.catch(() => undefined)]);
    const took = io.now().getTime() - begun;
    const text = tell();
    if (stop.signal.aborted || took < QUIET_MS || text === null) continue;
    io.stderr(`${LINE_START}${`${text} … ${Math.floor(took / 1000)} s`.slice(0, (widthOf(io) ?? 80) - 1)}`);
    shown = true;
  }
  clear();
  return result;
}

/** Counts the bytes of a stream as they pass. */
export class Counted {
  seen = 0;

  async *through(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.seen += piece.length;
      yield piece;
    }
  }

  /** `1.2 MB`, of so many where the whole is known. */
  text(whole?: number): string {
    return whole === undefined ? bytes(this.seen) : `${bytes(Math.min(this.seen, whole))} of ${bytes(whole)}`;
  }
}
