import { type Data, Type } from 'apache-arrow';
import { arrowJson } from './arrow-json.ts';
import { textVector } from './json-vectors.ts';
import { isScalar, type PgType, type ScalarColumn } from './types.ts';
import type { Vector } from './vector.ts';

/** The vector of a column of a record batch. Nothing is copied, except that nested values become JSON. */
export function arrowVector(data: Data, type: PgType): Vector {
  const { column } = type;
  if (data.offset !== 0) throw new Error('a record batch of a stream starts at its first row');
  const valid = validity(data);
  if (column.kind === 'list' && type.element !== null) {
    return {
      ...{ kind: 'list', valid, offsets: int32s(data.valueOffsets) },
      ...{ element: arrowVector(data.children[0]!, type.element), type },
    };
  }
  if (!isScalar(column)) {
    const json = arrowJson(data, column, scalarVector);
    return textVector(
      'json',
      Array.from({ length: data.length }, (_, row) => nullOr(json(row))),
    );
  }
  return scalarVector(data, column);
}

/** Arrow's types by the kinds of columns that results have; an entry is a list of ids. */
const EXPECTED: Readonly<Record<string, readonly Type[]>> = {
  boolean: [Type.Bool],
  int: [Type.Int, Type.Int32],
  long: [Type.Int, Type.Int64],
  float: [Type.Float, Type.Float32],
  double: [Type.Float, Type.Float64],
  decimal: [Type.Decimal],
  date: [Type.Date, Type.DateDay],
  time: [Type.Time, Type.TimeMicrosecond],
  timestamp: [Type.Timestamp, Type.TimestampMicrosecond],
  timestamptz: [Type.Timestamp, Type.TimestampMicrosecond],
  string: [Type.Utf8],
  uuid: [Type.FixedSizeBinary],
  binary: [Type.Binary],
};

const nullOr = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

function scalarVector(data: Data, column: ScalarColumn): Vector {
  if (!EXPECTED[column.kind]!.includes(data.typeId))
    throw new Error(`a column of the type ${column.kind} has the Arrow type ${String(data.type)}`);
  const [valid, { values }] = [validity(data), data];
  switch (column.kind) {
    case 'boolean':
      return { kind: 'boolean', valid, bits: values };
    case 'int':
    case 'date':
      return { kind: column.kind, valid, values: int32s(values) };
    case 'float':
    case 'double':
      return { kind: column.kind, valid, values };
    case 'decimal':
      return { kind: 'decimal', valid, limbs: int32s(values), scale: column.scale };
    case 'string':
    case 'binary':
      return { kind: column.kind, valid, offsets: int32s(data.valueOffsets), bytes: values };
    case 'uuid':
      return { kind: 'uuid', valid, bytes: values };
    default:
      return { kind: column.kind, valid, limbs: int32s(values) };
  }
}

const validity = ({ nullCount, nullBitmap }: Data): Uint8Array | null =>
  nullCount === 0 || nullBitmap === undefined || nullBitmap.length === 0 ? null : nullBitmap;

const int32s = (values: ArrayBufferView): Int32Array =>
  new Int32Array(values.buffer, values.byteOffset, values.byteLength >> 2);
