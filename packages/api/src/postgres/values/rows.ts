import { AsyncByteStream, type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { arrowVector } from './arrow-vectors.ts';
import { binaryCells, writeCell } from './binary-cells.ts';
import { ByteWriter } from './byte-writer.ts';
import type { CopyOptions } from './copy/copy-options.ts';
import { copyMessages } from './copy/copy-rows.ts';
import { jsonVector } from './json-vectors.ts';
import { type CellWriter, textCells } from './text-cells.ts';
import { pgTypeOf } from './types.ts';
import type { Vector } from './vector.ts';

/** How a client receives a column: 0 is text, 1 binary. */
export type Format = 0 | 1;

/** The format of a value, where a message has one per value, one for all, or none for text. */
export const formatOf = (formats: readonly Format[], i: number): Format =>
  (formats.length === 1 ? formats[0] : formats[i]) ?? 0;

/** Some rows of a result, from which messages for clients are written. Ranges exclude `to`. */
export interface RowBatch {
  readonly rowCount: number;
  /** DataRow messages. @param formats one per column, one for all, or none for text */
  dataRows(from: number, to: number, formats: readonly Format[]): Buffer;
  /** CopyData messages, one per row as clients expect, without header, signature or trailer. */
  copyData(from: number, to: number, format: CopyOptions): Buffer;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Rows in the JSON form of query results (QUERY-6). */
export function rowsOfJson(columns: readonly Column[], rows: readonly (readonly unknown[])[]): RowBatch {
  const vectors = columns.map(({ type }, i) =>
    jsonVector(
      rows.map((row) => row[i]),
      pgTypeOf(type),
    ),
  );
  return new VectorRows(columns, vectors, rows.length);
}

/** Rows of an Arrow IPC stream, one record batch at a time. Reading stops when the consumer stops. */
export async function* rowsOfArrow(
  columns: readonly Column[],
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<RowBatch> {
  const types = columns.map(({ type }) => pgTypeOf(type));
  const pieces = stream[Symbol.asyncIterator]();
  try {
    const reader = await RecordBatchReader.from(new AsyncByteStream({ [Symbol.asyncIterator]: () => pieces }));
    for await (const batch of reader as AsyncIterable<RecordBatch>) {
      // The batch of a stream without rows lacks the vectors of nested columns.
      if (batch.numRows === 0) continue;
      const vectors = types.map((type, i) => arrowVector(batch.data.children[i]!, type));
      yield new VectorRows(columns, vectors, batch.numRows);
    }
  } finally {
    // The reader wouldn't end the stream when its consumer stops.
    await pieces.return?.();
  }
}

const DATA_ROW = 68;

class VectorRows implements RowBatch {
  readonly rowCount: number;
  private readonly names: readonly string[];
  private readonly vectors: readonly Vector[];
  private readonly writers: { text: CellWriter[]; binary: CellWriter[] } = { text: [], binary: [] };
  /** The bytes of the last row, on average. */
  private rowBytes: number;

  constructor(columns: readonly Column[], vectors: readonly Vector[], rowCount: number) {
    this.names = columns.map(({ name }) => name);
    this.vectors = vectors;
    this.rowCount = rowCount;
    this.rowBytes = 8 + 16 * vectors.length;
  }

  dataRows(from: number, to: number, formats: readonly Format[]): Buffer {
    const { vectors } = this;
    const writers = vectors.map((_, i) => this.writer(i, formatOf(formats, i)));
    const out = new ByteWriter((to - from) * this.rowBytes);
    for (let row = from; row < to; row++) {
      const start = out.at;
      out.reserve(7);
      out.bytes[start] = DATA_ROW;
      out.at = start + 5;
      out.int16(vectors.length);
      for (let i = 0; i < vectors.length; i++) writeCell(out, vectors[i]!, writers[i]!, row);
      out.setInt32(start + 1, out.at - start - 1);
    }
    if (to > from) this.rowBytes = Math.ceil((1.1 * out.at) / (to - from));
    return out.written();
  }

  copyData(from: number, to: number, format: CopyOptions): Buffer {
    const writers = this.vectors.map((_, i) => this.writer(i, format.format === 'binary' ? 1 : 0));
    return copyMessages({ vectors: this.vectors, names: this.names, writers, from, to }, format);
  }

  private writer(column: number, format: Format): CellWriter {
    const known = format === 1 ? this.writers.binary : this.writers.text;
    known[column] ??= (format === 1 ? binaryCells : textCells)(this.vectors[column]!);
    return known[column];
  }
}
