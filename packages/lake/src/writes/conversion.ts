import type { ColumnType } from '@svc/core/tables';
import {
  identifier,
  integer,
  joined,
  literal,
  literals,
  numbered,
  type Sql,
  sql,
  typeName,
} from '../queries/sql-text.ts';
import { exactnessOf } from './exact-values.ts';

/**
 * How a text is converted to a value: the expression that fails on an invalid text, and the test that finds it. Null is
 * always valid.
 */
export type Conversion = { readonly value: Sql; readonly invalid: Sql };

/** Fails the load; the location and reason are determined afterwards. */
export const INVALID_VALUE = sql`error('svc:wrong')`;

/**
 * Nested values are JSON whose texts and numbers are parsed like those of columns. `depth` makes lambda names unique.
 */
export function conversion(type: ColumnType, text: Sql, depth = 0): Conversion {
  switch (type.kind) {
    case 'string':
      return { value: text, invalid: sql`false` };
    case 'binary':
      return {
        value: sql`from_base64(${text})`,
        invalid: sql`${text} IS NOT NULL AND TRY(from_base64(${text})) IS NULL`,
      };
    case 'list':
      return listOf(type, text, depth);
    case 'map':
      return mapOf(type, text, depth);
    case 'struct':
      return structOf(type, text, depth);
    default:
      return scalar(type, text);
  }
}

function scalar(type: ColumnType, text: Sql): Conversion {
  const engine = typeName(type);
  const value = sql`CAST(${text} AS ${engine})`;
  const invalid = sql`${text} IS NOT NULL AND TRY_CAST(${text} AS ${engine}) IS NULL`;
  const exactness = exactnessOf(type, text);
  if (exactness === null) return { value, invalid };
  const fastBranch = exactness.fastCheck === null ? sql`` : sql`WHEN ${exactness.fastCheck} THEN ${value}`;
  return {
    value: sql`CASE ${fastBranch} WHEN NOT (${exactness.fullCheck}) THEN ${INVALID_VALUE} ELSE ${value} END`,
    invalid: sql`(${invalid} OR NOT (${exactness.fullCheck}))`,
  };
}

type Nested<K extends ColumnType['kind']> = Extract<ColumnType, { kind: K }>;

/** JSON of a nested value: null for null and for invalid JSON. */
const json = (text: Sql): Sql => sql`TRY_CAST(${text} AS JSON)`;

/** `value` if the text is JSON that passes the test `fits` (null otherwise), null for null. */
function convertIf(text: Sql, fits: Sql, value: Sql, invalidElement: Sql): Conversion {
  const isNull = sql`(${text} IS NULL OR coalesce(json_type(${json(text)}) = 'NULL', false))`;
  const bad = sql`NOT coalesce(${fits}, false)`;
  return {
    value: sql`CASE WHEN ${isNull} THEN NULL WHEN ${bad} THEN ${INVALID_VALUE} ELSE ${value} END`,
    invalid: sql`(NOT ${isNull} AND (${bad} OR ${invalidElement}))`,
  };
}

function listOf({ element }: Nested<'list'>, text: Sql, depth: number): Conversion {
  const items = sql`TRY_CAST(${json(text)} AS VARCHAR[])`;
  const item = numbered('svc_item_', depth);
  const inner = conversion(element, item, depth + 1);
  const value = sql`list_transform(${items}, lambda ${item}: ${inner.value})`;
  const invalid = sql`len(list_filter(${items}, lambda ${item}: ${inner.invalid})) > 0`;
  return convertIf(text, sql`${items} IS NOT NULL`, value, invalid);
}

function mapOf(type: Nested<'map'>, text: Sql, depth: number): Conversion {
  const entries = sql`map_entries(TRY_CAST(${json(text)} AS MAP(VARCHAR, VARCHAR)))`;
  const item = numbered('svc_item_', depth);
  const [key, value] = [
    conversion(type.key, sql`struct_extract(${item}, 'key')`, depth + 1),
    conversion(type.value, sql`struct_extract(${item}, 'value')`, depth + 1),
  ];
  const pair = sql`struct_pack(key := ${key.value}, value := ${value.value})`;
  // 1 and 01 are two different texts but the same number.
  const keys = sql`list_transform(${entries}, lambda ${item}: TRY_CAST(struct_extract(${item}, 'key') AS ${typeName(type.key)}))`;
  const invalid = sql`len(list_filter(${entries}, lambda ${item}: ${key.invalid} OR ${value.invalid})) > 0`;
  return convertIf(
    text,
    sql`${entries} IS NOT NULL`,
    sql`map_from_entries(list_transform(${entries}, lambda ${item}: ${pair}))`,
    sql`(${invalid} OR len(list_distinct(${keys})) < len(${entries}))`,
  );
}

/**
 * Requires each field once and nothing else. Each part is wrapped in a list of one item, so that its expression isn't
 * repeated.
 */
function structOf({ fields }: Nested<'struct'>, text: Sql, depth: number): Conversion {
  const item = numbered('svc_item_', depth);
  const parts = fields.map(({ name, type }) => {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const part = conversion(type, item, depth + 1);
    const of = (inner: Sql) =>
      sql`list_extract(list_transform([json_extract_string(${json(text)}, ${literal(pointer)})], lambda ${item}: ${inner}), 1)`;
    return { value: sql`${identifier(name)} := ${of(part.value)}`, wrong: of(part.invalid) };
  });
  const names = literals(fields.map((f) => f.name));
  const keys = sql`json_keys(${json(text)})`;
  return convertIf(
    text,
    sql`len(${keys}) = ${integer(fields.length)} AND list_has_all(${keys}, ${names})`,
    sql`struct_pack(${joined(parts.map((p) => p.value))})`,
    sql`(${joined(
      parts.map((p) => p.wrong),
      ' OR ',
    )})`,
  );
}
