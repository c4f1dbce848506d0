import { decimalBytes } from '../encoding/decimals.ts';
import type { IcebergStruct, IcebergType, PartitionSpec } from '../metadata/metadata.ts';
import { columnTypeOf } from '../values/field-types.ts';
import { type DataFileRecord, type FieldSummary, partitionNames } from './manifests.ts';
import { type PartitionValue, partitionType, partitionValue } from './partition-values.ts';
import type { AvroSchema } from './write-avro.ts';

/** The manifest list's summaries of the partitions of a manifest's files; null if a field's type is unknown. */
export function fieldSummaries(
  structs: readonly IcebergStruct[],
  spec: PartitionSpec | undefined,
  partition: AvroSchema,
  files: readonly DataFileRecord[],
): FieldSummary[] | null {
  if (!spec) return null;
  const names = partitionNames(partition);
  const summaries: FieldSummary[] = [];
  for (const field of spec.fields) {
    const type = structs.map((s) => partitionType(s, field)).find((t) => t !== null);
    const name = names.get(field['field-id']);
    if (!type || name === undefined) return null;
    summaries.push(
      summaryOf(
        type,
        files.map((f) => partitionValue(type, f.partition[name], field.name)),
      ),
    );
  }
  return summaries;
}

function summaryOf(type: IcebergType, values: readonly PartitionValue[]): FieldSummary {
  let lower: Exclude<PartitionValue, null> | null = null;
  let upper: Exclude<PartitionValue, null> | null = null;
  for (const value of values) {
    if (value === null || Number.isNaN(value)) continue;
    if (lower === null || compare(type, value, lower) < 0) lower = value;
    if (upper === null || compare(type, value, upper) > 0) upper = value;
  }
  return {
    contains_null: values.includes(null),
    contains_nan: ['float', 'double'].includes(columnTypeOf(type).kind) ? values.some((v) => Number.isNaN(v)) : null,
    lower_bound: lower === null ? null : boundBytes(type, lower),
    upper_bound: upper === null ? null : boundBytes(type, upper),
  };
}

function compare(type: IcebergType, a: Exclude<PartitionValue, null>, b: Exclude<PartitionValue, null>): number {
  if (columnTypeOf(type).kind === 'decimal') return unscaled(a) < unscaled(b) ? -1 : unscaled(a) > unscaled(b) ? 1 : 0;
  if (Buffer.isBuffer(a)) return Buffer.compare(a, b as Buffer);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  if (Object.is(a, -0) && Object.is(b, 0)) return -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const unscaled = (value: PartitionValue): bigint => {
  const bytes = value as Buffer;
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`));
};

/** Single-value serialization of a partition value (Iceberg specification, appendix D). */
function boundBytes(type: IcebergType, value: Exclude<PartitionValue, null>): Buffer {
  const { kind } = columnTypeOf(type);
  if (Buffer.isBuffer(value)) return kind === 'decimal' ? decimalBytes(unscaled(value)) : value;
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(['long', 'time', 'timestamp', 'timestamptz', 'double'].includes(kind) ? 8 : 4);
  if (kind === 'double') bytes.writeDoubleLE(Number(value));
  else if (kind === 'float') bytes.writeFloatLE(Number(value));
  else if (bytes.length === 8) bytes.writeBigInt64LE(BigInt(value));
  else bytes.writeInt32LE(Number(value));
  return bytes;
}
