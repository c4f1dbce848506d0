import { v7 } from 'uuid';

const RANDOM_BYTES = 16;

/**
 * Returns a generator of UUIDv7 ids that increase within this process, even within one millisecond or if the clock
 * stops or goes back, so that lists sorted by time with ties by id preserve the order of creation. `clock` returns
 * milliseconds since the epoch.
 */
export function idSource(clock: () => number, random: (bytes: number) => Uint8Array): () => string {
  let msecs = -1;
  let seq = 0;
  return () => {
    const now = clock();
    const bytes = random(RANDOM_BYTES);
    if (now > msecs) {
      msecs = now;
      // 31 of the counter's 32 bits, so that it can't overflow within a millisecond.
      seq = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) >>> 1;
    } else seq++;
    return v7({ msecs, seq, random: bytes });
  };
}

/** Reads many random bytes at once, because a call of `random` costs more than the bytes. */
export function pooled(random: (bytes: number) => Uint8Array, size = 4096): (bytes: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0);
  let at = 0;
  return (bytes) => {
    if (bytes > size) return random(bytes);
    if (at + bytes > pool.length) {
      pool = random(size);
      at = 0;
    }
    const taken = pool.slice(at, at + bytes);
    // Erases bytes that were handed out, so that memory doesn't reveal them.
    pool.fill(0, at, at + bytes);
    at += bytes;
    return taken;
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
