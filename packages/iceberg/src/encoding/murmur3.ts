const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

function mixBlock(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

/** Murmur3, x86, 32 bit, seed 0 (Iceberg specification, appendix B): a signed 32 bit integer. */
export function murmur3(bytes: Uint8Array): number {
  let hash = 0;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const block = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash = (Math.imul(rotate(hash ^ mixBlock(block), 13), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | bytes[at]!;
  if (whole < bytes.length) hash ^= mixBlock(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const eight = Buffer.alloc(8);

/** The hash of an integer, which is the hash of its eight bytes; so an int and a long of one value have one. */
export function murmur3OfLong(value: bigint): number {
  eight.writeBigInt64LE(value);
  return murmur3(eight);
}
