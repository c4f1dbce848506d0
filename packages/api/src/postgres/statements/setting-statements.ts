import { nameOf, type Token } from '@svc/core/sql-tokens';
import { SessionError, unsupported } from '../sessions/session-error.ts';
import { literalOf, type SessionStatement } from './session-statement.ts';

/** SET [SESSION | LOCAL] <name> {TO | =} <value>, …, and its special forms. */
export function parseSet(tokens: readonly Token[]): SessionStatement {
  const scope = tokens[1]?.upper;
  const isLocal = scope === 'LOCAL';
  const rest = tokens.slice(isLocal || (scope === 'SESSION' && tokens[2]?.upper !== 'AUTHORIZATION') ? 2 : 1);
  return { kind: 'set', ...assignment(rest), isLocal };
}

interface Assignment {
  readonly name: string;
  readonly value: string | null;
}

function assignment(rest: readonly Token[]): Assignment {
  const terms = rest.map(({ upper }) => upper);
  if (terms[0] === 'CHARACTERISTICS') return characteristics(terms.join(' '));
  if (terms[0] === 'TRANSACTION') return { name: 'transaction', value: terms.join(' ') };
  if (terms[0] === 'ROLE' || terms[0] === 'SESSION') return ownPrincipal(terms.join(' '));
  if (terms[0] === 'TIME' && terms[1] === 'ZONE') return { name: 'timezone', value: settingValue(rest.slice(2)) };
  if (terms[0] === 'NAMES') return { name: 'client_encoding', value: settingValue(rest.slice(1)) };
  const is = rest.findIndex(({ text, upper }) => text === '=' || upper === 'TO');
  if (is < 1 || is === rest.length - 1) throw new SessionError('42601', 'Write SET <name> = <value>.');
  return { name: settingName(rest.slice(0, is)), value: settingValue(rest.slice(is + 1)) };
}

/** SET SESSION CHARACTERISTICS AS TRANSACTION …: the default of later transactions. */
function characteristics(text: string): Assignment {
  const access = /READ (ONLY|WRITE)/.exec(text)?.[1];
  if (access === undefined) return { name: 'transaction', value: text };
  return { name: 'default_transaction_read_only', value: access === 'ONLY' ? 'on' : 'off' };
}

/** Pools reset the principal of a connection that they reuse. @throws SessionError for another principal */
function ownPrincipal(text: string): Assignment {
  if (text === 'SESSION AUTHORIZATION DEFAULT') return { name: 'session_authorization', value: null };
  if (text === 'ROLE NONE' || text === 'ROLE DEFAULT') return { name: 'role', value: null };
  throw unsupported('A session belongs to one principal.', 'Connect again as another user.');
}

const SPECIAL: Readonly<Record<string, string>> = {
  'TRANSACTION ISOLATION LEVEL': 'transaction_isolation',
  'TIME ZONE': 'timezone',
  'SESSION AUTHORIZATION': 'session_authorization',
  NAMES: 'client_encoding',
};

export function parseReset(tokens: readonly Token[]): SessionStatement {
  const name = tokens.slice(1);
  return { kind: 'reset', name: name[0]?.upper === 'ALL' ? null : nameOrSpecial(name) };
}

export function parseShow(tokens: readonly Token[]): SessionStatement {
  const name = tokens.slice(1);
  if (name[0]?.upper === 'ALL') return { kind: 'show', name: null };
  return { kind: 'show', name: nameOrSpecial(name) };
}

const nameOrSpecial = (name: readonly Token[]): string =>
  SPECIAL[name.map(({ upper }) => upper).join(' ')] ?? settingName(name);

/** Settings of extensions have names with dots. */
function settingName(tokens: readonly Token[]): string {
  if (tokens.length === 0 || tokens.some((token) => token.text !== '.' && nameOf(token) === null))
    throw new SessionError('42601', 'The name of a setting is missing.');
  return tokens
    .map((token) => (token.text === '.' ? '.' : nameOf(token)!))
    .join('')
    .toLowerCase();
}

/** Null for DEFAULT. Several values are separated by commas, as in a search path. */
function settingValue(tokens: readonly Token[]): string | null {
  const [first] = tokens;
  if (tokens.length === 1 && first!.kind === 'word' && first!.upper === 'DEFAULT') return null;
  const isWritten = tokens.length > 0 && tokens.every(({ depth }) => depth === 0);
  if (!isWritten) throw new SessionError('22023', 'A setting takes names, numbers and texts.');
  const texts = tokens.map((token) => {
    if (token.kind === 'literal') return literalOf(token);
    return token.text === ',' ? ', ' : token.text;
  });
  return texts.join('').trim();
}
