import { createTableMetadata } from '@svc/iceberg';
import type { AvroSchema } from '@svc/iceberg/testing';
import { manifestEntrySchema, manifestListSchema, vectorOf } from '@svc/iceberg/testing';

export type Json = Readonly<Record<string, unknown>>;

const NOW = 1_000_000;
const UUID = '00000000-0000-4000-8000-000000000002';

/** The metadata of a view, without its location. */
export const VIEW = {
  'view-uuid': UUID,
  'format-version': 1,
  'current-version-id': 1,
  versions: [
    {
      'version-id': 1,
      'timestamp-ms': 1,
      'schema-id': 0,
      summary: { engine: 'e' },
      representations: [{ type: 'sql', sql: 'SELECT id FROM fuzz.t', dialect: 'duckdb' }],
      'default-catalog': 'c',
      'default-namespace': ['fuzz'],
    },
  ],
  'version-log': [{ 'version-id': 1, 'timestamp-ms': 1 }],
  schemas: [{ type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'id', required: false, type: 'long' }] }],
  properties: { a: 'b' },
};

/** A table's property, as JSON. */
export const NAME_MAPPING = [
  { 'field-id': 1, names: ['id', 'key'] },
  { 'field-id': 3, names: ['s'], fields: [{ 'field-id': 4, names: ['x'] }] },
];

/**
 * What the engine finds in the footers of the table's files: file, name, field id, number of children, repetition, converted
 * and logical type, the engine's type. The data files lack the column that the table is partitioned by.
 */
export const FOOTER: readonly (readonly (string | null)[])[] = [
  ['duckdb_schema', null, '6', 'REQUIRED', null, null, null],
  ['id', '1', null, 'OPTIONAL', 'INT_64', null, 'BIGINT'],
  ['s', '3', '2', 'OPTIONAL', null, null, null],
  ['x', '4', null, 'OPTIONAL', 'INT_32', null, 'INTEGER'],
  ['l', '5', '1', 'OPTIONAL', 'LIST', 'ListType()', null],
  ['list', null, '1', 'REPEATED', null, null, null],
  ['element', '6', null, 'OPTIONAL', 'UTF8', null, 'VARCHAR'],
  ['m', '7', '1', 'OPTIONAL', 'MAP', null, null],
  ['key_value', null, '2', 'REPEATED', null, null, null],
  ['key', '8', null, 'REQUIRED', 'UTF8', null, 'VARCHAR'],
  ['value', '9', null, 'OPTIONAL', 'UTF8', null, 'VARCHAR'],
  ['r', '10', null, 'REPEATED', 'INT_32', null, 'INTEGER'],
  ['file_path', '2147483546', null, 'OPTIONAL', 'UTF8', null, 'VARCHAR'],
  ['pos', '2147483545', null, 'OPTIONAL', 'INT_64', null, 'BIGINT'],
];

/** Rows of its second data file that the table's deletion vector names. */
export const DELETED = [0, 3];
export const VECTOR = vectorOf(DELETED);
/** Where the vector lies in its file. */
export const VECTOR_OFFSET = 4;

/** The parts of a table's files, before they are written. */
export type FuzzedTable = ReturnType<typeof fuzzedTable>;

