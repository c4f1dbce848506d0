import type { ColumnType } from '@svc/core/tables';
import { identifier, literal, literals } from '../queries/sql-text.ts';
import { duckdbType } from '../tables/index.ts';
import { keptWhole } from './exact-values.ts';

/** How a text becomes a value: the expression that fails on a wrong one, and the test that finds it; null never is. */
export type Conversion = { readonly value: string; readonly wrong: string };

/** Fails the load; where and why is found out after. */
export const WRONG = "error('svc:wrong')";

/** Nested values are JSON whose texts and numbers are read as those of columns. `depth` tells the lambdas apart. */
export function conversion(type: ColumnType, text: string, depth = 0): Conversion {
  switch (type.kind) {
    case 'string':
      return { value: text, wrong: 'false' };
    case 'binary':
      return { value: `from_base64(${text})`, wrong: `${text} IS NOT NULL AND TRY(from_base64(${text})) IS NULL` };
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

function scalar(type: ColumnType, text: string): Conversion {
  const engine = duckdbType(type);
  const value = `CAST(${text} AS ${engine})`;
  const wrong = `${text} IS NOT NULL AND TRY_CAST(${text} AS ${engine}) IS NULL`;
  const kept = keptWhole(type, text);
  if (kept === null) return { value, wrong };
  const quick = kept.quick === null ? '' : `WHEN ${kept.quick} THEN ${value}`;
  return {
    value: `CASE ${quick} WHEN NOT (${kept.whole}) THEN ${WRONG} ELSE ${value} END`,
    wrong: `(${wrong} OR NOT (${kept.whole}))`,
  };
}

type Nested<K extends ColumnType['kind']> = Extract<ColumnType, { kind: K }>;

/** JSON of a nested value: null for null, and for what is no JSON. */
const json = (text: string): string => `TRY_CAST(${text} AS JSON)`;

/** `value` where the text is JSON of the form that `fits` tests (null for another), null for null. */
function whereFits(text: string, fits: string, value: string, wrongInside: string): Conversion {
  const isNull = `(${text} IS NULL OR coalesce(json_type(${json(text)}) = 'NULL', false))`;
  const bad = `NOT coalesce(${fits}, false)`;
  return {
    value: `CASE WHEN ${isNull} THEN NULL WHEN ${bad} THEN ${WRONG} ELSE ${value} END`,
    wrong: `(NOT ${isNull} AND (${bad} OR ${wrongInside}))`,
  };
}

function listOf({ element }: Nested<'list'>, text: string, depth: number): Conversion {
  const items = `TRY_CAST(${json(text)} AS VARCHAR[])`;
  const item = `svc_item_${depth}`;
  const inner = conversion(element, item, depth + 1);
  const value = `list_transform(${items}, lambda ${item}: ${inner.value})`;
  const wrong = `len(list_filter(${items}, lambda ${item}: ${inner.wrong})) > 0`;
  return whereFits(text, `${items} IS NOT NULL`, value, wrong);
}

function mapOf(type: Nested<'map'>, text: string, depth: number): Conversion {
  const entries = `map_entries(TRY_CAST(${json(text)} AS MAP(VARCHAR, VARCHAR)))`;
  const item = `svc_item_${depth}`;
  const [key, value] = [
    conversion(type.key, `struct_extract(${item}, 'key')`, depth + 1),
    conversion(type.value, `struct_extract(${item}, 'value')`, depth + 1),
  ];
  const pair = `struct_pack(key := ${key.value}, value := ${value.value})`;
  // 1 and 01 are two texts and one number.
  const keys = `list_transform(${entries}, lambda ${item}: TRY_CAST(struct_extract(${item}, 'key') AS ${duckdbType(type.key)}))`;
  const wrong = `len(list_filter(${entries}, lambda ${item}: ${key.wrong} OR ${value.wrong})) > 0`;
  return whereFits(
    text,
    `${entries} IS NOT NULL`,
    `map_from_entries(list_transform(${entries}, lambda ${item}: ${pair}))`,
    `(${wrong} OR len(list_distinct(${keys})) < len(${entries}))`,
  );
}

/** Each field once, and nothing else. A part is the one item of a list, so that its expression need not be repeated. */
function structOf({ fields }: Nested<'struct'>, text: string, depth: number): Conversion {
  const item = `svc_item_${depth}`;
  const parts = fields.map(({ name, type }) => {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const part = conversion(type, item, depth + 1);
    const of = (inner: string) =>
      `list_extract(list_transform([json_extract_string(${json(text)}, ${literal(pointer)})], lambda ${item}: ${inner}), 1)`;
    return { value: `${identifier(name)} := ${of(part.value)}`, wrong: of(part.wrong) };
  });
  const names = literals(fields.map((f) => f.name));
  const keys = `json_keys(${json(text)})`;
  return whereFits(
    text,
    `len(${keys}) = ${fields.length} AND list_has_all(${keys}, ${names})`,
    `struct_pack(${parts.map((p) => p.value).join(', ')})`,
    `(${parts.map((p) => p.wrong).join(' OR ')})`,
  );
}
