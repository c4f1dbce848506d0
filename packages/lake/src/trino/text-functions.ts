import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import type { Printed } from './constants.ts';
import type { Call, FunctionPrinter } from './function-printer.ts';
import { safePattern } from './patterns.ts';
import { calling, integer, listed, textLiteral } from './trino-text.ts';

const isText = ({ type }: Printed): boolean => type.id === 'VARCHAR';
const text = (value: Printed | undefined): string | null =>
  value !== undefined && isText(value) && typeof value.constant === 'string' ? value.constant : null;
const number = (value: Printed | undefined): number =>
  typeof value?.constant === 'string' ? Number(value.constant) : Number.NaN;

/** A function with only string arguments, by its name in Trino. */
const ofTexts =
  (name: string, count: number): FunctionPrinter =>
  ({ args }) =>
    args.length === count && args.every(isText)
      ? calling(
          name,
          args.map((a) => a.sql),
        )
      : null;

/** The characters that DuckDB's trim removes: all kinds of spaces, but no tabs or line breaks. */
const SPACES = textLiteral(
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
);

const SIDES = { BOTH: trino`BOTH`, LEADING: trino`LEADING`, TRAILING: trino`TRAILING` } as const;

const trim =
  (side: keyof typeof SIDES): FunctionPrinter =>
  ({ args }) => {
    const [value, chars] = args as [Printed, Printed | undefined];
    if (!isText(value)) return null;
    if (chars !== undefined && !text(chars)) return null;
    return trino`trim(${SIDES[side]} ${chars === undefined ? SPACES : chars.sql} FROM ${value.sql})`;
  };

/** Positions start at 1; other positions have DuckDB-specific semantics and aren't translated. */
const substring: FunctionPrinter = ({ args }) => {
  const [value, start, length] = args as [Printed, Printed, Printed | undefined];
  if (!isText(value) || !(number(start) >= 1)) return null;
  if (length !== undefined && !(number(length) >= 0)) return null;
  return trino`substr(${listed(args)})`;
};

const left: FunctionPrinter = ({ args: [value, count] }) =>
  isText(value!) && number(count) >= 0 ? trino`substr(${value!.sql}, 1, ${integer(number(count))})` : null;

const right: FunctionPrinter = ({ args: [value, count] }) => {
  if (!isText(value!) || !(number(count) >= 1)) return null;
  const n = integer(number(count));
  return trino`CASE WHEN length(${value!.sql}) <= ${n} THEN ${value!.sql} ELSE substr(${value!.sql}, -${n}) END`;
};

const pad =
  (name: string): FunctionPrinter =>
  ({ args }) => {
    const [value, size, fill] = args as [Printed, Printed, Printed];
    return isText(value) && number(size) >= 0 && number(size) <= 1e6 && text(fill)
      ? calling(name, [value.sql, integer(number(size)), fill.sql])
      : null;
  };

/** A constant string, escaped for a LIKE pattern. */
const inPattern = (part: string): string => part.replace(/[\\%_]/g, (c) => `\\${c}`);

const matching =
  (before: string, after: string, other: FunctionPrinter): FunctionPrinter =>
  (call) => {
    const [value, part] = call.args as [Printed, Printed];
    if (call.args.length !== 2 || !isText(value) || !isText(part)) return null;
    const constant = text(part);
    if (constant === null) return other(call);
    return trino`(${value.sql} LIKE ${textLiteral(`${before}${inPattern(constant)}${after}`)} ESCAPE '\\')`;
  };

const like =
  (not: TrinoSql, lower: boolean): FunctionPrinter =>
  ({ args }) => {
    if (args.length < 2 || !args.every(isText)) return null;
    const escaping = text(args[2]);
    if (args.length === 3 && (escaping === null || [...escaping].length !== 1)) return null;
    const [value, pattern] = args.map((a) => (lower ? trino`lower(${a.sql})` : a.sql));
    return trino`(${value!} ${not}LIKE ${pattern!}${args.length === 3 ? trino` ESCAPE ${textLiteral(escaping!)}` : trino``})`;
  };

/** Treats nulls as empty strings. */
const concat: FunctionPrinter = ({ args }) =>
  args.every(isText) && args.length > 0
    ? trino`concat('', ${joinedTrino(args.map((a) => trino`coalesce(${a.sql}, '')`))})`
    : null;

