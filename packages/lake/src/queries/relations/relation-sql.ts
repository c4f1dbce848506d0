import { parseColumnType } from '@svc/core/tables';
import { pathOfLocation } from '../../storage/index.ts';
import { duckdbType, type IcebergField, UnsupportedTableError } from '../../tables/index.ts';
import { QueryRefused } from '../query-errors.ts';
import { identifier, literal, literals } from '../sql-text.ts';
import { type RelationSql, selectNothing } from './managed-sql.ts';
import type { ExternalFormat, Relation } from './relations.ts';

type ExternalRelation = Extract<Relation, { kind: 'external' }>;

/** Reads the files of an external table with the columns it was registered with. */
export function externalSql(relation: ExternalRelation): RelationSql {
  const paths = relation.locations.map(externalPath);
  const types = relation.columns.map((c) => [c.name, engineType(c.type)] as const);
  const columns = relation.columns.map((c) => c.name);
  if (paths.length === 0) return { sql: selectNothing(types), paths, columns };
  const list = types.map(([name, type]) => `CAST(${identifier(name)} AS ${type}) AS ${identifier(name)}`);
  const typed = `{${types.map(([name, type]) => `${literal(name)}: ${literal(type)}`).join(', ')}}`;
  return { sql: `SELECT ${list.join(', ')} FROM ${externalSource(relation.format, paths, typed)}`, paths, columns };
}

/** @param types the columns' types as a struct literal; null to let the engine find them out */
export function externalSource(format: ExternalFormat, paths: readonly string[], types: string | null): string {
  const files = literals(paths);
  switch (format) {
    case 'parquet':
      return `read_parquet(${files}, union_by_name = true)`;
    case 'csv':
      return `read_csv(${files}, header = true, union_by_name = true${types ? `, types = ${types}` : ''})`;
    case 'ndjson':
      return `read_json(${files}, format = 'newline_delimited'${types ? `, columns = ${types}` : ', union_by_name = true'})`;
  }
}

function externalPath(location: string): string {
  const path = pathOfLocation(location);
  if (path === null) throw new UnsupportedTableError('The location of the external table cannot be read here.');
  return path;
}

function engineType(type: string): string {
  const parsed = parseColumnType(type);
  if (!parsed.ok) throw new UnsupportedTableError(parsed.message);
  return duckdbType(parsed.type);
}

/**
 * Puts row filters and masks around a relation. The engine may evaluate the reader's own conditions before the filter,
 * and their errors would tell about hidden rows: so hidden rows have no values at all, whatever the order.
 */
export function policySql(base: string, columns: readonly string[], relation: Relation): string {
  let sql = base;
  const filters = relation.rowFilters ?? [];
  if (filters.length > 0) {
    const condition = filters.map((f) => `(\n${f}\n)`).join(' AND ');
    const list = columns.map((c) => `CASE WHEN ${condition} THEN ${identifier(c)} END AS ${identifier(c)}`);
    sql = `SELECT ${list.join(', ')} FROM (\n${sql}\n) WHERE ${condition}`;
  }
  for (const mask of relation.masks ?? []) {
    const column = columns.find((c) => c.toLowerCase() === mask.column.toLowerCase());
    if (column === undefined) throw maskWithoutColumn(mask.column);
    const list = columns.map((c) => (c === column ? `(\n${mask.expression}\n) AS ${identifier(c)}` : identifier(c)));
    sql = `SELECT ${list.join(', ')} FROM (\n${sql}\n)`;
  }
  return sql;
}

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
export function pastPolicySql(base: string, present: readonly IcebergField[], relation: PastRelation): string {
  const names = new Map(present.map((f) => [f.id, f.name]));
  const list = relation.fields.map((field) => {
    const now = names.get(field.id);
    if (now === undefined) {
      throw new UnsupportedTableError(
        `A row filter or column mask binds you on this table, and the version asked for has the column "${field.name}", which was dropped since: read a later version, or leave out AT.`,
      );
    }
    return `${identifier(now)} AS ${identifier(field.name)}`;
  });
  const bound = policySql(
    base,
    present.map((f) => f.name),
    relation,
  );
  return `SELECT ${list.join(', ')} FROM (\n${bound}\n)`;
}

type PastRelation = Extract<Relation, { kind: 'managed' }>;
