import { accessEndpoints, INSTANCE, makeTokenText, type Principal } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import {
  findPrincipal,
  hashToken,
  type Lock,
  lockPrincipal,
  principalRecord,
  type SignInMethod,
  type StoredPrincipal,
  storeToken,
} from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { hasSecondFactor } from '@svc/db/second-factors';
import type { Request, RequestHandler, Response } from 'express';
import type * as z from 'zod';
import type { ApiDeps } from '../http/deps.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { idempotencyKey } from '../http/request/idempotency.ts';
import { parseInput, parseJson, readBody, withoutNulls } from '../http/request/input.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { secondFactorRequired } from '../second-factors/challenge.ts';
import type { UsedFactor } from '../second-factors/check-answer.ts';
import { KeyedSlots } from './keyed-slots.ts';
import { verifyPassword } from './passwords.ts';
import {
  countAttempt,
  type Limit,
  limitsOf,
  type PasswordAttempt,
  pairKey,
  recordFailure,
  resetAttempts,
  takeBackAttempt,
} from './sign-in-attempts.ts';

/** How long a session outside a browser lasts. */
export const SESSION_MS = 12 * 3_600_000;

/**
 * Signs in without a browser. Unknown names, wrong passwords and deactivated principals get the same response after the same
 * time; failures are counted by name, by network address and by both (`ACCESS-26`).
 */
export function signIn(deps: ApiDeps): RequestHandler {
  return async (req, res) => sendToken(res, await openedSession(deps, req, requestIdOf(res), SESSION_MS));
}

export function sendToken(res: Response, { token, expiresAt }: OpenedSession): void {
  res.status(200).json({ token, expires_at: expiresAt.toISOString() });
}

export interface OpenedSession {
  readonly token: string;
  readonly expiresAt: Date;
  readonly principal: Pick<Principal, 'id' | 'name' | 'type'>;
}

/** @throws ApiError if the operator has switched off passwords, whatever they are */
export function requirePasswords({ settings }: ApiDeps): void {
  if (settings.passwords) return;
  throw new ApiError(
    'passwords-off',
    'Signing in with passwords is switched off. Use an identity provider (svc login --provider NAME) or a token (svc login --with-token).',
  );
}

/** Signs in with the name and the password in the body. @throws ApiError */
export async function openedSession(
  deps: ApiDeps,
  req: Request,
  requestId: string,
  lifetimeMs: number,
): Promise<OpenedSession> {
  requirePasswords(deps);
  const body = await readSignIn<{ name: string; password: string }>(req, accessEndpoints.signIn.body);
  const { name, password } = body;
  const now = deps.clock();
  const attempt: PasswordAttempt = { deps, name, address: clientAddress(req), requestId, now };
  return PER_PAIR.run(pairKey(attempt), () => checkedSession(attempt, req, { password, lifetimeMs }));
}

/**
 * An attempt counts as a failure until it succeeds. So those of a tool that opens many connections at once must not run at once: they
 * would exceed the limit although all of them succeed.
 */
const PER_PAIR = new KeyedSlots(1);

async function checkedSession(
  attempt: PasswordAttempt,
  req: Request,
  { password, lifetimeMs }: { password: string; lifetimeMs: number },
): Promise<OpenedSession> {
  const { deps, name, now } = attempt;
  const limits = await limitsOf(attempt);
  await countAttempt(attempt, limits);
  const principal = await checkPassword(deps, name, password);
  if (principal === null) {
    await recordFailure(attempt, false);
    throw failed();
  }
  const required = await secondFactorRequired(deps, req, principal, now);
  if (required === null) {
    const opened = await openSession(attempt, principal, { limits, lifetimeMs });
    if (opened !== null) return opened;
    throw failed();
  }
  // Not a failure, and not a success that would reset the count of wrong second factors.
  await takeBackAttempt(deps.db.prisma, limits);
  throw required;
}

const failed = () =>
  new ApiError('sign-in-failed', 'The name or the password is wrong, or the account is deactivated.');

/** The body of a sign-in, which takes no Idempotency-Key. */
export async function readSignIn<T>(req: Request, schema: unknown, maxBytes = 16 * 1024): Promise<T> {
  idempotencyKey(req.get('idempotency-key'), false);
  const raw = await readBody(req, maxBytes);
  const body = parseJson(raw, req.get('content-type'));
  const contract = schema as z.ZodType;
  return parseInput(contract, withoutNulls(contract, body), 'body') as T;
}

async function checkPassword(deps: ApiDeps, name: string, password: string): Promise<StoredPrincipal | null> {
  const principal = await findPrincipal(deps.db.prisma, name);
  const matches = await verifyPassword(principal?.password_hash ?? null, password);
  return matches && principal?.active ? principal : null;
}

/** Null if the person has changed since the password was entered. */
async function openSession(
  attempt: PasswordAttempt,
  principal: StoredPrincipal,
  { limits, lifetimeMs }: { limits: Limit[]; lifetimeMs: number },
): Promise<OpenedSession | null> {
  return inTransaction(attempt.deps.db, async (tx) => {
    const person = await lockUnchanged(tx, principal);
    if (person === null || (await hasSecondFactor(tx, person.id))) return null;
    await resetAttempts(tx, attempt, limits);
    return storeSession(tx, { ...attempt, principal, lifetimeMs, signIn: 'password' });
  });
}

/**
 * The active person, locked until the transaction commits; null if its password has changed since it was read. A new password or a first
 * second factor ends the sessions that are stored before, and none may follow that was opened without it.
 */
export async function lockUnchanged(
  tx: Transaction,
  { id, name, password_hash }: StoredPrincipal,
  lock: Lock = 'share',
): Promise<StoredPrincipal | null> {
  const person = await lockPrincipal(tx, name, lock);
  const isSame = person?.id === id && person.active && person.password_hash === password_hash;
  return isSame ? person : null;
}

export interface NewSession {
  deps: ApiDeps;
  requestId: string;
  now: Date;
  principal: StoredPrincipal;
  lifetimeMs: number;
  signIn: SignInMethod;
  /** The second factor that it was opened with. */
  used?: UsedFactor;
  /** The identity provider that it was opened with. */
  provider?: string;
}

/** Stores the token of a new session and records the sign-in. */
export async function storeSession(tx: Transaction, session: NewSession): Promise<OpenedSession> {
  const { deps, requestId, now, principal, lifetimeMs, signIn, provider, used } = session;
  const token = makeTokenText('session', deps.random);
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const stored = await storeToken(tx, {
    id: deps.newId(),
    principalId: principal.id,
    principal: principal.name,
    name: 'session',
    kind: 'session',
    hash: hashToken(token),
    now,
    createdBy: principal.id,
    expiresAt,
    signIn,
  });
  await recordEvent(tx, {
    id: deps.newId(),
    time: now,
    type: 'SIGNED_IN',
    principal,
    object: INSTANCE,
    environmentId: null,
    requestId,
    detail: {
      token_id: stored.id,
      expires_at: stored.expires_at,
      ...(provider === undefined ? {} : { provider }),
      ...used,
    },
  });
  return { token, expiresAt, principal: principalRecord(principal) };
}
