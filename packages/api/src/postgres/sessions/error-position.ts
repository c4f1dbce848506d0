import { SqlSyntaxError, type Token, tokenize } from '@svc/core/sql-tokens';
import { nameOf } from '../statements/session-statement.ts';

/** Messages that quote a part of the statement. */
const QUOTES = [
  / at or near "([^"]+)"/,
  /column "([^"]+)" not found/,
  /^The function "([^"]+)"/,
  /^The table (\S+) doesn't exist/,
];

/**
 * The character (from 1) of a statement that an error is about, if the error quotes a part that the statement has only once.
 */
export function errorPosition(sql: string, message: string): number | undefined {
  const quoted = QUOTES.map((pattern) => pattern.exec(message)?.[1]).find((part) => part !== undefined);
  const tokens = quoted === undefined ? null : tokensOf(sql);
  if (tokens === null) return undefined;
  const parts = quoted!.toLowerCase().split('.');
  const starts = tokens.filter((_, i) => parts.every((part, k) => isPart(tokens, i + 2 * k, part, k > 0)));
  return starts.length === 1 ? [...sql.slice(0, starts[0]!.start)].length + 1 : undefined;
}

const isPart = (tokens: readonly Token[], at: number, part: string, afterDot: boolean): boolean =>
  (nameOf(tokens[at]) ?? tokens[at]?.text)?.toLowerCase() === part && (!afterDot || tokens[at - 1]!.text === '.');

/** Null if positions of the tokens aren't those of the text, because it has comments. */
function tokensOf(sql: string): readonly Token[] | null {
  try {
    const { text, tokens } = tokenize(sql);
    return text.length === sql.length ? tokens : null;
  } catch (error) {
    if (error instanceof SqlSyntaxError) return null;
    throw error;
  }
}
