import { UnsupportedTableError } from '../errors/table-errors.ts';
/** Iceberg table metadata, format versions 2 and 3, in the JSON spelling of the Iceberg specification. */

/** A 64-bit id: a number if exactly representable, otherwise a bigint. The service's own ids are always numbers. */
export type Int64 = number | bigint;

export type IcebergPrimitive = string;

export type IcebergStruct = {
  readonly type: 'struct';
  readonly fields: readonly IcebergField[];
};

export type IcebergType =
  | IcebergPrimitive
  | IcebergStruct
  | {
      readonly type: 'list';
      readonly 'element-id': number;
      readonly element: IcebergType;
      readonly 'element-required': boolean;
    }
  | {
      readonly type: 'map';
      readonly 'key-id': number;
      readonly key: IcebergType;
      readonly 'value-id': number;
      readonly value: IcebergType;
      readonly 'value-required': boolean;
    };

export type IcebergField = {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: IcebergType;
  readonly doc?: string;
  /** Format version 3: the value of rows written before the column was added, in JSON single-value form. */
  readonly 'initial-default'?: unknown;
  /** Format version 3: the value written if a writer omits the field. */
  readonly 'write-default'?: unknown;
};

export type IcebergSchema = IcebergStruct & {
  readonly 'schema-id': number;
  readonly 'identifier-field-ids'?: readonly number[];
};

export type PartitionField = {
  readonly name: string;
  readonly transform: string;
  readonly 'source-id': number;
  readonly 'field-id': number;
};
export type PartitionSpec = { readonly 'spec-id': number; readonly fields: readonly PartitionField[] };

export type SortField = {
  readonly transform: string;
  readonly 'source-id': number;
  readonly direction: 'asc' | 'desc';
  readonly 'null-order': 'nulls-first' | 'nulls-last';
};
export type SortOrder = { readonly 'order-id': number; readonly fields: readonly SortField[] };

export type Snapshot = {
  readonly 'snapshot-id': Int64;
  readonly 'parent-snapshot-id'?: Int64;
  readonly 'sequence-number': number;
  readonly 'timestamp-ms': number;
  /** Absent where `manifests` is used instead. */
  readonly 'manifest-list'?: string;
  /** From old writers of format version 1, instead of a manifest list. */
  readonly manifests?: readonly string[];
  /** Format version 3: row lineage. */
  readonly 'first-row-id'?: Int64;
  readonly 'added-rows'?: Int64;
  readonly 'key-id'?: string;
  readonly summary: { readonly operation: string } & Readonly<Record<string, string>>;
  readonly 'schema-id'?: number;
};

export type SnapshotRef = {
  readonly 'snapshot-id': Int64;
  readonly type: 'branch' | 'tag';
  readonly 'min-snapshots-to-keep'?: number;
  readonly 'max-snapshot-age-ms'?: number;
  readonly 'max-ref-age-ms'?: number;
};

export type StatisticsFile = {
  readonly 'snapshot-id': Int64;
  readonly 'statistics-path': string;
} & Readonly<Record<string, unknown>>;

export type TableMetadata = {
  readonly 'format-version': 2 | 3;
  readonly 'table-uuid': string;
  readonly location: string;
  readonly 'last-sequence-number': number;
  readonly 'last-updated-ms': number;
  readonly 'last-column-id': number;
  readonly schemas: readonly IcebergSchema[];
  readonly 'current-schema-id': number;
  readonly 'partition-specs': readonly PartitionSpec[];
  readonly 'default-spec-id': number;
  readonly 'last-partition-id': number;
  readonly 'sort-orders': readonly SortOrder[];
  readonly 'default-sort-order-id': number;
  readonly properties: Readonly<Record<string, string>>;
  readonly 'current-snapshot-id': Int64;
  readonly snapshots: readonly Snapshot[];
  readonly 'snapshot-log': readonly { readonly 'timestamp-ms': number; readonly 'snapshot-id': Int64 }[];
  readonly 'metadata-log': readonly { readonly 'timestamp-ms': number; readonly 'metadata-file': string }[];
  readonly refs: Readonly<Record<string, SnapshotRef>>;
  /** Format version 3: the id of the next row. */
  readonly 'next-row-id'?: Int64;
  /** Format version 3: wrapped keys of encrypted files. */
  readonly 'encryption-keys'?: readonly Readonly<Record<string, unknown>>[];
  readonly statistics?: readonly StatisticsFile[];
  readonly 'partition-statistics'?: readonly StatisticsFile[];
};

