import type { AvroSchema } from './write-avro.ts';

const field = (id: number, name: string, type: unknown) => ({ name, type, 'field-id': id });
const optional = (id: number, name: string, type: unknown) => ({
  name,
  type: ['null', type],
  default: null,
  'field-id': id,
});
/** Iceberg writes maps with integer keys as arrays of key-value records. */
const map = (keyId: number, valueId: number, value: string) => ({
  type: 'array',
  logicalType: 'map',
  items: {
    type: 'record',
    name: `k${keyId}_v${valueId}`,
    fields: [field(keyId, 'key', 'int'), field(valueId, 'value', value)],
  },
});
const list = (id: number, element: unknown) => ({ type: 'array', items: element, 'element-id': id });

/** Manifest entries; `partition` is the record schema of the spec that the files were written with. */
export function manifestEntrySchema(partition: AvroSchema, version: 2 | 3): AvroSchema {
  const dataFile = {
    type: 'record',
    name: 'r2',
    fields: [
      field(134, 'content', 'int'),
      field(100, 'file_path', 'string'),
      field(101, 'file_format', 'string'),
      field(102, 'partition', partition),
      field(103, 'record_count', 'long'),
      field(104, 'file_size_in_bytes', 'long'),
      optional(108, 'column_sizes', map(117, 118, 'long')),
      optional(109, 'value_counts', map(119, 120, 'long')),
      optional(110, 'null_value_counts', map(121, 122, 'long')),
      optional(137, 'nan_value_counts', map(138, 139, 'long')),
      optional(125, 'lower_bounds', map(126, 127, 'bytes')),
      optional(128, 'upper_bounds', map(129, 130, 'bytes')),
      optional(131, 'key_metadata', 'bytes'),
      optional(132, 'split_offsets', list(133, 'long')),
      optional(135, 'equality_ids', list(136, 'int')),
      optional(140, 'sort_order_id', 'int'),
      ...(version === 3 ? [optional(142, 'first_row_id', 'long')] : []),
      optional(143, 'referenced_data_file', 'string'),
      ...(version === 3
        ? [optional(144, 'content_offset', 'long'), optional(145, 'content_size_in_bytes', 'long')]
        : []),
    ],
  };
  return {
    type: 'record',
    name: 'manifest_entry',
    fields: [
      field(0, 'status', 'int'),
      optional(1, 'snapshot_id', 'long'),
      optional(3, 'sequence_number', 'long'),
      optional(4, 'file_sequence_number', 'long'),
      field(2, 'data_file', dataFile),
    ],
  };
}

export const manifestListSchema = (version: 2 | 3): AvroSchema => ({
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
    optional(
      507,
      'partitions',
      list(508, {
        type: 'record',
        name: 'r508',
        fields: [
          field(509, 'contains_null', 'boolean'),
          optional(518, 'contains_nan', 'boolean'),
          optional(510, 'lower_bound', 'bytes'),
          optional(511, 'upper_bound', 'bytes'),
        ],
      }),
    ),
    optional(519, 'key_metadata', 'bytes'),
    ...(version === 3 ? [optional(520, 'first_row_id', 'long')] : []),
  ],
});
