import { accessEndpoints as endpoints } from '@svc/core/access';
import { revokeToken } from '@svc/db/access';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/context.ts';
import type { ApiDeps } from '../http/deps.ts';
import { BROWSER_SESSION } from '../http/guard/authorize.ts';
import { credentialOf, csrfToken, SESSION_COOKIE } from '../http/guard/credential.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { type Route, route } from '../http/route.ts';
import { openedSession } from './sign-in.ts';

/** Signs in a browser. A new session gets a new token, whatever cookie the browser has sent. */
export function openBrowserSession(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { token, expiresAt, principal } = await openedSession(deps, req, requestIdOf(res), BROWSER_SESSION.idleMs);
    res.cookie(SESSION_COOKIE, token, cookieOptions(deps, req));
    const { id, name, type } = principal;
    res
      .status(201)
      .set('Cache-Control', 'no-store')
      .json({
        principal: { id, name, type },
        csrf_token: csrfToken(deps.keys, token),
        expires_at: expiresAt.toISOString(),
      });
  };
}

const session = route(endpoints.session, async (ctx) => {
  const { caller, deps } = ctx;
  const { id, name, type, token } = caller;
  return {
    principal: { id, name, type },
    csrf_token: csrfToken(deps.keys, cookieTokenOf(ctx)),
    expires_at: token.expires_at!.toISOString(),
  };
});

const close = route(endpoints.closeSession, async (ctx) => {
  cookieTokenOf(ctx);
  const { caller, deps, now, req, res } = ctx;
  const { id, name, kind } = caller.token;
  await revokeToken(ctx.db, { id, by: caller.id, now });
  await ctx.audit({ type: 'TOKEN_REVOKED', detail: { token_id: id, name, principal: caller.name, kind } });
  clearCookie(res, cookieOptions(deps, req));
  return undefined;
});

/** @throws ApiError for a request without a cookie: a token that a client holds isn't a session of a browser */
function cookieTokenOf({ req, deps }: Context): string {
  const credential = credentialOf(req, deps.keys)!;
  if (credential.isCookie) return credential.token;
  throw notFound('session', 'of a browser', 'The request has no session cookie.');
}

const clearCookie = (res: Response, options: CookieOptions): void => void res.clearCookie(SESSION_COOKIE, options);

/** Without an expiry, the browser forgets it when it closes. */
const cookieOptions = ({ settings }: ApiDeps, req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  path: '/api',
  secure: req.secure || (settings.publicUrl?.startsWith('https:') ?? false),
});

export const browserSessionRoutes: Route[] = [session, close];
