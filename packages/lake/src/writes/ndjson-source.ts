import { stat } from 'node:fs/promises';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { integer, joined, literal, literals, numbered, type Sql, sql } from '../queries/sql-text.ts';
import { hasExtraDigits } from './exact-values.ts';
import { explainValues, inFile, type LoadSource, type LocalFile, type Prepare } from './file-sources.ts';
import { NDJSON_LINE_BYTES } from './lines-of.ts';
import { malformed, unknownColumn } from './load-errors.ts';
import { type TextColumn, textColumn, valueList } from './value-sql.ts';

const readObjects = (files: readonly LocalFile[]): Sql =>
  sql`read_ndjson_objects(${literals(files.map(({ path }) => path))}, maximum_object_size = ${integer(NDJSON_LINE_BYTES)})`;

/** NDJSON: one object per line; keys are column names, ignoring case; values have the JSON form of results. */
export const ndjsonSource: Prepare = async (child, files, fields) => {
  const objects = readObjects(files);
  const columns = ndjsonColumns(fields);
  // The engine sees no row in a file of one byte.
  for (const file of files)
    if ((await stat(file.path)).size === 1) await inFile(files, file, () => explainLines(child, file, fields));
  return {
    sql: sql`SELECT ${valueList(columns)} FROM ${fastTexts(objects, fields)}`,
    fields,
    uneven: null,
    lineFields: () => fieldsOfLines(child, objects, fields),
    csv: null,
    detailed: sql`SELECT ${valueList(columns)} FROM ${exactTexts(objects, fields)}`,
    explain: async () => {
      for (const file of files) await inFile(files, file, () => explainLines(child, file, fields));
    },
  };
};

/** The fields that the JSON objects in a column `json` have. Of no objects: all. */
export async function fieldsOfLines(
  child: EngineChild,
  objects: Sql,
  fields: readonly IcebergField[],
): Promise<Pick<LoadSource, 'fields' | 'uneven'>> {
  const keys = sql`list_transform(json_keys(json), lambda k: lower(k))`;
  const counts = fields.map(({ name }) => sql`count(*) FILTER (list_contains(keys, ${literal(name.toLowerCase())}))`);
  const keyed = sql`(SELECT ${keys} AS keys FROM ${objects} WHERE json_type(json) = 'OBJECT')`;
  const [row] = await child.send({ op: 'texts', sql: sql`SELECT count(*), ${joined(counts)} FROM ${keyed}`.text });
  const [lines, ...having] = row!.map(Number);
  if (lines === 0) return { fields, uneven: null };
  return {
    fields: fields.filter((_, i) => having[i]! > 0),
    uneven: fields.find((_, i) => having[i]! > 0 && having[i]! < lines!) ?? null,
  };
}

export const ndjsonColumns = (fields: readonly IcebergField[]): TextColumn[] =>
  fields.map((f, i) => textColumn(f, numbered('c', i)));

async function explainLines(child: EngineChild, file: LocalFile, fields: readonly IcebergField[]): Promise<void> {
  const objects = readObjects([file]);
  const scan = (record: string | null) => child.send({ op: 'scan-ndjson', path: file.path, record });
  const { problem } = await scan(null);
  if (problem) throw malformed(problem.message, problem.line);
  const lineOf = async (record: string) => (await scan(record)).recordLine ?? 1;
  const [row] = await child.send({ op: 'texts', sql: unknownKeySql(objects, fields).text });
  if (row) {
    const [json, unknown = null, twice] = row;
    const line = await lineOf(String(json));
    if (unknown !== null) throw unknownColumn(unknown, names(fields), line);
    throw malformed(repeatedKey(String(twice)), line);
  }
  await explainValues(child, ndjsonColumns(fields), exactTexts(objects, fields), sql`json`, lineOf);
}

const repeatedKey = (key: string): string => `The key ${JSON.stringify(key)} appears twice (ignoring letter case).`;

const names = (fields: readonly IcebergField[]): string[] => fields.map((f) => f.name);

/**
 * The texts c0, c1, … of lines whose keys match the table's spelling, each once, and whose numbers the engine's reader
 * preserves: it parses a number with a point or an exponent as floating point. Other lines fail and are read again.
 */
