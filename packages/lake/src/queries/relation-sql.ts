import { parseColumnType } from '@svc/core/tables';
import { pathOfLocation } from '../storage/index.ts';
import {
  columnTypeOf,
  type DeleteFile,
  duckdbType,
  type IcebergField,
  type ScanFile,
  UnsupportedTableError,
} from '../tables/index.ts';
import type { ExternalFormat, Relation } from './relations.ts';
import { identifier, literal, literals } from './sql-text.ts';

/** A SELECT that gives the relation's rows and columns, and the files it reads. */
export type RelationSql = {
  readonly sql: string;
  readonly paths: readonly string[];
  readonly columns: readonly string[];
};

type LocalPath = (location: string) => Promise<string>;

type ManagedRelation = Extract<Relation, { kind: 'managed' }>;
type ExternalRelation = Extract<Relation, { kind: 'external' }>;

/**
 * Reads the data files, by field id where a column may have been renamed or added since, and applies the deletes. (By
 * field id the engine reads each file with one thread.)
 */
export async function managedSql(relation: ManagedRelation, localPath: LocalPath): Promise<RelationSql> {
  const { fields, files } = relation;
  const columns = fields.map((f) => f.name);
  const paths = new Map<string, string>();
  for (const location of files.flatMap((f) => [f.location, ...f.deletes.map((d) => d.location)])) {
    if (!paths.has(location)) paths.set(location, await localPath(location));
  }
  const clean = files.filter((f) => f.deletes.length === 0);
  const pathsOf = (chosen: readonly ScanFile[]) => chosen.map((f) => paths.get(f.location)!);
  const byName = pathsOf(clean.filter((f) => f.sameColumns));
  const byId = pathsOf(clean.filter((f) => !f.sameColumns));
  const selects = files.filter((f) => f.deletes.length > 0).map((f) => selectWithDeletes(f, fields, paths));
  if (byId.length > 0) selects.unshift(`SELECT * FROM ${readFiles(byId, fields)}`);
  if (byName.length > 0)
    selects.unshift(
      `SELECT ${columns.map(identifier).join(', ')} FROM read_parquet(${literals(byName)}, hive_partitioning = false)`,
    );
  if (selects.length === 0) selects.push(selectNothing(fields.map((f) => [f.name, duckdbType(columnTypeOf(f.type))])));
  return { sql: selects.join('\nUNION ALL\n'), paths: [...paths.values()], columns };
}

function readFiles(paths: readonly string[], fields: readonly IcebergField[], more = ''): string {
  const entries = fields.map((f) => {
    const type = literal(duckdbType(columnTypeOf(f.type)));
    return `${f.id}: {name: ${literal(f.name)}, type: ${type}, default_value: NULL}`;
  });
  return `read_parquet(${literals(paths)}, hive_partitioning = false, schema = MAP {${entries.join(', ')}}${more})`;
}

function selectNothing(columns: readonly (readonly [string, string])[]): string {
  const list = columns.map(([name, type]) => `CAST(NULL AS ${type}) AS ${identifier(name)}`);
  return `SELECT ${list.join(', ')} WHERE false`;
}

function selectWithDeletes(
  file: ScanFile,
  fields: readonly IcebergField[],
  paths: ReadonlyMap<string, string>,
): string {
  const columns = fields.map((f) => `d.${identifier(f.name)}`).join(', ');
  const source = readFiles([paths.get(file.location)!], fields, ', file_row_number = true');
  const positions = file.deletes.filter((d) => d.kind === 'position').map((d) => paths.get(d.location)!);
  const joins = file.deletes.filter((d) => d.kind === 'equality').map((d) => equalityJoin(d, fields, paths));
  if (positions.length > 0) {
    const gone = `SELECT pos FROM read_parquet(${literals(positions)}) WHERE file_path = ${literal(file.location)}`;
    joins.unshift(`ANTI JOIN (${gone}) p ON d.file_row_number = p.pos`);
  }
  return `SELECT ${columns} FROM ${source} d ${joins.join(' ')}`;
}

function equalityJoin(
  deletion: Extract<DeleteFile, { kind: 'equality' }>,
  fields: readonly IcebergField[],
  paths: ReadonlyMap<string, string>,
): string {
  const keys = deletion.fieldIds.map((id) => fields.find((f) => f.id === id));
  if (keys.length === 0 || keys.some((k) => !k)) {
    throw new UnsupportedTableError(
      'The table holds deletes by a column it no longer has; compact it with the engine that wrote them.',
    );
  }
  const known = keys as IcebergField[];
  const same = known.map((k) => `d.${identifier(k.name)} IS NOT DISTINCT FROM e.${identifier(k.name)}`);
  return `ANTI JOIN ${readFiles([paths.get(deletion.location)!], known)} e ON ${same.join(' AND ')}`;
}

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
    if (column === undefined) continue;
    const list = columns.map((c) => (c === column ? `(\n${mask.expression}\n) AS ${identifier(c)}` : identifier(c)));
    sql = `SELECT ${list.join(', ')} FROM (\n${sql}\n)`;
  }
  return sql;
}
