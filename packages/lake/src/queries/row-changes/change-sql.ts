import type { Assignment, MergeClause, RowChange } from '@svc/core/statements';
import { columnTypeOf, type IcebergField, isLineage, isRowId } from '@svc/iceberg';
import { QueryRejectedError } from '../query-errors.ts';
import { writeDefaultSql } from '../relations/field-sql.ts';
import { ROW_POSITION } from '../relations/relation-files.ts';
import { identifier, joined, literal, numbered, type Sql, sql, trustedSql, typeName } from '../sql-text.ts';

/*
 * A statement that changes rows runs as SELECTs. The first finds the rows to change, with their positions and new values, and
 * runs once; the second copies the files of these rows with the changes. Each text is parsed and guarded as if the user had
 * written it.
 */

/** The tables of these SELECTs: the rows of the table that changes, and the rows that the first SELECT found. */
export const CHANGE_TABLES = {
  namespace: 'svc_change',
  target: 'target',
  matches: 'matches',
  source: 'source',
} as const;

/** The columns of the rows to change: what happens to the row, besides its position and the new values. */
export const ACTION = 'svc:action';

/** The rows that an INSERT adds; errors about their columns are recognized by it. */
const INSERTED = 'svc:inserted';

type Merge = Extract<RowChange, { kind: 'merge' }>;
type Insertion = Extract<MergeClause, { kind: 'insert' }>;
/** A change of existing rows. */
export type Rewriting = Exclude<RowChange, { kind: 'insert' | 'truncate' }>;

const text = (of: string): Sql => trustedSql(of);
/** The name of one of these tables. */
export const changeTable = (table: 'target' | 'matches' | 'source'): Sql =>
  sql`${identifier(CHANGE_TABLES.namespace)}.${identifier(CHANGE_TABLES[table])}`;
const [FILE, ROW, DOES] = [ROW_POSITION.file, ROW_POSITION.row, ACTION].map(identifier) as [Sql, Sql, Sql];
const value = (index: number): Sql => numbered('v', index);

/** The condition is unknown for some rows, which it then doesn't select. */
export const isTrue = (condition: string | null): Sql =>
  condition === null ? sql`true` : sql`coalesce((${text(condition)}), false)`;

export const withPrefix = (of: RowChange, query: Sql): Sql => (of.with === '' ? query : sql`${text(of.with)} ${query}`);

/** The rows to change: position, action and the new values of the columns that change. */
export function matchesSql(of: Rewriting, fields: readonly IcebergField[]): string {
  const alias = identifier(of.alias);
  const position = sql`${alias}.${FILE}, ${alias}.${ROW}`;
  const target = sql`${changeTable('target')} AS ${alias}`;
  if (of.kind === 'merge') return withPrefix(of, mergeMatches(of, fields, { alias, position, target })).text;
  const values =
    of.kind === 'update'
      ? changedColumns(of, fields).map(
          ({ field, expression }, i) => sql`, ${valueFor(field, expression)} AS ${value(i)}`,
        )
      : [];
  const action = sql`${literal(of.kind)} AS ${DOES}`;
  const list = sql`${position}, ${action}${joined(values, '')}`;
  if (of.kind === 'update') {
    const more = of.from === null ? sql`` : sql`, ${text(of.from)}`;
    return withPrefix(of, sql`SELECT ${list} FROM ${target}${more} WHERE ${isTrue(of.condition)}`).text;
  }
  if (of.using === null) return withPrefix(of, sql`SELECT ${list} FROM ${target} WHERE ${isTrue(of.condition)}`).text;
  // In a subquery, a column of the other table would hide that of the target: as in a join, its name must be unambiguous.
  const both = sql`${target}, ${text(of.using)}`;
  return withPrefix(of, sql`SELECT DISTINCT ${list} FROM ${both} WHERE ${isTrue(of.condition)}`).text;
}

