import { binaryArray } from '../array-binary.ts';
import { formatArray } from '../array-literals.ts';
import { textOfBinary } from '../parameter-binary.ts';
import type { PgType } from '../types.ts';
import { PgValueError } from '../value-error.ts';
import type { CopyLoad } from './copy-data.ts';
import type { CsvRows } from './csv-rows.ts';
import { UnreadBytes } from './unread-bytes.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** The signature, the flags, and the length of an extension. */
const HEADER_BYTES = SIGNATURE.length + 8;
/** The upper half of the flags would change the format. */
const CRITICAL_FLAGS = 0xffff_0000;

/** COPY in binary format. */
export class BinaryCopy implements CopyLoad {
  private readonly rows: CsvRows;
  private readonly unread = new UnreadBytes();
  private state: 'header' | 'rows' | 'end' = 'header';

  constructor(rows: CsvRows) {
    this.rows = rows;
  }

  write(data: Buffer): Buffer {
    if (this.state === 'end') return Buffer.alloc(0);
    this.unread.append(data);
    const { bytes } = this.unread;
    let start = this.state === 'header' ? this.header(bytes) : 0;
    while (this.state === 'rows') {
      const end = this.row(bytes, start);
      if (end === null) break;
      start = end;
    }
    this.unread.drop(this.isAtEnd() ? bytes.length : start, this.rows);
    return this.rows.take();
  }

  end(): Buffer {
    // The trailer may be missing, as long as no row is incomplete.
    if (this.state === 'header' || this.unread.bytes.length > 0)
      throw this.rows.error('22P04', 'unexpected EOF in COPY data');
    return this.rows.take();
  }

  private isAtEnd(): boolean {
    return this.state === 'end';
  }

  /** The end of the header, or 0 if it isn't complete. */
  private header(bytes: Buffer): number {
    const known = Math.min(bytes.length, SIGNATURE.length);
    if (!bytes.subarray(0, known).equals(SIGNATURE.subarray(0, known)))
      throw this.rows.error('22P04', 'COPY file signature not recognized');
    if (bytes.length < HEADER_BYTES) return 0;
    if ((bytes.readUInt32BE(SIGNATURE.length) & CRITICAL_FLAGS) !== 0)
      throw this.rows.error('22P04', 'unrecognized critical flags in COPY file header');
    const end = HEADER_BYTES + bytes.readUInt32BE(SIGNATURE.length + 4);
    if (bytes.length < end) return 0;
    this.state = 'rows';
    return end;
  }

  /** Reads a row and returns its end; null if it isn't complete. */
  private row(bytes: Buffer, start: number): number | null {
    const { columns } = this.rows;
    if (start + 2 > bytes.length) return null;
    const count = bytes.readInt16BE(start);
    if (count === -1) {
      this.state = 'end';
      return start + 2;
    }
    if (count !== columns.length)
      throw this.rows.error('22P04', `row field count is ${count}, expected ${columns.length}`);
    const fields = this.fieldsOf(bytes, start + 2);
    if (fields === null) return null;
    for (const [i, field] of fields.values.entries()) {
      if (field === null) this.rows.addNull();
      else this.add(field, columns[i]!.type, i);
    }
    this.rows.endRow();
    this.rows.line++;
    return fields.end;
  }

  /** The bytes of a row's fields, or null if it isn't complete. */
  private fieldsOf(bytes: Buffer, start: number): { values: (Buffer | null)[]; end: number } | null {
    let at = start;
    const values: (Buffer | null)[] = [];
    for (let i = 0; i < this.rows.columns.length; i++) {
      if (at + 4 > bytes.length) return null;
      const length = bytes.readInt32BE(at);
      if (length < -1) throw this.rows.error('22P04', 'invalid field size', i);
      at += 4 + Math.max(0, length);
      if (at > bytes.length) return null;
      values.push(length === -1 ? null : bytes.subarray(at - length, at));
    }
    return { values, end: at };
  }

  private add(field: Buffer, { oid, element }: PgType, column: number): void {
    try {
      const text = Buffer.from(
        element === null ? textOfBinary(oid, field) : formatArray(binaryArray(field, element.oid)),
      );
      this.rows.add(text, 0, text.length);
    } catch (error) {
      if (!(error instanceof PgValueError) || error.message.includes('(COPY line')) throw error;
      throw this.rows.error(error.sqlState, error.message, column);
    }
  }
}
