import { ApiError } from '@svc/core/errors';
import type { Request } from 'express';
import { hmac, type Keys, sameBytes } from '../keys.ts';

/** The cookie with the token of a browser's session. */
export const SESSION_COOKIE = 'svc_session';
const CSRF_HEADER = 'svc-csrf-token';
/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The token of a request, and whether a browser has sent it in a cookie. */
export interface Credential {
  readonly token: string;
  readonly isCookie: boolean;
}

/**
 * The credential of a request, or null. A header takes precedence over the cookie, which browsers add by themselves: it doesn't
 * count on requests of other sites, and a change with it needs the CSRF token of its session.
 *
 * @throws ApiError `not-signed-in`
 */
export function credentialOf(req: Request, keys: Keys): Credential | null {
  const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(req.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return { token: bearer, isCookie: false };
  const token = req.headers.authorization === undefined ? sessionCookie(req) : null;
  if (token === null || isOfOtherSite(req)) return null;
  if (!SAFE.has(req.method)) requireCsrfToken(req, csrfToken(keys, token));
  return { token, isCookie: true };
}

/** What proves that a change comes from a page of the service, for as long as the session lasts. */
export const csrfToken = (keys: Keys, token: string): string => hmac(keys.csrf, token).toString('base64url');

function sessionCookie(req: Request): string | null {
  const value = cookieOf(req, SESSION_COOKIE);
  return value !== null && value.length <= 512 ? value : null;
}

/** The value of a cookie, if it has one of printable characters. */
export function cookieOf({ headers }: Request, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2).map((part) => part.trim());
    if (key === name && value !== undefined && /^[\x21-\x7e]+$/.test(value)) return value;
  }
  return null;
}

/** Browsers report where a request comes from; `none` is an address that a person has opened. */
function isOfOtherSite({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

function requireCsrfToken(req: Request, expected: string): void {
  const sent = req.headers[CSRF_HEADER];
  if (typeof sent === 'string' && sameBytes(Buffer.from(sent), Buffer.from(expected))) return;
  throw new ApiError(
    'not-signed-in',
    'A change with the cookie of a session also needs the header Svc-Csrf-Token. GET /api/v1/session returns its value.',
  );
}