/** The first clause whose condition is true decides. */
function mergeMatches(
  of: Merge,
  fields: readonly IcebergField[],
  { alias, position, target }: { readonly alias: Sql; readonly position: Sql; readonly target: Sql },
): Sql {
  const clauses = of.clauses.filter(
    (clause) => clause.kind === 'update' || (clause.kind !== 'insert' && clause.isMatched),
  );
  const inOrder = (then: (clause: MergeClause) => Sql, otherwise: Sql): Sql =>
    clauses.length === 0
      ? otherwise
      : sql`CASE ${joined(
          clauses.map((clause) => sql`WHEN ${isTrue(clause.condition)} THEN ${then(clause)}`),
          ' ',
        )} ELSE ${otherwise} END`;
  const action = inOrder((clause) => (clause.kind === 'nothing' ? sql`NULL` : literal(clause.kind)), sql`NULL`);
  const values = changedColumns(of, fields).map(({ field }, i) => {
    const old = sql`${alias}.${identifier(field.name)}`;
    const then = (clause: MergeClause) => {
      const set = clause.kind === 'update' ? assignedTo(clause.set, field) : undefined;
      return set === undefined ? old : valueFor(field, set.expression);
    };
    return sql`, ${inOrder(then, old)} AS ${value(i)}`;
  });
  const rows = sql`SELECT ${position}, ${action} AS ${DOES}${joined(values, '')} FROM ${target} JOIN ${text(of.source)} ON (${text(of.on)})`;
  return sql`SELECT * FROM (${rows}) WHERE ${DOES} IS NOT NULL`;
}

/** How many rows were found, how many of them are the same row, and the files that contain them with their numbers of rows, one a line. */
export function summarySql(): string {
  const count = (action: string) => sql`count(*) FILTER (WHERE ${DOES} = ${literal(action)})`;
  const ofFile = sql`SELECT ${FILE} AS f, count(*) AS n, count(DISTINCT ${ROW}) AS r, ${count('update')} AS u, ${count('delete')} AS d FROM ${changeTable('matches')} GROUP BY ${FILE}`;
  return sql`SELECT sum(u)::BIGINT AS u, sum(d)::BIGINT AS d, (sum(n) - sum(r))::BIGINT AS same, string_agg(n || ' ' || f, chr(10)) AS files FROM (${ofFile})`
    .text;
}

/** The positions of the rows that were found in one file, as rows of a position delete file. */
export const positionsSql = (file: { readonly path: string; readonly location: string }): string =>
  sql`SELECT ${literal(file.location)} AS file_path, ${ROW} AS pos FROM ${changeTable('matches')} WHERE ${FILE} = ${literal(file.path)}`
    .text;

/** All rows of the files that contain rows to change, with the changes; or only the changed rows. */
export function rewrittenSql(
  of: Rewriting,
  fields: readonly IcebergField[],
  { onlyChanged = false }: { readonly onlyChanged?: boolean } = {},
): string {
  const changed = changedColumns(of, fields).map(({ field }) => field.name);
  const list = fields.map((field) => {
    const old = sql`t.${identifier(field.name)}`;
    const index = changed.indexOf(field.name);
    const isChanged = sql`m.${ROW} IS NOT NULL`;
    // A changed row keeps its id, and gets the sequence number of its new file.
    if (isLineage(field) && !isRowId(field))
      return sql`CASE WHEN ${isChanged} THEN NULL ELSE ${old} END AS ${identifier(field.name)}`;
    return index === -1
      ? old
      : sql`CASE WHEN ${isChanged} THEN m.${value(index)} ELSE ${old} END AS ${identifier(field.name)}`;
  });
  const same = sql`m.${FILE} = t.${FILE} AND m.${ROW} = t.${ROW}`;
  const join = onlyChanged ? sql`JOIN` : sql`LEFT JOIN`;
  return sql`SELECT ${joined(list)} FROM ${changeTable('target')} AS t ${join} ${changeTable('matches')} AS m ON ${same} WHERE m.${DOES} IS DISTINCT FROM 'delete'`
    .text;
}

