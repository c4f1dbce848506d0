import type { ByteWriter } from './byte-writer.ts';

const [QUOTE, BACKSLASH] = [34, 92];
/** Braces, comma, quotes, backslash and white space as PostgreSQL's arrays know it. */
const SPECIAL = new Set(Buffer.from('{},"\\ \t\n\r\v\f'));

/** Writes an element of an array with `write`, in quotes if PostgreSQL would quote it. */
export function arrayElementText(out: ByteWriter, write: () => void): void {
  const start = out.at;
  write();
  const end = out.at;
  let escapes = 0;
  let isQuoted = end === start || isNullWord(out.bytes, start, end);
  for (let i = start; i < end; i++) {
    const byte = out.bytes[i]!;
    if (byte > 125 || !SPECIAL.has(byte)) continue;
    isQuoted = true;
    if (byte === QUOTE || byte === BACKSLASH) escapes++;
  }
  if (!isQuoted) return;
  out.reserve(escapes + 2);
  const { bytes } = out;
  out.at = end + escapes + 2;
  bytes[out.at - 1] = QUOTE;
  for (let from = end - 1, to = out.at - 2; from >= start; from--) {
    const byte = bytes[from]!;
    bytes[to--] = byte;
    if (byte === QUOTE || byte === BACKSLASH) bytes[to--] = BACKSLASH;
  }
  bytes[start] = QUOTE;
}

const isNullWord = (bytes: Buffer, start: number, end: number): boolean =>
  end - start === 4 && bytes.toString('latin1', start, end).toUpperCase() === 'NULL';
