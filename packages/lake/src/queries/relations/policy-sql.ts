import type { ColumnType } from '@svc/core/column-types';
import { columnTypeOf, type IcebergField, UnsupportedTableError } from '@svc/iceberg';
import { identifier, joined, type Sql, sql, trustedSql, typeName } from '../sql-text.ts';
import type { Constant } from '../statement/conditions.ts';
import type { PolicyExpression } from '../statement/policy-expression.ts';
import { columnNamed } from './policy-fields.ts';
import type { ColumnMask, Relation, RowFilter } from './relations.ts';

/** A column as seen by policies. */
export type TypedColumn = { readonly name: string; readonly type: ColumnType };

/** The policies of a relation, each parsed as one scalar expression. */
export type ReadPolicies = {
  readonly rowFilters: readonly (RowFilter & Read)[];
  readonly masks: readonly (ColumnMask & Read)[];
};

type Read = { readonly read: PolicyExpression };

export const typedFields = (fields: readonly IcebergField[]): TypedColumn[] =>
  fields.map(({ name, type }) => ({ name, type: columnTypeOf(type) }));

/**
 * Wraps a relation in its row filters and masks. The engine may evaluate the reader's own conditions before the filter,
 * and their errors would reveal hidden rows, so hidden rows have no values at all, whatever the order.
 *
 * @throws UnsupportedTableError for a mask of a view whose column no longer exists
 */
export function policySql(base: Sql, columns: readonly TypedColumn[], { rowFilters, masks }: ReadPolicies): Sql {
  let query = base;
  const names = columns.map(({ name }) => identifier(name));
  if (rowFilters.length > 0) {
    const condition = joined(
      rowFilters.map(({ predicate }) => policyText(predicate)),
      ' AND ',
    );
    const list = names.map((name) => sql`CASE WHEN ${condition} THEN ${name} END AS ${name}`);
    query = sql`SELECT ${joined(list)} FROM (\n${query}\n) WHERE ${condition}`;
  }
  for (const mask of masks) {
    const masked = columnNamed(columns, mask.column)!;
    const list = columns.map((column, i) =>
      column === masked ? sql`${maskText(mask, masked.type)} AS ${names[i]!}` : names[i]!,
    );
    query = sql`SELECT ${joined(list)} FROM (\n${query}\n)`;
  }
  return query;
}

/** A policy has already been parsed as one expression. The line breaks end a trailing comment in it. */
const policyText = (text: string): Sql => sql`(\n${trustedSql(text)}\n)`;

/** NULL or a number takes the column's type. */
function maskText({ expression, read: { literal } }: ReadPolicies['masks'][number], type: ColumnType): Sql {
  const text = policyText(expression);
  return literal === 'null' || (literal !== null && canRepresent(literal, type))
    ? sql`CAST(${text} AS ${typeName(type)})`
    : text;
}

function canRepresent({ text }: Constant, type: ColumnType): boolean {
  const [whole, fraction = ''] = text.replace('-', '').split('.') as [string, string?];
  switch (type.kind) {
    case 'int':
    case 'long':
      return fraction === '' && BigInt.asIntN(type.kind === 'int' ? 32 : 64, BigInt(text)) === BigInt(text);
    case 'float':
    case 'double':
      return true;
    case 'decimal':
      return fraction.length <= type.scale && BigInt(whole) < 10n ** BigInt(type.precision - type.scale);
    default:
      return false;
  }
}

/**
 * Applies the current policies to the rows of an older version. `base` has the current columns under their current
 * names; the result has the version's columns. A column dropped since then would come out unmasked, so it is an error.
 *
 * @throws UnsupportedTableError naming such a column
 */
export function historicalPolicySql(
  base: Sql,
  present: readonly IcebergField[],
  relation: HistoricalRelation,
  policies: ReadPolicies,
): Sql {
  const names = new Map(present.map((f) => [f.id, f.name]));
  const list = relation.fields.map((field) => {
    const now = names.get(field.id);
    if (now === undefined) {
      throw new UnsupportedTableError(
        `A row filter or column mask applies to you on this table, and the requested version has the column "${field.name}", which has since been dropped. Read a later version, or remove AT.`,
      );
    }
    return sql`${identifier(now)} AS ${identifier(field.name)}`;
  });
  return sql`SELECT ${joined(list)} FROM (\n${policySql(base, typedFields(present), policies)}\n)`;
}

type HistoricalRelation = Extract<Relation, { kind: 'managed' }>;
