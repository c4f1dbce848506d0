import { INSTANCE } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import { findPrincipal, isKnownSignIn, rememberSignIn, settleSignInTry, takeSignInTry } from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { ApiDeps } from '../http/deps.ts';
import { sha256 } from '../http/keys.ts';
import { networkOf } from '../http/request/client-address.ts';

const WINDOW_MS = 15 * 60_000;
/** How long a success makes the address known for the name. */
const KNOWN_MS = 30 * 24 * 3_600_000;
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
  by: 'pair' | 'name' | 'address' | 'session';
  key: string;
  most: number;
}

const keyOf = (what: string): string => sha256(what).toString('hex');
const knownKey = ({ name, address }: Attempt): string => keyOf(`known ${networkOf(address)} ${name}`);

/**
 * Guesses from one address lock nobody else out; guesses from many addresses are stopped all the same. A person who
 * signed in from this address lately isn't locked out by guesses at the name from elsewhere, nor by guesses at other
 * names from here: only tries at this name from this address count.
 */
export async function limitsOf(attempt: Attempt): Promise<Limit[]> {
  const all = everyLimit(attempt);
  const known = await isKnownSignIn(attempt.deps.db.prisma, { key: knownKey(attempt), now: attempt.now });
  return known ? all.filter(({ by }) => by === 'pair') : all;
}

/** The limit of guesses with a session: they count as guesses at the name too, but no other guesses count here. */
export function limitsOfSession(attempt: Attempt, tokenId: string): Limit[] {
  const counted = everyLimit(attempt).map((limit) => ({ ...limit, most: Number.POSITIVE_INFINITY }));
  return [{ by: 'session', key: keyOf(`session ${tokenId}`), most: FAILURES_PER_PAIR }, ...counted];
}

function everyLimit({ name, address }: Attempt): Limit[] {
  const network = networkOf(address);
  return [
    { by: 'pair', key: keyOf(`pair ${network} ${name}`), most: FAILURES_PER_PAIR },
    { by: 'name', key: keyOf(`name ${name}`), most: FAILURES_PER_NAME },
    { by: 'address', key: keyOf(`address ${network}`), most: FAILURES_PER_ADDRESS },
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
export async function forgetTries(tx: Transaction, attempt: Attempt, limits: Limit[]): Promise<void> {
  const keysBy = (...by: Limit['by'][]) => limits.filter((limit) => by.includes(limit.by)).map(({ key }) => key);
  await settleSignInTry(tx, { forget: keysBy('pair', 'session'), giveBack: keysBy('name', 'address') });
  await rememberSignIn(tx, { key: knownKey(attempt), until: new Date(attempt.now.getTime() + KNOWN_MS) });
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
