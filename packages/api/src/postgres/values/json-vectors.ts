import { parseDays, parseMicros, parseTime } from './parse-times.ts';
import { isScalar, type PgType, type ScalarColumn } from './types.ts';
import { setLimbs, type Vector } from './vector.ts';

/** The vector of a column of rows in the JSON form of query results (QUERY-6). */
export function jsonVector(cells: readonly unknown[], type: PgType): Vector {
  const { column, element } = type;
  if (element !== null) return listVector(cells, type, element);
  if (!isScalar(column))
    return textVector(
      'json',
      cells.map((cell) => (isNone(cell) ? null : JSON.stringify(cell))),
    );
  if (column.kind === 'string')
    return textVector(
      'string',
      cells.map((cell) => (isNone(cell) ? null : String(cell))),
    );
  if (column.kind === 'binary') return bytesVector(cells);
  return { ...fixedVector(cells, column), valid: validOf(cells) } as Vector;
}

const isNone = (cell: unknown): boolean => cell === null || cell === undefined;

/** The vector of texts. */
export function textVector(kind: 'string' | 'json', texts: readonly (string | null)[]): Vector {
  return joined(kind, texts, (text) => Buffer.from(text));
}

const bytesVector = (cells: readonly unknown[]): Vector =>
  joined('binary', cells, (cell) => Buffer.from(String(cell), 'base64'));

function joined<T>(
  kind: 'string' | 'json' | 'binary',
  cells: readonly (T | null)[],
  bytesOf: (cell: T) => Buffer,
): Vector {
  const parts = cells.map((cell) => (isNone(cell) ? Buffer.alloc(0) : bytesOf(cell as T)));
  const offsets = new Int32Array(cells.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + part.length;
  return { kind, valid: validOf(cells), offsets, bytes: Buffer.concat(parts) };
}

function listVector(cells: readonly unknown[], type: PgType, element: PgType): Vector {
  const lists = cells.map((cell) => (isNone(cell) ? [] : (cell as unknown[])));
  const offsets = new Int32Array(cells.length + 1);
  for (const [i, list] of lists.entries()) offsets[i + 1] = offsets[i]! + list.length;
  return { kind: 'list', valid: validOf(cells), offsets, element: jsonVector(lists.flat(), element), type };
}

function validOf(cells: readonly unknown[]): Uint8Array | null {
  if (!cells.some(isNone)) return null;
  return bitsOf(cells, (cell) => !isNone(cell));
}

function bitsOf(cells: readonly unknown[], isSet: (cell: unknown) => boolean): Uint8Array {
  const bits = new Uint8Array((cells.length + 7) >> 3);
  for (const [i, cell] of cells.entries()) if (isSet(cell)) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

/** A vector without nulls' positions: at these, values are zero. */
function fixedVector(cells: readonly unknown[], column: ScalarColumn): object {
  const { kind } = column;
  switch (kind) {
    case 'boolean':
      return { kind, bits: bitsOf(cells, (cell) => cell === true) };
    case 'int':
      return { kind, values: Int32Array.from(cells, (cell) => Number(cell ?? 0)) };
    case 'date':
      return { kind, values: Int32Array.from(cells, (cell) => (isNone(cell) ? 0 : parseDays(String(cell)))) };
    case 'float':
      return { kind, values: Float32Array.from(cells, (cell) => Number(cell ?? 0)) };
    case 'double':
      return { kind, values: Float64Array.from(cells, (cell) => Number(cell ?? 0)) };
    case 'decimal':
      return { kind, scale: column.scale, limbs: limbs(cells, 4, (cell) => unscaled(String(cell), column.scale)) };
    case 'uuid':
      return { kind, bytes: Buffer.concat(cells.map(uuidBytes)) };
    case 'long':
      return { kind, limbs: limbs(cells, 2, (cell) => BigInt(cell as number | string)) };
    case 'time':
      return { kind, limbs: limbs(cells, 2, (cell) => parseTime(String(cell))) };
    default:
      return { kind, limbs: limbs(cells, 2, (cell) => parseMicros(String(cell))) };
  }
}

function limbs(cells: readonly unknown[], count: number, value: (cell: unknown) => bigint): Int32Array {
  const all = new Int32Array(cells.length * count);
  for (const [i, cell] of cells.entries()) if (!isNone(cell)) setLimbs(all, i * count, count, value(cell));
  return all;
}

function unscaled(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

const uuidBytes = (cell: unknown): Buffer =>
  isNone(cell) ? Buffer.alloc(16) : Buffer.from(String(cell).replaceAll('-', ''), 'hex');
