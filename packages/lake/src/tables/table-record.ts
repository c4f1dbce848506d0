import { isDeepStrictEqual } from 'node:util';
import type { Column } from '@svc/core/tables';
import { currentSchema, type IcebergSchema, type Int64, type TableMetadata, tableTotals } from './metadata/metadata.ts';
import type { TableUpdate } from './updates/draft.ts';
import { columnsOfFields } from './values/field-types.ts';

/** The property that a table's description is to engines. */
export const COMMENT = 'comment';

/** What the current snapshot holds, as the table's row shows it. */
export function contentsOf(metadata: TableMetadata) {
  const { rows, bytes, files } = tableTotals(metadata);
  const current: Int64 = metadata['current-snapshot-id'];
  return { snapshotId: current > 0 ? current : null, rowCount: rows, sizeBytes: bytes, fileCount: files };
}

/** The columns of a schema as a row holds them. */
export function rowColumns(schema: IcebergSchema): Column[] {
  return columnsOfFields(schema).map(({ name, type, nullable, description }) => ({
    name,
    type,
    nullable: nullable ?? true,
    description: description ?? null,
  }));
}

/**
 * The columns as the row shows them after a commit of an engine: a field's doc is its description. What only the row
 * described stays with its field, whatever that is called now.
 */
export function columnsAfter(
  before: TableMetadata | null,
  after: TableMetadata,
  held: readonly { readonly name: string; readonly description: string | null }[],
): Column[] {
  const fields = new Map(before === null ? [] : currentSchema(before).fields.map((field) => [field.id, field]));
  const described = new Map(held.map(({ name, description }) => [name, description]));
  const schema = currentSchema(after);
  return rowColumns(schema).map((column, i) => {
    const was = fields.get(schema.fields[i]!.id);
    const undocumented = column.description === null && was !== undefined && was.doc === undefined;
    return undocumented ? { ...column, description: described.get(was.name) ?? null } : column;
  });
}

/** The description after a commit: undefined when the commit left it alone. */
export function descriptionAfter(before: TableMetadata | null, after: TableMetadata): string | null | undefined {
  const given = after.properties[COMMENT] ?? null;
  return given === (before?.properties[COMMENT] ?? null) ? undefined : given;
}

/** The updates that give the fields these columns' descriptions as docs; none when they have them. */
export function documentedSchema(
  metadata: TableMetadata,
  columns: readonly { readonly name: string; readonly description: string | null }[],
): TableUpdate[] {
  const docs = new Map(columns.map(({ name, description }) => [name, description]));
  const schema = currentSchema(metadata);
  const fields = schema.fields.map(({ doc, ...field }) => {
    const told = docs.has(field.name) ? docs.get(field.name) : doc;
    return told ? { ...field, doc: told } : field;
  });
  if (isDeepStrictEqual(fields, schema.fields)) return [];
  return [
    { action: 'add-schema', schema: { ...schema, 'schema-id': -1, fields } },
    { action: 'set-current-schema', 'schema-id': -1 },
  ];
}
