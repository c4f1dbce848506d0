import { firstWord, tryTokenize } from '../sql-tokens/index.ts';

/** The statement after `EXPLAIN`; null for any other statement. `EXPLAIN ANALYZE` leaves a statement that isn't valid. */
export function explainedStatement(sql: string): string | null {
  if (firstWord(sql) !== 'EXPLAIN') return null;
  const statement = tryTokenize(sql);
  const first = statement?.tokens[0];
  return statement == null || first === undefined ? null : statement.text.slice(first.end);
}
