import { isDeepStrictEqual } from 'node:util';
import type { ColumnType } from '@svc/core/tables';
import { columnTypeOf, type IcebergField, type IcebergType, UnsupportedTableError } from '@svc/iceberg';
import type { RelationSql } from '../queries/relations/managed-sql.ts';
import type { CatalogTable, Relation } from '../queries/relations/relations.ts';
import { STUBS, stubTable } from '../queries/relations/stub-tables.ts';
import { joinedTrino, type TrinoSql, trino, typeName } from '../queries/sql-text.ts';
import type { TableName } from '../queries/statement/guard.ts';
import { columnPlanType } from './column-plan-types.ts';
import { nullOf } from './constants.ts';
import { trinoType } from './plan-types.ts';
import type { SourceTable, TableSource } from './scans.ts';
import { identifier, integer, numbered } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

type Named = { readonly name: TableName; readonly relation: Exclude<Relation, { kind: 'view' | 'rows' }> };

/**
 * The tables of one statement. Each has an empty table in DuckDB, which resolves names and types, and the SQL with which
 * Trino reads it. Nothing else can be read, because the printed plan contains only these tables.
 */
export class CatalogTables {
  private readonly catalogOf: (environment: string) => string;
  private readonly tables = new Map<string, SourceTable>();

  constructor(catalogOf: (environment: string) => string) {
    this.catalogOf = catalogOf;
  }

  readonly source: TableSource = (schema, table) => (schema === STUBS ? this.tables.get(table) : undefined);

  /** The table as defined in DuckDB, and the SELECT with which the statement's view reads it. */
  async add({ name, relation }: Named): Promise<RelationSql> {
    if (relation.kind === 'external') throw untranslated(`The external table ${name.join('.')}`);
    const { fields, catalogTables } = relation;
    if (catalogTables === undefined) throw untranslated(`The table ${name.join('.')}`);
    const id = `t${this.tables.size}`;
    const columns = fields.map((field) => field.name);
    const parts = catalogTables.map((part) => this.read(fields, part));
    const [first, ...more] = parts;
    const all = more.reduce((one, other) => trino`${one} UNION ALL ${other}`, first!);
    this.tables.set(id, { columns, sql: all });
    return stubTable(
      id,
      fields.map((field) => [field.name, typeName(columnTypeOf(field.type))]),
    );
  }

  /** A SELECT in Trino's SQL that returns the columns as v0, v1, …. */
  private read(
    fields: readonly IcebergField[],
    { environment, namespace, table, snapshotId, fields: snapshotFields }: CatalogTable,
  ): TrinoSql {
    if (snapshotId === null) {
      const nullColumns = fields.map(
        (field, i) => trino`${nullOf(columnPlanType(columnTypeOf(field.type)))} AS ${numbered('v', i)}`,
      );
      return trino`SELECT ${joinedTrino(nullColumns)} WHERE false`;
    }
    const list = fields.map((field, i) => trino`${column(field, snapshotFields)} AS ${numbered('v', i)}`);
    const [catalog, schema, name] = [this.catalogOf(environment), namespace, table].map((part) =>
      identifier(part.toLowerCase()),
    );
    return trino`SELECT ${joinedTrino(list)} FROM ${catalog!}.${schema!}.${name!} FOR VERSION AS OF ${integer(BigInt(snapshotId))}`;
  }
}

/** A column by its id: Trino reads a snapshot with the names and types that it was written with. */
function column(field: IcebergField, snapshotFields: readonly IcebergField[]): TrinoSql {
  const type = columnTypeOf(field.type);
  const then = snapshotFields.find(({ id }) => id === field.id);
  if (then === undefined) {
    if (field['initial-default'] !== undefined && field['initial-default'] !== null) throw changed(field);
    return nullOf(columnPlanType(type));
  }
  const name = identifier(then.name.toLowerCase());
  if (isDeepStrictEqual(shape(field.type), shape(then.type))) return name;
  if (typeof field.type !== 'string' || typeof then.type !== 'string') throw changed(field);
  return trino`CAST(${name} AS ${trinoType(columnPlanType(type as ColumnType))})`;
}

const changed = (field: IcebergField) =>
  new UnsupportedTableError(
    `The column "${field.name}" has changed since the last write, in a way that Trino can't combine with older rows. Write to the table again.`,
  );

/** A type without its descriptions. */
function shape(type: IcebergType): unknown {
  if (typeof type === 'string') return type.replaceAll(' ', '');
  if (type.type === 'struct') return type.fields.map((f) => [f.id, f.name, shape(f.type)]);
  if (type.type === 'list') return [type['element-id'], shape(type.element)];
  return [type['key-id'], shape(type.key), type['value-id'], shape(type.value)];
}
