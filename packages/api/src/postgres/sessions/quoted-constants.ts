import { type Token, tryTokenize } from '@svc/core/sql-tokens';
import { decodeParameter, isArray, isFraction, isHexBytes, parameterCast } from '../values/index.ts';
import { parameterCount, TEXT } from './parameter-casts.ts';
import type { Description } from './portals.ts';
import { isRejection } from './session-error.ts';

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
  const constants = statement === null ? [] : quotedConstants(statement.tokens, { hasArrays: isChange });
  if (constants.length === 0) return sql;
  const { text } = statement!;
  const count = parameterCount(sql);
  const types = await typesOf(
    replaced(text, constants, (_, i) => `$${count + i + 1}`),
    describe,
  );
  if (types === null) return sql;
  return replaced(
    text,
    constants,
    (constant, i) => exact(constant, types[count + i] ?? TEXT) ?? text.slice(constant.start, constant.end),
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
