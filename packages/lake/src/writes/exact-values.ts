import type { ColumnType } from '@svc/core/tables';
import { integer, literal, type Sql, sql, typeName } from '../queries/sql-text.ts';

/**
 * Which texts a column type preserves exactly. The engine's CAST rounds texts with more digits than the type has,
 * converts numbers too large for a float to infinity, and ignores other text around a date or a time.
 */
export type ExactnessSql = {
  /** Cheap and true for most texts; null if there is no such test. */
  readonly fastCheck: Sql | null;
  /** True for every text that is preserved exactly, provided that it is valid for the type; null for null. */
  readonly fullCheck: Sql;
};

/** Null for a type whose CAST is lossless. */
export function exactnessOf(type: ColumnType, text: Sql): ExactnessSql | null {
  switch (type.kind) {
    case 'int':
    case 'long':
      return {
        fastCheck: sql`NOT contains(${text}, '.') AND NOT contains(${text}, '-')`,
        fullCheck: preservesDigits(text, 0),
      };
    case 'decimal': {
      const fullCheck = preservesDigits(text, type.scale);
      if (!fitsDouble(type)) return { fastCheck: hasFewDecimals(text, type.scale), fullCheck };
      const same = sameAsDouble(type, sql`TRY_CAST(${text} AS DOUBLE)`);
      return {
        fastCheck: hasFewDecimals(text, type.scale),
        fullCheck: sql`(${fullCheck} OR coalesce(${same}, false))`,
      };
    }
    case 'float':
    case 'double': {
      const finite = sql`isfinite(TRY_CAST(${text} AS ${typeName(type)}))`;
      return {
        fastCheck: finite,
        fullCheck: sql`coalesce(${finite}, false) OR regexp_matches(${text}, '(?i)inf|nan')`,
      };
    }
    case 'date': {
      // A timestamp is parsed to its end.
      const midnight = sql`TRY_CAST(${text} AS TIMESTAMP) = TRY_CAST(TRY_CAST(${text} AS DATE) AS TIMESTAMP)`;
      const outOfRange = literal(String.raw`\s*[+-]?\d+-\d+-\d+\s*(\(BC\)\s*)?`);
      return {
        fastCheck: null,
        fullCheck: sql`coalesce(${midnight}, false) OR regexp_full_match(${text}, ${outOfRange})`,
      };
    }
    case 'time': {
      const form = literal(String.raw`\s*\d+:\d+(:\d+(\.\d{0,6}0*)?)?(Z|[+-]\d\d(:?\d\d)?)?\s*`);
      return { fastCheck: null, fullCheck: sql`regexp_full_match(${text}, ${form})` };
    }
    case 'timestamp':
    case 'timestamptz':
      return {
        fastCheck: sql`NOT contains(${text}, '.') OR strlen(${text}) - instr(${text}, '.') <= 6`,
        fullCheck: sql`NOT regexp_matches(${text}, ${literal(String.raw`\.\d{6}\d*[1-9]`)})`,
      };
    default:
      return null;
  }
}

/** Whether values of a type, or of a nested type, may have more digits than a floating-point number can represent. */
export function hasExtraDigits(type: ColumnType): boolean {
  switch (type.kind) {
    case 'int':
    case 'long':
      return true;
    case 'decimal':
      return !fitsDouble(type);
    case 'list':
      return hasExtraDigits(type.element);
    case 'map':
      return hasExtraDigits(type.key) || hasExtraDigits(type.value);
    case 'struct':
      return type.fields.some((field) => hasExtraDigits(field.type));
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
function hasFewDecimals(text: Sql, scale: number): Sql {
  const few = sql`strlen(${text}) - instr(${text}, '.') <= ${integer(scale)}`;
  return scale <= 2 ? few : sql`${few} AND NOT contains(${text}, 'e') AND NOT contains(${text}, 'E')`;
}

/** A number with at most `scale` digits after the decimal point, ignoring trailing zeros. */
function preservesDigits(text: Sql, scale: number): Sql {
  const digits = sql`replace(lower(${text}), '_', '')`;
  const [mantissa, exponent] = [1, 2].map((part) => sql`split_part(${digits}, 'e', ${integer(part)})`) as [Sql, Sql];
  const [whole, fraction] = [1, 2].map((part) => sql`split_part(${mantissa}, '.', ${integer(part)})`) as [Sql, Sql];
  const significant = sql`rtrim(${fraction}, '0')`;
  const shift = sql`TRY_CAST(${exponent} AS INTEGER)`;
  const scaled = sql`CASE WHEN NOT regexp_matches(${mantissa}, '[1-9]') THEN true
    WHEN ${significant} <> '' THEN strlen(${significant}) - ${shift} <= ${integer(scale)}
    ELSE strlen(rtrim(${whole}, '0')) - strlen(${whole}) - ${shift} <= ${integer(scale)} END`;
  const excessDigits = literal(String.raw`\.\d{${scale}}\d*[1-9]`);
  const plain = sql`NOT regexp_matches(${digits}, ${excessDigits})`;
  return sql`CASE WHEN contains(${digits}, 'e') THEN ${scaled} ELSE ${plain} END`;
}
