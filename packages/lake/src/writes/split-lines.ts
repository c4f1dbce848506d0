import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { CsvDialect } from '@svc/core/writes';
import { CsvRecords, type FoundRecord } from './csv-records.ts';
import { isUtf8, linesOf, NDJSON_LINE_BYTES } from './lines-of.ts';
import { jsonProblem } from './scan-ndjson.ts';

/** A line that a load leaves out. */
export type RejectedLine = {
  /** The index of the file. */
  readonly file: number;
  readonly line: number;
  readonly column: string | null;
  readonly reason: string;
  readonly text: string;
};

export type SplitRequest = {
  /** The files with their indexes. */
  readonly files: readonly { readonly path: string; readonly index: number }[];
  /** The number of columns of CSV, or the names that keys of NDJSON may have, in lower case. */
  readonly form:
    | { readonly format: 'csv'; readonly columns: number; readonly dialect: CsvDialect }
    | { readonly format: 'ndjson'; readonly names: readonly string[] };
  /** CSV without a header: index of the file, number of the line, and the line or its JSON. */
  readonly valid: string;
  /** Rejected lines as NDJSON. */
  readonly rejected: string;
  /** Stops once so many lines are rejected. */
  readonly stopAfter: number;
};

export type LineSplit = { readonly rejected: number; readonly first: RejectedLine | null };

/** The longest text of a rejected line that is stored. */
const MAX_TEXT = 1_000_000;

/** Copies the lines that have the right form and collects the others, in bounded memory. */
export async function splitLines({ files, form, valid, rejected, stopAfter }: SplitRequest): Promise<LineSplit> {
  const [validOut, rejectedOut] = [new LineWriter(valid), new LineWriter(rejected)];
  const delimiter = form.format === 'csv' ? form.dialect.delimiter : ',';
  let count = 0;
  let first: RejectedLine | null = null;
  try {
    for (const { path, index } of files) {
      for await (const found of form.format === 'csv' ? csvRecords(path, form) : ndjsonLines(path, form.names)) {
        if (found.reason === null) {
          await validOut.write(`${index}${delimiter}${found.line}${delimiter}`, found.pieces);
          continue;
        }
        const text = found.pieces.map((piece) => piece.toString('utf8')).join('\n');
        const line = {
          file: index,
          line: found.line,
          column: null,
          reason: found.reason,
          text: text.slice(0, MAX_TEXT),
        };
        first ??= line;
        await rejectedOut.write(JSON.stringify(line), []);
        if (++count >= stopAfter) return { rejected: count, first };
      }
    }
    return { rejected: count, first };
  } finally {
    await Promise.all([validOut.close(), rejectedOut.close()]);
  }
}

async function* csvRecords(
  path: string,
  { columns, dialect }: { columns: number; dialect: CsvDialect },
): AsyncGenerator<FoundRecord> {
  const records = new CsvRecords(columns, dialect);
  for await (const bytes of linesOf(path, { cut: true })) yield* records.add(bytes);
  yield* records.end();
}

async function* ndjsonLines(path: string, names: readonly string[]): AsyncGenerator<FoundRecord> {
  const known = new Set(names);
  let line = 0;
  for await (const bytes of linesOf(path, { cut: true })) {
    line += 1;
    const text = bytes.toString('utf8').trim();
    if (text === '') continue;
    const reason = ndjsonReason(bytes, text, known);
    const quoted = reason === null ? Buffer.from(`"${text.replaceAll('"', '""')}"`) : bytes;
    yield { line, pieces: [quoted], reason };
  }
}

function ndjsonReason(bytes: Buffer, text: string, known: ReadonlySet<string>): string | null {
  if (bytes.length > NDJSON_LINE_BYTES) return `The line is longer than ${NDJSON_LINE_BYTES} bytes.`;
  if (!isUtf8(bytes)) return "The text isn't valid UTF-8.";
  const problem = jsonProblem(text);
  if (problem !== null) return problem;
  const unknown = Object.keys(JSON.parse(text)).find((key) => !known.has(key.toLowerCase()));
  return unknown === undefined ? null : `The table has no column ${JSON.stringify(unknown.slice(0, 200))}.`;
}

/** Bytes that are collected before they are written. */
const BATCH = 1 << 20;

class LineWriter {
  private readonly stream: WriteStream;
  private batch: (string | Buffer)[] = [];
  private bytes = 0;

  constructor(path: string) {
    this.stream = createWriteStream(path, { flags: 'wx' });
  }

  /** Writes a line that starts with this text, or several lines. */
  async write(start: string, lines: readonly Buffer[]): Promise<void> {
    this.batch.push(start);
    this.bytes += start.length + 1;
    for (const [i, line] of lines.entries()) {
      if (i > 0) this.batch.push('\n');
      this.batch.push(line);
      this.bytes += line.length + 1;
    }
    this.batch.push('\n');
    if (this.bytes >= BATCH) await this.flush();
  }

  async close(): Promise<void> {
    await this.flush();
    this.stream.end();
    if (!this.stream.closed) await once(this.stream, 'close');
  }

  private async flush(): Promise<void> {
    const joined = Buffer.concat(this.batch.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
    this.batch = [];
    this.bytes = 0;
    if (!this.stream.write(joined)) await once(this.stream, 'drain');
  }
}
