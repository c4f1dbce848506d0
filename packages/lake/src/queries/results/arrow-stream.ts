import type { FileHandle } from 'node:fs/promises';
import { ParquetFile, type RecordBatch } from 'parquet-wasm/node';

/** Rows of one record batch: converting them takes some milliseconds, in which this process does nothing else. */
const BATCH_ROWS = 16_384;

/**
 * Converts a Parquet file to an Arrow IPC stream, one batch of rows at a time, and closes the file. Memory doesn't depend on the
 * size of the file.
 */
export async function* arrowStream(handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    const { size } = await handle.stat();
    const file = await ParquetFile.fromFile(new FilePart(handle, 0, size) as unknown as Blob);
    try {
      yield schemaMessage(file.schema().intoIPCStream());
      const batches: AsyncIterable<RecordBatch> = await file.stream({ batchSize: BATCH_ROWS });
      for await (const batch of batches) yield batchMessages(batch.intoIPCStream());
      yield END;
    } finally {
      file.free();
    }
  } finally {
    await handle.close();
  }
}

/** The parts of a `Blob` that the library uses, read from a file when needed. */
class FilePart {
  readonly size: number;
  private readonly handle: FileHandle;
  private readonly start: number;

  constructor(handle: FileHandle, start: number, end: number) {
    this.handle = handle;
    this.start = start;
    this.size = end - start;
  }

  slice(start: number, end: number): FilePart {
    return new FilePart(this.handle, this.start + Number(start), this.start + Number(end));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(this.size);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await this.handle.read(bytes, at, bytes.length - at, this.start + at);
      if (bytesRead === 0) throw new Error('the file is shorter than before');
      at += bytesRead;
    }
    return bytes.buffer;
  }
}

/** Ends a stream: a continuation marker and no message. */
const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** The library writes each batch as a stream of its own: a schema without a body, the batch, the end. */
const schemaMessage = (stream: Uint8Array): Uint8Array => stream.subarray(0, schemaLength(stream));
const batchMessages = (stream: Uint8Array): Uint8Array =>
  stream.subarray(schemaLength(stream), stream.length - END.length);

/** A message starts with a continuation marker and the length of its metadata, 4 bytes each. */
const schemaLength = (stream: Uint8Array): number =>
  8 + Buffer.from(stream.buffer, stream.byteOffset + 4, 4).readInt32LE();
