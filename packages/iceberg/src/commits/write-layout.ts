import { UnsupportedTableError } from '../errors/table-errors.ts';
import { avroName } from '../manifests/partition-values.ts';
import { fieldPath } from '../metadata/find-field.ts';
import type { IcebergField, IcebergType, TableMetadata } from '../metadata/metadata.ts';
import { knownTransform, parseTransform, resultType, type Transform } from '../values/transforms.ts';

/** A field of the partition tuple: the path of its source column, through structs, and its transform. */
export type PartitionColumn = {
  readonly name: string;
  readonly source: readonly IcebergField[];
  readonly transform: Transform;
  readonly type: IcebergType;
};

export type SortColumn = {
  readonly source: readonly IcebergField[];
  readonly transform: Transform;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
};

/** The layout of a table's new files: each contains one partition, in a given order. */
export type WriteLayout = {
  readonly specId: number;
  readonly partition: readonly PartitionColumn[];
  readonly sortOrderId: number;
  readonly sort: readonly SortColumn[];
};

/**
 * The layout for new rows with these fields: the table's default spec and sort order.
 *
 * @throws UnsupportedTableError if the spec's transform is unknown or its column isn't among the fields
 */
export function writeLayout(metadata: TableMetadata, fields: readonly IcebergField[]): WriteLayout {
  const spec = metadata['partition-specs'].find((s) => s['spec-id'] === metadata['default-spec-id']);
  if (!spec) throw new UnsupportedTableError("The table's metadata doesn't contain its default partition spec.");
  const partition = spec.fields.map((field): PartitionColumn => {
    const transform = knownTransform(field.transform);
    const name = avroName(field.name);
    const source = fieldPath({ type: 'struct', fields }, field['source-id']);
    if (transform.kind === 'void')
      return { name, source: source ?? [], transform, type: source?.at(-1)?.type ?? 'int' };
    if (!source) {
      throw new UnsupportedTableError(
        `The table is partitioned by "${field.name}", but the new rows lack its source column or have it with a different type.`,
      );
    }
    return { name, source, transform, type: resultType(transform, source.at(-1)!.type) };
  });
  return { specId: spec['spec-id'], partition, ...sortOf(metadata, fields) };
}

/** A sort order with an unknown transform or column counts as unsorted, and the files record that. */
function sortOf(metadata: TableMetadata, fields: readonly IcebergField[]): Pick<WriteLayout, 'sortOrderId' | 'sort'> {
  const order = metadata['sort-orders'].find((o) => o['order-id'] === metadata['default-sort-order-id']);
  const sort = (order?.fields ?? []).map((field) => {
    const transform = parseTransform(field.transform);
    const source = fieldPath({ type: 'struct', fields }, field['source-id']);
    const [descending, nullsFirst] = [field.direction === 'desc', field['null-order'] === 'nulls-first'];
    return transform && source ? { source, transform, descending, nullsFirst } : null;
  });
  const known = sort.filter((s) => s !== null);
  return known.length === sort.length && order
    ? { sortOrderId: order['order-id'], sort: known }
    : { sortOrderId: 0, sort: [] };
}

/**
 * The layout with rows sorted by top-level columns, ascending, nulls last, regardless of the table's own order. Its files
 * claim no order: `prepareRewrite` adds the one of the demand.
 */
export const sortedLayout = (layout: WriteLayout, columns: readonly IcebergField[]): WriteLayout => ({
  ...layout,
  sortOrderId: 0,
  sort: columns.map((field) => ({
    source: [field],
    transform: { kind: 'identity' },
    descending: false,
    nullsFirst: false,
  })),
});
