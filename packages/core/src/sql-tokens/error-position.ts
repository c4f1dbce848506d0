import { quotedPart } from './quoted-part.ts';
import { nameOf, type Token, tryTokenize } from './tokens.ts';

/**
 * The character (from 1) of a statement that an error is about, if the error quotes a part that the statement has only once.
 */
export function errorPosition(sql: string, message: string): number | undefined {
  const quoted = quotedPart(message);
  const statement = quoted === undefined ? null : tryTokenize(sql);
  // Without comments, the tokens have other positions than in the statement.
  if (statement?.text.length !== sql.length) return undefined;
  const { tokens } = statement;
  const parts = quoted!.toLowerCase().split('.');
  const starts = tokens.filter((_, i) => parts.every((part, k) => isPart(tokens, i + 2 * k, part, k > 0)));
  return starts.length === 1 ? [...sql.slice(0, starts[0]!.start)].length + 1 : undefined;
}

const isPart = (tokens: readonly Token[], at: number, part: string, afterDot: boolean): boolean =>
  (nameOf(tokens[at]) ?? tokens[at]?.text)?.toLowerCase() === part && (!afterDot || tokens[at - 1]!.text === '.');
