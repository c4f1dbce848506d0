import type { ColumnType } from '@svc/core/tables';
import { duckdbType } from '../tables/index.ts';

/**
 * Which texts a column of a type keeps whole. The engine's CAST rounds what has more digits than the type, takes a number
 * too large for a float to be infinite, and reads a date or a time without looking at what stands around it.
 */
export type Kept = {
  /** Costs little and holds for most texts; null where there is no such test. */
  readonly quick: string | null;
  /** Holds for every text that is kept whole, if it is one of the type at all; null for null. */
  readonly whole: string;
};

/** Null for a type of which CAST loses nothing. */
export function keptWhole(type: ColumnType, text: string): Kept | null {
  switch (type.kind) {
    case 'int':
    case 'long':
      return { quick: `NOT contains(${text}, '.') AND NOT contains(${text}, '-')`, whole: keepsDigits(text, 0) };
    case 'decimal': {
      const whole = keepsDigits(text, type.scale);
      if (!fitsDouble(type)) return { quick: fewBehindPoint(text, type.scale), whole };
      const same = sameAsDouble(type, `TRY_CAST(${text} AS DOUBLE)`);
      return { quick: fewBehindPoint(text, type.scale), whole: `(${whole} OR coalesce(${same}, false))` };
    }
    case 'float':
    case 'double': {
      const finite = `isfinite(TRY_CAST(${text} AS ${duckdbType(type)}))`;
      return { quick: finite, whole: `coalesce(${finite}, false) OR regexp_matches(${text}, '(?i)inf|nan')` };
    }
    case 'date': {
      // A timestamp is read to its end.
      const midnight = `TRY_CAST(${text} AS TIMESTAMP) = TRY_CAST(TRY_CAST(${text} AS DATE) AS TIMESTAMP)`;
      const far = String.raw`\s*[+-]?\d+-\d+-\d+\s*(\(BC\)\s*)?`;
      return { quick: null, whole: `coalesce(${midnight}, false) OR regexp_full_match(${text}, '${far}')` };
    }
    case 'time': {
      const form = String.raw`\s*\d+:\d+(:\d+(\.\d{0,6}0*)?)?(Z|[+-]\d\d(:?\d\d)?)?\s*`;
      return { quick: null, whole: `regexp_full_match(${text}, '${form}')` };
    }
    case 'timestamp':
    case 'timestamptz':
      return {
        quick: `NOT contains(${text}, '.') OR strlen(${text}) - instr(${text}, '.') <= 6`,
        whole: String.raw`NOT regexp_matches(${text}, '\.\d{6}\d*[1-9]')`,
      };
    default:
      return null;
  }
}

/** Every decimal of 15 digits is another floating point number. */
export function fitsDouble(type: ColumnType): boolean {
  return type.kind === 'decimal' && type.precision <= 15;
}

/**
 * Whether a floating point number is the one nearest to its value as the decimal: 1.239 is not as decimal(10,2), but
 * 0.10000000000000001, which programs print for 0.1, is.
 */
export function sameAsDouble(type: ColumnType, double: string): string {
  return `CAST(TRY_CAST(${double} AS ${duckdbType(type)}) AS DOUBLE) = ${double}`;
}

/** At most `scale` characters behind the point, or in all: two are too few for an exponent that makes more digits. */
function fewBehindPoint(text: string, scale: number): string {
  const few = `strlen(${text}) - instr(${text}, '.') <= ${scale}`;
  return scale <= 2 ? few : `${few} AND NOT contains(${text}, 'e') AND NOT contains(${text}, 'E')`;
}

/** A number with no more digits behind the point than `scale`, zeros at the end aside. */
function keepsDigits(text: string, scale: number): string {
  const digits = `replace(lower(${text}), '_', '')`;
  const [mantissa, exponent] = [1, 2].map((part) => `split_part(${digits}, 'e', ${part})`) as [string, string];
  const [whole, fraction] = [1, 2].map((part) => `split_part(${mantissa}, '.', ${part})`) as [string, string];
  const kept = `rtrim(${fraction}, '0')`;
  const shift = `TRY_CAST(${exponent} AS INTEGER)`;
  const scaled = `CASE WHEN NOT regexp_matches(${mantissa}, '[1-9]') THEN true
    WHEN ${kept} <> '' THEN strlen(${kept}) - ${shift} <= ${scale}
    ELSE strlen(rtrim(${whole}, '0')) - strlen(${whole}) - ${shift} <= ${scale} END`;
  const plain = String.raw`NOT regexp_matches(${digits}, '\.\d{${scale}}\d*[1-9]')`;
  return `CASE WHEN contains(${digits}, 'e') THEN ${scaled} ELSE ${plain} END`;
}
