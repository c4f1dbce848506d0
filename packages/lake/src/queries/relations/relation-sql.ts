import type { ColumnType } from '@svc/core/column-types';
import { parseColumnType } from '@svc/core/tables';
import { pathOfLocation, UnsupportedTableError } from '@svc/iceberg';
import { identifier, joined, literal, literals, type Sql, sql, typeName } from '../sql-text.ts';
import { isUnskippable, withoutSkipping } from './field-sql.ts';
import { type RelationSql, selectNothing } from './managed-sql.ts';
import type { TypedColumn } from './policy-sql.ts';
import type { ExternalFormat, Relation } from './relations.ts';

type ExternalRelation = Extract<Relation, { kind: 'external' }>;

/** Reads the files of an external table with the columns it was registered with. */
export function externalSql(relation: ExternalRelation): RelationSql {
  const paths = relation.locations.map(externalPath);
  const typed = typedColumns(relation);
  const types = typed.map((c) => [c.name, typeName(c.type)] as const);
  const columns = relation.columns.map((c) => c.name);
  if (paths.length === 0) return { sql: selectNothing(types), paths, columns };
  const list = typed.map(({ name, type }) => {
    const value = sql`CAST(${identifier(name)} AS ${typeName(type)})`;
    return sql`${isUnskippable(type, () => true) ? withoutSkipping(value) : value} AS ${identifier(name)}`;
  });
  const struct = sql`{${joined(types.map(([name, type]) => sql`${literal(name)}: ${literal(type.text)}`))}}`;
  const source = externalSource(relation.format, paths, struct);
  return { sql: sql`SELECT ${joined(list)} FROM ${source}`, paths, columns };
}

/**
 * @param types the columns' types as a struct literal, or null to let the engine detect them
 * @param options further ones of the engine
 */
export function externalSource(
  format: ExternalFormat,
  paths: readonly string[],
  types: Sql | null,
  options: Sql = sql``,
): Sql {
  const files = literals(paths);
  switch (format) {
    case 'parquet':
      return sql`read_parquet(${files}, union_by_name = true${options})`;
    case 'csv':
      return sql`read_csv(${files}, header = true, union_by_name = true${types ? sql`, types = ${types}` : sql``}${options})`;
    case 'ndjson':
      return sql`read_json(${files}, format = 'newline_delimited'${types ? sql`, columns = ${types}` : sql`, union_by_name = true`}${options})`;
  }
}

function externalPath(location: string): string {
  const path = pathOfLocation(location);
  if (path === null) throw new UnsupportedTableError("The location of the external table can't be read.");
  return path;
}

export const typedColumns = ({ columns }: ExternalRelation): TypedColumn[] =>
  columns.map(({ name, type }) => ({ name, type: columnType(type) }));

function columnType(type: string): ColumnType {
  const parsed = parseColumnType(type);
  if (!parsed.ok) throw new UnsupportedTableError(parsed.message);
  return parsed.type;
}
