import { nameOf, type Token } from '@svc/core/sql-tokens';
import { SessionError, unsupported } from '../sessions/session-error.ts';
import type { FetchCount, SessionStatement } from './session-statement.ts';
import { partFrom, type StatementText } from './split.ts';

/** DECLARE <name> [options] CURSOR [WITH | WITHOUT HOLD] FOR <query> */
export function parseDeclare(statement: StatementText & { readonly tokens: readonly Token[] }): SessionStatement {
  const { tokens } = statement;
  const name = nameOf(tokens[1]);
  const cursor = tokens.findIndex(({ upper, kind }, i) => i > 1 && kind === 'word' && upper === 'CURSOR');
  const from = tokens.findIndex(({ upper, kind }, i) => i > cursor && kind === 'word' && upper === 'FOR');
  if (name === null || cursor === -1 || from === -1 || from === tokens.length - 1)
    throw new SessionError('42601', 'Write DECLARE <name> CURSOR FOR <query>.');
  const options = tokens.slice(2, cursor).map(({ upper }) => upper);
  if (options.includes('SCROLL') && options[options.indexOf('SCROLL') - 1] !== 'NO')
    throw unsupported('Cursors only move forward.', 'Leave out SCROLL.');
  const lifetime = tokens.slice(cursor, from).map(({ upper }) => upper);
  const isLasting = lifetime.join(' ').includes('WITH HOLD');
  return { kind: 'declare', name, sql: partFrom(statement, from + 1), isLasting };
}

/** FETCH | MOVE [[NEXT | FORWARD] [count | ALL]] [FROM | IN] <name> */
export function parseFetch(tokens: readonly Token[], isMove: boolean): SessionStatement {
  const name = nameOf(tokens.at(-1));
  const terms = tokens.slice(1, -1).map(({ upper }) => upper);
  if (terms.at(-1) === 'FROM' || terms.at(-1) === 'IN') terms.pop();
  const count = name === null ? null : fetchCount(terms);
  if (name === null || count === null)
    throw unsupported(
      'This direction is not available: cursors only move forward.',
      'Use FETCH [FORWARD] <count> FROM <cursor>, or FETCH ALL FROM <cursor>.',
    );
  return { kind: 'fetch', name, count, isMove };
}

function fetchCount(terms: readonly string[]): FetchCount | null {
  const [count, ...rest] = terms[0] === 'FORWARD' ? terms.slice(1) : terms;
  if (rest.length > 0) return null;
  if (count === undefined || count === 'NEXT') return 1;
  if (count === 'ALL') return 'all';
  return /^\d{1,15}$/.test(count) ? Number(count) : null;
}

export function parseClose(tokens: readonly Token[]): SessionStatement {
  const name = tokens[1];
  if (tokens.length !== 2 || nameOf(name) === null) throw new SessionError('42601', 'Write CLOSE <name> or CLOSE ALL.');
  return { kind: 'close', name: name!.upper === 'ALL' ? null : nameOf(name) };
}
