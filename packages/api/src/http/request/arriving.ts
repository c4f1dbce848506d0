import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';

/** Bytes that make a piece worth handling; fewer are given once nothing has come after them for a moment. */
const ENOUGH = 1 << 19;
const MOMENT_MS = 2;
/** Bytes that are held for who is busy with those before; then the sender waits. */
const MOST = 1 << 20;

/**
 * A body as it arrives, in large pieces: what is done with each, such as a write to the disk, wakes a thread, and for the
 * pieces of the network that would cost more than the work itself. Stopping early leaves the connection open.
 */
export async function* arriving(req: IncomingMessage): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  let end: { error: Error | null } | null = null;
  let late = false;
  let timer: NodeJS.Timeout | undefined;
  let told: (() => void) | null = null;
  const tell = () => told?.();
  const take = (piece: Buffer) => {
    timer ??= setTimeout(() => {
      late = true;
      tell();
    }, MOMENT_MS);
    pieces.push(piece);
    size += piece.length;
    if (size >= ENOUGH) tell();
    if (size >= MOST) req.pause();
  };
  const forget = finished(req, { writable: false }, (error) => {
    end = { error: error ?? null };
    tell();
  });
  const given = (): Buffer => {
    const piece = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size);
    clearTimeout(timer);
    [pieces, size, late, timer] = [[], 0, false, undefined];
    return piece;
  };
  req.on('data', take);
  try {
    for (;;) {
      if (size >= ENOUGH || (size > 0 && (late || end !== null))) {
        const piece = given();
        req.resume();
        yield piece;
      } else if (end !== null) {
        const { error } = end as { error: Error | null };
        if (error !== null) throw error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
    }
  } finally {
    clearTimeout(timer);
    req.off('data', take);
    forget();
  }
}
