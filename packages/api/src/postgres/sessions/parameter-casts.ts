import { SqlSyntaxError, type Token, tokenize } from '@svc/core/statements';
import { parameterCast } from '../values/index.ts';

/** The type of parameters that nothing is known about. */
export const TEXT = 25;

/** The statement with casts around the parameters that a query carries as texts: arrays, binary values and intervals. */
export function castParameters(sql: string, types: readonly number[]): string {
  const casts = types.map(parameterCast);
  if (casts.every((cast) => cast === null)) return sql;
  const { text, tokens } = tokenize(sql);
  let [out, at] = ['', 0];
  for (const token of tokens) {
    const cast = token.kind === 'parameter' ? casts[Number(token.text.slice(1)) - 1] : null;
    if (cast == null) continue;
    out += `${text.slice(at, token.start)}CAST(${token.text} AS ${cast})`;
    at = token.end;
  }
  return out + text.slice(at);
}

/** The types of parameters that a statement casts itself, as in `$1::INTEGER`, by their numbers. */
export function writtenTypes(sql: string): ReadonlyMap<number, string> {
  const types = new Map<number, string>();
  const tokens = tokensOf(sql);
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind !== 'parameter' || tokens[i + 1]?.text !== ':' || tokens[i + 2]?.text !== ':') continue;
    const type = tokens[i + 3];
    if (type?.kind === 'word') types.set(Number(text.slice(1)), type.upper === 'OID' ? 'BIGINT' : type.upper);
  }
  return types;
}

/** The highest number of a parameter in a statement. */
export function parameterCount(sql: string): number {
  const numbers = tokensOf(sql).map(({ kind, text }) => (kind === 'parameter' ? Number(text.slice(1)) : 0));
  return Math.max(0, ...numbers.filter(Number.isInteger));
}

/** None for a text that isn't complete SQL, which the engine reports. */
function tokensOf(sql: string): readonly Token[] {
  try {
    return tokenize(sql).tokens;
  } catch (error) {
    if (error instanceof SqlSyntaxError) return [];
    throw error;
  }
}
