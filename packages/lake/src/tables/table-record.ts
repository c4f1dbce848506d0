import { isDeepStrictEqual } from 'node:util';
import type { StoredColumn } from '@svc/core/tables';
import type { TableUpdate } from '@svc/iceberg';
import {
  columnsOfFields,
  currentSchema,
  type IcebergSchema,
  type Int64,
  type TableMetadata,
  type TableState,
  tableTotals,
} from '@svc/iceberg';

/** The table property in which engines see a table's description. */
export const COMMENT = 'comment';

/** The size of the current snapshot, as recorded in the table's row. */
export function contentsOf(metadata: TableMetadata) {
  const { rows, bytes, files } = tableTotals(metadata);
  const current: Int64 = metadata['current-snapshot-id'];
  return { snapshotId: current > 0 ? current : null, rowCount: rows, sizeBytes: bytes, fileCount: files };
}

/** The part of a table's row that every commit changes, for `swapTablePointer`. */
export const pointerSwap = (id: string, current: TableState, next: TableState) => ({
  id,
  expected: current.metadataLocation,
  next: next.metadataLocation,
  contents: contentsOf(next.metadata),
});

/** The columns of a schema as recorded in the table's row. */
export function rowColumns(schema: IcebergSchema): StoredColumn[] {
  const identifiers = new Set(schema['identifier-field-ids']);
  return columnsOfFields(schema).map(({ name, type, nullable, description }, i) => ({
    name,
    type,
    nullable: nullable ?? true,
    description: description ?? null,
    ...(identifiers.has(schema.fields[i]!.id) ? { identifier: true as const } : {}),
  }));
}

/**
 * The columns in the table's row after a commit of an engine. A field's doc is its description. A description that only
 * the row has stays with its field, even if the field was renamed.
 */
export function columnsAfter(
  before: TableMetadata | null,
  after: TableMetadata,
  stored: readonly { readonly name: string; readonly description: string | null }[],
): StoredColumn[] {
  const fields = new Map(before === null ? [] : currentSchema(before).fields.map((field) => [field.id, field]));
  const described = new Map(stored.map(({ name, description }) => [name, description]));
  const schema = currentSchema(after);
  return rowColumns(schema).map((column, i) => {
    const former = fields.get(schema.fields[i]!.id);
    const undocumented = column.description === null && former !== undefined && former.doc === undefined;
    return undocumented ? { ...column, description: described.get(former.name) ?? null } : column;
  });
}

/** The description after a commit; undefined if the commit didn't change it. */
export function descriptionAfter(before: TableMetadata | null, after: TableMetadata): string | null | undefined {
  const comment = after.properties[COMMENT] ?? null;
  return comment === (before?.properties[COMMENT] ?? null) ? undefined : comment;
}

/** The updates that copy the columns' descriptions to the docs of the fields; empty if they are the same already. */
export function documentedSchema(
  metadata: TableMetadata,
  columns: readonly { readonly name: string; readonly description: string | null }[],
): TableUpdate[] {
  const docs = new Map(columns.map(({ name, description }) => [name, description]));
  const schema = currentSchema(metadata);
  const fields = schema.fields.map(({ doc, ...field }) => {
    const documented = docs.has(field.name) ? docs.get(field.name) : doc;
    return documented ? { ...field, doc: documented } : field;
  });
  if (isDeepStrictEqual(fields, schema.fields)) return [];
  return [
    { action: 'add-schema', schema: { ...schema, 'schema-id': -1, fields } },
    { action: 'set-current-schema', 'schema-id': -1 },
  ];
}
