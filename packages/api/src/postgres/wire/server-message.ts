/** The messages that the server sends. */

export type TransactionStatus = 'I' | 'T' | 'E';

/** A column of a result as it is described to clients. */
export interface ColumnDescription {
  readonly name: string;
  readonly oid: number;
  /** Bytes of a value, or -1 for values of different lengths. */
  readonly size: number;
  readonly modifier: number;
  readonly format: 0 | 1;
}

/** An error or a notice. Its fields are those of PostgreSQL. */
export interface Report {
  readonly severity: 'ERROR' | 'FATAL' | 'WARNING' | 'NOTICE';
  /** A SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  /** Characters of the statement, from 1. */
  readonly position?: number | undefined;
}

export function message(type: string, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const bodies = parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part));
  const header = Buffer.alloc(5, type, 'latin1');
  header.writeInt32BE(4 + bodies.reduce((sum, { length }) => sum + length, 0), 1);
  return Buffer.concat([header, ...bodies]);
}

/** A zero byte in a name or text of ours would end the field early. */
const field = (text: string): string => text.replaceAll('\0', '\ufffd');

export function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i);
  return bytes;
}

export function int16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * i);
  return bytes;
}

export const PARSE_COMPLETE = message('1');
export const BIND_COMPLETE = message('2');
export const CLOSE_COMPLETE = message('3');
export const NO_DATA = message('n');
export const EMPTY_QUERY = message('I');
export const PORTAL_SUSPENDED = message('s');
export const COPY_DONE = message('c');
export const AUTHENTICATION_OK = message('R', int32(0));
export const REQUEST_PASSWORD = message('R', int32(3));

export const parameterStatus = (name: string, value: string): Buffer => message('S', name, field(value));

export const backendKey = (pid: number, key: Uint8Array): Buffer => message('K', int32(pid), key);

export const readyForQuery = (status: TransactionStatus): Buffer => message('Z', Buffer.from(status));

export const commandComplete = (tag: string): Buffer => message('C', tag);

export const parameterDescription = (oids: readonly number[]): Buffer =>
  message('t', int16(oids.length), int32(...oids));

export function rowDescription(columns: readonly ColumnDescription[]): Buffer {
  const parts = columns.flatMap(({ name, oid, size, modifier, format }) => [
    field(name),
    // Neither the table nor the number of the column in it is known.
    int32(0),
    int16(0),
    int32(oid),
    int16(size),
    int32(modifier),
    int16(format),
  ]);
  return message('T', int16(columns.length), ...parts);
}

/** `format` applies to the whole data and to each column. */
export const copyResponse = (direction: 'in' | 'out', format: 0 | 1, columns: number): Buffer =>
  message(direction === 'in' ? 'G' : 'H', Buffer.of(format), int16(columns), int16(...Array(columns).fill(format)));

export const copyData = (data: Uint8Array): Buffer => message('d', data);

/** CopyData messages, the first of which starts with further bytes. */
export function startCopyData(bytes: Uint8Array, messages: Buffer): Buffer {
  const end = 1 + messages.readInt32BE(1);
  return Buffer.concat([copyData(Buffer.concat([bytes, messages.subarray(5, end)])), messages.subarray(end)]);
}

/** The newest minor version that the server supports, and the options that it doesn't know. */
export const negotiateVersion = (options: readonly string[]): Buffer =>
  message('v', int32(0, options.length), ...options);

export function report({ severity, code, message: text, detail, hint, position }: Report): Buffer {
  const fields: [string, string | undefined][] = [
    ['S', severity],
    ['V', severity],
    ['C', code],
    ['M', text],
    ['D', detail],
    ['H', hint],
    ['P', position === undefined ? undefined : String(position)],
  ];
  const parts = fields.flatMap(([letter, value]) => (value === undefined ? [] : [`${letter}${field(value)}`]));
  const isError = severity === 'ERROR' || severity === 'FATAL';
  return message(isError ? 'E' : 'N', ...parts, Buffer.of(0));
}
