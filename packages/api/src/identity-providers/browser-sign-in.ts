import { ApiError } from '@svc/core/errors';
import type { SignInFailure } from '@svc/core/identity-providers';
import { returnPath } from '@svc/core/return-path';
import { type CookieOptions, type Request, type RequestHandler, type Response, Router } from 'express';
import { isBehindTls, setSessionCookie } from '../access/browser-session.ts';
import { isFirstUse, type ProviderAttempt } from '../access/sign-in-attempts.ts';
import type { ApiDeps } from '../http/deps.ts';
import { cookieOf } from '../http/guard/credential.ts';
import { BROWSER_SESSION } from '../http/guard/session-lifetime.ts';
import { sameBytes } from '../http/keys.ts';
import { rawQuery } from '../http/request/input.ts';
import { publicUrl } from '../http/request/public-url.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { openClientSecret } from './client-secret.ts';
import type { Checks } from './provider-clients.ts';
import { activeProvider, limited, openProviderSession, providerAttempt, recordedFailure } from './provider-session.ts';
import { RefusedSignInError } from './refused-sign-in.ts';
import { openFlow, sealFlow } from './sealed-flow.ts';

const PAGES = '/console/sign-in';
/** Sent along when the provider's page leads back here, which a cookie for this site only is not. */
const COOKIE = 'svc_sign_in';
const STARTED_MS = 10 * 60_000;
/** A cookie must stay below 4096 bytes. */
const MAX_RETURN_PATH = 1024;

/** A sign-in between its start and the provider's answer, as the browser's cookie has it. */
interface Started extends Checks {
  readonly providerId: string;
  readonly to: string;
}

/** The two addresses of the sign-in with an identity provider in a browser. Both answer with redirects only (SSO-4). */
export function browserSignIn(deps: ApiDeps): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const page = (act: (req: Request, res: Response) => Promise<string>): RequestHandler => {
    return async (req, res) => {
      res.set('Cache-Control', 'no-store');
      res.redirect(303, await act(req, res));
    };
  };
  router.get(
    `${PAGES}/:provider`,
    page((req, res) => start(deps, req, res)),
  );
  router.get(
    `${PAGES}/:provider/callback`,
    page((req, res) => finish(deps, req, res)),
  );
  return router;
}

const nameOf = (req: Request): string => String(req.params['provider']).replaceAll('\0', '\uffff');

/** Sends the browser to the provider, with a cookie that only its answer to this browser fits. */
async function start(deps: ApiDeps, req: Request, res: Response): Promise<string> {
  const to = toOf(rawQuery(req.url)['to']);
  return guarded(deps, req, res, { to }, async () => {
    const provider = await activeProvider(deps, nameOf(req));
    const secret = await openClientSecret(deps, deps.db.prisma, provider.id);
    const [state, nonce, verifier] = [randomText(deps), randomText(deps), randomText(deps)];
    const redirectUri = callbackOf(deps, req, provider.name);
    const url = await deps.providers.authorizationUrl(provider, secret, { state, nonce, verifier, redirectUri });
    const cookie = await sealStarted(deps, { providerId: provider.id, state, nonce, verifier, to });
    res.cookie(COOKIE, cookie, { ...cookieOptions(deps, req), maxAge: STARTED_MS });
    return url.href;
  });
}

/** Checks the provider's answer and opens the session that a sign-in with a password would open. */
async function finish(deps: ApiDeps, req: Request, res: Response): Promise<string> {
  const started = await openStarted(deps, cookieOf(req, COOKIE));
  // Whatever comes of it, the answer counts once.
  res.clearCookie(COOKIE, cookieOptions(deps, req));
  const to = started?.to ?? '/';
  return guarded(deps, req, res, { to }, async (attempt) => {
    const provider = await activeProvider(deps, nameOf(req));
    if (started === null) throw new RefusedSignInError('no-cookie');
    if (started.providerId !== provider.id || !hasState(req, started.state))
      throw new RefusedSignInError('state-mismatch');
    // A provider should accept its code once, too.
    const { now } = attempt;
    const until = new Date(now.getTime() + STARTED_MS);
    if (!(await isFirstUse(deps.db.prisma, { what: `state ${started.state}`, now, until })))
      throw new RefusedSignInError('state-mismatch');
    const secret = await openClientSecret(deps, deps.db.prisma, provider.id);
    const callback = new URL(callbackOf(deps, req, provider.name));
    callback.search = new URL(req.originalUrl, callback).search;
    const claims = await deps.providers.exchangeCode(provider, secret, { ...started, callback });
    const lifetimeMs = BROWSER_SESSION.idleMs;
    const session = await openProviderSession(attempt, { providerId: provider.id, claims, lifetimeMs });
    setSessionCookie(deps, req, res, session);
    return `/console${to}`;
  });
}

/** Records why a sign-in fails, and leads to the page that says so. */
async function guarded(
  deps: ApiDeps,
  req: Request,
  res: Response,
  { to }: { to: string },
  act: (attempt: ProviderAttempt) => Promise<string>,
): Promise<string> {
  const attempt = await providerAttempt(deps, req, requestIdOf(res), nameOf(req));
  try {
    return await limited(attempt, () => act(attempt));
  } catch (error) {
    const isThrottled = error instanceof ApiError && error.code === 'too-many-requests';
    const failure = isThrottled ? 'throttled' : await recordedFailure(attempt, error);
    return failurePage(failure, attempt.requestId, to);
  }
}

const failurePage = (failure: SignInFailure, requestId: string, to: string): string =>
  `${PAGES}?${new URLSearchParams({ failure, request: requestId, ...(to === '/' ? {} : { to }) })}`;

/** Where the provider leads the browser back to. Each provider has an address of its own, so that none can answer for another. */
function callbackOf(deps: ApiDeps, req: Request, provider: string): string {
  return `${publicUrl(deps, req)}${PAGES}/${provider}/callback`;
}

const cookieOptions = (deps: ApiDeps, req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: PAGES,
  secure: isBehindTls(deps, req),
});

const toOf = (text: unknown): string => {
  const to = returnPath(text);
  return to.length > MAX_RETURN_PATH ? '/' : to;
};

const randomText = ({ random }: ApiDeps): string => Buffer.from(random(32)).toString('base64url');

function hasState(req: Request, expected: string): boolean {
  const { state } = rawQuery(req.url);
  return typeof state === 'string' && sameBytes(Buffer.from(state), Buffer.from(expected));
}

function sealStarted(deps: ApiDeps, contents: Started): Promise<string> {
  return sealFlow(deps, { audience: COOKIE, contents, expiresAt: new Date(deps.clock().getTime() + STARTED_MS) });
}

/** What the cookie of a sign-in contains; null without one, or if it is too old or not made by the service. */
async function openStarted(deps: ApiDeps, cookie: string | null): Promise<Started | null> {
  return cookie === null ? null : openFlow<Started>(deps, { audience: COOKIE, text: cookie, now: deps.clock() });
}