/** The version that the catalog's pointer names. */
export type TableState = { readonly metadataLocation: string; readonly metadata: TableMetadata };

export function currentSchema(metadata: TableMetadata): IcebergSchema {
  return schemaById(metadata, metadata['current-schema-id']);
}

export function schemaById(metadata: TableMetadata, id: number): IcebergSchema {
  const schema = metadata.schemas.find((s) => s['schema-id'] === id);
  if (!schema) throw new UnsupportedTableError(`The table's metadata refers to schema ${id}, but doesn't contain it.`);
  return schema;
}

export function snapshotById(metadata: TableMetadata, id: Int64): Snapshot | null {
  return metadata.snapshots.find((s) => s['snapshot-id'] === id) ?? null;
}

/** The snapshot of a branch or tag, where `main` is the current one; null if it doesn't exist. */
export function snapshotOfRef(metadata: TableMetadata, ref: string): Snapshot | null {
  const id = ref === 'main' ? metadata['current-snapshot-id'] : metadata.refs[ref]?.['snapshot-id'];
  return id === undefined || id === -1 ? null : snapshotById(metadata, id);
}

/** A snapshot id between 0 and 2^53 (exclusive), made from eight random bytes. */
export function snapshotIdFrom(random: Uint8Array): number {
  const value = Buffer.from(random.buffer, random.byteOffset, 8).readBigUInt64LE();
  return Number(BigInt.asUintN(53, value)) || 1;
}

export type SnapshotEntry = {
  readonly id: Int64;
  readonly parentId: Int64 | null;
  /** Milliseconds since 1970. */
  readonly committedAt: number;
  readonly operation: string;
  readonly summary: Readonly<Record<string, string>>;
  /** The branches and tags that point to it. */
  readonly refs: readonly string[];
  readonly current: boolean;
};

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether a number is milliseconds since 1970 within the range of dates. */
export const isMoment = (ms: unknown): ms is number =>
  Number.isSafeInteger(ms) && Number(ms) >= 0 && Number(ms) <= LAST_MS;

/** Every snapshot, newest first. Invalid times that other engines wrote into a registered table become 1970. */
export function listSnapshots(metadata: TableMetadata): SnapshotEntry[] {
  return metadata.snapshots
    .map((s) => ({
      id: s['snapshot-id'],
      parentId: s['parent-snapshot-id'] ?? null,
      committedAt: isMoment(s['timestamp-ms']) ? s['timestamp-ms'] : 0,
      operation: s.summary.operation,
      summary: Object.fromEntries(Object.entries(s.summary).map(([key, value]) => [key, String(value)])),
      refs: Object.keys(metadata.refs).filter((name) => metadata.refs[name]?.['snapshot-id'] === s['snapshot-id']),
      current: s['snapshot-id'] === metadata['current-snapshot-id'],
      sequence: s['sequence-number'],
    }))
    .sort((a, b) => b.sequence - a.sequence)
    .map(({ sequence: _, ...entry }) => entry);
}

/** Rows, bytes and files of the current snapshot according to its summary (zero for an empty table). */
export function tableTotals(metadata: TableMetadata): { rows: number; bytes: number; files: number } {
  const summary = snapshotOfRef(metadata, 'main')?.summary;
  const total = (key: string) => {
    const recorded = Number(summary?.[key] ?? 0);
    return Number.isSafeInteger(recorded) && recorded >= 0 ? recorded : 0;
  };
  // Deleted positions remain in the data files until the next compaction.
  const rows = Math.max(0, total('total-records') - total('total-position-deletes'));
  return { rows, bytes: total('total-files-size'), files: total('total-data-files') };
}
