import { INSTANCE } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import type { RefusalReason } from '@svc/core/identity-providers';
import {
  type Caller,
  correctSignInAttempts,
  countSignInAttempt,
  findPrincipal,
  isKnownSignIn,
  rememberSignIn,
} from '@svc/db/access';
import { recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { ApiDeps } from '../http/deps.ts';
import { sha256 } from '../http/keys.ts';
import { networkOf } from '../http/request/client-address.ts';

const WINDOW_MS = 15 * 60_000;
/** How long a successful sign-in marks the address as known for the name. */
const KNOWN_MS = 30 * 24 * 3_600_000;
const FAILURES_PER_PAIR = 10;
const FAILURES_PER_NAME = 50;
const FAILURES_PER_ADDRESS = 50;

/** An attempt to sign in, successful or not. */
interface AnyAttempt {
  deps: ApiDeps;
  address: string;
  requestId: string;
  now: Date;
}

/** An attempt with a password. */
export interface PasswordAttempt extends AnyAttempt {
  name: string;
}

/** An attempt with an identity provider, whose names are not known before it succeeds. */
export interface ProviderAttempt extends AnyAttempt {
  name: null;
  provider: string | null;
}

export type Attempt = PasswordAttempt | ProviderAttempt;

export interface Limit {
  by: 'pair' | 'name' | 'address' | 'session';
  key: string;
  max: number;
}

const keyOf = (text: string): string => sha256(text).toString('hex');
const knownKey = ({ name, address }: PasswordAttempt): string => keyOf(`known ${networkOf(address)} ${name}`);

/**
 * Guesses from one address lock out nobody else, and guesses spread over many addresses are still stopped. A person who
 * recently signed in from this address isn't locked out by guesses at the name from other addresses, nor by guesses at
 * other names from this address: only attempts at this name from this address count.
 */
export async function limitsOf(attempt: PasswordAttempt): Promise<Limit[]> {
  const all = everyLimit(attempt);
  const known = await isKnownSignIn(attempt.deps.db.prisma, { key: knownKey(attempt), now: attempt.now });
  return known ? all.filter(({ by }) => by === 'pair') : all;
}

/**
 * The limit for guesses within a session, or with all other tokens of the person: they can issue further ones. They also count as guesses
 * at the name, but other guesses don't count here.
 */
export function limitsOfSession(attempt: PasswordAttempt, { id, token }: Pick<Caller, 'id' | 'token'>): Limit[] {
  const counted = everyLimit(attempt).map((limit) => ({ ...limit, max: Number.POSITIVE_INFINITY }));
  const key = token.kind === 'session' ? `session ${token.id}` : `tokens ${id}`;
  return [{ by: 'session', key: keyOf(key), max: FAILURES_PER_PAIR }, ...counted];
}

/** The limit for sign-ins with identity providers. Guesses at passwords don't count here, nor the other way around. */
export const limitsOfProviders = ({ address }: ProviderAttempt): Limit[] => [
  { by: 'address', key: keyOf(`provider ${networkOf(address)}`), max: FAILURES_PER_ADDRESS },
];

/** The limit for exchanges of tokens. Other sign-ins don't count here, nor the other way around. */
export const limitsOfWorkloads = ({ address }: ProviderAttempt): Limit[] => [
  { by: 'address', key: keyOf(`workload ${networkOf(address)}`), max: FAILURES_PER_ADDRESS },
];

/** The combination of a name and an address. */
export const pairKey = ({ name, address }: PasswordAttempt): string => keyOf(`pair ${networkOf(address)} ${name}`);

function everyLimit(attempt: PasswordAttempt): Limit[] {
  const { name } = attempt;
  const network = networkOf(attempt.address);
  return [
    { by: 'pair', key: pairKey(attempt), max: FAILURES_PER_PAIR },
    { by: 'name', key: keyOf(`name ${name}`), max: FAILURES_PER_NAME },
    { by: 'address', key: keyOf(`address ${network}`), max: FAILURES_PER_ADDRESS },
  ];
}

/** Counts the attempt as a failure until it succeeds. @throws ApiError `too-many-requests` */
export async function countAttempt(attempt: Attempt, limits: Limit[]): Promise<void> {
  const { deps, now } = attempt;
  const keys = keysOf(limits);
  const windowEnds = new Date(now.getTime() + WINDOW_MS);
  const counts = await countSignInAttempt(deps.db.prisma, { keys, now, windowEnds });
  const maxOf = (key: string) => limits.find((limit) => limit.key === key)!.max;
  const exceeded = counts.filter(({ key, attempts }) => attempts > maxOf(key));
  if (exceeded.length === 0) return;
  const others = keys.filter((key) => exceeded.every((over) => over.key !== key));
  await correctSignInAttempts(deps.db.prisma, { decrement: others });
  // Recorded once per window, so that continued guessing can't fill the log.
  if (exceeded.some(({ key, attempts }) => attempts === maxOf(key) + 1)) await recordFailure(attempt, true);
  const lastWindowEnd = Math.max(...exceeded.map((over) => over.windowEnds.getTime()));
  const retryAfter = Math.ceil((lastWindowEnd - now.getTime()) / 1000);
  throw new ApiError('too-many-requests', `Too many failed sign-ins. Try again in ${retryAfter} s.`, { retryAfter });
}

/** After a sign-in, earlier failures no longer count against the combination of name and address. */
export async function resetAttempts(tx: Transaction, attempt: PasswordAttempt, limits: Limit[]): Promise<void> {
  await resetOnly(tx, limits, 'pair');
  await rememberSignIn(tx, { key: knownKey(attempt), until: new Date(attempt.now.getTime() + KNOWN_MS) });
}

/**
 * After the right password in a session. What counts against the sign-in stays, because the password alone must not allow more guesses at
 * second factors (FACTOR-5).
 */
export const resetSessionAttempts = (tx: Transaction, limits: Limit[]): Promise<void> =>
  resetOnly(tx, limits, 'session');

function resetOnly(tx: Transaction, limits: Limit[], by: Limit['by']): Promise<void> {
  const [reset, decrement] = [limits.filter((limit) => limit.by === by), limits.filter((limit) => limit.by !== by)];
  return correctSignInAttempts(tx, { reset: keysOf(reset), decrement: keysOf(decrement) });
}

/** After a sign-in with an identity provider, or a right password that a second factor must follow, the attempt no longer counts. */
export async function takeBackAttempt(tx: Transaction, limits: Limit[]): Promise<void> {
  await correctSignInAttempts(tx, { decrement: keysOf(limits) });
}

/**
 * Whether something that counts once is used for the first time, on whichever server. It is remembered until `until`, when it has expired
 * anyway.
 */
export async function isFirstUse(
  client: Transaction,
  { what, now, until }: { what: string; now: Date; until: Date },
): Promise<boolean> {
  const [count] = await countSignInAttempt(client, { keys: [keyOf(what)], now, windowEnds: until });
  return count!.attempts === 1;
}

const keysOf = (limits: readonly Limit[]): string[] => limits.map(({ key }) => key);

/** Why a sign-in with an identity provider failed, and the principal that its identity is linked to. */
interface FailureDetail {
  readonly reason: RefusalReason | 'second-factor' | 'throttled';
  readonly name: string | null;
}

/** Records the failure in the audit log without an actor. */
export async function recordFailure(attempt: Attempt, throttled: boolean, failure?: FailureDetail): Promise<void> {
  const { deps, address, requestId, now } = attempt;
  const { reason = 'throttled', name = null } = failure ?? {};
  // An unknown name may be a password typed into the wrong field.
  const detail =
    attempt.name === null
      ? { name, address, throttled, provider: attempt.provider, reason }
      : {
          name: (await findPrincipal(deps.db.prisma, attempt.name))?.name ?? null,
          address,
          throttled,
          ...(failure === undefined ? {} : { reason }),
        };
  await recordEvent(deps.db.prisma, {
    id: deps.newId(),
    time: now,
    type: 'SIGN_IN_FAILED',
    principal: null,
    object: INSTANCE,
    environmentId: null,
    requestId,
    detail,
  });
}
