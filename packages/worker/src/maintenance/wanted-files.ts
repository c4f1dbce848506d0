import { type ColumnOption, chooseColumns } from '@svc/core/maintenance';
import type { StoredMaintenance } from '@svc/db/maintenance';
import {
  columnsOfFields,
  currentSchema,
  filteredByProperties,
  type IcebergField,
  type RewriteDemand,
  type TableMetadata,
  UnsupportedTableError,
} from '@svc/iceberg';

/** Maximum bytes of data files that one maintenance rewrites; the next one handles the rest. */
const MAX_BYTES = 8 * 1024 ** 3;
/** The same for sorting, which spills its rows to disk, and for bloom filters, which take three times as long to write. */
const MAX_COSTLY_BYTES = 2 * 1024 ** 3;

/** How compaction writes files, and which ones. */
export interface WantedFiles {
  /** Columns that override the table's sort order. */
  readonly sorted: readonly IcebergField[];
  /** Ids of the columns with bloom filters. */
  readonly filtered: readonly number[];
  readonly demand: RewriteDemand;
  readonly maxBytes: number;
}

/** @throws UnsupportedTableError if a column was dropped, renamed or changed since the request */
export function wantedFiles(row: StoredMaintenance, metadata: TableMetadata): WantedFiles {
  const sorted = fieldsOf('sort_by', row, metadata);
  const requested = fieldsOf('bloom_filters', row, metadata).map(({ id }) => id);
  const filtered = [...new Set([...requested, ...filteredByTable(metadata)])];
  return {
    sorted,
    filtered,
    // A property of the table applies to files that are written anyway.
    demand: { sortedBy: sorted.map(({ id }) => id), filtered: requested },
    maxBytes: sorted.length > 0 || filtered.length > 0 ? MAX_COSTLY_BYTES : MAX_BYTES,
  };
}

function fieldsOf(option: ColumnOption, row: StoredMaintenance, metadata: TableMetadata): IcebergField[] {
  const schema = currentSchema(metadata);
  const chosen = chooseColumns(option, row[option], columnsOfFields(schema));
  if (!chosen.ok)
    throw new UnsupportedTableError(
      `${option}: ${chosen.message}. The table's columns changed after the request. Start the maintenance again with the new names.`,
    );
  return chosen.names.map((name) => schema.fields.find((field) => field.name === name)!);
}

/** Columns whose bloom filters the table's properties request; properties of other columns have no effect. */
function filteredByTable(metadata: TableMetadata): number[] {
  const schema = currentSchema(metadata);
  const columns = columnsOfFields(schema);
  return filteredByProperties(metadata).flatMap((name) => {
    const field = schema.fields.find((f) => f.name === name);
    return field && chooseColumns('bloom_filters', [name], columns).ok ? [field.id] : [];
  });
}
