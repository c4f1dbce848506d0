import { type ColumnType, formatColumnType, parseColumnType } from '@svc/core/tables';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import { notNull } from '../queries/output/output-sql.ts';
import { writeDefaultSql } from '../queries/relations/field-sql.ts';
import { outputColumns } from '../queries/results/result-columns.ts';
import { EngineError } from '../queries/sandbox/child-errors.ts';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import type { EngineType } from '../queries/sandbox/engine-types.ts';
import { identifier, joined, literal, literals, numbered, type Sql, sql, typeName } from '../queries/sql-text.ts';
import { fieldsIn, inFile, type LocalFile, matchColumns, type Prepare } from './file-sources.ts';
import { invalidValueError, LoadRejectedError, malformed, nullValue } from './load-errors.ts';
import { filledType, filledTypeText, type Untyped, untypedColumns } from './untyped-columns.ts';

/** Files with the same columns. */
type ParquetGroup = {
  readonly files: LocalFile[];
  readonly list: Sql;
  readonly positions: readonly (number | null)[];
};

/** Parquet: columns are matched by name and must have the table's type or one that widens to it without loss. */
export const parquetSource: Prepare = async (child, files, fields) => {
  const groups = new Map<string, ParquetGroup>();
  for (const file of files) await inFile(files, file, () => addFile(child, file, fields, groups));
  const selects = [...groups.values()].map(({ files: own, list }) => sql`SELECT ${list} FROM ${readParquet(own)}`);
  const required = fields.filter((f) => f.required);
  return {
    sql: joined(selects, '\nUNION ALL\n'),
    ...fieldsIn(fields, [...groups.values()]),
    csv: null,
    detailed: null,
    explain: async () => {
      for (const file of files) {
        await inFile(files, file, async () => {
          await explainNulls(child, file, required);
          for (const field of fields) await explainOverflow(child, file, field);
        });
      }
      throw malformed("The file isn't a Parquet file, or it is damaged.");
    },
  };
};

const readParquet = (files: readonly LocalFile[]): Sql =>
  sql`read_parquet(${literals(files.map(({ path }) => path))}, hive_partitioning = false)`;

async function addFile(
  child: EngineChild,
  file: LocalFile,
  fields: readonly IcebergField[],
  groups: Map<string, ParquetGroup>,
): Promise<void> {
  const described = await child
    .send({ op: 'describe', sql: sql`SELECT * FROM ${readParquet([file])}`.text })
    .catch(toRejection(() => malformed("The file isn't a readable Parquet file.")));
  const actual = outputColumns(described);
  const positions = matchColumns(
    actual.map((c) => c.name),
    fields,
  );
  const untyped = await untypedColumns(child, file, actual);
  const list: Sql[] = [];
  const select = async (field: IcebergField, i: number): Promise<Sql> => {
    const position = positions[i];
    const type = columnTypeOf(field.type);
    if (position === null || position === undefined) return sql`${writeDefaultSql(field)} AS ${identifier(field.name)}`;
    const column = actual[position]!;
    const text = identifier(column.name);
    const values = { column: column.name, field };
    // The engine reads times in nanoseconds as a type of its own. Those that would lose digits are rejected.
    if (type.kind === 'time' && described[position]!.type.id === 'TIME_NS')
      await rejectValues(child, file, { ...values, where: sql`CAST(CAST(v AS TIME) AS TIME_NS) <> v` });
    // polars and Spark have no UUIDs, and write them as texts.
    else if (column.type === 'string' && type.kind === 'uuid')
      await rejectValues(child, file, { ...values, where: sql`TRY_CAST(v AS UUID) IS NULL` });
    else requireWidening(column.name, filledTypeText(column.type, untyped.get(position), wireType(field)), type);
    const invalid = invalidPart(described[position]!.type, sql`v`);
    if (invalid !== null) await rejectValues(child, file, { ...values, where: invalid });
    const value = sql`CAST(${typedValue(text, column.type, untyped.get(position))} AS ${typeName(type)})`;
    return sql`${field.required ? notNull(value, text, field.name) : value} AS ${identifier(field.name)}`;
  };
  for (const [i, field] of fields.entries()) list.push(await select(field, i));
  if (described.some(({ type }) => containsTimestamps(type))) await rejectTruncatedTimestamps(child, file.path, fields);
  const key = JSON.stringify([actual, actual.map(({ type }, i) => filledTypeText(type, untyped.get(i), null))]);
  const found = groups.get(key);
  if (found === undefined) groups.set(key, { files: [file], list: joined(list), positions });
  else found.files.push(file);
}

/** Open parts of a type become text, because every type has a cast from it, but not from the integers that the engine reads. */
function typedValue(value: Sql, type: string, untyped: Untyped | undefined): Sql {
  const parsed = parseColumnType(type);
  if (untyped === undefined || !parsed.ok) return value;
  return sql`CAST(${value} AS ${typeName(filledType(parsed.type, untyped, null))})`;
}

/**
 * Whether a value contains what the engine reads but a table can't store: a time outside of a day (it reads any integer as a time), or a
 * map with a repeated key. Null if its type contains neither.
 */
