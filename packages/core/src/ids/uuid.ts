/**
 * UUIDv7: 48 bits of milliseconds, then randomness. `now` in milliseconds since the epoch; `random` gives 10 bytes.
 * Ids made in one millisecond are not ordered among themselves: lists order by time, ties by id.
 */
export function uuidv7(now: number, random: (bytes: number) => Uint8Array): string {
  const bytes = new Uint8Array(16);
  bytes.set(random(10), 6);
  for (let i = 5, ms = now; i >= 0; i--, ms = Math.floor(ms / 256)) bytes[i] = ms % 256;
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
