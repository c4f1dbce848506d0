import { columnTypeOf, type IcebergField, type IcebergType } from '../../tables/index.ts';
import { QueryRefused } from '../query-errors.ts';
import { mayBeMissing, writeDefaultSql } from '../relations/field-sql.ts';
import type { OutputColumn } from '../results/result-columns.ts';
import { identifier, integer, joined, literal, type Sql, sql, typeName } from '../sql-text.ts';

/** Aim of a data file's size, compressed. */
const FILE_SIZE = '256MB';

/**
 * Levels of zstd. Somebody waits for what is written for the first time; at the lower level it takes a seventh less time,
 * and its files are larger by some tenths at most. Maintenance, for which nobody waits, makes them small.
 */
const LEVELS = { first: 1, lasting: 3 };

/** Distinct values of a row group for which a dictionary is tried: with the engine's 12,288 a column of ids costs a tenth more. */
const DICTIONARY = 4096;

/** Options of COPY that make Iceberg data files of the target size, with field ids and statistics. */
export function dataFileOptions(fields: readonly IcebergField[], lasting = false): Sql {
  const ids = joined(fields.map(fieldId));
  return joined([
    sql`FORMAT parquet`,
    sql`COMPRESSION zstd, COMPRESSION_LEVEL ${integer(lasting ? LEVELS.lasting : LEVELS.first)}`,
    ...(lasting ? [] : [sql`DICTIONARY_SIZE_LIMIT ${integer(DICTIONARY)}`]),
    sql`RETURN_STATS`,
    sql`FILE_SIZE_BYTES ${literal(FILE_SIZE)}`,
    sql`FILENAME_PATTERN '{uuidv7}'`,
    sql`FIELD_IDS {${ids}}`,
  ]);
}

const fieldId = (field: IcebergField): Sql => sql`${literal(field.name)}: ${idsOf(field.id, field.type)}`;

function idsOf(id: number, type: IcebergType): Sql {
  if (typeof type === 'string') return integer(id);
  const own = sql`__duckdb_field_id: ${integer(id)}`;
  if (type.type === 'struct') return sql`{${joined([own, ...type.fields.map(fieldId)])}}`;
  if (type.type === 'list') return sql`{${own}, element: ${idsOf(type['element-id'], type.element)}}`;
  return sql`{${own}, key: ${idsOf(type['key-id'], type.key)}, value: ${idsOf(type['value-id'], type.value)}}`;
}

/**
 * `query` made to fit the table it is written into: columns matched by name in any order, cast to the table's types;
 * a missing one is null. A column the table lacks, and a missing one that must not be null, are refused.
 */
export function intoQuery(query: Sql, columns: readonly OutputColumn[], fields: readonly IcebergField[]): Sql {
  const byName = new Map(columns.map((c) => [c.name.toLowerCase(), identifier(c.name)]));
  const known = new Set(fields.map((f) => f.name.toLowerCase()));
  const extra = columns.find((c) => !known.has(c.name.toLowerCase()));
  if (extra) {
    throw new QueryRefused(
      'column-mismatch',
      `The table has no column "${extra.name}". Its columns are ${fields.map((f) => f.name).join(', ')}; name the query's columns after them with AS.`,
    );
  }
  const list = fields.map((field) => {
    const at = byName.get(field.name.toLowerCase());
    if (at === undefined && !mayBeMissing(field)) {
      throw new QueryRefused('column-mismatch', `The query lacks the column "${field.name}", which must not be null.`);
    }
    return sql`${columnValue(at ?? null, field)} AS ${identifier(field.name)}`;
  });
  return sql`SELECT ${joined(list)} FROM (\n${query}\n) AS q(${joined(columns.map((c) => identifier(c.name)))})`;
}

function columnValue(column: Sql | null, field: IcebergField): Sql {
  if (column === null) return writeDefaultSql(field);
  const value = sql`CAST(${column} AS ${typeName(columnTypeOf(field.type))})`;
  return field.required ? notNull(value, column, field.name) : value;
}

/** `value`, or an error that names the column when `tested` is null. */
export function notNull(value: Sql, tested: Sql, name: string): Sql {
  return sql`CASE WHEN ${tested} IS NULL THEN error(${literal(`svc:null:${name}:svc`)}) ELSE ${value} END`;
}
