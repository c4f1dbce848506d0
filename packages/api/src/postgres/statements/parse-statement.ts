import { nameOf, type Token } from '@svc/core/sql-tokens';
import { changedName, clonedTable, nameParts, showStatement } from '@svc/core/statements';
import { SessionError } from '../sessions/session-error.ts';
import { parseClose, parseDeclare, parseFetch } from './cursor-statements.ts';
import { parseExplain } from './explain-statement.ts';
import type { SessionStatement } from './session-statement.ts';
import { parseReset, parseSet, parseShow } from './setting-statements.ts';
import { partFrom, type StatementText, splitStatements } from './split.ts';

type Statement = StatementText & { readonly tokens: readonly Token[] };
type Parse = (statement: Statement) => SessionStatement;

const refuse =
  (hint: string): Parse =>
  ({ tokens: [first] }) => ({ kind: 'unsupported', what: first!.upper, hint });

const CHANGES_HINT = 'Use INSERT, UPDATE, DELETE, MERGE, TRUNCATE, CREATE TABLE … AS or COPY, or the svc command line.';

/** By the first word. Every other statement is a query, whose errors the engine reports. */
const PARSERS: Readonly<Record<string, Parse>> = {
  BEGIN: ({ tokens }) => startTransaction(tokens, 'BEGIN'),
  START: ({ tokens }) => startTransaction(tokens, 'START TRANSACTION'),
  COMMIT: ({ tokens }) => endOf(tokens, 'commit', 'COMMIT'),
  END: ({ tokens }) => endOf(tokens, 'commit', 'COMMIT'),
  ROLLBACK: ({ tokens }) =>
    tokens.some(({ upper }) => upper === 'TO')
      ? { kind: 'rollback-to', tag: 'ROLLBACK' }
      : endOf(tokens, 'rollback', 'ROLLBACK'),
  ABORT: ({ tokens }) => endOf(tokens, 'rollback', 'ROLLBACK'),
  SAVEPOINT: () => ({ kind: 'savepoint', tag: 'SAVEPOINT' }),
  RELEASE: () => ({ kind: 'savepoint', tag: 'RELEASE' }),
  SET: ({ tokens }) => parseSet(tokens),
  RESET: ({ tokens }) => parseReset(tokens),
  SHOW: ({ tokens, sql }) => (showStatement(sql) === null ? parseShow(tokens) : { kind: 'query', sql, changes: null }),
  DISCARD: ({ tokens: [, what] }) => ({ kind: 'discard', tag: `DISCARD ${what?.upper ?? 'ALL'}` }),
  DEALLOCATE: ({ tokens }) => {
    const name = tokens.at(-1);
    return { kind: 'deallocate', name: name?.upper === 'ALL' ? null : nameOf(name) };
  },
  DECLARE: parseDeclare,
  FETCH: ({ tokens }) => parseFetch(tokens, false),
  MOVE: ({ tokens }) => parseFetch(tokens, true),
  CLOSE: ({ tokens }) => parseClose(tokens),
  COPY: ({ sql }) => ({ kind: 'copy', sql }),
  CREATE: createTable,
  LISTEN: refuse('Poll the events with svc audit list instead.'),
  NOTIFY: refuse('Poll the events with svc audit list instead.'),
  UNLISTEN: () => ({ kind: 'set', name: '', value: null, isLocal: false }),
  PREPARE: refuse('Use the prepared statements of the protocol, as drivers do.'),
  EXECUTE: refuse('Use the prepared statements of the protocol, as drivers do.'),
  LOCK: refuse('Statements never wait for each other, so there are no locks.'),
  GRANT: refuse('Grant permissions with svc grant create.'),
  REVOKE: refuse('Revoke permissions with svc grant revoke.'),
  ALTER: refuse('Change tables with svc table alter or svc table rename.'),
  DROP: refuse('Drop tables with svc table delete, which can be undone.'),
  COMMENT: refuse('Set descriptions with svc table update.'),
  VACUUM: refuse('Maintain tables with svc table maintain.'),
  ANALYZE: refuse('Tables have their statistics already.'),
  EXPLAIN: parseExplain,
  CALL: refuse(CHANGES_HINT),
  DO: refuse(CHANGES_HINT),
};

