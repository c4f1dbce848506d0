import type { QueryParams } from '@svc/core/queries';
import { type Token, tryTokenize } from '@svc/core/sql-tokens';
import { type PgType, parameterCast, pgTypeOfEngine } from '../values/index.ts';
import type { Prepared } from './portals.ts';

/** The type of parameters that nothing is known about. */
export const TEXT = 25;

/** The type of operands that have no values yet. */
const NUMERIC = 1700;

/** Types that some drivers also declare for the text of another type, such as JDBC's `setString`: text, varchar, char. */
const CHARACTERS: ReadonlySet<number> = new Set([TEXT, 1043, 1042]);

export const isCharacters = (oid: number): boolean => CHARACTERS.has(oid);

/** The types of parameters as far as they are known without the engine, by position; 0: unknown. */
export function knownTypes({ declaredTypes, operands }: Pick<Prepared, 'declaredTypes' | 'operands'>): number[] {
  const count = [...operands].reduce((highest, position) => Math.max(highest, position + 1), declaredTypes.length);
  return Array.from({ length: count }, (_, i) => {
    const declared = declaredTypes[i] ?? 0;
    if (declared !== 0 && !isCharacters(declared)) return declared;
    return operands.has(i) ? NUMERIC : 0;
  });
}

/**
 * The statement with casts around the parameters whose values don't show their types, so that it has the same columns whether it is
 * described or runs.
 *
 * @param params by position; null if they have no values yet
 */
export function castParameters(sql: string, types: readonly number[], params: QueryParams | null): string {
  const values = Array.isArray(params) ? params : [];
  const casts = types.map((type, i) => parameterCast(type, { hasValue: values[i] != null }));
  const statement = casts.every((cast) => cast === null) ? null : tryTokenize(sql);
  if (statement === null) return sql;
  const { text, tokens } = statement;
  let [out, at] = ['', 0];
  for (const token of tokens) {
    const cast = token.kind === 'parameter' ? casts[Number(token.text.slice(1)) - 1] : null;
    if (cast == null) continue;
    out += `${text.slice(at, token.start)}CAST(${token.text} AS ${cast})`;
    at = token.end;
  }
  return out + text.slice(at);
}

/** PostgreSQL's short names of types, as the engine calls them. */
const ENGINE_NAMES: Readonly<Record<string, string>> = {
  ...{ oid: 'BIGINT', int2: 'SMALLINT', int4: 'INTEGER', int8: 'BIGINT', bool: 'BOOLEAN', bytea: 'BINARY' },
  ...{ float4: 'FLOAT', float8: 'DOUBLE', numeric: 'DECIMAL' },
};

/**
 * The OIDs of the types that the engine has inferred. It doesn't see some parameters that the statement casts itself, as in
 * `LIMIT $1::INTEGER`: these have the type of the cast.
 */
export function inferredTypes(sql: string, engineTypes: readonly string[]): PgType[] {
  if (!engineTypes.includes('VARCHAR')) return engineTypes.map(pgTypeOfEngine);
  const written = writtenTypes(sql);
  return engineTypes.map((type, i) => pgTypeOfEngine(type === 'VARCHAR' ? (written.get(i + 1) ?? type) : type));
}

/** The types in casts of parameters by their numbers. */
function writtenTypes(sql: string): ReadonlyMap<number, string> {
  const types = new Map<number, string>();
  const tokens = tryTokenize(sql)?.tokens ?? [];
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind !== 'parameter' || tokens[i + 1]?.text !== ':' || tokens[i + 2]?.text !== ':') continue;
    const type = tokens[tokens[i + 4]?.text === '.' ? i + 5 : i + 3];
    if (type?.kind !== 'word' && type?.kind !== 'quoted') continue;
    const name = type.text.replaceAll('"', '').toLowerCase();
    types.set(Number(text.slice(1)), Object.hasOwn(ENGINE_NAMES, name) ? ENGINE_NAMES[name]! : name.toUpperCase());
  }
  return types;
}

const OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);

/** Whether the star before a token belongs to an operator that compares a text with a pattern: `~*`, `!~*` or `~~*`. */
const isPattern = (tokens: readonly Token[], i: number): boolean =>
  tokens[i - 1]!.text === '*' && tokens[i - 2]?.text === '~' && tokens[i - 2]!.end === tokens[i - 1]!.start;

/**
 * The positions of the parameters next to an arithmetic operator, from 0. Such an operator has several meanings, so the engine infers no type
 * for them.
 */
export function operandsOf(sql: string): ReadonlySet<number> {
  const positions = new Set<number>();
  const tokens = (sql.includes('$') ? tryTokenize(sql)?.tokens : null) ?? [];
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind !== 'parameter') continue;
    const [before, next, afterNext] = [tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? '', tokens[i + 2]?.text ?? ''];
    // In `payload -> $1` and `$1 ->> 'a'`, the sign is part of an arrow; `$1::DATE` has a type.
    const isOperand = (OPERATORS.has(before) && !isPattern(tokens, i)) || (OPERATORS.has(next) && afterNext !== '>');
    if (isOperand && next !== ':') positions.add(Number(text.slice(1)) - 1);
  }
  return positions;
}

/** The highest number of a parameter in a statement. */
export function parameterCount(sql: string): number {
  const tokens = tryTokenize(sql)?.tokens ?? [];
  // A long statement has more tokens than a call can have arguments.
  return tokens.reduce((highest, { kind, text }) => {
    const number = kind === 'parameter' ? Number(text.slice(1)) : 0;
    return Number.isInteger(number) ? Math.max(highest, number) : highest;
  }, 0);
}