function fastTexts(objects: Sql, fields: readonly IcebergField[]): Sql {
  const known = literals(names(fields));
  // Cheapest test first: most files have all keys in one order.
  const each = sql`CASE WHEN keys = ${known} THEN true
    WHEN len(keys) = ${integer(fields.length)} THEN list_has_all(keys, ${known})
    ELSE json_type(json) = 'OBJECT' AND list_has_all(${known}, keys) AND coalesce(list_unique(keys), 0) = len(keys) END`;
  const structure = literal(JSON.stringify(Object.fromEntries(fields.map((f) => [f.name, 'VARCHAR']))));
  const checked = sql`CASE WHEN ${each} THEN json ELSE error('svc:keys') END`;
  const keyed = sql`(SELECT json, json_keys(json) AS keys FROM ${objects})`;
  const parsed = sql`(SELECT json, json_transform(${checked}, ${structure}) AS t FROM ${keyed})`;
  const texts = fields.map((f, i) => {
    const text = fastText(f, sql`struct_extract(t, ${literal(f.name)})`);
    return sql`${text} AS ${numbered('c', i)}`;
  });
  return sql`(SELECT json, ${joined(texts)} FROM ${parsed})`;
}

function fastText(field: IcebergField, text: Sql): Sql {
  const type = columnTypeOf(field.type);
  if (!hasExtraDigits(type)) return text;
  const rounded = sql`(contains(${text}, '.') OR contains(${text}, 'e'))`;
  const whole = type.kind === 'int' || type.kind === 'long';
  const lossy = whole ? rounded : sql`${rounded} AND regexp_matches(json, ${literal(MANY_DIGITS)})`;
  return sql`CASE WHEN ${lossy} THEN error('svc:digits') ELSE ${text} END`;
}

/** A number that floating point may not represent exactly. */
const MANY_DIGITS = '[0-9][0-9.]{15,}';
const LONG_NUMBER = `-?${MANY_DIGITS}(?:[eE][+-]?[0-9]+)?`;
/** A JSON string, or everything up to the next one. */
const TOKEN = String.raw`"(?:[^"\\]|\\.)*"|[^"]+`;
const IN_QUOTES = String.raw`"\0"`;

/** The same for every line, but slower: keys in any case, numbers by their own digits. `others`: further columns. */
export function exactTexts(objects: Sql, fields: readonly IcebergField[], others = sql``): Sql {
  const pieces = sql`regexp_extract_all(json, ${literal(TOKEN)})`;
  const quoted = sql`regexp_replace(piece, ${literal(LONG_NUMBER)}, ${literal(IN_QUOTES)}, 'g')`;
  const each = sql`lambda piece: CASE WHEN starts_with(piece, '"') THEN piece ELSE ${quoted} END`;
  const whole = sql`array_to_string(list_transform(${pieces}, ${each}), '')`;
  const exact = sql`CASE WHEN regexp_matches(json, ${literal(MANY_DIGITS)}) THEN ${whole} ELSE json END`;
  const texts = fields.map((f, i) => {
    const key = sql`list_filter(keys, lambda k: lower(k) = ${literal(f.name.toLowerCase())})[1]`;
    const pointer = sql`'/' || replace(replace(${key}, '~', '~0'), '/', '~1')`;
    return sql`json_extract_string(exact, ${pointer}) AS ${numbered('c', i)}`;
  });
  const read = sql`(SELECT json, json_keys(json) AS keys, ${exact} AS exact${others} FROM ${objects})`;
  return sql`(SELECT json, ${joined(texts)}${others} FROM ${read})`;
}

/** A line with a key that matches no column, or with a repeated key: its text, the unknown key, the repeated key. */
function unknownKeySql(objects: Sql, fields: readonly IcebergField[]): Sql {
  const known = literals(names(fields).map((name) => name.toLowerCase()));
  const unknown = sql`list_filter(keys, lambda k: NOT list_contains(${known}, lower(k)))[1]`;
  const small = sql`list_transform(keys, lambda k: lower(k))`;
  const twice = sql`list_filter(keys, lambda k, i: list_position(${small}, lower(k)) < i)[1]`;
  const keyed = sql`(SELECT json, json_keys(json) AS keys FROM ${objects})`;
  const found = sql`(SELECT json, ${unknown} AS unknown, ${twice} AS twice FROM ${keyed})`;
  return sql`SELECT json, unknown, twice FROM ${found} WHERE unknown IS NOT NULL OR twice IS NOT NULL LIMIT 1`;
}