/** @throws SessionError for a session statement with wrong syntax */
export function parseStatement(statement: StatementText): SessionStatement {
  const { sql, tokens } = statement;
  if (tokens === null) return { kind: 'query', sql, changes: null };
  const [first] = tokens;
  if (first === undefined) return { kind: 'empty' };
  if (first.kind === 'word' && Object.hasOwn(PARSERS, first.upper))
    return PARSERS[first.upper]!({ ...statement, tokens });
  const changes = changedName(sql) === null ? null : verbOf(tokens);
  return { kind: 'query', sql, changes };
}

/** The statement of a cursor or of COPY, which reads rows. @throws SessionError for one that changes something */
export function parseRead(sql: string): Extract<SessionStatement, { kind: 'query' }> {
  const [first] = splitStatements(sql);
  const statement = first === undefined ? null : parseStatement(first);
  if (statement?.kind === 'query' && statement.changes === null) return statement;
  throw new SessionError('42601', 'A cursor and COPY need a query that returns rows.');
}

const VERBS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE']);

/** The verb of a change may follow common table expressions. */
const verbOf = (tokens: readonly Token[]): string =>
  tokens.find(({ depth, upper }) => depth === 0 && VERBS.has(upper))!.upper;

function startTransaction(tokens: readonly Token[], tag: string): SessionStatement {
  const text = tokens.map(({ upper }) => upper).join(' ');
  return { kind: 'start-transaction', tag, isSnapshot: /REPEATABLE READ|SERIALIZABLE/.test(text) };
}

function endOf(tokens: readonly Token[], kind: 'commit' | 'rollback', tag: string): SessionStatement {
  if (tokens.some(({ upper }) => upper === 'PREPARED'))
    return { kind: 'unsupported', what: 'PREPARED', hint: 'Two-phase commits are not available.' };
  return { kind, tag };
}

const hasIfNotExists = (tokens: readonly Token[]): boolean =>
  tokens
    .slice(2, 5)
    .map(({ upper }) => upper)
    .join(' ') === 'IF NOT EXISTS';

/** The name after IF NOT EXISTS, or null. */
function nameIfNotExists(tokens: readonly Token[]): string[] | null {
  if (!hasIfNotExists(tokens)) return null;
  let end = 6;
  while (tokens[end]?.text === '.') end += 2;
  return nameParts(tokens.slice(5, end));
}

const CREATE_HINTS: Readonly<Record<string, string>> = {
  TABLE: 'Create the table with svc table create, or with CREATE TABLE … AS.',
  SCHEMA: 'Create namespaces with svc ns create.',
};

/** CREATE TABLE <table> AS <query>, or CLONE; everything else is refused. */
function createTable(statement: Statement): SessionStatement {
  const { sql, tokens } = statement;
  if (clonedTable(sql) !== null) return { kind: 'query', sql, changes: 'CREATE TABLE' };
  const as = tokens.findIndex(({ upper, depth, kind }) => kind === 'word' && upper === 'AS' && depth === 0);
  const what = tokens[1]?.upper ?? '';
  if (what !== 'TABLE' || as === -1) {
    const hint = Object.hasOwn(CREATE_HINTS, what) ? CREATE_HINTS[what]! : CHANGES_HINT;
    const missing = what === 'SCHEMA' || what === 'TABLE' ? nameIfNotExists(tokens) : null;
    if (missing !== null)
      return { kind: 'create-missing', what: `CREATE ${what as 'SCHEMA' | 'TABLE'}`, name: missing, hint };
    return { kind: 'unsupported', what: `CREATE ${what}`.trim(), hint };
  }
  const ifNotExists = hasIfNotExists(tokens);
  const name = nameParts(tokens.slice(ifNotExists ? 5 : 2, as));
  if (name === null || as === tokens.length - 1)
    throw new SessionError(
      '42601',
      'Write CREATE TABLE <namespace>.<table> AS <query>: it takes columns from the query.',
    );
  return { kind: 'create-table', name, ifNotExists, sql: partFrom(statement, as + 1) };
}