/** The rows that a MERGE inserts; null if it inserts none. */
export function mergeInsertSql(of: Merge, fields: readonly IcebergField[]): string | null {
  const clauses = of.clauses.filter(
    (clause) => clause.kind === 'insert' || (clause.kind === 'nothing' && !clause.isMatched),
  );
  const target = sql`${identifier(of.namespace)}.${identifier(of.table)} AS ${identifier(of.alias)}`;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${target} WHERE (${text(of.on)}))`;
  const selects = clauses.flatMap((clause, i) => {
    if (clause.kind !== 'insert') return [];
    const earlier = clauses.slice(0, i).map(({ condition }) => sql` AND NOT ${isTrue(condition)}`);
    const where = sql`${isNew} AND ${isTrue(clause.condition)}${joined(earlier, '')}`;
    const list = insertedValues(clause, fields).map(({ field, value: of }) => sql`${of} AS ${identifier(field.name)}`);
    return [sql`SELECT ${joined(list)} FROM ${text(of.source)} WHERE ${where}`];
  });
  return selects.length === 0 ? null : withPrefix(of, joined(selects, '\nUNION ALL\n')).text;
}

/** The columns of the table with the values of an insertion. */
export function insertedValues(
  { columns, values }: Insertion,
  fields: readonly IcebergField[],
): { readonly field: IcebergField; readonly value: Sql }[] {
  const own = fields.filter((field) => !isLineage(field));
  if (columns === null && values.length !== own.length)
    throw mismatch(
      `The insertion has ${values.length} values, and the table has ${own.length} columns. Name the columns in parentheses.`,
    );
  const named = columns?.map((name) => fieldNamed(own, name)) ?? own;
  return own.map((field) => {
    const index = named.indexOf(field);
    return { field, value: index === -1 ? writeDefaultSql(field) : valueFor(field, values[index]!) };
  });
}

/** The query of an INSERT, with the columns of the table. */
export function insertSql(of: Extract<RowChange, { kind: 'insert' }>, fields: readonly IcebergField[]): string {
  const query = withPrefix(of, text(of.query));
  if (of.byName) return query.text;
  const columns = of.columns?.map((name) => fieldNamed(fields, name)) ?? fields;
  const twice = columns.find((field, i) => columns.indexOf(field) !== i);
  if (twice !== undefined) throw mismatch(`INSERT names the column "${twice.name}" twice.`);
  return sql`SELECT * FROM (${query}) AS ${identifier(INSERTED)}(${joined(columns.map(({ name }) => identifier(name)))})`
    .text;
}

/** The columns that a statement assigns, in the order of the table; of an UPDATE with their expressions. */
export function changedColumns(
  of: Rewriting,
  fields: readonly IcebergField[],
): { field: IcebergField; expression: string }[] {
  if (of.kind === 'delete') return [];
  const set =
    of.kind === 'update' ? of.set : of.clauses.flatMap((clause) => (clause.kind === 'update' ? clause.set : []));
  for (const { column } of set) fieldNamed(fields, column);
  return fields.flatMap((field) => {
    const assigned = assignedTo(set, field);
    return assigned === undefined ? [] : [{ field, expression: assigned.expression }];
  });
}

const isNamed = (field: IcebergField, column: string): boolean =>
  !isLineage(field) && field.name.toLowerCase() === column.toLowerCase();

/** The assignment to a column. */
export const assignedTo = (set: readonly Assignment[], field: IcebergField): Assignment | undefined =>
  set.find(({ column }) => isNamed(field, column));

function fieldNamed(fields: readonly IcebergField[], column: string): IcebergField {
  const field = fields.find((f) => isNamed(f, column));
  if (field !== undefined) return field;
  const available = fields.filter((f) => !isLineage(f)).map(({ name }) => name);
  throw mismatch(`The table has no column "${column}". Available columns: ${available.join(', ')}.`);
}

const mismatch = (message: string) => new QueryRejectedError('column-mismatch', message);

/** An expression with the type of a column. */
export const valueFor = (field: IcebergField, expression: string): Sql =>
  sql`CAST((${text(expression)}) AS ${typeName(columnTypeOf(field.type))})`;

/** Whether a row of `source` deletes the row with its key. */
const DELETES = 'svc:delete';

/**
 * The MERGE of the rows of `source` by key: it updates the columns that the source has, inserts rows with new keys, and deletes
 * rows with the key of a row that meets the condition.
 *
 * @param key names of columns that the source has
 */
export function mergeByKey(
  target: { readonly namespace: string; readonly table: string },
  {
    fields,
    key,
    deleteWhen,
  }: {
    readonly fields: readonly IcebergField[];
    readonly key: readonly string[];
    readonly deleteWhen?: string | undefined;
  },
): Merge {
  const keys = key.map((name) => fieldNamed(fields, name));
  const of = (alias: 's' | 't', { name }: IcebergField) =>
    alias === 's' ? sql`s.${identifier(name)}` : sql`t.${identifier(name)}`;
  const values = fields.map((field) => ({ column: field.name, expression: of('s', field).text }));
  const set = values.filter((_, i) => !keys.includes(fields[i]!));
  const rows = changeTable('source');
  const deletes = sql`s.${identifier(DELETES)}`.text;
  return {
    kind: 'merge',
    ...target,
    alias: 't',
    with: '',
    source: (deleteWhen === undefined
      ? sql`${rows} AS s`
      : sql`(SELECT *, ${isTrue(deleteWhen)} AS ${identifier(DELETES)} FROM ${rows}) AS s`
    ).text,
    on: joined(
      keys.map((field) => sql`${of('t', field)} = ${of('s', field)}`),
      ' AND ',
    ).text,
    clauses: [
      ...(deleteWhen === undefined ? [] : [{ kind: 'delete', isMatched: true, condition: deletes } as const]),
      set.length === 0
        ? { kind: 'nothing', isMatched: true, condition: null }
        : { kind: 'update', condition: null, set },
      ...(deleteWhen === undefined ? [] : [{ kind: 'nothing', isMatched: false, condition: deletes } as const]),
      {
        kind: 'insert',
        condition: null,
        columns: fields.map(({ name }) => name),
        values: values.map(({ expression }) => expression),
      },
    ],
  };
}

/** The rows of `source` that don't meet the condition to delete. */
export const undeletedSql = (fields: readonly IcebergField[], deleteWhen: string): string =>
  sql`SELECT ${joined(fields.map(({ name }) => identifier(name)))} FROM ${changeTable('source')} WHERE NOT ${isTrue(deleteWhen)}`
    .text;

/** How many rows of `source` have no key, and how many have the key of another row. */
export function keyFaultsSql(fields: readonly IcebergField[], key: readonly string[]): string {
  const keys = key.map((name) => identifier(fieldNamed(fields, name).name));
  const missing = joined(
    keys.map((column) => sql`${column} IS NULL`),
    ' OR ',
  );
  const groups = sql`SELECT count(*) AS n, (${missing}) AS without FROM ${changeTable('source')} GROUP BY ${joined(keys)}`;
  const total = (of: Sql, where: Sql) => sql`coalesce(sum(CASE WHEN ${where} THEN ${of} ELSE 0 END), 0)::BIGINT`;
  const [absent, repeated] = [total(sql`n`, sql`without`), total(sql`n - 1`, sql`NOT without`)];
  return sql`SELECT ${absent} AS missing, ${repeated} AS same FROM (${groups})`.text;
}

/** Numbers of rows as a SELECT without rows to write. */
export const countSql = (query: string): string => sql`SELECT count(*) AS n FROM (${text(query)})`.text;
