import type { ByteWriter } from '../byte-writer.ts';
import { type CopyOptions, isForced } from './copy-options.ts';

/** Changes the text of a column that was written from `start` on as the format requires. */
export type FinishCell = (out: ByteWriter, start: number, column: number) => void;

const BACKSLASH = 92;
const ESCAPES: ReadonlyMap<number, number> = new Map(
  ['\bb', '\ff', '\nn', '\rr', '\tt', '\vv'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

/** Escapes as COPY in text format does. */
export function escapeText({ delimiter }: CopyOptions): FinishCell {
  // The byte after the backslash by the byte that is escaped, or 0.
  const escapes = new Uint8Array(256);
  for (const [byte, letter] of ESCAPES) escapes[byte] = letter;
  escapes[BACKSLASH] = BACKSLASH;
  const separator = delimiter.charCodeAt(0);
  if (!ESCAPES.has(separator)) escapes[separator] = separator;
  return (out, start) => {
    let count = 0;
    for (let i = start; i < out.at; i++) if (escapes[out.bytes[i]!] !== 0) count++;
    if (count > 0) spread(out, start, count, (byte) => escapes[byte]!);
  };
}

/** Inserts `count` backslashes: `escapeOf` returns the byte after one, or 0 for a byte without one. */
function spread(out: ByteWriter, start: number, count: number, escapeOf: (byte: number) => number): void {
  out.reserve(count);
  const { bytes } = out;
  let to = out.at + count - 1;
  for (let from = out.at - 1; from >= start; from--) {
    const byte = bytes[from]!;
    const letter = escapeOf(byte);
    bytes[to--] = letter === 0 ? byte : letter;
    if (letter !== 0) bytes[to--] = BACKSLASH;
  }
  out.at += count;
}

/** Quotes as COPY in CSV format does: what could be read as null, or as several values. */
export function quoteCsv(options: CopyOptions, names: readonly string[]): FinishCell {
  const [quote, escapeByte] = [options.quote.charCodeAt(0), options.escape.charCodeAt(0)];
  const special = new Uint8Array(256);
  for (const byte of [options.delimiter.charCodeAt(0), quote, 10, 13]) special[byte] = 1;
  const always = names.map((name) => isForced(options.forceQuote, name));
  const nullText = Buffer.from(options.nullText);
  return (out, start, column) => {
    let isQuoted = always[column]! || isText(out, start, nullText);
    if (!isQuoted && names.length === 1) isQuoted = isText(out, start, END_MARK);
    for (let i = start; i < out.at && !isQuoted; i++) isQuoted = special[out.bytes[i]!] !== 0;
    if (isQuoted) quoteCell(out, start, quote, escapeByte);
  };
}

/** Ends the data in files of old versions. */
const END_MARK = Buffer.from(String.raw`\.`);

const isText = (out: ByteWriter, start: number, text: Buffer): boolean =>
  out.at - start === text.length && (text.length === 0 || out.bytes.compare(text, 0, text.length, start, out.at) === 0);

function quoteCell(out: ByteWriter, start: number, quote: number, escapeByte: number): void {
  let count = 2;
  for (let i = start; i < out.at; i++) if (out.bytes[i] === quote || out.bytes[i] === escapeByte) count++;
  out.reserve(count);
  const { bytes } = out;
  let to = out.at + count - 1;
  bytes[to--] = quote;
  for (let from = out.at - 1; from >= start; from--) {
    const byte = bytes[from]!;
    bytes[to--] = byte;
    if (byte === quote || byte === escapeByte) bytes[to--] = escapeByte;
  }
  bytes[start] = quote;
  out.at += count;
}