function invalidPart({ id, inner = [], names = [] }: EngineType, value: Sql, depth = 0): Sql | null {
  if (id === 'TIME') return sql`epoch_us(${value}) NOT BETWEEN 0 AND 86400000000`;
  const item = numbered('svc_item_', depth);
  const within = (items: Sql, type: EngineType): Sql | null => {
    const invalid = invalidPart(type, item, depth + 1);
    return invalid && sql`len(list_filter(${items}, lambda ${item}: ${invalid})) > 0`;
  };
  const partOf = (type: EngineType, i: number): Sql | null => {
    if (id === 'STRUCT') return invalidPart(type, sql`struct_extract(${value}, ${literal(names[i]!)})`, depth);
    if (id === 'MAP') return within(i === 0 ? sql`map_keys(${value})` : sql`map_values(${value})`, type);
    return within(value, type);
  };
  const parts = inner.map(partOf).filter((part) => part !== null);
  if (id === 'MAP') parts.push(sql`list_unique(map_keys(${value})) < len(map_keys(${value}))`);
  return parts.length === 0 ? null : sql`(${joined(parts, ' OR ')})`;
}

const wireType = (field: IcebergField): string => formatColumnType(columnTypeOf(field.type));

/** @throws LoadRejectedError for the first value of a column for which the condition on `v` is true */
async function rejectValues(
  child: EngineChild,
  file: LocalFile,
  { column, field, where }: { column: string; field: IcebergField; where: Sql },
): Promise<void> {
  const rows = sql`SELECT row_number() OVER () AS rn, ${identifier(column)} AS v FROM ${readParquet([file])}`;
  const first = sql`SELECT rn, v FROM (${rows}) WHERE v IS NOT NULL AND ${where} LIMIT 1`;
  const [row] = await child.send({ op: 'texts', sql: first.text });
  if (row) throw invalidValueError(Number(row[0]), field.name, wireType(field), row[1]!);
}

async function explainNulls(child: EngineChild, file: LocalFile, required: readonly IcebergField[]): Promise<void> {
  for (const field of required) {
    const numberedRows = sql`SELECT row_number() OVER () AS rn, ${identifier(field.name)} AS v FROM ${readParquet([file])}`;
    const first = sql`SELECT rn FROM (${numberedRows}) WHERE v IS NULL LIMIT 1`;
    const [row] = await child.send({ op: 'texts', sql: first.text }).catch(() => []);
    if (row) throw nullValue(Number(row[0]), field.name);
  }
}

/** An integer may have too many digits for the table's decimal. */
async function explainOverflow(child: EngineChild, file: LocalFile, field: IcebergField): Promise<void> {
  const where = sql`TRY_CAST(v AS ${typeName(columnTypeOf(field.type))}) IS NULL`;
  await rejectValues(child, file, { column: field.name, field, where }).catch((error: unknown) => {
    // The file may lack the column.
    if (!(error instanceof EngineError)) throw error;
  });
}

/**
 * Turns a failed statement of the engine's process into a rejection of the file; errors about the process itself pass
 * through.
 */
const toRejection =
  (createError: (message: string) => LoadRejectedError) =>
  (error: unknown): never => {
    throw error instanceof EngineError ? createError(error.message) : error;
  };

const containsTimestamps = ({ id, inner = [] }: EngineType): boolean =>
  id.startsWith('TIMESTAMP') || inner.some(containsTimestamps);

/** Tables store microseconds, so timestamps that would lose digits are rejected like any other lossy value. */
async function rejectTruncatedTimestamps(
  child: EngineChild,
  path: string,
  fields: readonly IcebergField[],
): Promise<void> {
  const truncated = await child
    .send({ op: 'cut-timestamp', path })
    .catch(
      toRejection((message) =>
        malformed(
          `The timestamps in the file can't be checked (${message.slice(0, 200)}). Write them in microseconds.`,
        ),
      ),
    );
  if (truncated === null) return;
  const field = fields.find(({ name }) => name.toLowerCase() === truncated.column.toLowerCase());
  const [name, type] =
    field === undefined ? [truncated.column, 'timestamp'] : [field.name, formatColumnType(columnTypeOf(field.type))];
  throw invalidValueError(truncated.row, name, type, truncated.value);
}

const WIDENINGS: Readonly<Partial<Record<ColumnType['kind'], readonly ColumnType['kind'][]>>> = {
  int: ['long', 'decimal', 'double'],
  long: ['decimal'],
  float: ['double'],
  date: ['timestamp'],
};

function requireWidening(name: string, actualType: string, expected: ColumnType): void {
  const parsed = parseColumnType(actualType);
  const actual = parsed.ok ? parsed.type : null;
  const wire = formatColumnType(expected);
  if (actual && (formatColumnType(actual) === wire || isWidening(actual, expected))) return;
  throw new LoadRejectedError({
    code: 'wrong-type',
    message: `The column "${name}" has type ${actualType} in the file, but ${wire} in the table.`,
    column: name,
  });
}

function isWidening(actual: ColumnType, expected: ColumnType): boolean {
  if (actual.kind === 'decimal' && expected.kind === 'decimal') {
    return expected.scale >= actual.scale && expected.precision - expected.scale >= actual.precision - actual.scale;
  }
  if (actual.kind === 'list' && expected.kind === 'list') {
    return (
      formatColumnType(actual.element) === formatColumnType(expected.element) ||
      isWidening(actual.element, expected.element)
    );
  }
  return WIDENINGS[actual.kind]?.includes(expected.kind) ?? false;
}
