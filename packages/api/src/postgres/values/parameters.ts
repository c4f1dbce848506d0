import type { QueryParam } from '@svc/core/queries';
import { binaryArray } from './array-binary.ts';
import { type ArrayTexts, parseArray } from './array-literals.ts';
import { textOfBinary } from './parameter-binary.ts';
import { parameterOfText, utf8 } from './parameter-text.ts';
import { type Format, formatOf } from './rows.ts';
import { PgValueError } from './value-error.ts';

/** The element types of arrays that clients may send. */
const ELEMENTS: ReadonlyMap<number, number> = new Map([
  ...[[1000, 16] as const, [1005, 21] as const, [1007, 23] as const, [1016, 20] as const, [1028, 26] as const],
  ...[[1021, 700] as const, [1022, 701] as const, [1231, 1700] as const, [1182, 1082] as const],
  ...[[1183, 1083] as const, [1115, 1114] as const, [1185, 1184] as const, [1009, 25] as const],
  ...[[1015, 1043] as const, [1014, 1042] as const, [1003, 19] as const, [2951, 2950] as const],
  ...[[199, 114] as const, [3807, 3802] as const, [1187, 1186] as const, [1001, 17] as const],
]);

/** The engine's types of values that a query's parameters carry as texts. */
const CASTS: ReadonlyMap<number, string> = new Map([
  ...[[17, 'BLOB'] as const, [1186, 'INTERVAL'] as const],
  ...[[16, 'BOOLEAN'] as const, [21, 'SMALLINT'] as const, [23, 'INTEGER'] as const, [20, 'BIGINT'] as const],
  ...[[26, 'BIGINT'] as const, [700, 'FLOAT'] as const, [701, 'DOUBLE'] as const, [1700, 'DECIMAL(38,10)'] as const],
  ...[[1082, 'DATE'] as const, [1083, 'TIME'] as const, [1114, 'TIMESTAMP'] as const],
  ...[[1184, 'TIMESTAMP WITH TIME ZONE'] as const, [2950, 'UUID'] as const],
]);
const TEXT_CASTS: readonly number[] = [17, 1186];

/** The OID of the array type of an element type. */
export const arrayOf = (element: number): number => [...ELEMENTS].find(([, one]) => one === element)![0];

export const isArray = (oid: number): boolean => ELEMENTS.has(oid);

/**
 * The engine's type to which the statement must cast a parameter of this type, or null: arrays, binary values and intervals are sent to
 * the engine as texts, and nulls and parameters without a value show no type.
 */
export function parameterCast(oid: number, { hasValue }: { readonly hasValue: boolean }): string | null {
  const element = ELEMENTS.get(oid);
  if (element !== undefined) return `${CASTS.get(element) ?? 'VARCHAR'}[]`;
  return !hasValue || TEXT_CASTS.includes(oid) ? (CASTS.get(oid) ?? null) : null;
}

/**
 * The value of a query's parameter. A value without a type (0) is a text, which the engine casts as the statement needs.
 *
 * @throws PgValueError if it is malformed
 */
export function decodeParameter(oid: number, format: Format, bytes: Buffer | null): QueryParam {
  if (bytes === null) return null;
  const element = ELEMENTS.get(oid);
  if (element === undefined) return parameterOfText(oid, format === 1 ? textOfBinary(oid, bytes) : utf8(bytes));
  return listText(format === 1 ? binaryArray(bytes, element) : parseArray(utf8(bytes)), element);
}

/** The values of all parameters of a statement. An error names the parameter. @throws PgValueError */
export function decodeParameters(
  oids: readonly number[],
  formats: readonly Format[],
  values: readonly (Buffer | null)[],
): QueryParam[] {
  return values.map((bytes, i) => {
    try {
      return decodeParameter(oids[i] ?? 0, formatOf(formats, i), bytes);
    } catch (error) {
      if (!(error instanceof PgValueError)) throw error;
      throw new PgValueError(error.sqlState, `Parameter $${i + 1}: ${error.message}`);
    }
  });
}

/** A list as the engine casts it from a text. */
function listText(items: ArrayTexts, element: number): string {
  const texts = items.map((item) => {
    if (item === null) return 'NULL';
    if (typeof item !== 'string') return listText(item, element);
    const param = parameterOfText(element, item);
    const value = String(typeof param === 'object' && param !== null ? param.value : param);
    return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `[${texts.join(', ')}]`;
}
