import { createHash } from 'node:crypto';
import type { IcebergSchema, PartitionField, PartitionSpec, Snapshot } from './metadata.ts';

type Version1Snapshot = Omit<Snapshot, 'sequence-number' | 'summary'> & {
  readonly 'sequence-number'?: number;
  readonly summary?: Snapshot['summary'];
};

type Version1 = {
  readonly 'table-uuid'?: string;
  readonly location?: string;
  readonly schema?: IcebergSchema;
  readonly schemas?: readonly IcebergSchema[];
  readonly 'current-schema-id'?: number;
  readonly 'partition-spec'?: readonly Partial<PartitionField>[];
  readonly 'partition-specs'?: readonly PartitionSpec[];
  readonly 'default-spec-id'?: number;
  readonly 'last-partition-id'?: number;
  readonly snapshots?: readonly Version1Snapshot[];
};

const FIRST_PARTITION_ID = 1000;

/**
 * Converts metadata of format version 1 to version 2 (Iceberg specification, "Table metadata fields", and "Writing
 * data" of version 2): the single schema and spec become lists, sequence numbers are zero.
 */
export function fromVersion1(raw: object): object {
  const { schema, 'partition-spec': fields, ...rest } = raw as Version1;
  const schemaId = rest['current-schema-id'] ?? schema?.['schema-id'] ?? 0;
  const specs = rest['partition-specs'] ?? [{ 'spec-id': 0, fields: (fields ?? []).map(withFieldId) }];
  const ids = specs.flatMap((s) => s.fields.map((f) => f['field-id']));
  return {
    ...rest,
    'format-version': 2,
    // Version 1 may lack a UUID; the same file must always get the same one.
    'table-uuid': rest['table-uuid'] ?? uuidFrom(String(rest.location)),
    schemas: rest.schemas ?? (schema ? [{ ...schema, 'schema-id': schemaId }] : undefined),
    'current-schema-id': schemaId,
    'partition-specs': specs,
    'default-spec-id': rest['default-spec-id'] ?? specs[0]?.['spec-id'] ?? 0,
    'last-partition-id': rest['last-partition-id'] ?? Math.max(FIRST_PARTITION_ID - 1, ...ids),
    'last-sequence-number': 0,
    snapshots: (rest.snapshots ?? []).map((s) => ({
      ...s,
      'sequence-number': s['sequence-number'] ?? 0,
      summary: s.summary ?? { operation: 'append' },
    })),
  };
}

/** Version 1 numbers the fields of its only spec by position. */
function withFieldId(field: Partial<PartitionField>, position: number): PartitionField {
  return { ...(field as PartitionField), 'field-id': field['field-id'] ?? FIRST_PARTITION_ID + position };
}

function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
