import { createReadStream } from 'node:fs';

/** A format error in a file, at a line counted from 1. */
export type FormatFailure = { readonly line: number; readonly message: string };

export type FormScan = {
  readonly problem: FormatFailure | null;
  /** The line on which the requested record starts, or null if the scan didn't reach it. */
  readonly recordLine: number | null;
};

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
/** Maximum line length for the scan; the limit of the engine's reader is similar. */
const MAX_LINE = 64 * 1024 * 1024;
/** Size of a CSV row that the engine's reader certainly accepts: it buffers a whole row. */
export const CSV_ROW_BYTES = 8_000_000;

/** The lines of a file as bytes without their line endings, in bounded memory. */
async function* lines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let start = 0;
    for (let end = data.indexOf(LF); end !== -1; end = data.indexOf(LF, start)) {
      yield data.subarray(start, end);
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > MAX_LINE) throw new Error('line too long');
  }
  if (rest.length > 0) yield rest;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isUtf8(bytes: Buffer): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the file again, slowly, to report what the engine can't: the line of the first malformed JSON value, or the
 * first line equal to `record`. (The engine's JSON reader doesn't preserve the order of lines, so a line number
 * wouldn't help.)
 */
export async function scanNdjson(path: string, record: string | null): Promise<FormScan> {
  let line = 0;
  for await (const bytes of lines(path)) {
    line += 1;
    const text = bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trim();
    if (text === '') continue;
    if (record !== null) {
      if (text === record.trim()) return { problem: null, recordLine: line };
      continue;
    }
    const message = isUtf8(bytes) ? jsonProblem(text) : "The text isn't valid UTF-8.";
    if (message) return { problem: { line, message }, recordLine: null };
  }
  return { problem: null, recordLine: null };
}

/** An escape sequence that may encode half of a surrogate pair. */
const HALF = /\\ud[89a-f]/i;

/** Whether all texts in a JSON value are well-formed. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWhole(inner));
}

function jsonProblem(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (HALF.test(text) && !isWhole(value))
      return 'A string in the line contains half of a character (a lone surrogate such as \\ud800).';
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null;
    return 'Each line must be one JSON object.';
  } catch {
    return "The line isn't valid JSON.";
  }
}

/**
 * The same for CSV: ragged rows, text after a closing quote, unclosed quotes, invalid UTF-8, mixed line endings.
 * Records are counted from 1 after the header; blank lines don't count unless there is one column.
 */
export async function scanCsv(path: string, columns: number, record: number | null): Promise<FormScan> {
  const state = new CsvScan(columns, record);
  let line = 0;
  for await (const bytes of lines(path)) {
    line += 1;
    const found = state.line(bytes, line);
    if (found) return found;
  }
  return { problem: record === null ? state.end() : null, recordLine: null };
}

const TOO_LONG = `The row is longer than ${CSV_ROW_BYTES / 1e6} MB. Load a file with such values as Parquet or NDJSON.`;

class CsvScan {
  private readonly columns: number;
  private readonly wanted: number | null;
  private records = -1;
  private fields = 0;
  private bytes = 0;
  private startLine = 0;
  private inQuotes = false;
  private crlf: boolean | null = null;

  constructor(columns: number, wanted: number | null) {
    this.columns = columns;
    this.wanted = wanted;
  }

  line(bytes: Buffer, line: number): FormScan | null {
    if (!isUtf8(bytes)) return this.fail(line, "The text isn't valid UTF-8.");
    const continued = this.inQuotes;
    if (!continued) this.startLineAt(line);
    this.bytes += bytes.length + 1;
    const carriage = bytes.at(-1) === CR;
    const problem = this.walk(carriage ? bytes.subarray(0, -1) : bytes, continued);
    if (problem) return this.fail(line, problem);
    if (this.inQuotes) return null;
    if (!continued && bytes.length - Number(carriage) === 0 && this.columns > 1) return null;
    return this.finish(carriage);
  }

  end(): FormatFailure | null {
    if (!this.inQuotes) return null;
    return { line: this.startLine, message: 'A quoted value that starts here has no closing quote.' };
  }

  private startLineAt(line: number): void {
    this.fields = 1;
    this.bytes = 0;
    this.startLine = line;
  }

  /** Counts fields; returns an error message if the quoting is invalid. */
  private walk(bytes: Buffer, continued: boolean): string | null {
    let fieldStart = !continued;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (this.inQuotes) {
        if (byte !== QUOTE) continue;
        if (bytes[i + 1] === QUOTE) i += 1;
        else {
          this.inQuotes = false;
          const next = bytes[i + 1];
          if (next !== undefined && next !== COMMA)
            return 'A closing quote is followed by text. Double quotes inside a value.';
        }
      } else if (byte === COMMA) {
        this.fields += 1;
        fieldStart = true;
        continue;
      } else if (byte === QUOTE && fieldStart) this.inQuotes = true;
      fieldStart = false;
    }
    return null;
  }

  private finish(carriage: boolean): FormScan | null {
    this.records += 1;
    if (this.wanted !== null) {
      return this.records === this.wanted ? { problem: null, recordLine: this.startLine } : null;
    }
    if (this.bytes > CSV_ROW_BYTES) return this.fail(this.startLine, TOO_LONG);
    if (this.fields !== this.columns) {
      return this.fail(
        this.startLine,
        `The row has ${this.fields} values, but the header has ${this.columns} columns.`,
      );
    }
    this.crlf ??= carriage;
    if (this.crlf !== carriage) return this.fail(this.startLine, 'The file mixes line endings (CRLF and LF).');
    return null;
  }

  private fail(line: number, message: string): FormScan | null {
    return this.wanted === null ? { problem: { line, message }, recordLine: null } : null;
  }
}

/** The names in the header row; null for an empty file, an error message for a malformed row. */
export async function readCsvHeader(path: string): Promise<readonly string[] | string | null> {
  let text = '';
  for await (const bytes of lines(path)) {
    if (!isUtf8(bytes)) return "The text isn't valid UTF-8.";
    text += text === '' ? bytes.toString('utf8').replace(/^\ufeff/, '') : `\n${bytes.toString('utf8')}`;
    const names = splitHeader(text.replace(/\r$/, ''));
    if (names) return names;
    if (text.length > 1024 * 1024) return "The header row is too long, or a quote in it isn't closed.";
  }
  return text === '' ? null : "A quote in the header row isn't closed.";
}

/** Null if a quote is still open. */
function splitHeader(text: string): string[] | null {
  const names: string[] = [];
  const field = /("(?:[^"]|"")*"|[^,]*)(,|$)/y;
  for (;;) {
    const match = field.exec(text);
    if (!match || (match[1]!.startsWith('"') && !/^"(?:[^"]|"")*"$/.test(match[1]!))) return null;
    const raw = match[1]!;
    names.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (match[2] === '') return names;
  }
}