const splitPart: FunctionPrinter = ({ args }) => {
  const [value, separator, position] = args as [Printed, Printed, Printed];
  if (!isText(value) || !text(separator) || !(number(position) >= 1)) return null;
  const sql = trino`split_part(${value.sql}, ${separator.sql}, ${integer(number(position))})`;
  return trino`CASE WHEN ${value.sql} IS NOT NULL THEN coalesce(${sql}, '') END`;
};

const hexOf =
  (name: string): FunctionPrinter =>
  ({ args }) =>
    args.length === 1 && isText(args[0]!)
      ? trino`lower(to_hex(${calling(name, [trino`to_utf8(${args[0]!.sql})`])}))`
      : null;

const regexp =
  (before: string, after: string): FunctionPrinter =>
  ({ args }) => {
    const pattern = args.length === 2 && isText(args[0]!) ? text(args[1]) : null;
    const safe = pattern === null ? null : safePattern(pattern);
    return safe === null ? null : trino`regexp_like(${args[0]!.sql}, ${textLiteral(`${before}${safe}${after}`)})`;
  };

const length: FunctionPrinter = ({ args, type }: Call) => {
  const [value] = args as [Printed];
  if (args.length !== 1 || type.id !== 'BIGINT') return null;
  if (value.type.id === 'LIST') return trino`cardinality(${value.sql})`;
  return isText(value) ? trino`length(${value.sql})` : null;
};

/** The only letter that DuckDB converts but Java leaves unchanged. */
const upper: FunctionPrinter = ({ args }) =>
  isText(args[0]!) ? trino`replace(upper(${args[0]!.sql}), U&'\\00df', U&'\\1e9e')` : null;

const concatOperator: FunctionPrinter = ({ args, type }) =>
  args.length === 2 && (args.every(isText) || type.id === 'LIST' || type.id === 'BLOB')
    ? type.id === 'LIST'
      ? null
      : trino`(${args[0]!.sql} || ${args[1]!.sql})`
    : null;

const replace: FunctionPrinter = ({ args }) =>
  args.length === 3 && args.every(isText) && text(args[1]) ? trino`replace(${listed(args)})` : null;

const refuse: FunctionPrinter = () => null;

export const TEXT_FUNCTIONS: Readonly<Record<string, FunctionPrinter>> = {
  '||': concatOperator,
  concat,
  concat_ws: ({ args }) => (args.every(isText) && text(args[0]) !== null ? trino`concat_ws(${listed(args)})` : null),
  lower: ofTexts('lower', 1),
  lcase: ofTexts('lower', 1),
  upper,
  ucase: upper,
  length,
  len: length,
  char_length: length,
  character_length: length,
  array_length: length,
  strlen: ({ args }) => (isText(args[0]!) ? trino`length(to_utf8(${args[0]!.sql}))` : null),
  substr: substring,
  substring,
  left,
  right,
  trim: trim('BOTH'),
  ltrim: trim('LEADING'),
  rtrim: trim('TRAILING'),
  replace,
  lpad: pad('lpad'),
  rpad: pad('rpad'),
  instr: ofTexts('strpos', 2),
  strpos: ofTexts('strpos', 2),
  position: ofTexts('strpos', 2),
  starts_with: matching('', '%', ofTexts('starts_with', 2)),
  prefix: matching('', '%', ofTexts('starts_with', 2)),
  ends_with: matching('%', '', refuse),
  suffix: matching('%', '', refuse),
  contains: (call) => matching('%', '%', ({ args }) => trino`(strpos(${args[0]!.sql}, ${args[1]!.sql}) > 0)`)(call),
  split_part: splitPart,
  '~~': like(trino``, false),
  '!~~': like(trino`NOT `, false),
  '~~*': like(trino``, true),
  '!~~*': like(trino`NOT `, true),
  like_escape: like(trino``, false),
  not_like_escape: like(trino`NOT `, false),
  md5: hexOf('md5'),
  sha1: hexOf('sha1'),
  sha256: hexOf('sha256'),
  regexp_matches: regexp('', ''),
  regexp_full_match: regexp('\\A(?:', ')\\z'),
};
