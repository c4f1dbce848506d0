import type { ColumnType } from '@svc/core/tables';
import { integer, literal, type Sql, sql, typeName } from '../queries/sql-text.ts';

/**
 * Which texts a column type preserves exactly. The engine's CAST rounds texts with more digits than the type has,
 * converts numbers too large for a float to infinity, and ignores other text around a date or a time.
 */
export type Kept = {
  /** Cheap and true for most texts; null if there is no such test. */
  readonly quick: Sql | null;
  /** True for every text that is preserved exactly, provided that it is valid for the type; null for null. */
  readonly whole: Sql;
};

/** Null for a type whose CAST is lossless. */
export function keptWhole(type: ColumnType, text: Sql): Kept | null {
  switch (type.kind) {
    case 'int':
    case 'long':
      return { quick: sql`NOT contains(${text}, '.') AND NOT contains(${text}, '-')`, whole: keepsDigits(text, 0) };
    case 'decimal': {
      const whole = keepsDigits(text, type.scale);
      if (!fitsDouble(type)) return { quick: fewBehindPoint(text, type.scale), whole };
      const same = sameAsDouble(type, sql`TRY_CAST(${text} AS DOUBLE)`);
      return { quick: fewBehindPoint(text, type.scale), whole: sql`(${whole} OR coalesce(${same}, false))` };
    }
    case 'float':
    case 'double': {
      const finite = sql`isfinite(TRY_CAST(${text} AS ${typeName(type)}))`;
      return { quick: finite, whole: sql`coalesce(${finite}, false) OR regexp_matches(${text}, '(?i)inf|nan')` };
    }
    case 'date': {
      // A timestamp is parsed to its end.
      const midnight = sql`TRY_CAST(${text} AS TIMESTAMP) = TRY_CAST(TRY_CAST(${text} AS DATE) AS TIMESTAMP)`;
      const far = literal(String.raw`\s*[+-]?\d+-\d+-\d+\s*(\(BC\)\s*)?`);
      return { quick: null, whole: sql`coalesce(${midnight}, false) OR regexp_full_match(${text}, ${far})` };
    }
    case 'time': {
      const form = literal(String.raw`\s*\d+:\d+(:\d+(\.\d{0,6}0*)?)?(Z|[+-]\d\d(:?\d\d)?)?\s*`);
      return { quick: null, whole: sql`regexp_full_match(${text}, ${form})` };
    }
    case 'timestamp':
    case 'timestamptz':
      return {
        quick: sql`NOT contains(${text}, '.') OR strlen(${text}) - instr(${text}, '.') <= 6`,
        whole: sql`NOT regexp_matches(${text}, ${literal(String.raw`\.\d{6}\d*[1-9]`)})`,
      };
    default:
      return null;
  }
}

/** Whether values of a type, or of a nested type, may have more digits than a floating-point number can represent. */
export function holdsMoreDigits(type: ColumnType): boolean {
  switch (type.kind) {
    case 'int':
    case 'long':
      return true;
    case 'decimal':
      return !fitsDouble(type);
    case 'list':
      return holdsMoreDigits(type.element);
    case 'map':
      return holdsMoreDigits(type.key) || holdsMoreDigits(type.value);
    case 'struct':
      return type.fields.some((field) => holdsMoreDigits(field.type));
    default:
      return false;
  }
}

/** Each decimal of up to 15 digits maps to a different floating-point number. */
export function fitsDouble(type: ColumnType): boolean {
  return type.kind === 'decimal' && type.precision <= 15;
}

/**
 * Whether a floating-point number is the nearest one to its value as a decimal: 1.239 isn't for decimal(10,2), but
 * 0.10000000000000001, which programs print for 0.1, is.
 */
export function sameAsDouble(type: ColumnType, double: Sql): Sql {
  return sql`CAST(TRY_CAST(${double} AS ${typeName(type)}) AS DOUBLE) = ${double}`;
}

/**
 * At most `scale` characters after the decimal point, or in total: two are too few for an exponent that adds digits.
 */
function fewBehindPoint(text: Sql, scale: number): Sql {
  const few = sql`strlen(${text}) - instr(${text}, '.') <= ${integer(scale)}`;
  return scale <= 2 ? few : sql`${few} AND NOT contains(${text}, 'e') AND NOT contains(${text}, 'E')`;
}

/** A number with at most `scale` digits after the decimal point, ignoring trailing zeros. */
function keepsDigits(text: Sql, scale: number): Sql {
  const digits = sql`replace(lower(${text}), '_', '')`;
  const [mantissa, exponent] = [1, 2].map((part) => sql`split_part(${digits}, 'e', ${integer(part)})`) as [Sql, Sql];
  const [whole, fraction] = [1, 2].map((part) => sql`split_part(${mantissa}, '.', ${integer(part)})`) as [Sql, Sql];
  const kept = sql`rtrim(${fraction}, '0')`;
  const shift = sql`TRY_CAST(${exponent} AS INTEGER)`;
  const scaled = sql`CASE WHEN NOT regexp_matches(${mantissa}, '[1-9]') THEN true
    WHEN ${kept} <> '' THEN strlen(${kept}) - ${shift} <= ${integer(scale)}
    ELSE strlen(rtrim(${whole}, '0')) - strlen(${whole}) - ${shift} <= ${integer(scale)} END`;
  const cut = literal(String.raw`\.\d{${scale}}\d*[1-9]`);
  const plain = sql`NOT regexp_matches(${digits}, ${cut})`;
  return sql`CASE WHEN contains(${digits}, 'e') THEN ${scaled} ELSE ${plain} END`;
}
