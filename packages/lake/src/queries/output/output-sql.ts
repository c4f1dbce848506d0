import { columnTypeOf, filteredPrefix, type IcebergField, type IcebergType } from '@svc/iceberg';
import { QueryRejectedError } from '../query-errors.ts';
import { isOptionalInFile, writeDefaultSql } from '../relations/field-sql.ts';
import type { OutputColumn } from '../results/result-columns.ts';
import { identifier, integer, joined, literal, type Sql, sql, typeName } from '../sql-text.ts';

/** Target size of a data file, compressed. */
const FILE_SIZE = '256MB';

/**
 * zstd levels. Somebody waits for a first write: the lower level takes a seventh less time, and its files are at most
 * some tenths larger. Maintenance, for which nobody waits, makes them small.
 */
const LEVELS = { first: 1, lasting: 3 };

/**
 * Maximum number of distinct values in a row group for dictionary encoding: with the engine's default of 12,288, a
 * column of ids takes a tenth longer.
 */
const DICTIONARY = 4096;

/**
 * Rows of a row group, the engine's default. The engine writes bloom filters only for dictionary-encoded columns, and this
 * limit makes it encode even unique values so. It applies to all columns of a file, so columns without a filter grow too.
 */
const ROW_GROUP_SIZE = 122_880;

export type DataFileForm = {
  /** Set if existing rows are rewritten for long-term storage. */
  readonly durable?: boolean | undefined;
  /** Ids of the columns that get bloom filters, however many distinct values they have. */
  readonly filtered?: readonly number[] | undefined;
};

/** Options of COPY that write Iceberg data files of the target size, with field ids and statistics. */
export function dataFileOptions(
  fields: readonly IcebergField[],
  { durable = false, filtered = [] }: DataFileForm = {},
): Sql {
  const ids = joined(fields.map(fieldId));
  return joined([
    sql`FORMAT parquet`,
    sql`COMPRESSION zstd, COMPRESSION_LEVEL ${integer(durable ? LEVELS.lasting : LEVELS.first)}`,
    ...(filtered.length > 0
      ? [sql`ROW_GROUP_SIZE ${integer(ROW_GROUP_SIZE)}, DICTIONARY_SIZE_LIMIT ${integer(ROW_GROUP_SIZE)}`]
      : [sql`WRITE_BLOOM_FILTER false`, ...(durable ? [] : [sql`DICTIONARY_SIZE_LIMIT ${integer(DICTIONARY)}`])]),
    sql`RETURN_STATS`,
    sql`FILE_SIZE_BYTES ${literal(FILE_SIZE)}`,
    sql`FILENAME_PATTERN ${literal(`${filteredPrefix(filtered)}{uuidv7}`)}`,
    sql`FIELD_IDS {${ids}}`,
  ]);
}

const fieldId = (field: IcebergField): Sql => sql`${literal(field.name)}: ${idsOf(field.id, field.type)}`;

function idsOf(id: number, type: IcebergType): Sql {
  if (typeof type === 'string') return integer(id);
  const fieldIdSql = sql`__duckdb_field_id: ${integer(id)}`;
  if (type.type === 'struct') return sql`{${joined([fieldIdSql, ...type.fields.map(fieldId)])}}`;
  if (type.type === 'list') return sql`{${fieldIdSql}, element: ${idsOf(type['element-id'], type.element)}}`;
  return sql`{${fieldIdSql}, key: ${idsOf(type['key-id'], type.key)}, value: ${idsOf(type['value-id'], type.value)}}`;
}

/**
 * Fits `query` to its target table: matches columns by name in any order and casts them to the table's types; a missing
 * column is null. Rejects columns that the table lacks, and missing columns that must not be null.
 *
 * @param options.checksNulls whether a null in a column that must not be null is an error (default: true)
 */
export function intoQuery(
  query: Sql,
  columns: readonly OutputColumn[],
  fields: readonly IcebergField[],
  { checksNulls = true }: { readonly checksNulls?: boolean } = {},
): Sql {
  const byName = new Map(columns.map((c) => [c.name.toLowerCase(), identifier(c.name)]));
  const known = new Set(fields.map((f) => f.name.toLowerCase()));
  const extra = columns.find((c) => !known.has(c.name.toLowerCase()));
  if (extra) {
    throw new QueryRejectedError(
      'column-mismatch',
      `The table has no column "${extra.name}". Rename the query's columns with AS. Available columns: ${fields.map((f) => f.name).join(', ')}.`,
    );
  }
  const list = fields.map((field) => {
    const at = byName.get(field.name.toLowerCase());
    if (at === undefined && !isOptionalInFile(field)) {
      throw new QueryRejectedError(
        'column-mismatch',
        `The query doesn't return the column "${field.name}", which must not be null.`,
      );
    }
    return sql`${columnValue(at ?? null, field, checksNulls)} AS ${identifier(field.name)}`;
  });
  return sql`SELECT ${joined(list)} FROM (\n${query}\n) AS q(${joined(columns.map((c) => identifier(c.name)))})`;
}

function columnValue(column: Sql | null, field: IcebergField, checksNulls: boolean): Sql {
  if (column === null) return writeDefaultSql(field);
  const value = sql`CAST(${column} AS ${typeName(columnTypeOf(field.type))})`;
  return field.required && checksNulls ? notNull(value, column, field.name) : value;
}

/** `value`, or an error that names the column if `tested` is null. */
export function notNull(value: Sql, tested: Sql, name: string): Sql {
  return sql`CASE WHEN ${tested} IS NULL THEN error(${literal(`svc:null:${name}:svc`)}) ELSE ${value} END`;
}
