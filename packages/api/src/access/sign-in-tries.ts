import { INSTANCE } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import { findPrincipal, settleSignInTry, takeSignInTry } from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { ApiDeps } from '../http/deps.ts';
import { sha256 } from '../http/keys.ts';
import { networkOf } from '../http/request/client-address.ts';

const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_PAIR = 10;
const FAILURES_PER_NAME = 50;
const FAILURES_PER_ADDRESS = 50;

/** A password that somebody gives, right or wrong. */
export interface Attempt {
  deps: ApiDeps;
  name: string;
  address: string;
  requestId: string;
  now: Date;
}

export interface Limit {
  by: 'pair' | 'name' | 'address';
  key: string;
  most: number;
}

/** Somebody who guesses from one place keeps nobody else out; who guesses from many is stopped all the same. */
export function limitsOf({ name, address }: Attempt): Limit[] {
  const network = networkOf(address);
  const key = (what: string) => sha256(what).toString('hex');
  return [
    { by: 'pair', key: key(`pair ${network} ${name}`), most: FAILURES_PER_PAIR },
    { by: 'name', key: key(`name ${name}`), most: FAILURES_PER_NAME },
    { by: 'address', key: key(`address ${network}`), most: FAILURES_PER_ADDRESS },
  ];
}

/** Counts the try as a failure until it has succeeded. @throws Problem `too-many-requests` */
export async function takeTry(attempt: Attempt, limits: Limit[]): Promise<void> {
  const { deps, now } = attempt;
  const keys = limits.map(({ key }) => key);
  const windowEnds = new Date(now.getTime() + WINDOW_MS);
  const taken = await takeSignInTry(deps.db.prisma, { keys, now, windowEnds });
  const mostOf = (key: string) => limits.find((limit) => limit.key === key)!.most;
  const exceeded = taken.filter(({ key, tries }) => tries > mostOf(key));
  if (exceeded.length === 0) return;
  const others = keys.filter((key) => exceeded.every((over) => over.key !== key));
  await settleSignInTry(deps.db.prisma, { giveBack: others });
  // Once a window: who guesses on must not fill the log.
  if (exceeded.some(({ key, tries }) => tries === mostOf(key) + 1)) await recordFailure(attempt, true);
  const ends = Math.max(...exceeded.map((over) => over.windowEnds.getTime()));
  const retryAfter = Math.ceil((ends - now.getTime()) / 1000);
  throw new Problem('too-many-requests', `Too many failed sign-ins. Try again in ${retryAfter} s.`, { retryAfter });
}

/** A right password: the failures before it no longer count against name and address together. */
export async function forgetTries(tx: Transaction, limits: Limit[]): Promise<void> {
  const keysBy = (...by: Limit['by'][]) => limits.filter((limit) => by.includes(limit.by)).map(({ key }) => key);
  await settleSignInTry(tx, { forget: keysBy('pair'), giveBack: keysBy('name', 'address') });
}

/** Tells of it in the audit log, as nobody's. */
export async function recordFailure(
  { deps, name, address, requestId, now }: Attempt,
  throttled: boolean,
): Promise<void> {
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
