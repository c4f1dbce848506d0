import type { ColumnType } from '@svc/core/column-types';
import type { Data } from 'apache-arrow';
import { ByteWriter } from './byte-writer.ts';
import { textCells } from './text-cells.ts';
import { isScalar, type ScalarColumn } from './types.ts';
import { isNull, type Vector } from './vector.ts';

type ScalarVector = (data: Data, column: ScalarColumn) => Vector;

/** Reads the value at a row in the JSON form of query results (QUERY-6). */
type JsonAt = (row: number) => unknown;

/** Reads a nested value of Arrow in the JSON form of query results (QUERY-6). */
export function arrowJson(data: Data, column: ColumnType, scalar: ScalarVector): JsonAt {
  const read = isScalar(column) ? scalarJson(scalar(data, column)) : nestedJson(data, column, scalar);
  return (row) => (data.getValid(row) ? read(row) : null);
}

function nestedJson(data: Data, column: Exclude<ColumnType, ScalarColumn>, scalar: ScalarVector): JsonAt {
  if (column.kind === 'struct') {
    const fields = column.fields.map(
      ({ name, type }, i) => [name, arrowJson(data.children[i]!, type, scalar)] as const,
    );
    return (row) => Object.fromEntries(fields.map(([name, at]) => [name, at(row)]));
  }
  const offsets = data.valueOffsets as Int32Array;
  const list = (at: JsonAt) => (row: number) =>
    Array.from({ length: offsets[row + 1]! - offsets[row]! }, (_, i) => at(offsets[row]! + i));
  if (column.kind === 'list') return list(arrowJson(data.children[0]!, column.element, scalar));
  const [keys, values] = data.children[0]!.children;
  const key = arrowJson(keys!, column.key, scalar);
  const value = arrowJson(values!, column.value, scalar);
  const pairs = list((row) => [key(row), value(row)]);
  return column.key.kind === 'string' ? (row) => Object.fromEntries(pairs(row) as [string, unknown][]) : pairs;
}

function scalarJson(vector: Vector): JsonAt {
  if (vector.kind === 'int') return (row) => vector.values[row]!;
  if (vector.kind === 'float' || vector.kind === 'double') {
    return (row) => (Number.isFinite(vector.values[row]!) ? vector.values[row]! : String(vector.values[row]));
  }
  if (vector.kind === 'binary') {
    const { bytes, offsets } = vector;
    return (row) => Buffer.from(bytes.subarray(offsets[row]!, offsets[row + 1]!)).toString('base64');
  }
  const out = new ByteWriter();
  const write = textCells(vector);
  const form = formOf(vector);
  return (row) => {
    if (isNull(vector, row)) return null;
    out.at = 0;
    write(out, row);
    return form(out.written().toString('utf8'));
  };
}

function formOf({ kind }: Vector): (text: string) => unknown {
  switch (kind) {
    case 'boolean':
      return (text) => text === 't';
    case 'long':
      return (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
    case 'date':
      return (text) => text.replace(' BC', ' (BC)');
    case 'timestamp':
    case 'timestamptz':
      return isoTimestamp;
    default:
      return (text) => text;
  }
}

/** ISO 8601 with three or six decimals of the second. */
function isoTimestamp(text: string): string {
  const match = /^(\d+-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(\+00)?( BC)?$/.exec(text);
  if (match === null) return text;
  const [, date, time, fraction = '', zone, era] = match;
  const digits = fraction === '' ? '' : `.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}`;
  return `${date}${era === undefined ? '' : ' (BC)'}T${time}${digits}${zone === undefined ? '' : 'Z'}`;
}
