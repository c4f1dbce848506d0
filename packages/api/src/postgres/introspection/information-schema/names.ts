import type { PgType } from '../../values/index.ts';
import { baseType } from '../relations/base-types.ts';

/** A type as information_schema.columns describes it. */
export function describedType(type: PgType): Readonly<Record<string, unknown>> {
  const isNumber = NUMBERS.has(type.name);
  const precision = PRECISIONS[type.name];
  const isDecimal = type.name === 'numeric' && type.modifier >= 4;
  return {
    data_type: type.element === null ? baseType(type.oid).sqlName : 'ARRAY',
    udt_name: type.name,
    character_octet_length: type.name === 'text' ? 1_073_741_824 : null,
    numeric_precision: isDecimal ? (type.modifier - 4) >> 16 : (precision ?? null),
    numeric_precision_radix: isNumber ? (type.name === 'numeric' ? 10 : 2) : null,
    numeric_scale: isDecimal ? (type.modifier - 4) & 0xffff : /^int/.test(type.name) ? 0 : null,
    datetime_precision: type.name === 'date' ? 0 : /^time/.test(type.name) ? 6 : null,
  };
}

const NUMBERS = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric']);
const PRECISIONS: Readonly<Record<string, number>> = { int2: 16, int4: 32, int8: 64, float4: 24, float8: 53 };
