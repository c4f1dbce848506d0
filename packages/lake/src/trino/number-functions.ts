import { type TrinoSql, trino } from '../queries/sql-text.ts';
import { outOfRange } from './casts.ts';
import { compare } from './comparisons.ts';
import type { Printed } from './constants.ts';
import { plusDays, plusInterval } from './date-functions.ts';
import type { Call, FunctionPrinter } from './function-printer.ts';
import { isExact, isFloating, isInteger, trinoType } from './plan-types.ts';
import { calling, integer, quotedNumber } from './trino-text.ts';

const numeric = ({ type }: Printed): boolean => isExact(type) || isFloating(type);

/** The operands already have the same kind of type; an exact result has DuckDB's width. */
const OPERATORS = { '+': trino`+`, '-': trino`-`, '*': trino`*`, '/': trino`/`, '%': trino`%` } as const;

function arithmetic(operator: '+' | '-' | '*'): FunctionPrinter {
  return ({ args, type }) => {
    const [a, b] = args as [Printed, Printed];
    if (args.length !== 2) return null;
    if (!numeric(a) || !numeric(b)) return operator === '*' ? null : momentArithmetic(operator, a, b);
    const sql = trino`(${a.sql} ${OPERATORS[operator]} ${b.sql})`;
    return isExact(type) && !isInteger(type) ? trino`CAST(${sql} AS ${trinoType(type)})` : sql;
  };
}

function momentArithmetic(operator: '+' | '-', a: Printed, b: Printed): TrinoSql | null {
  if (operator === '+' && a.interval !== undefined) return momentArithmetic('+', b, a);
  if (b.interval !== undefined) return plusInterval(a, b.interval, operator === '-' ? -1n : 1n);
  if (operator === '+' && isInteger(a.type)) return momentArithmetic('+', b, a);
  if (a.type.id !== 'DATE') return null;
  if (b.type.id === 'DATE') return operator === '-' ? trino`date_diff('day', ${b.sql}, ${a.sql})` : null;
  return isInteger(b.type) ? plusDays(a.sql, operator === '-' ? trino`-(${b.sql})` : b.sql) : null;
}

function minus(call: Call): TrinoSql | null {
  const [only] = call.args as [Printed];
  if (call.args.length === 2) return arithmetic('-')(call);
  return numeric(only) ? trino`(-(${only.sql}))` : null;
}

/** Division by zero returns null, not an error. */
function whole(operator: '/' | '%'): FunctionPrinter {
  return ({ args, type }) => {
    const [a, b] = args as [Printed, Printed];
    if (args.length !== 2) return null;
    if (operator === '%' && isFloating(type)) return trino`(${a.sql} % ${b.sql})`;
    if (!isInteger(type) && !(operator === '%' && isExact(type))) return null;
    const sql = trino`(${a.sql} ${OPERATORS[operator]} nullif(${b.sql}, CAST(0 AS ${trinoType(b.type)})))`;
    return isInteger(type) ? sql : trino`CAST(${sql} AS ${trinoType(type)})`;
  };
}

const divide: FunctionPrinter = ({ args, type }) =>
  args.length === 2 && isFloating(type) ? trino`(${args[0]!.sql} / ${args[1]!.sql})` : null;

/** A function on doubles with its name in Trino. */
const ofDoubles =
  (name: string): FunctionPrinter =>
  ({ args, type }) =>
    type.id === 'DOUBLE' && args.every((a) => a.type.id === 'DOUBLE')
      ? calling(
          name,
          args.map((a) => a.sql),
        )
      : null;

/** A function for which DuckDB rejects arguments outside its domain, but Trino returns NaN. */
const within =
  (name: string, domain: (x: TrinoSql) => TrinoSql): FunctionPrinter =>
  ({ args, type }) => {
    const [{ sql, type: of }] = args as [Printed];
    if (args.length !== 1 || type.id !== 'DOUBLE' || of.id !== 'DOUBLE') return null;
    return trino`CASE WHEN ${domain(sql)} THEN ${outOfRange(trino`double`)} ELSE ${calling(name, [sql])} END`;
  };

const POSITIVE = (x: TrinoSql) => trino`${x} <= DOUBLE '0'`;
const MAX_FRACTIONAL = trino`DOUBLE '4503599627370496'`;

/** Both engines round halves away from zero, but Trino can't round doubles beyond 2^63. */
const round: FunctionPrinter = ({ args, type }) => {
  const [x, digits] = args as [Printed, Printed | undefined];
  const decimals = digits === undefined ? 0 : Number(digits.constant ?? Number.NaN);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 15) return null;
  if (isInteger(type)) return x.sql;
  if (type.id === 'DECIMAL') return trino`CAST(round(${x.sql}, ${integer(decimals)}) AS ${trinoType(type)})`;
  if (type.id !== 'DOUBLE') return null;
  const scaled = decimals === 0 ? x.sql : trino`(${x.sql} * DOUBLE ${quotedNumber(`1e${decimals}`)})`;
  const rounded =
    decimals === 0 ? trino`round(${x.sql})` : trino`round(${scaled}) / DOUBLE ${quotedNumber(`1e${decimals}`)}`;
  return trino`CASE WHEN abs(${scaled}) < ${MAX_FRACTIONAL} THEN ${rounded} ELSE ${x.sql} END`;
};

/** The integral results of floor, ceil and trunc. */
const toWhole =
  (name: string): FunctionPrinter =>
  ({ args, type }) => {
    const [{ sql, type: of }] = args as [Printed];
    if (args.length !== 1 || !(isExact(of) || of.id === 'DOUBLE')) return null;
    return isExact(type)
      ? trino`CAST(${calling(name, [sql])} AS ${trinoType(type)})`
      : calling(name, [trino`CAST(${sql} AS double)`]);
  };

const sameKind =
  (name: string): FunctionPrinter =>
  ({ args, type }) =>
    args.length === 1 && numeric(args[0]!) ? trino`CAST(${calling(name, [args[0]!.sql])} AS ${trinoType(type)})` : null;

/** Skips nulls; Trino would return null. */
const greatestOrLeast =
  (kind: 'COMPARE_GREATERTHAN' | 'COMPARE_LESSTHAN'): FunctionPrinter =>
  ({ args, type }) => {
    const widest = args.reduce((a, b) => ({
      sql: trino`CASE WHEN ${a.sql} IS NULL THEN ${b.sql} WHEN ${b.sql} IS NULL THEN ${a.sql} WHEN ${compare(kind, a, b)} THEN ${a.sql} ELSE ${b.sql} END`,
      type,
    }));
    return args.length <= 8 ? widest.sql : null;
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
  sqrt: within('sqrt', (x) => trino`${x} < DOUBLE '0'`),
  ln: within('ln', POSITIVE),
  log10: within('log10', POSITIVE),
  exp: ofDoubles('exp'),
  pi: ({ args }) => (args.length === 0 ? trino`pi()` : null),
  degrees: ofDoubles('degrees'),
  radians: ofDoubles('radians'),
  isnan: ({ args }) => trino`is_nan(${args[0]!.sql})`,
  isinf: ({ args }) => (isFloating(args[0]!.type) ? trino`is_infinite(${args[0]!.sql})` : null),
  greatest: greatestOrLeast('COMPARE_GREATERTHAN'),
  least: greatestOrLeast('COMPARE_LESSTHAN'),
};
