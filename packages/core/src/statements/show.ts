import { firstWord, SqlSyntaxError, type Token, tokenize, withoutSemicolon } from '../sql-tokens/index.ts';
import { nameParts } from './table-name.ts';

const VERBS = new Set(['SHOW', 'DESCRIBE', 'DESC']);

/** A statement about tables, as a query on `information_schema`. */
export interface ShowStatement {
  readonly sql: string;
  /** The table that it describes; null for a list of tables. */
  readonly table: { readonly namespace: string; readonly name: string } | null;
}

/**
 * `SHOW TABLES [FROM <namespace>]`, `SHOW SCHEMAS` and `DESCRIBE <namespace>.<table>` as queries; null for any other statement,
 * also for a wrong one.
 */
export function showStatement(sql: string): ShowStatement | null {
  try {
    if (!VERBS.has(firstWord(sql))) return null;
    return expand(withoutSemicolon(tokenize(sql).tokens));
  } catch (error) {
    if (error instanceof SqlSyntaxError) return null;
    throw error;
  }
}

function expand([first, ...rest]: readonly Token[]): ShowStatement | null {
  const isShow = first!.upper === 'SHOW';
  const [second] = rest;
  const what = isShow ? second?.upper : undefined;
  if (what === 'TABLES') return tables(rest.slice(1));
  if (what === 'SCHEMAS' && rest.length === 1)
    return {
      sql: 'SELECT schema_name AS namespace FROM information_schema.schemata ORDER BY schema_name',
      table: null,
    };
  if (!isShow || what === 'COLUMNS') return described(isShow ? afterFrom(rest.slice(1)) : afterWord(rest, 'TABLE'));
  return null;
}

const COLUMNS = 'table_schema AS namespace, table_name AS name, table_type AS kind, table_comment AS description';

function tables(rest: readonly Token[]): ShowStatement | null {
  const order = 'ORDER BY table_schema, table_name';
  if (rest.length === 0) return { sql: `SELECT ${COLUMNS} FROM information_schema.tables ${order}`, table: null };
  const parts = nameParts(afterFrom(rest));
  if (parts === null) return null;
  const where = `lower(table_schema) = lower(${literal(parts.join('.'))})`;
  return { sql: `SELECT ${COLUMNS} FROM information_schema.tables WHERE ${where} ${order}`, table: null };
}

function described(name: readonly Token[]): ShowStatement | null {
  const parts = nameParts(name);
  if (parts === null || parts.length < 2) return null;
  const [namespace, table] = [parts.slice(0, -1).join('.'), parts.at(-1)!];
  const where = `lower(table_schema) = lower(${literal(namespace)}) AND lower(table_name) = lower(${literal(table)})`;
  const columns = 'column_name AS name, data_type AS type, is_nullable AS nullable, column_comment AS description';
  return {
    sql: `SELECT ${columns} FROM information_schema.columns WHERE ${where} ORDER BY ordinal_position`,
    table: { namespace, name: table },
  };
}

const afterWord = (tokens: readonly Token[], word: string): readonly Token[] =>
  tokens[0]?.upper === word ? tokens.slice(1) : tokens;

const afterFrom = (tokens: readonly Token[]): readonly Token[] =>
  tokens[0]?.upper === 'FROM' || tokens[0]?.upper === 'IN' ? tokens.slice(1) : [];

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
