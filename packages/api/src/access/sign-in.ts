import { accessEndpoints, INSTANCE, makeTokenText } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import {
  findPrincipal,
  forgetSignInFailures,
  giveSignInTryBack,
  type StoredPrincipal,
  storeToken,
  takeSignInTry,
} from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { RequestHandler } from 'express';
import { clientAddress, networkOf } from '../http/client-address.ts';
import type { ApiDeps } from '../http/deps.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { parseInput, parseJson, readBody } from '../http/input.ts';
import { sha256 } from '../http/keys.ts';
import { requestIdOf } from '../http/request-id.ts';
import { verifyPassword } from './passwords.ts';

const SESSION_HOURS = 12;
const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_PAIR = 10;
const FAILURES_PER_NAME = 50;
const FAILURES_PER_ADDRESS = 50;

/**
 * The one route without a credential. Unknown name, wrong password and deactivated principal are answered alike and
 * take alike long; failures are counted by name, by network address and by both.
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
    const address = clientAddress(req);
    const attempt: Attempt = { deps, name, address, requestId: requestIdOf(res), now };
    const limits = limitsOf(attempt);
    await takeTry(attempt, limits);
    const principal = await checkPassword(deps, name, password);
    if (principal === null) {
      await recordFailure(attempt, false);
      throw new Problem('sign-in-failed', 'The name or the password is wrong, or the account is deactivated.');
    }
    res.status(200).json(await openSession(attempt, principal, limits));
  };
}

interface Attempt {
  deps: ApiDeps;
  name: string;
  address: string;
  requestId: string;
  now: Date;
}

interface Limit {
  by: 'pair' | 'name' | 'address';
  key: string;
  most: number;
}

/** Somebody who guesses from one place keeps nobody else out; who guesses from many is stopped all the same. */
function limitsOf({ name, address }: Attempt): Limit[] {
  const network = networkOf(address);
  const key = (what: string) => sha256(what).toString('hex');
  return [
    { by: 'pair', key: key(`pair ${network} ${name}`), most: FAILURES_PER_PAIR },
    { by: 'name', key: key(`name ${name}`), most: FAILURES_PER_NAME },
    { by: 'address', key: key(`address ${network}`), most: FAILURES_PER_ADDRESS },
  ];
}

/** Counts the try as a failure until it has succeeded. @throws Problem `too-many-requests` */
async function takeTry(attempt: Attempt, limits: Limit[]): Promise<void> {
  const { deps, now } = attempt;
  const keys = limits.map(({ key }) => key);
  const windowEnds = new Date(now.getTime() + WINDOW_MS);
  const taken = await takeSignInTry(deps.db.prisma, { keys, now, windowEnds });
  const mostOf = (key: string) => limits.find((limit) => limit.key === key)!.most;
  const exceeded = taken.filter(({ key, tries }) => tries > mostOf(key));
  if (exceeded.length === 0) return;
  const others = keys.filter((key) => exceeded.every((over) => over.key !== key));
  await giveSignInTryBack(deps.db.prisma, others);
  // Once a window: who guesses on must not fill the log.
  if (exceeded.some(({ key, tries }) => tries === mostOf(key) + 1)) await recordFailure(attempt, true);
  const ends = Math.max(...exceeded.map((over) => over.windowEnds.getTime()));
  const retryAfter = Math.ceil((ends - now.getTime()) / 1000);
  throw new Problem('too-many-requests', `Too many failed sign-ins. Try again in ${retryAfter} s.`, { retryAfter });
}

async function checkPassword(deps: ApiDeps, name: string, password: string): Promise<StoredPrincipal | null> {
  const principal = await findPrincipal(deps.db.prisma, name);
  const right = await verifyPassword(principal?.password_hash ?? null, password);
  return right && principal?.active ? principal : null;
}

async function recordFailure({ deps, name, address, requestId, now }: Attempt, throttled: boolean): Promise<void> {
  // A name that nobody has may be a password that was typed into the wrong field.
  const known = await findPrincipal(deps.db.prisma, name);
  await recordEvent(deps.db.prisma, {
    id: deps.newId(),
    time: now,
    type: 'SIGN_IN_FAILED',
    principal: null,
    object: INSTANCE,
    environmentId: null,
    requestId,
    detail: { name: known?.name ?? null, address, throttled },
  });
}

async function openSession({ deps, requestId, now }: Attempt, principal: StoredPrincipal, limits: Limit[]) {
  const keysBy = (...by: Limit['by'][]) => limits.filter((limit) => by.includes(limit.by)).map(({ key }) => key);
  const token = makeTokenText('session', deps.random);
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  await inTransaction(deps.db, async (tx) => {
    await forgetSignInFailures(tx, keysBy('pair'));
    await giveSignInTryBack(tx, keysBy('name', 'address'));
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
