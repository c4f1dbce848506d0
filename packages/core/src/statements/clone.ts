import { firstWord, SqlSyntaxError, type Token, tokenize, withoutSemicolon } from '../sql-tokens/index.ts';
import { nameParts, type TableName, tableOf } from './table-name.ts';

/** `CREATE TABLE <target> CLONE <source>`. */
export interface CloneStatement {
  readonly target: TableName;
  readonly source: TableName;
}

export type CloneStatementResult =
  | { readonly ok: true; readonly clone: CloneStatement }
  | { readonly ok: false; readonly message: string };

/**
 * The table that `CREATE TABLE <namespace>.<table> CLONE …` creates, or null for any other statement. Only the start of the statement
 * must be valid.
 */
export function clonedTable(sql: string): TableName | null {
  const parts = partsOf(sql);
  return parts === null ? null : tableName(parts.target);
}

/** Parses `CREATE TABLE <target> CLONE <source>`; null for any other statement. */
export function parseClone(sql: string): CloneStatementResult | null {
  const parts = partsOf(sql);
  if (parts === null) return null;
  const [target, source] = [tableName(parts.target), tableName(parts.source)];
  if (target !== null && source !== null) return { ok: true, clone: { target, source } };
  const found = (target === null ? parts.target : parts.source).map(({ text }) => text).join(' ');
  const start = found === '' ? 'The statement ends' : `Found ${found}`;
  const what = target === null ? 'the new table' : 'the table to clone';
  return { ok: false, message: `${start} where ${what} is expected, with its namespace: <namespace>.<table>.` };
}

/** The tokens of both names, or null if the statement isn't a clone. */
function partsOf(sql: string): { target: readonly Token[]; source: readonly Token[] } | null {
  try {
    if (firstWord(sql) !== 'CREATE') return null;
    const { tokens } = tokenize(sql);
    if (tokens[1]?.upper !== 'TABLE') return null;
    const at = tokens.findIndex((token, i) => i > 2 && token.upper === 'CLONE' && tokens[i - 1]?.text !== '.');
    if (at === -1 || nameParts(tokens.slice(2, at)) === null) return null;
    return { target: tokens.slice(2, at), source: withoutSemicolon(tokens.slice(at + 1)) };
  } catch (error) {
    if (error instanceof SqlSyntaxError) return null;
    throw error;
  }
}

function tableName(tokens: readonly Token[]): TableName | null {
  const parts = nameParts(tokens);
  return parts === null ? null : tableOf(parts);
}
