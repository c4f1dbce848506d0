import { writeCell } from '../binary-cells.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { CellWriter } from '../text-cells.ts';
import { isNull, type Vector } from '../vector.ts';
import type { CopyOptions } from './copy-options.ts';
import { escapeText, quoteCsv } from './escape-cells.ts';

interface CopiedRows {
  readonly vectors: readonly Vector[];
  readonly writers: readonly CellWriter[];
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Rows of COPY … TO STDOUT as CopyData messages, one per row. Ranges exclude `to`. */
export function copyMessages(rows: CopiedRows, format: CopyOptions): Buffer {
  const out = new ByteWriter((rows.to - rows.from) * (13 + 16 * rows.vectors.length));
  if (format.format === 'binary') binaryRows(out, rows);
  else textRows(out, rows, format);
  return out.written();
}

function binaryRows(out: ByteWriter, { vectors, writers, from, to }: CopiedRows): void {
  for (let row = from; row < to; row++) {
    const start = startMessage(out);
    out.int16(vectors.length);
    for (let i = 0; i < vectors.length; i++) writeCell(out, vectors[i]!, writers[i]!, row);
    endMessage(out, start);
  }
}

const COPY_DATA = 100;

function startMessage(out: ByteWriter): number {
  const start = out.at;
  out.reserve(5);
  out.bytes[start] = COPY_DATA;
  out.at = start + 5;
  return start;
}

const endMessage = (out: ByteWriter, start: number): void => out.setInt32(start + 1, out.at - start - 1);

const NEWLINE = 10;

function textRows(out: ByteWriter, { vectors, writers, names, from, to }: CopiedRows, format: CopyOptions): void {
  const delimiter = format.delimiter.charCodeAt(0);
  const nullText = Buffer.from(format.nullText);
  const finish = format.format === 'csv' ? quoteCsv(format, names) : escapeText(format);
  for (let row = from; row < to; row++) {
    const message = startMessage(out);
    for (let i = 0; i < vectors.length; i++) {
      if (i > 0) out.byte(delimiter);
      const start = out.at;
      if (isNull(vectors[i]!, row)) out.copy(nullText, 0, nullText.length);
      else {
        writers[i]!(out, row);
        finish(out, start, i);
      }
    }
    out.byte(NEWLINE);
    endMessage(out, message);
  }
}

/** The flags and the length of an extension follow. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

/** What precedes the rows: the signature of the binary format, a header if there is one. */
export function copyStart(names: readonly string[], format: CopyOptions): Buffer {
  if (format.format === 'binary') return SIGNATURE;
  const out = new ByteWriter();
  if (format.header === false) return out.written();
  const finish = format.format === 'csv' ? quoteCsv({ ...format, forceQuote: [] }, names) : escapeText(format);
  for (const [i, name] of names.entries()) {
    if (i > 0) out.byte(format.delimiter.charCodeAt(0));
    const start = out.at;
    const bytes = Buffer.from(name);
    out.copy(bytes, 0, bytes.length);
    finish(out, start, i);
  }
  out.byte(NEWLINE);
  return out.written();
}

/** What follows the rows. */
export const copyEnd = ({ format }: CopyOptions): Buffer => (format === 'binary' ? TRAILER : Buffer.alloc(0));
