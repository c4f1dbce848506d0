import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';

/** Bytes that are held for who is busy with those before; then the sender waits. */
const MOST = 1 << 20;

/** A body as it arrives. Stopping early leaves the connection open. */
export async function* arriving(req: IncomingMessage): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  let end: { error: Error | null } | null = null;
  let told: (() => void) | null = null;
  const tell = () => told?.();
  const take = (piece: Buffer) => {
    // Once for all that the network has now.
    if (size === 0) setImmediate(tell);
    pieces.push(piece);
    size += piece.length;
    if (size >= MOST) req.pause();
  };
  const forget = finished(req, { writable: false }, (error) => {
    end = { error: error ?? null };
    tell();
  });
  req.on('data', take);
  try {
    for (;;) {
      if (size > 0) {
        const came = pieces;
        [pieces, size] = [[], 0];
        req.resume();
        yield* came;
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
    req.off('data', take);
    forget();
  }
}
