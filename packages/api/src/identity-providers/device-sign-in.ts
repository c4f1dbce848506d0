import { accessEndpoints } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { SIGN_IN_FAILURES, type SignInFailure } from '@svc/core/identity-providers';
import { listProviders } from '@svc/db/identity-providers';
import type { RequestHandler, Response } from 'express';
import { readSignIn, SESSION_MS } from '../access/sign-in.ts';
import {
  countAttempt,
  isFirstUse,
  limitsOfProviders,
  type ProviderAttempt,
  takeBackAttempt,
} from '../access/sign-in-attempts.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { openClientSecret } from './client-secret.ts';
import { activeProvider, limited, openProviderSession, providerAttempt, recordedFailure } from './provider-session.ts';
import { RefusedSignInError } from './refused-sign-in.ts';
import { openFlow, sealFlow } from './sealed-flow.ts';

const AUDIENCE = 'svc_device';
const DEFAULT_INTERVAL_S = 5;
const MAX_INTERVAL_S = 60;
const MAX_LIFETIME_S = 30 * 60;

/** A sign-in that waits for a person, as its handle has it: encrypted, so that only this service can go to the provider with it. */
interface Waiting {
  readonly provider: string;
  readonly deviceCode: string;
  readonly interval: number;
}

/** Starts a sign-in that a person completes in a browser anywhere (SSO-13). The secret of the client stays here. */
export function startDeviceSignIn(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { provider: name } = await readSignIn<{ provider: string }>(req, accessEndpoints.startDeviceSignIn.body);
    const attempt = await providerAttempt(deps, req, requestIdOf(res), name);
    const started = await asProblem(attempt, async () => {
      // Counts until the sign-in succeeds.
      await countAttempt(attempt, limitsOfProviders(attempt));
      const provider = await activeProvider(deps, attempt.provider).catch(async () => {
        throw await unknownProvider(deps, name);
      });
      const secret = await openClientSecret(deps, deps.db.prisma, provider.id);
      const device = await deps.providers.startDevice(provider, secret);
      const interval = Math.ceil(Math.min(Math.max(device.interval ?? DEFAULT_INTERVAL_S, 1), MAX_INTERVAL_S));
      const seconds = Math.min(device.expires_in, MAX_LIFETIME_S);
      const expiresAt = new Date(attempt.now.getTime() + seconds * 1000);
      const waiting: Waiting = { provider: provider.name, deviceCode: device.device_code, interval };
      return {
        handle: await sealFlow(deps, { audience: AUDIENCE, contents: waiting, expiresAt }),
        user_code: device.user_code,
        verification_uri: pageOf(device.verification_uri),
        verification_uri_complete:
          device.verification_uri_complete === undefined ? null : pageOf(device.verification_uri_complete),
        interval,
        expires_at: expiresAt.toISOString(),
      };
    });
    respond(res, started);
  };
}

/** Polls the provider once, and opens a session when the person has completed the sign-in (SSO-14). */
export function pollDeviceSignIn(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { handle } = await readSignIn<{ handle: string }>(req, accessEndpoints.pollDeviceSignIn.body);
    const waiting = await openFlow<Waiting>(deps, { audience: AUDIENCE, text: handle, now: deps.clock() });
    const attempt = await providerAttempt(deps, req, requestIdOf(res), waiting?.provider ?? '');
    // No event for a text that isn't a handle: handles can't be guessed.
    if (waiting === null) throw problemOf('expired');
    const notYet = (status: 'pending' | 'slow_down', interval = waiting.interval) =>
      respond(res, { status, interval, token: null, expires_at: null });
    if (!(await isTimeToPoll(deps, waiting))) return notYet('slow_down');
    const result = await asProblem(attempt, () =>
      limited(attempt, async () => {
        const provider = await activeProvider(deps, waiting.provider);
        const secret = await openClientSecret(deps, deps.db.prisma, provider.id);
        const claims = await deps.providers.pollDevice(provider, secret, waiting.deviceCode);
        if (typeof claims === 'string') return claims;
        const until = new Date(attempt.now.getTime() + MAX_LIFETIME_S * 1000);
        if (!(await isFirstUse(deps.db.prisma, { what: `device ${idOf(waiting)}`, now: attempt.now, until })))
          throw new RefusedSignInError('expired');
        const session = await openProviderSession(attempt, { providerId: provider.id, claims, lifetimeMs: SESSION_MS });
        // Its start no longer counts.
        await takeBackAttempt(deps.db.prisma, limitsOfProviders(attempt));
        return session;
      }),
    );
    if (result === 'pending') return notYet('pending');
    if (result === 'slow_down') return notYet('slow_down', waiting.interval + DEFAULT_INTERVAL_S);
    const { token, expiresAt } = result;
    return respond(res, { status: 'complete', interval: waiting.interval, token, expires_at: expiresAt.toISOString() });
  };
}

function respond(res: Response, body: object): void {
  res.status(200).set('Cache-Control', 'no-store').json(body);
}

/** A failure is recorded with its reason, and reported as far as the person may know it. */
async function asProblem<T>(attempt: ProviderAttempt, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw problemOf(await recordedFailure(attempt, error));
  }
}

function problemOf(failure: SignInFailure): ApiError {
  const { title, cause, remedy } = SIGN_IN_FAILURES[failure];
  return new ApiError(
    failure === 'unavailable' ? 'provider-unavailable' : 'sign-in-refused',
    `${title}. ${cause} ${remedy}`,
  );
}

async function unknownProvider({ db }: ApiDeps, name: string): Promise<ApiError> {
  const names = (await listProviders(db.prisma)).filter(({ active }) => active).map((provider) => provider.name);
  return notFound('identity provider', name, names.length === 0 ? 'None is active.' : `Use ${names.join(' or ')}.`);
}

/** The provider's page, which people open: nothing but the address of a page. @throws RefusedSignInError */
function pageOf(address: string): string {
  if (/^https?:\/\/[\x21-\x7e]{1,2048}$/.test(address) && URL.canParse(address)) return address;
  throw new RefusedSignInError('response-invalid');
}

/** Whether the provider may be polled again, from any server. Requests may arrive a second earlier than they were sent. */
function isTimeToPoll({ db, clock }: ApiDeps, waiting: Waiting): Promise<boolean> {
  const now = clock();
  const until = new Date(now.getTime() + Math.max(1, waiting.interval - 1) * 1000);
  return isFirstUse(db.prisma, { what: `poll ${idOf(waiting)}`, now, until });
}

/** What a started sign-in is counted by. Its handle has several spellings: base64url ignores white space and the last bits. */
const idOf = ({ provider, deviceCode }: Waiting): string => `${provider} ${deviceCode}`;
