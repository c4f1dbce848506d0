import { trimEnd } from '@svc/core/contract';
import type { TableMetadata } from '../metadata/metadata.ts';
import { type Column, fieldsOfColumns } from '../values/field-types.ts';
import { identifierFieldIds } from './identifier-fields.ts';

/**
 * The metadata of a new, empty table.
 *
 * @param now milliseconds since 1970
 * @throws UnsupportedTableError for an unknown column type
 * @throws SchemaChangeError for identifier fields that Iceberg doesn't allow
 */
export function createTableMetadata(options: {
  readonly uuid: string;
  readonly location: string;
  readonly columns: readonly Column[];
  /** Names of the columns that identify a row. */
  readonly identifierFields?: readonly string[] | undefined;
  readonly now: number;
  readonly properties?: Readonly<Record<string, string>>;
}): TableMetadata {
  const { fields, lastColumnId } = fieldsOfColumns(options.columns);
  const identifiers = identifierFieldIds(fields, options.identifierFields ?? []);
  const identified = identifiers.length === 0 ? {} : { 'identifier-field-ids': identifiers };
  return {
    'format-version': 2,
    'table-uuid': options.uuid,
    location: trimEnd(options.location, '/'),
    'last-sequence-number': 0,
    'last-updated-ms': options.now,
    'last-column-id': lastColumnId,
    schemas: [{ type: 'struct', 'schema-id': 0, fields, ...identified }],
    'current-schema-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'default-spec-id': 0,
    'last-partition-id': 999,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    'default-sort-order-id': 0,
    properties: { 'write.parquet.compression-codec': 'zstd', ...options.properties },
    'current-snapshot-id': -1,
    snapshots: [],
    'snapshot-log': [],
    'metadata-log': [],
    refs: {},
  };
}