/** @param files locations: two data files of 3 and 5 rows, position deletes, equality deletes, deletion vectors */
export function fuzzedTable(
  root: string,
  files: Readonly<Record<'data' | 'more' | 'positions' | 'keys' | 'vectors', string>>,
) {
  const columns = [
    { name: 'id', type: 'long' },
    { name: 'name', type: 'string' },
    { name: 's', type: 'struct<x:int,l:list<string>>' },
  ];
  const made = createTableMetadata({ uuid: UUID, location: root, columns, now: NOW });
  const locations = { list: `${root}/m/list.avro`, data: `${root}/m/data.avro`, deletes: `${root}/m/deletes.avro` };
  const snapshot = {
    'snapshot-id': 7,
    'sequence-number': 2,
    'timestamp-ms': NOW,
    'manifest-list': locations.list,
    summary: { operation: 'append', 'total-records': '3' },
    'schema-id': 0,
    'first-row-id': 0,
    'added-rows': 3,
  };
  const statistics = {
    'snapshot-id': 7,
    'statistics-path': `${root}/m/s.stats`,
    'file-size-in-bytes': 500,
    'file-footer-size-in-bytes': 50,
    'key-metadata': 'a',
    'blob-metadata': [
      {
        type: 'apache-datasketches-theta-v1',
        'snapshot-id': 7,
        'sequence-number': 1,
        fields: [1],
        properties: { ndv: '3' },
      },
    ],
  };
  const metadata = {
    ...made,
    'format-version': 3,
    'next-row-id': 3,
    'last-sequence-number': 2,
    'partition-specs': [
      {
        'spec-id': 0,
        fields: [{ name: 'name', transform: 'identity', 'source-id': 2, 'field-id': 1000 }],
      },
    ],
    'sort-orders': [
      {
        'order-id': 0,
        fields: [{ transform: 'identity', 'source-id': 1, direction: 'asc', 'null-order': 'nulls-first' }],
      },
    ],
    'current-snapshot-id': 7,
    snapshots: [snapshot],
    'snapshot-log': [{ 'timestamp-ms': NOW, 'snapshot-id': 7 }],
    'metadata-log': [{ 'timestamp-ms': NOW, 'metadata-file': `${root}/m/v1.json` }],
    refs: { main: { 'snapshot-id': 7, type: 'branch', 'max-ref-age-ms': 5 } },
    properties: { 'schema.name-mapping.default': JSON.stringify(NAME_MAPPING) },
    statistics: [statistics],
    'partition-statistics': [{ 'snapshot-id': 7, 'statistics-path': `${root}/m/p.parquet`, 'file-size-in-bytes': 5 }],
  };
  const partition = {
    type: 'record',
    name: 'r102',
    fields: [{ name: 'name', type: ['null', 'string'], default: null, 'field-id': 1000 }],
  };
  const entry = (content: number, file_path: string, more: object = {}) => ({
    status: 1,
    snapshot_id: 7n,
    sequence_number: content === 0 ? 1n : 2n,
    file_sequence_number: 1n,
    data_file: {
      content,
      file_path,
      file_format: 'PARQUET',
      partition: { name: 'n' },
      record_count: 3n,
      file_size_in_bytes: 500n,
      column_sizes: [{ key: 1, value: 5n }],
      value_counts: null,
      null_value_counts: [{ key: 1, value: 0n }],
      nan_value_counts: null,
      lower_bounds: [{ key: 1, value: Buffer.alloc(8) }],
      upper_bounds: [{ key: 1, value: Buffer.alloc(8, 1) }],
      key_metadata: null,
      split_offsets: [4n],
      equality_ids: null,
      sort_order_id: 0,
      first_row_id: null,
      referenced_data_file: null,
      content_offset: null,
      content_size_in_bytes: null,
      ...more,
    },
  });
  const manifest = (manifest_path: string, content: number) => ({
    manifest_path,
    manifest_length: 100n,
    partition_spec_id: 0,
    content,
    sequence_number: 2n,
    min_sequence_number: 1n,
    added_snapshot_id: 7n,
    added_files_count: 1,
    existing_files_count: 0,
    deleted_files_count: 0,
    added_rows_count: 3n,
    existing_rows_count: 0n,
    deleted_rows_count: 0n,
    partitions: [{ contains_null: false, contains_nan: null, lower_bound: Buffer.from('n'), upper_bound: null }],
    key_metadata: null,
    first_row_id: content === 0 ? 0n : null,
  });
  const vector = {
    file_format: 'PUFFIN',
    record_count: BigInt(DELETED.length),
    referenced_data_file: files.more,
    content_offset: BigInt(VECTOR_OFFSET),
    content_size_in_bytes: BigInt(VECTOR.length),
  };
  return {
    metadata,
    locations,
    schemas: { list: manifestListSchema(3) as AvroSchema, entry: manifestEntrySchema(partition, 3) as AvroSchema },
    list: [manifest(locations.data, 0), manifest(locations.deletes, 1)],
    data: [entry(0, files.data), entry(0, files.more, { record_count: 5n })],
    deletes: [entry(1, files.positions), entry(2, files.keys, { equality_ids: [1] }), entry(1, files.vectors, vector)],
  };
}
