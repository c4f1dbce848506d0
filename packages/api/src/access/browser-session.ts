import { accessEndpoints as endpoints, scopeOf } from '@svc/core/access';
import type { SessionLimit } from '@svc/core/contract';
import { hashToken } from '@svc/db/access';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Context } from '../http/context.ts';
import type { ApiDeps } from '../http/deps.ts';
import { credentialOf, csrfToken, SESSION_COOKIE } from '../http/guard/credential.ts';
import { BROWSER_SESSION } from '../http/guard/session-lifetime.ts';
import { sessionLimit } from '../http/guard/session-limit.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { requirePrincipal } from './principals.ts';
import { type OpenedSession, openedSession } from './sign-in.ts';
import { revokeRecorded } from './tokens.ts';

/** Signs in a browser. A new session gets a new token, whatever cookie the browser has sent. */
export function openBrowserSession(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const opened = await openedSession(deps, req, requestIdOf(res), BROWSER_SESSION.idleMs);
    await sendBrowserSession(deps, req, res, opened);
  };
}

/** Answers a sign-in with a password. */
export async function sendBrowserSession(
  deps: ApiDeps,
  req: Request,
  res: Response,
  opened: OpenedSession,
): Promise<void> {
  const tokenHash = hashToken(opened.token);
  const found = await deps.authorize({ tokenHash, now: deps.clock(), names: scopeOf({}) });
  const limit = found === null ? null : sessionLimit({ deps, ...found });
  setSessionCookie(deps, req, res, opened);
  res
    .status(201)
    .set('Cache-Control', 'no-store')
    .json(browserSession(deps, opened, { has_password: true, limit }));
}

const session = route(endpoints.session, async (ctx) => {
  const { caller, deps } = ctx;
  const opened = { principal: caller, token: cookieTokenOf(ctx), expiresAt: caller.token.expires_at! };
  const { password_hash } = await requirePrincipal(ctx.db, caller.name);
  return browserSession(deps, opened, { has_password: password_hash !== null, limit: sessionLimit(ctx) });
});

const close = route(endpoints.closeSession, async (ctx) => {
  cookieTokenOf(ctx);
  const { caller, deps, req, res } = ctx;
  await revokeRecorded(ctx, { ...caller.token, principal: caller.name });
  res.clearCookie(SESSION_COOKIE, cookieOptions(deps, req));
  return undefined;
});

/** What a page knows about its session. */
function browserSession(
  { keys }: ApiDeps,
  { principal: { id, name, type }, token, expiresAt }: OpenedSession,
  facts: { has_password: boolean; limit: SessionLimit | null },
) {
  const csrf_token = csrfToken(keys, token);
  return { principal: { id, name, type }, csrf_token, expires_at: expiresAt.toISOString(), ...facts };
}

/** @throws ApiError for a request without a cookie: a token that a client holds isn't a session of a browser */
function cookieTokenOf({ req, deps }: Context): string {
  const credential = credentialOf(req, deps.keys)!;
  if (credential.isCookie) return credential.token;
  throw notFound('session', 'of a browser', 'The request has no session cookie.');
}

/** Lets the browser send the token of a session from now on. */
export function setSessionCookie(deps: ApiDeps, req: Request, res: Response, { token }: OpenedSession): void {
  res.cookie(SESSION_COOKIE, token, cookieOptions(deps, req));
}

/** Without an expiry, the browser forgets it when it closes. */
const cookieOptions = (deps: ApiDeps, req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  path: '/api',
  secure: isBehindTls(deps, req),
});

/** Whether the browser reaches the service with TLS. */
export const isBehindTls = ({ settings }: ApiDeps, req: Request): boolean =>
  req.secure || (settings.publicUrl?.startsWith('https:') ?? false);

export const browserSessionRoutes: Route[] = [session, close];
