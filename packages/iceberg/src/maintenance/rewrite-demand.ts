import { isDeepStrictEqual } from 'node:util';
import type { DataFileRecord } from '../manifests/manifests.ts';
import type { SortField, TableMetadata } from '../metadata/metadata.ts';

/** What every data file of the table should have after compaction. */
export type RewriteDemand = {
  /** Ids of top-level columns that its rows are sorted by, ascending, nulls last; empty: any order. */
  readonly sortedBy: readonly number[];
  /** Ids of columns for which it has bloom filters. */
  readonly filtered: readonly number[];
};

/** The sort order of a demand, as metadata records it. */
export const sortFieldsOf = (columns: readonly number[]): SortField[] =>
  columns.map((id) => ({ transform: 'identity', 'source-id': id, direction: 'asc', 'null-order': 'nulls-last' }));

/** Tests whether a data file lacks something that is demanded. */
export function lacking({ sortedBy, filtered }: RewriteDemand, metadata: TableMetadata) {
  const fields = sortFieldsOf(sortedBy);
  const orders = metadata['sort-orders'].filter((o) => isDeepStrictEqual(o.fields, fields)).map((o) => o['order-id']);
  return (file: DataFileRecord): boolean => {
    if (sortedBy.length > 0 && !orders.includes(file.sort_order_id ?? 0)) return true;
    const has = filteredColumns(file.file_path);
    return filtered.some((id) => !has.includes(id));
  };
}

const MARK = 'bloom';

/**
 * The start of the name of a file with bloom filters for these columns. Manifests don't record filters, and reading the
 * footer of every file would cost a request each, so compaction takes them from the name.
 */
export const filteredPrefix = (columns: readonly number[]): string =>
  columns.length === 0 ? '' : `${[MARK, ...columns].join('_')}_`;

/** The columns for which a file has bloom filters, according to its name. */
function filteredColumns(location: string): number[] {
  const [mark, ...parts] = location.slice(location.lastIndexOf('/') + 1).split('_');
  return mark === MARK ? parts.slice(0, -1).map(Number) : [];
}

/** Whether a file has bloom filters, according to its name. */
export const hasBloomFilters = (location: string): boolean => filteredColumns(location).length > 0;

const ENABLED = 'write.parquet.bloom-filter-enabled.column.';

/** Names of the columns for which the table's properties request bloom filters. */
export const filteredByProperties = ({ properties }: TableMetadata): string[] =>
  Object.entries(properties).flatMap(([key, value]) =>
    key.startsWith(ENABLED) && value.toLowerCase() === 'true' ? [key.slice(ENABLED.length)] : [],
  );
