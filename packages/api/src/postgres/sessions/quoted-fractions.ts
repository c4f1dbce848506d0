import { type Token, tryTokenize } from '@svc/core/sql-tokens';
import { decodeParameter, isFraction } from '../values/index.ts';
import { parameterCount, TEXT } from './parameter-casts.ts';
import type { Description } from './portals.ts';
import { isRejection } from './session-error.ts';

/** More of them in one statement aren't checked: such lists have one type. */
const MAX_CHECKED = 100;

/** Words that a value may follow. After any other word, a text has a type, as in `NUMERIC '1.5'`. */
const BEFORE_VALUES: ReadonlySet<string> = new Set(
  'AND OR NOT WHERE ON HAVING WHEN THEN ELSE CASE BETWEEN SELECT LIMIT OFFSET FROM'.split(' '),
);

interface QuotedFraction {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The quoted numbers with a decimal point or an exponent whose types the statement doesn't write. */
function quotedFractions(tokens: readonly Token[]): QuotedFraction[] {
  const found: QuotedFraction[] = [];
  for (const [i, token] of tokens.entries()) {
    const value = token.kind === 'literal' ? /^'([^']{1,1100})'$/.exec(token.text)?.[1] : undefined;
    if (value === undefined || !isFraction(value)) continue;
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    const isTyped = next?.text === ':' || (before?.kind === 'word' && !BEFORE_VALUES.has(before.upper));
    if (!isTyped) found.push({ text: value, start: token.start, end: token.end });
  }
  return found.slice(0, MAX_CHECKED);
}

/**
 * The statement with quoted fractions that mean the same as in PostgreSQL. The engine rounds them to what the statement needs, so that
 * `id = '1.6'` is true for 2. Drivers write numbers like this that substitute parameters themselves.
 *
 * @param describe the types of a statement's parameters
 * @throws PgValueError 22P02 for a fraction where an integer is needed
 */
export async function withExactFractions(
  sql: string,
  describe: (sql: string) => Promise<Description>,
): Promise<string> {
  const statement = /'[^']*[.eE]/.test(sql) ? tryTokenize(sql) : null;
  const fractions = statement === null ? [] : quotedFractions(statement.tokens);
  if (fractions.length === 0) return sql;
  const { text } = statement!;
  const count = parameterCount(sql);
  const types = await typesOf(
    replaced(text, fractions, (_, i) => `$${count + i + 1}`),
    describe,
  );
  if (types === null) return sql;
  return replaced(text, fractions, (fraction, i) => exact(fraction.text, types[count + i] ?? TEXT));
}

function replaced(
  text: string,
  fractions: readonly QuotedFraction[],
  by: (fraction: QuotedFraction, i: number) => string,
): string {
  let [out, at] = ['', 0];
  for (const [i, fraction] of fractions.entries()) {
    out += text.slice(at, fraction.start) + by(fraction, i);
    at = fraction.end;
  }
  return out + text.slice(at);
}

/** Null if the engine can't describe the statement, which then reports its own error or has no types. */
async function typesOf(
  sql: string,
  describe: (sql: string) => Promise<Description>,
): Promise<readonly number[] | null> {
  try {
    return (await describe(sql)).parameterTypes;
  } catch (error) {
    if (isRejection(error)) return null;
    throw error;
  }
}

const NUMERIC = 1700;
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23]);

/** The SQL of a quoted fraction that has this type. @throws PgValueError 22P02 for an integer type */
function exact(text: string, oid: number): string {
  const quoted = `'${text}'`;
  if (oid !== NUMERIC && !INTEGERS.has(oid)) return quoted;
  const value = decodeParameter(oid, 0, Buffer.from(text));
  return typeof value === 'object' && value !== null ? `CAST(${quoted} AS ${value.type})` : quoted;
}
