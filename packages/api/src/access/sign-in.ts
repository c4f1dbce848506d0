import { accessEndpoints, INSTANCE, makeTokenText } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import {
  countSignInFailure,
  findPrincipal,
  forgetSignInFailures,
  readSignInFailures,
  type StoredPrincipal,
  storeToken,
} from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { RequestHandler } from 'express';
import type { ApiDeps } from '../http/deps.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { parseInput, parseJson, readBody } from '../http/input.ts';
import { sha256 } from '../http/keys.ts';
import { requestIdOf } from '../http/request-id.ts';
import { verifyPassword } from './passwords.ts';

const SESSION_HOURS = 12;
const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_NAME = 10;
const FAILURES_PER_ADDRESS = 50;

/**
 * The one route without a credential. Unknown name, wrong password and deactivated principal are answered alike and
 * take alike long; failures are counted by name and by address.
 */
export function signIn(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    idempotencyKey(req.get('idempotency-key'), false);
    const raw = await readBody(req, 16 * 1024);
    const { name, password } = parseInput(
      accessEndpoints.signIn.body as never,
      parseJson(raw, req.get('content-type')),
      'body',
    ) as { name: string; password: string };
    const now = deps.clock();
    const keys = [
      { key: sha256(`name ${name}`).toString('hex'), most: FAILURES_PER_NAME },
      { key: sha256(`address ${req.socket.remoteAddress}`).toString('hex'), most: FAILURES_PER_ADDRESS },
    ];
    for (const { key, most } of keys) await refuseThrottled(deps, key, most, now);
    const principal = await checkPassword(deps, name, password);
    if (principal === null) {
      await recordFailure(
        deps,
        requestIdOf(res),
        keys.map(({ key }) => key),
        now,
      );
      throw new Problem('sign-in-failed', 'The name or the password is wrong, or the account is deactivated.');
    }
    res.status(200).json(await openSession(deps, principal, requestIdOf(res), keys[0]!.key, now));
  };
}

async function refuseThrottled(deps: ApiDeps, key: string, most: number, now: Date): Promise<void> {
  const seen = await readSignInFailures(deps.db.prisma, { key, now });
  if (seen === null || seen.failures < most) return;
  const retryAfter = Math.ceil((seen.windowEnds.getTime() - now.getTime()) / 1000);
  throw new Problem('too-many-requests', `Too many failed sign-ins. Try again in ${retryAfter} s.`, { retryAfter });
}

async function checkPassword(deps: ApiDeps, name: string, password: string): Promise<StoredPrincipal | null> {
  const principal = await findPrincipal(deps.db.prisma, name);
  const right = await verifyPassword(principal?.password_hash ?? null, password);
  return right && principal?.active ? principal : null;
}

async function recordFailure(deps: ApiDeps, requestId: string, keys: string[], now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const windowEnds = new Date(now.getTime() + WINDOW_MS);
    for (const key of keys) await countSignInFailure(tx, { key, now, windowEnds });
    await recordEvent(tx, {
      id: deps.newId(),
      time: now,
      type: 'SIGN_IN_FAILED',
      principal: null,
      object: INSTANCE,
      environmentId: null,
      requestId,
      detail: {},
    });
  });
}

async function openSession(deps: ApiDeps, principal: StoredPrincipal, requestId: string, nameKey: string, now: Date) {
  const token = makeTokenText('session', deps.random);
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  await inTransaction(deps.db, async (tx) => {
    await forgetSignInFailures(tx, nameKey);
    const stored = await storeToken(tx, {
      id: deps.newId(),
      principalId: principal.id,
      principal: principal.name,
      name: 'session',
      kind: 'session',
      hash: sha256(token),
      now,
      createdBy: principal.id,
      expiresAt,
    });
    await recordEvent(tx, {
      id: deps.newId(),
      time: now,
      type: 'SIGNED_IN',
      principal,
      object: INSTANCE,
      environmentId: null,
      requestId,
      detail: { token_id: stored.id, expires_at: stored.expires_at },
    });
  });
  return { token, expires_at: expiresAt.toISOString() };
}
