import { type Token, tryTokenize } from '@svc/core/sql-tokens';
import { arrayOf, decodeParameter, isArray, isFraction, isHexBytes, parameterCast } from '../values/index.ts';
import { parameterCount, TEXT } from './parameter-casts.ts';
import type { Description } from './portals.ts';
import { isRejection, unsupported } from './session-error.ts';

/** More fractions in one statement aren't checked: such lists have one type. */
const MAX_FRACTIONS = 100;

/** Words that a value may follow. After any other word, a text has a type, as in `NUMERIC '1.5'`. */
const BEFORE_VALUES: ReadonlySet<string> = new Set(
  'AND OR NOT WHERE ON HAVING WHEN THEN ELSE CASE BETWEEN SELECT LIMIT OFFSET FROM'.split(' '),
);

interface QuotedConstant {
  readonly kind: 'fraction' | 'bytes' | 'array';
  /** Between the quotes, without escapes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const KINDS: readonly (readonly [QuotedConstant['kind'], (text: string) => boolean])[] = [
  ['fraction', (text) => text.length <= 1100 && isFraction(text)],
  ['bytes', isHexBytes],
  // A JSON object starts with a name and a colon.
  ['array', (text) => text.startsWith('{') && text.endsWith('}') && !/^\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(text)],
];

/** The constants without a type that the engine reads in another way than PostgreSQL. */
function quotedConstants(tokens: readonly Token[], { hasArrays }: { readonly hasArrays: boolean }): QuotedConstant[] {
  let fractions = 0;
  return tokens.flatMap((_, i) => {
    const constant = constantAt(tokens, i);
    if (constant === null || (constant.kind === 'array' && !hasArrays)) return [];
    return constant.kind !== 'fraction' || fractions++ < MAX_FRACTIONS ? [constant] : [];
  });
}

function constantAt(tokens: readonly Token[], i: number): QuotedConstant | null {
  const token = tokens[i]!;
  if (token.kind !== 'literal' || !token.text.startsWith("'")) return null;
  const hasEscapes = tokens[i - 1]?.upper === 'E' && tokens[i - 1]!.end === token.start;
  const first = hasEscapes ? i - 1 : i;
  const [before, next] = [tokens[first - 1], tokens[i + 1]];
  if (next?.text === ':' || (before?.kind === 'word' && !BEFORE_VALUES.has(before.upper))) return null;
  const text = unquoted(token.text, { hasEscapes });
  const kind = KINDS.find(([, isKind]) => isKind(text))?.[0];
  return kind === undefined ? null : { kind, text, start: tokens[first]!.start, end: token.end };
}

/** The text between the quotes. Of the escapes, only those of a backslash and a quote can be in a constant that counts. */
function unquoted(quoted: string, { hasEscapes }: { readonly hasEscapes: boolean }): string {
  const inner = quoted.slice(1, -1).replaceAll("''", "'");
  return hasEscapes ? inner.replaceAll(/\\([\\'])/g, '$1') : inner;
}

/**
 * The statement with quoted constants that mean the same as in PostgreSQL. The engine rounds fractions to what the statement needs, so
 * that `id = '1.6'` is true for 2; it reads `'\x00ff'` as three bytes, and `'{1,2}'` as no list. Drivers write values like this that
 * substitute parameters themselves.
 *
 * @param options.describe the types of a statement's parameters
 * @param options.isChange whether the statement changes rows: in a query, the engine's rewrite finds the arrays
 * @throws PgValueError 22P02 for a fraction where an integer is needed
 */
export async function withExactConstants(
  sql: string,
  { describe, isChange }: { readonly describe: (sql: string) => Promise<Description>; readonly isChange: boolean },
): Promise<string> {
  const statement = /'[^']*[.eE]|'\\{1,2}x|'\{/.test(sql) ? tryTokenize(sql) : null;
  if (statement === null) return sql;
  requireIntegers(statement.tokens);
  const constants = quotedConstants(statement.tokens, { hasArrays: isChange });
  if (constants.length === 0) return sql;
  const { text } = statement;
  const typing = { count: parameterCount(sql), describe, isChange, left: { rounds: MAX_ROUNDS } };
  const typed = await typesOf(text, constants, typing);
  if (typed.length === 0) return sql;
  return replaced(
    text,
    typed.map(({ constant }) => constant),
    (constant, i) => exact(constant, typed[i]!.oid) ?? text.slice(constant.start, constant.end),
  );
}

function replaced(
  text: string,
  constants: readonly QuotedConstant[],
  by: (constant: QuotedConstant, i: number) => string,
): string {
  let [out, at] = ['', 0];
  for (const [i, constant] of constants.entries()) {
    out += text.slice(at, constant.start) + by(constant, i);
    at = constant.end;
  }
  return out + text.slice(at);
}

/** The OIDs of integer types by the names that a cast can have. */
const INTEGER_NAMES: Readonly<Record<string, number>> = {
  ...{ SMALLINT: 21, INT2: 21, INT: 23, INTEGER: 23, INT4: 23, BIGINT: 20, INT8: 20 },
};

/** Checks the fractions that the statement casts to integers itself, as in `'1.6'::int`. @throws PgValueError 22P02 */
function requireIntegers(tokens: readonly Token[]): void {
  for (const [i, { kind, text: quoted }] of tokens.entries()) {
    const oid = kind === 'literal' && quoted.startsWith("'") ? integerTypeAt(tokens, i) : null;
    const text = oid === null ? '' : unquoted(quoted, { hasEscapes: false });
    const isFlatArray = text.startsWith('{') && !text.includes('{', 1);
    if (isFraction(text) || (isFlatArray && /[.eE]/.test(text))) decodeParameter(oid!, 0, Buffer.from(text));
  }
}

/** The OID of the integer type, or array of such, to which a constant is cast. */
function integerTypeAt(tokens: readonly Token[], i: number): number | null {
  const isCast = tokens[i + 1]?.text === ':' && tokens[i + 2]?.text === ':';
  const at = isCast ? (tokens[i + 4]?.text === '.' ? i + 5 : i + 3) : i - 1;
  const name = tokens[at]?.upper ?? '';
  if (!Object.hasOwn(INTEGER_NAMES, name)) return null;
  const oid = INTEGER_NAMES[name]!;
  return isCast && tokens[at + 1]?.text === '[' ? arrayOf(oid) : oid;
}

interface Typing {
  /** The number of the statement's own parameters. */
  readonly count: number;
  readonly describe: (sql: string) => Promise<Description>;
  readonly isChange: boolean;
  /** How often the engine may still describe the statement. */
  readonly left: { rounds: number };
}

/** For a statement with a few constants that can't be parameters. */
const MAX_ROUNDS = 100;

interface TypedConstant {
  readonly constant: QuotedConstant;
  readonly oid: number;
}

/**
 * The constants with the types that the statement needs. Those for which the engine accepts no parameter, such as a format, are
 * left out, or all of them if it rejects the statement itself, whose error it then reports.
 */
async function typesOf(
  text: string,
  constants: readonly QuotedConstant[],
  typing: Typing,
): Promise<readonly TypedConstant[]> {
  const together = await typesTogether(text, constants, typing);
  if (together !== null) return together;
  const isAccepted = constants.length > 1 && (await typesTogether(text, [], typing)) !== null;
  return isAccepted ? typesApart(text, constants, typing) : [];
}

/** The types of constants as parameters of one statement; null if the engine rejects it. */
async function typesTogether(
  text: string,
  constants: readonly QuotedConstant[],
  { count, describe, isChange, left }: Typing,
): Promise<readonly TypedConstant[] | null> {
  if (left.rounds-- <= 0) {
    // A rounded fraction could change other rows.
    if (isChange) throw unsupported('too many quoted values of unknown types', 'Write numbers without quotes.');
    return [];
  }
  try {
    const { parameterTypes } = await describe(replaced(text, constants, (_, i) => `$${count + i + 1}`));
    return constants.map((constant, i) => ({ constant, oid: parameterTypes[count + i] ?? TEXT }));
  } catch (error) {
    if (isRejection(error)) return null;
    throw error;
  }
}

/** The types of those constants that can be parameters, found by halves. */
async function typesApart(
  text: string,
  constants: readonly QuotedConstant[],
  typing: Typing,
): Promise<readonly TypedConstant[]> {
  if (constants.length === 1) return [];
  const middle = Math.ceil(constants.length / 2);
  const typed: TypedConstant[] = [];
  for (const half of [constants.slice(0, middle), constants.slice(middle)])
    typed.push(...((await typesTogether(text, half, typing)) ?? (await typesApart(text, half, typing))));
  return typed;
}

const [BYTEA, NUMERIC] = [17, 1700];
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23]);

/** The SQL of a constant that has this type, or null if the engine reads it in the same way. @throws PgValueError 22P02 for a fraction of an integer type */
function exact({ kind, text }: QuotedConstant, oid: number): string | null {
  switch (kind) {
    case 'bytes':
      return oid === BYTEA ? cast(text, 'BYTEA') : null;
    case 'array': {
      const type = isArray(oid) ? parameterCast(oid, { hasValue: true }) : null;
      return type === null ? null : cast(text, type);
    }
    default: {
      const value = oid === NUMERIC || INTEGERS.has(oid) ? decodeParameter(oid, 0, Buffer.from(text)) : null;
      return typeof value === 'object' && value !== null ? cast(text, value.type) : null;
    }
  }
}

const cast = (text: string, type: string): string => `CAST('${text.replaceAll("'", "''")}' AS ${type})`;
