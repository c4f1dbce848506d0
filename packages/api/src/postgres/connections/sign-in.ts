import { isTokenText } from '@svc/core/access';
import type { QueryOrigin } from '@svc/core/queries';
import { fatal } from '../sessions/session-error.ts';
import { sqlState } from '../sessions/sqlstates.ts';
import { type Caller, type ServiceClient, ServiceError } from './service-client.ts';

export interface Credentials {
  readonly user: string;
  readonly database: string;
  /** A token, or the person's password. */
  readonly password: string;
}

/** A client that has signed in. */
export interface SignedIn extends Caller {
  readonly token: string;
  readonly tokenId: string;
  /** Whether the password was exchanged for the token, which nobody else has then. */
  readonly isExchanged: boolean;
  readonly environment: string;
}

/**
 * @param bootstrapToken may have any form
 * @throws SessionError, which ends the connection
 */
export async function signIn(
  client: ServiceClient,
  credentials: Credentials,
  { origin, bootstrapToken }: { origin: QueryOrigin; bootstrapToken: string | undefined },
): Promise<SignedIn> {
  const { user, database, password } = credentials;
  const { address } = origin;
  const isToken = isTokenText(password) || password === bootstrapToken;
  let exchanged: string | null = null;
  try {
    exchanged = isToken ? null : await exchange(client, { user, password, address });
    const caller = { token: exchanged ?? password, address };
    const session = { origin, searchPath: [], describe: false, onStored: () => undefined };
    const url = `/postgres/${encodeURIComponent(database)}`;
    const opened = await client.call<Opened>(caller, 'GET', url, { session });
    if (opened.principal === user)
      return { ...caller, tokenId: opened.token_id, isExchanged: !isToken, environment: opened.environment };
    throw fatal('28P01', rejected(user), 'The token belongs to another principal.');
  } catch (error) {
    if (exchanged !== null) await discard(client, { token: exchanged, address });
    throw failure(error, credentials);
  }
}

interface Opened {
  readonly principal: string;
  readonly environment: string;
  readonly token_id: string;
}

async function exchange(
  client: ServiceClient,
  { user, password, address }: { user: string; password: string; address: string },
): Promise<string> {
  const body = { name: user, password };
  return (await client.call<{ token: string }>({ token: null, address }, 'POST', '/api/v1/sign-in', { body })).token;
}

/** Revokes the token that a password was exchanged for. */
export async function signOut(client: ServiceClient, signedIn: SignedIn): Promise<void> {
  if (signedIn.isExchanged) await revoke(client, signedIn, signedIn.tokenId);
}

/** Revokes a token that a refused connection leaves. It expires anyway. */
async function discard(client: ServiceClient, caller: Caller): Promise<void> {
  const me = await client.call<{ token: { id: string } }>(caller, 'GET', '/api/v1/me').catch(() => null);
  if (me !== null) await revoke(client, caller, me.token.id);
}

/** It may be revoked already. */
async function revoke(client: ServiceClient, caller: Caller, tokenId: string): Promise<void> {
  await client.call(caller, 'DELETE', `/api/v1/tokens/${tokenId}`).catch(() => undefined);
}

const rejected = (user: string): string => `password authentication failed for user "${user}"`;
const NO_SECOND_FACTOR =
  'PostgreSQL clients cannot enter one. Use a token as the password: svc sql connect --issue-token NAME';
const REJECTED = new Set(['sign-in-failed', 'not-signed-in', 'invalid-request']);

function failure(error: unknown, { user, database }: Credentials): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, remedy } = error;
  if (REJECTED.has(code)) return fatal('28P01', rejected(user));
  if (code === 'second-factor-required')
    return fatal('28000', `user "${user}" signs in with a second factor`, NO_SECOND_FACTOR);
  if (code === 'not-found')
    return fatal('3D000', `database "${database}" does not exist`, 'The database is the name of an environment.');
  return fatal(sqlState(code), message, remedy);
}
