const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const DASH_BEFORE = new Set([4, 6, 8, 10]);

/** A UUIDv7: 48 bits of milliseconds (`now`, since the epoch), then 74 random bits from the 10 bytes of `tail`. */
function uuidv7(now: number, tail: Uint8Array): string {
  const bytes = new Uint8Array(16);
  bytes.set(tail, 6);
  for (let i = 5, ms = now; i >= 0; i--, ms = Math.floor(ms / 256)) bytes[i] = ms % 256;
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let text = '';
  for (let i = 0; i < 16; i++) text += DASH_BEFORE.has(i) ? `-${HEX[bytes[i]!]}` : HEX[bytes[i]!];
  return text;
}

/** Adds one to the last 62 bits. Their highest bit starts as zero, so they can't overflow within a millisecond. */
function increment(tail: Uint8Array): void {
  for (let i = 9; i >= 2; i--) {
    tail[i] = (tail[i]! + 1) & 0xff;
    if (tail[i] !== 0) return;
  }
}

/**
 * Returns a generator of UUIDv7 ids that increase within this process, even within one millisecond or if the clock
 * stops or goes back, so that lists sorted by time with ties by id preserve the order of creation. `clock` returns
 * milliseconds since the epoch.
 */
export function idSource(clock: () => number, random: (bytes: number) => Uint8Array): () => string {
  let last = -1;
  let tail = new Uint8Array(10);
  return () => {
    const now = clock();
    if (now > last) {
      last = now;
      tail = Uint8Array.from(random(10));
      tail[2]! &= 0x1f;
    } else increment(tail);
    return uuidv7(last, tail);
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
