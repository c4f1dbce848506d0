import type { CopyLoad, FindLine, LineFields, ReadLine } from './copy-data.ts';
import type { CopyOptions } from './copy-options.ts';
import { csvLines, readCsvLine } from './csv-lines.ts';
import type { CsvRows } from './csv-rows.ts';
import { readTextLine, textLines } from './text-lines.ts';
import { UnreadBytes } from './unread-bytes.ts';

const CR = 13;
const END_MARK = Buffer.from(String.raw`\.`);

/** COPY in text or CSV format. */
export class LineCopy implements CopyLoad {
  private readonly rows: CsvRows;
  private readonly options: CopyOptions;
  private readonly findLine: FindLine;
  private readonly readLine: ReadLine;
  private readonly unread = new UnreadBytes();
  private isHeaderNext: boolean;
  private isFinished = false;

  constructor(rows: CsvRows, options: CopyOptions) {
    this.rows = rows;
    this.options = options;
    this.isHeaderNext = options.header !== false;
    const isCsv = options.format === 'csv';
    this.findLine = isCsv ? csvLines(options) : textLines();
    this.readLine = isCsv ? readCsvLine(options, rows.columns) : readTextLine(options);
  }

  write(data: Buffer): Buffer {
    if (this.isFinished) return Buffer.alloc(0);
    this.unread.append(this.options.encoding === 'utf-8' ? data : Buffer.from(data.toString('latin1')));
    const { bytes } = this.unread;
    let start = 0;
    for (let end = this.findLine(bytes, start); end !== null; end = this.findLine(bytes, start)) {
      this.line(bytes.subarray(start, end));
      start = end + 1;
      if (this.isFinished) break;
    }
    this.unread.drop(this.isFinished ? bytes.length : start, this.rows);
    return this.rows.take();
  }

  end(): Buffer {
    const { bytes } = this.unread;
    if (bytes.length === 0) return this.rows.take();
    // The last line may have no line break.
    const written = this.write(Buffer.from('\n'));
    if (this.unread.bytes.length > 0) {
      const isCsv = this.options.format === 'csv';
      throw this.rows.error('22P04', isCsv ? 'unterminated CSV quoted field' : 'a backslash ends the data');
    }
    return written;
  }

  private line(written: Buffer): void {
    const line = written.at(-1) === CR ? written.subarray(0, -1) : written;
    // psql sends it after CSV, too; as a value it is in quotes.
    if (line.equals(END_MARK)) this.isFinished = true;
    else if (this.isHeaderNext) this.header(line);
    else {
      this.readLine(line, this.fields);
      this.rows.endRow();
    }
    this.rows.line++;
  }

  private readonly fields: LineFields = {
    add: (bytes, start, end) => this.rows.add(bytes, start, end),
    addNull: () => this.rows.addNull(),
    malformed: (message) => this.rows.error('22P04', message),
  };

  private header(line: Buffer): void {
    this.isHeaderNext = false;
    if (this.options.header !== 'match') return;
    const names: string[] = [];
    this.readLine(line, {
      ...this.fields,
      add: (bytes, start, end) => void names.push(bytes.toString('utf8', start, end)),
      addNull: () => void names.push(''),
    });
    const expected = this.rows.columns.map(({ name }) => name);
    const wrong = expected.findIndex((name, i) => names[i] !== name);
    if (wrong === -1 && names.length === expected.length) return;
    throw this.rows.error(
      '22P04',
      `The header has the columns ${names.join(', ')}, but COPY has the columns ${expected.join(', ')}.`,
    );
  }
}
