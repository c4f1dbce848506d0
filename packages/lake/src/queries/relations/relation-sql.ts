import { parseColumnType } from '@svc/core/tables';
import { pathOfLocation } from '../../storage/index.ts';
import { type IcebergField, UnsupportedTableError } from '../../tables/index.ts';
import { QueryRefused } from '../query-errors.ts';
import { identifier, joined, literal, literals, type Sql, sql, trustedSql, typeName } from '../sql-text.ts';
import { type RelationSql, selectNothing } from './managed-sql.ts';
import type { ExternalFormat, Relation } from './relations.ts';

type ExternalRelation = Extract<Relation, { kind: 'external' }>;

/** Reads the files of an external table with the columns it was registered with. */
export function externalSql(relation: ExternalRelation): RelationSql {
  const paths = relation.locations.map(externalPath);
  const types = relation.columns.map((c) => [c.name, engineType(c.type)] as const);
  const columns = relation.columns.map((c) => c.name);
  if (paths.length === 0) return { sql: selectNothing(types), paths, columns };
  const list = types.map(([name, type]) => sql`CAST(${identifier(name)} AS ${type}) AS ${identifier(name)}`);
  const typed = sql`{${joined(types.map(([name, type]) => sql`${literal(name)}: ${literal(type.text)}`))}}`;
  const source = externalSource(relation.format, paths, typed);
  return { sql: sql`SELECT ${joined(list)} FROM ${source}`, paths, columns };
}

/** @param types the columns' types as a struct literal; null to let the engine find them out */
export function externalSource(format: ExternalFormat, paths: readonly string[], types: Sql | null): Sql {
  const files = literals(paths);
  switch (format) {
    case 'parquet':
      return sql`read_parquet(${files}, union_by_name = true)`;
    case 'csv':
      return sql`read_csv(${files}, header = true, union_by_name = true${types ? sql`, types = ${types}` : sql``})`;
    case 'ndjson':
      return sql`read_json(${files}, format = 'newline_delimited'${types ? sql`, columns = ${types}` : sql`, union_by_name = true`})`;
  }
}

function externalPath(location: string): string {
  const path = pathOfLocation(location);
  if (path === null) throw new UnsupportedTableError('The location of the external table cannot be read here.');
  return path;
}

function engineType(type: string): Sql {
  const parsed = parseColumnType(type);
  if (!parsed.ok) throw new UnsupportedTableError(parsed.message);
  return typeName(parsed.type);
}

/**
 * Puts row filters and masks around a relation. The engine may evaluate the reader's own conditions before the filter,
 * and their errors would tell about hidden rows: so hidden rows have no values at all, whatever the order.
 */
export function policySql(base: Sql, columns: readonly string[], relation: Relation): Sql {
  let query = base;
  const filters = relation.rowFilters ?? [];
  if (filters.length > 0) {
    const condition = joined(filters.map(policyText), ' AND ');
    const list = columns.map((c) => sql`CASE WHEN ${condition} THEN ${identifier(c)} END AS ${identifier(c)}`);
    query = sql`SELECT ${joined(list)} FROM (\n${query}\n) WHERE ${condition}`;
  }
  for (const mask of relation.masks ?? []) {
    const column = columns.find((c) => c.toLowerCase() === mask.column.toLowerCase());
    if (column === undefined) throw maskWithoutColumn(mask.column);
    const list = columns.map((c) =>
      c === column ? sql`${policyText(mask.expression)} AS ${identifier(c)}` : identifier(c),
    );
    query = sql`SELECT ${joined(list)} FROM (\n${query}\n)`;
  }
  return query;
}

/** A policy was parsed as one expression before; a comment in it ends with its line. */
const policyText = (text: string): Sql => sql`(\n${trustedSql(text)}\n)`;

/** The column may have another name now, under which its values would be seen by whom they are hidden from. */
function maskWithoutColumn(column: string): QueryRefused {
  return new QueryRefused(
    'policy-invalid',
    `A column mask that binds you is for the column "${column}", which the table no longer has under that name. Ask whoever manages the policies to correct it.`,
  );
}

/**
 * The rows of an older version with the policies of now: `base` has the columns of now, under their names; what comes out
 * has those of the version. A column dropped since would come out unmasked, so there can be none.
 *
 * @throws UnsupportedTableError naming such a column
 */
export function pastPolicySql(base: Sql, present: readonly IcebergField[], relation: PastRelation): Sql {
  const names = new Map(present.map((f) => [f.id, f.name]));
  const list = relation.fields.map((field) => {
    const now = names.get(field.id);
    if (now === undefined) {
      throw new UnsupportedTableError(
        `A row filter or column mask binds you on this table, and the version asked for has the column "${field.name}", which was dropped since: read a later version, or leave out AT.`,
      );
    }
    return sql`${identifier(now)} AS ${identifier(field.name)}`;
  });
  const bound = policySql(
    base,
    present.map((f) => f.name),
    relation,
  );
  return sql`SELECT ${joined(list)} FROM (\n${bound}\n)`;
}

type PastRelation = Extract<Relation, { kind: 'managed' }>;
