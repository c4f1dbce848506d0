import { type TrinoSql, trino } from '../queries/sql-text.ts';
import type { Printed } from './constants.ts';
import type { FunctionPrinter } from './function-printer.ts';
import { trinoType } from './plan-types.ts';
import { identifier, listed } from './trino-text.ts';

const list: FunctionPrinter = ({ args, type }) =>
  type.id === 'LIST' ? trino`CAST(ARRAY[${listed(args)}] AS ${trinoType(type)})` : null;

const struct: FunctionPrinter = ({ args, type }) =>
  type.id === 'STRUCT' && type.fields.length === args.length
    ? trino`CAST(ROW(${listed(args)}) AS ${trinoType(type)})`
    : null;

/** Positions outside a list are null; negative ones count from the end. */
const element: FunctionPrinter = ({ args }) => {
  const [from, at] = args as [Printed, Printed];
  return from.type.id === 'LIST' ? trino`element_at(${from.sql}, nullif(${at.sql}, BIGINT '0'))` : null;
};

const field: FunctionPrinter = ({ args }) => {
  const [from, name] = args as [Printed, Printed];
  if (from.type.id !== 'STRUCT' || typeof name.constant !== 'string') return null;
  const wanted = name.constant.toLowerCase();
  const found = from.type.fields.find((f) => f.name.toLowerCase() === wanted);
  return found === undefined ? null : fieldOf(from, found.name);
};

/** A field of a struct, by the name in its type. */
export const fieldOf = (from: Printed, name: string): TrinoSql => trino`(${from.sql}).${identifier(name)}`;

const valueOfKey: FunctionPrinter = ({ args, type }) => {
  const [from, key] = args as [Printed, Printed];
  return from.type.id === 'MAP' && type.id !== 'LIST' ? trino`element_at(${from.sql}, ${key.sql})` : null;
};

/** False instead of null if only nulls might have been equal. */
const contains: FunctionPrinter = ({ args }) => {
  const [from, value] = args as [Printed, Printed];
  if (from.type.id !== 'LIST' || value.type.id === 'DOUBLE' || value.type.id === 'FLOAT') return null;
  const sql = trino`coalesce(contains(${from.sql}, ${value.sql}), false)`;
  return trino`CASE WHEN ${from.sql} IS NOT NULL AND ${value.sql} IS NOT NULL THEN ${sql} END`;
};

export const LIST_FUNCTIONS: Readonly<Record<string, FunctionPrinter>> = {
  list_value: list,
  list_pack: list,
  array_value: list,
  struct_pack: struct,
  array_extract: element,
  list_extract: element,
  list_element: element,
  struct_extract: field,
  map_extract_value: valueOfKey,
  cardinality: ({ args }) => (args[0]!.type.id === 'MAP' ? trino`CAST(cardinality(${args[0]!.sql}) AS bigint)` : null),
  list_contains: contains,
  list_has: contains,
  array_contains: contains,
  array_has: contains,
};
