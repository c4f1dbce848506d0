import type { DataFileRecord } from '../manifests/manifests.ts';
import type { IcebergField, TableMetadata } from '../metadata/metadata.ts';

/**
 * Field ids that the Iceberg specification reserves for values that a row retains through every rewrite (format version
 * 3).
 */
const ROW_ID = 2_147_483_540;
const LAST_UPDATED = 2_147_483_539;

/** The lineage columns in rewritten files. */
export const LINEAGE: readonly IcebergField[] = [
  { id: ROW_ID, name: '_row_id', required: false, type: 'long' },
  { id: LAST_UPDATED, name: '_last_updated_sequence_number', required: false, type: 'long' },
];

export const isRowId = (field: IcebergField): boolean => field.id === ROW_ID;
export const isLineage = (field: IcebergField): boolean => field.id === ROW_ID || field.id === LAST_UPDATED;

/** The columns that a rewrite includes in addition to the table's own. */
export function lineageOf(metadata: TableMetadata): readonly IcebergField[] {
  return metadata['format-version'] >= 3 ? LINEAGE : [];
}

/** The record of a file without statistics of these columns, which aren't columns of the table. */
export function withoutLineage(file: DataFileRecord): DataFileRecord {
  const own = <T extends { readonly key: number }>(list: readonly T[] | null) =>
    list?.filter(({ key }) => key !== ROW_ID && key !== LAST_UPDATED) ?? null;
  return {
    ...file,
    column_sizes: own(file.column_sizes),
    value_counts: own(file.value_counts),
    null_value_counts: own(file.null_value_counts),
    nan_value_counts: own(file.nan_value_counts),
    lower_bounds: own(file.lower_bounds),
    upper_bounds: own(file.upper_bounds),
  };
}
