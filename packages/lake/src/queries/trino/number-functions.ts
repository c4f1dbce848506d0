import { outOfRange } from './casts.ts';
import { compare } from './comparisons.ts';
import type { Printed } from './constants.ts';
import { plusDays, plusInterval } from './date-functions.ts';
import type { Call, FunctionPrinter } from './function-printer.ts';
import { isExact, isFloating, isInteger, trinoType } from './plan-types.ts';

const numeric = ({ type }: Printed): boolean => isExact(type) || isFloating(type);

/** Operands are of one kind already; an exact result has DuckDB's own width. */
function arithmetic(operator: '+' | '-' | '*'): FunctionPrinter {
  return ({ args, type }) => {
    const [a, b] = args as [Printed, Printed];
    if (args.length !== 2) return null;
    if (!numeric(a) || !numeric(b)) return operator === '*' ? null : momentArithmetic(operator, a, b);
    const sql = `(${a.sql} ${operator} ${b.sql})`;
    return isExact(type) && !isInteger(type) ? `CAST(${sql} AS ${trinoType(type)})` : sql;
  };
}

function momentArithmetic(operator: '+' | '-', a: Printed, b: Printed): string | null {
  if (operator === '+' && a.interval !== undefined) return momentArithmetic('+', b, a);
  if (b.interval !== undefined) return plusInterval(a, b.interval, operator === '-' ? -1n : 1n);
  if (operator === '+' && isInteger(a.type)) return momentArithmetic('+', b, a);
  if (a.type.id !== 'DATE') return null;
  if (b.type.id === 'DATE') return operator === '-' ? `date_diff('day', ${b.sql}, ${a.sql})` : null;
  return isInteger(b.type) ? plusDays(a.sql, operator === '-' ? `-(${b.sql})` : b.sql) : null;
}

function minus(call: Call): string | null {
  const [only] = call.args as [Printed];
  if (call.args.length === 2) return arithmetic('-')(call);
  return numeric(only) ? `(-(${only.sql}))` : null;
}

/** Division by zero gives null, not an error. */
function whole(operator: '/' | '%'): FunctionPrinter {
  return ({ args, type }) => {
    const [a, b] = args as [Printed, Printed];
    if (args.length !== 2) return null;
    if (operator === '%' && isFloating(type)) return `(${a.sql} % ${b.sql})`;
    if (!isInteger(type) && !(operator === '%' && isExact(type))) return null;
    const sql = `(${a.sql} ${operator} nullif(${b.sql}, CAST(0 AS ${trinoType(b.type)})))`;
    return isInteger(type) ? sql : `CAST(${sql} AS ${trinoType(type)})`;
  };
}

const divide: FunctionPrinter = ({ args, type }) =>
  args.length === 2 && isFloating(type) ? `(${args[0]!.sql} / ${args[1]!.sql})` : null;

/** A function of doubles that Trino has under this name. */
const ofDoubles =
  (name: string): FunctionPrinter =>
  ({ args, type }) =>
    type.id === 'DOUBLE' && args.every((a) => a.type.id === 'DOUBLE')
      ? `${name}(${args.map((a) => a.sql).join(', ')})`
      : null;

/** The same, where DuckDB reports numbers outside of its domain and Trino gives NaN. */
const within =
  (name: string, domain: (x: string) => string): FunctionPrinter =>
  ({ args, type }) => {
    const [{ sql, type: of }] = args as [Printed];
    if (args.length !== 1 || type.id !== 'DOUBLE' || of.id !== 'DOUBLE') return null;
    return `CASE WHEN ${domain(sql)} THEN ${outOfRange('double')} ELSE ${name}(${sql}) END`;
  };

const POSITIVE = (x: string) => `${x} <= DOUBLE '0'`;
const ROUNDED_BELOW = "DOUBLE '4503599627370496'";

/** A half goes away from zero in both; Trino's own rounding of doubles ends at 2^63. */
const round: FunctionPrinter = ({ args, type }) => {
  const [x, digits] = args as [Printed, Printed | undefined];
  const places = digits === undefined ? 0 : Number(digits.constant ?? Number.NaN);
  if (!Number.isInteger(places) || places < 0 || places > 15) return null;
  if (isInteger(type)) return x.sql;
  if (type.id === 'DECIMAL') return `CAST(round(${x.sql}, ${places}) AS ${trinoType(type)})`;
  if (type.id !== 'DOUBLE') return null;
  const scaled = places === 0 ? x.sql : `(${x.sql} * DOUBLE '1e${places}')`;
  const rounded = places === 0 ? `round(${x.sql})` : `round(${scaled}) / DOUBLE '1e${places}'`;
  return `CASE WHEN abs(${scaled}) < ${ROUNDED_BELOW} THEN ${rounded} ELSE ${x.sql} END`;
};

/** The whole numbers of floor, ceil and trunc. */
const toWhole =
  (name: string): FunctionPrinter =>
  ({ args, type }) => {
    const [{ sql, type: of }] = args as [Printed];
    if (args.length !== 1 || !(isExact(of) || of.id === 'DOUBLE')) return null;
    return isExact(type) ? `CAST(${name}(${sql}) AS ${trinoType(type)})` : `${name}(CAST(${sql} AS double))`;
  };

const sameKind =
  (name: string): FunctionPrinter =>
  ({ args, type }) =>
    args.length === 1 && numeric(args[0]!) ? `CAST(${name}(${args[0]!.sql}) AS ${trinoType(type)})` : null;

/** Nulls are left out, where Trino would give null. */
const extreme =
  (kind: 'COMPARE_GREATERTHAN' | 'COMPARE_LESSTHAN'): FunctionPrinter =>
  ({ args, type }) => {
    const best = args.reduce((a, b) => ({
      sql: `CASE WHEN ${a.sql} IS NULL THEN ${b.sql} WHEN ${b.sql} IS NULL THEN ${a.sql} WHEN ${compare(kind, a, b)} THEN ${a.sql} ELSE ${b.sql} END`,
      type,
    }));
    return args.length <= 8 ? best.sql : null;
  };

const power = ofDoubles('power');

export const NUMBER_FUNCTIONS: Readonly<Record<string, FunctionPrinter>> = {
  '+': arithmetic('+'),
  add: arithmetic('+'),
  '-': minus,
  subtract: minus,
  '*': arithmetic('*'),
  multiply: arithmetic('*'),
  '/': divide,
  '//': whole('/'),
  divide: whole('/'),
  '%': whole('%'),
  mod: whole('%'),
  '**': power,
  '^': power,
  pow: power,
  power,
  abs: sameKind('abs'),
  sign: sameKind('sign'),
  round,
  floor: toWhole('floor'),
  ceil: toWhole('ceil'),
  ceiling: toWhole('ceil'),
  trunc: toWhole('truncate'),
  sqrt: within('sqrt', (x) => `${x} < DOUBLE '0'`),
  ln: within('ln', POSITIVE),
  log10: within('log10', POSITIVE),
  exp: ofDoubles('exp'),
  pi: ({ args }) => (args.length === 0 ? 'pi()' : null),
  degrees: ofDoubles('degrees'),
  radians: ofDoubles('radians'),
  isnan: ({ args }) => `is_nan(${args[0]!.sql})`,
  isinf: ({ args }) => (isFloating(args[0]!.type) ? `is_infinite(${args[0]!.sql})` : null),
  greatest: extreme('COMPARE_GREATERTHAN'),
  least: extreme('COMPARE_LESSTHAN'),
};
