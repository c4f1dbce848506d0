import {
  ANY_LONG,
  BOOLEAN,
  BYTES,
  between,
  COUNT,
  LONG_COUNT,
  list,
  optional,
  record,
  required,
  type Shape,
  text,
} from './avro-shapes.ts';

/** Maximum characters of a location: a bucket's keys have 1,024 bytes, paths of a file system 4,096. */
const LOCATION = text(8192);

const keyed = (keyId: number, valueId: number, value: Shape): Shape =>
  list(record(required(keyId, 'key', between(-(2 ** 31), 2 ** 31 - 1)), required(valueId, 'value', value)));

/** A data or delete file (Iceberg specification, "Manifests"). */
const DATA_FILE = record(
  optional(134, 'content', between(0, 2), 0),
  required(100, 'file_path', LOCATION),
  required(101, 'file_format', text(16)),
  required(102, 'partition', { is: 'tuple' }),
  required(103, 'record_count', LONG_COUNT),
  required(104, 'file_size_in_bytes', LONG_COUNT),
  optional(108, 'column_sizes', keyed(117, 118, LONG_COUNT)),
  optional(109, 'value_counts', keyed(119, 120, LONG_COUNT)),
  optional(110, 'null_value_counts', keyed(121, 122, LONG_COUNT)),
  optional(137, 'nan_value_counts', keyed(138, 139, LONG_COUNT)),
  optional(125, 'lower_bounds', keyed(126, 127, BYTES)),
  optional(128, 'upper_bounds', keyed(129, 130, BYTES)),
  optional(131, 'key_metadata', BYTES),
  optional(132, 'split_offsets', list(LONG_COUNT)),
  optional(135, 'equality_ids', list(between(1, 2 ** 31 - 1))),
  optional(140, 'sort_order_id', COUNT),
  optional(142, 'first_row_id', LONG_COUNT),
  optional(143, 'referenced_data_file', LOCATION),
  optional(144, 'content_offset', LONG_COUNT),
  optional(145, 'content_size_in_bytes', LONG_COUNT),
);

export const MANIFEST_ENTRY = record(
  required(0, 'status', between(0, 2)),
  optional(1, 'snapshot_id', ANY_LONG),
  optional(3, 'sequence_number', LONG_COUNT),
  optional(4, 'file_sequence_number', LONG_COUNT),
  required(2, 'data_file', DATA_FILE),
);

/** A manifest in a manifest list (Iceberg specification, "Manifest lists"); version 1 omits some fields. */
export const MANIFEST_FILE = record(
  required(500, 'manifest_path', LOCATION),
  required(501, 'manifest_length', LONG_COUNT),
  required(502, 'partition_spec_id', COUNT),
  optional(517, 'content', between(0, 1), 0),
  optional(515, 'sequence_number', LONG_COUNT, 0n),
  optional(516, 'min_sequence_number', LONG_COUNT, 0n),
  optional(503, 'added_snapshot_id', ANY_LONG, 0n),
  optional(504, 'added_files_count', COUNT),
  optional(505, 'existing_files_count', COUNT),
  optional(506, 'deleted_files_count', COUNT),
  optional(512, 'added_rows_count', LONG_COUNT),
  optional(513, 'existing_rows_count', LONG_COUNT),
  optional(514, 'deleted_rows_count', LONG_COUNT),
  optional(
    507,
    'partitions',
    list(
      record(
        required(509, 'contains_null', BOOLEAN),
        optional(518, 'contains_nan', BOOLEAN),
        optional(510, 'lower_bound', BYTES),
        optional(511, 'upper_bound', BYTES),
      ),
    ),
  ),
  optional(519, 'key_metadata', BYTES),
  optional(520, 'first_row_id', LONG_COUNT),
);
