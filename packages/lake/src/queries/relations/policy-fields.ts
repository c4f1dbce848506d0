import type { IcebergField, IcebergStruct, IcebergType } from '@svc/iceberg';
import type { PolicyExpression } from '../statement/policy-expression.ts';
import type { PolicyField } from './relations.ts';

/** The engine folds case for ASCII letters only. */
const nameKey = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The column to which the engine resolves a name. */
export function columnNamed<C extends { readonly name: string }>(columns: readonly C[], name: string): C | undefined {
  return columns.find((c) => c.name === name) ?? columns.find((c) => nameKey(c.name) === nameKey(name));
}

type Table = {
  /** The table's current fields. */
  readonly fields: readonly IcebergField[];
  /** Every schema that the table's metadata lists. */
  readonly schemas: readonly IcebergStruct[];
};

type Policy = {
  /** The masked column; null for a row filter. */
  readonly column: string | null;
  readonly expression: PolicyExpression;
  /** The fields it was made for, or null if they aren't known yet. */
  readonly fields: readonly PolicyField[] | null;
};

/** The fields that a policy applies to, or the column that no longer matches and the reason. */
export type FieldBinding =
  | { readonly ok: true; readonly fields: readonly PolicyField[] }
  | { readonly ok: false; readonly column: string; readonly reason: string };

/**
 * Resolves a policy's names to fields, which must be the ones it was made for: a writer can rename a column and add
 * another one under its name. A policy without stored fields is bound to the fields that have its names now, unless
 * another column of the table had one of the names before.
 */
export function bindFields(table: Table, policy: Policy): FieldBinding {
  const { column, expression, fields: stored } = policy;
  const wanted = [...(column === null ? [] : [column]), ...expression.columns];
  for (const name of stored === null ? wanted : []) {
    const now = columnNamed(table.fields, name);
    if (now === undefined) return parted(name, 'the table has no column of that name');
    const formerIds = new Set(table.schemas.map((schema) => columnNamed(schema.fields, name)?.id));
    const renamed = table.fields.find(({ id }) => id !== now.id && formerIds.has(id));
    if (renamed) return parted(name, `the column may have been renamed to "${renamed.name}"`);
  }
  const named = [...wanted, ...expression.possibleNames].map((name) => columnNamed(table.fields, name));
  const found = [...new Set(named.filter((field) => field !== undefined))];
  const fields = found.flatMap((field) => fieldsBelow(field.type, [field.name], field.id));
  if (stored === null) return { ok: true, fields };
  const idNow = idsByPath({ type: 'struct', fields: table.fields });
  for (const { path, id } of stored) {
    const now = idNow.get(pathKey(path));
    if (now === id) continue;
    const reason =
      now === undefined
        ? 'the table no longer has a column of that name'
        : 'that name now belongs to a different column';
    return parted(path.join('.'), reason);
  }
  // A name that didn't match a column, such as current_date, may match one now.
  const known = new Set(stored.map(({ id }) => id));
  const added = found.find((field) => !known.has(field.id));
  return added === undefined ? { ok: true, fields: stored } : parted(added.name, 'the column is newer than the policy');
}

const parted = (column: string, reason: string): FieldBinding => ({ ok: false, column, reason });

/** A column and its nested fields, whose names an expression may use as well. */
function fieldsBelow(type: IcebergType, path: readonly string[], id: number): PolicyField[] {
  const self = { path, id };
  if (typeof type === 'string') return [self];
  const below = (name: string, inner: IcebergType, innerId: number) => fieldsBelow(inner, [...path, name], innerId);
  switch (type.type) {
    case 'struct':
      return [self, ...type.fields.flatMap((field) => below(field.name, field.type, field.id))];
    case 'list':
      return [self, ...below('element', type.element, type['element-id'])];
    case 'map':
      return [self, ...below('key', type.key, type['key-id']), ...below('value', type.value, type['value-id'])];
  }
}

const pathKey = (path: readonly string[]): string => JSON.stringify(path);

function idsByPath(struct: IcebergStruct): Map<string, number> {
  const all = struct.fields.flatMap((field) => fieldsBelow(field.type, [field.name], field.id));
  return new Map(all.map(({ path, id }) => [pathKey(path), id]));
}
