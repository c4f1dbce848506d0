import { writeCell } from '../binary-cells.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { CellWriter } from '../text-cells.ts';
import { isNull, type Vector } from '../vector.ts';
import type { CopyFormat } from './copy-options.ts';
import { escapeText, quoteCsv } from './escape-cells.ts';

interface CopiedRows {
  readonly vectors: readonly Vector[];
  readonly writers: readonly CellWriter[];
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Rows of COPY … TO STDOUT. Ranges exclude `to`. */
export function copyRows(rows: CopiedRows, format: CopyFormat): Buffer {
  const out = new ByteWriter((rows.to - rows.from) * (8 + 16 * rows.vectors.length));
  if (format.format === 'binary') binaryRows(out, rows);
  else textRows(out, rows, format);
  return out.written();
}

function binaryRows(out: ByteWriter, { vectors, writers, from, to }: CopiedRows): void {
  for (let row = from; row < to; row++) {
    out.int16(vectors.length);
    for (let i = 0; i < vectors.length; i++) writeCell(out, vectors[i]!, writers[i]!, row);
  }
}

const NEWLINE = 10;

function textRows(out: ByteWriter, { vectors, writers, names, from, to }: CopiedRows, format: CopyFormat): void {
  const delimiter = format.delimiter.charCodeAt(0);
  const nullText = Buffer.from(format.nullText);
  const finish = format.format === 'csv' ? quoteCsv(format, names) : escapeText(format);
  for (let row = from; row < to; row++) {
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
  }
}

/** The flags and the length of an extension follow. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

/** What precedes the rows: the signature of the binary format, a header if there is one. */
export function copyStart(names: readonly string[], format: CopyFormat): Buffer {
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
export const copyEnd = ({ format }: CopyFormat): Buffer => (format === 'binary' ? TRAILER : Buffer.alloc(0));
