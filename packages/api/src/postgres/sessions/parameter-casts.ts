import type { QueryParams } from '@svc/core/queries';
import { SqlSyntaxError, tokenize } from '@svc/core/statements';
import { parameterCast } from '../values/index.ts';

/**
 * The statement with casts around the parameters whose values don't show their types, so that it has the same columns whether it is
 * described or runs.
 *
 * @param params by position; null if they have no values yet
 */
export function castParameters(sql: string, types: readonly number[], params: QueryParams | null): string {
  const values = Array.isArray(params) ? params : [];
  const casts = types.map((type, i) => parameterCast(type, { hasValue: values[i] != null }));
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

/** The highest number of a parameter in a statement. */
export function parameterCount(sql: string): number {
  try {
    const numbers = tokenize(sql).tokens.map(({ kind, text }) => (kind === 'parameter' ? Number(text.slice(1)) : 0));
    return Math.max(0, ...numbers.filter(Number.isInteger));
  } catch (error) {
    if (error instanceof SqlSyntaxError) return 0;
    throw error;
  }
}
