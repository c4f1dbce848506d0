import { isTokenText, scopeOf } from '@svc/core/access';
import { readTokenRequest } from '@svc/core/catalog';
import type { Caller } from '@svc/db/access';
import { hashToken } from '@svc/db/access';
import type { Request, RequestHandler } from 'express';
import type { ApiDeps } from '../../http/deps.ts';
import { readBody } from '../../http/request/input.ts';
import { asCatalogError, sendCatalogError } from './errors.ts';

const FORM_LIMIT = 64 * 1024;

/**
 * `oauth/tokens`, for engines that insist on their own sign-in. It returns the caller's token unchanged, so it grants
 * nothing that the token couldn't do before.
 */
export function tokens(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const response = (status: number, body: object) =>
      res.status(status).set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).json(body);
    try {
      const form = new Map(new URLSearchParams((await readBody(req, FORM_LIMIT)).toString()));
      const tokenRequest = readTokenRequest(form, basicOf(req));
      if (!tokenRequest.ok)
        return void response(tokenRequest.status, {
          error: tokenRequest.error,
          error_description: tokenRequest.description,
        });
      const caller = await callerOf(deps, tokenRequest.token);
      if (caller === null || (tokenRequest.clientId !== null && tokenRequest.clientId !== caller.name)) {
        const error_description =
          'The client secret is not a valid token, or does not belong to the principal in client_id.';
        return void response(401, { error: 'invalid_client', error_description });
      }
      const { expires_at } = caller.token;
      const lifetime = expires_at === null ? null : Math.floor((expires_at.getTime() - deps.clock().getTime()) / 1000);
      return void response(200, {
        access_token: tokenRequest.token,
        token_type: 'bearer',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'catalog',
        ...(lifetime === null ? {} : { expires_in: lifetime }),
      });
    } catch (error) {
      sendCatalogError(res, asCatalogError(error, { noun: 'warehouse' }), deps.log, false);
    }
  };
}

async function callerOf(deps: ApiDeps, token: string): Promise<Caller | null> {
  if (token.startsWith('svc_') && !isTokenText(token) && token !== deps.settings.bootstrapToken) return null;
  const found = await deps.authorize({
    tokenHash: hashToken(token),
    now: deps.clock(),
    names: scopeOf({}),
  });
  return found?.caller ?? null;
}

function basicOf(req: Request): { user: string; password: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const at = text.indexOf(':');
  return at === -1 ? null : { user: decoded(text.slice(0, at)), password: decoded(text.slice(at + 1)) };
}

/** RFC 6749 form-encodes both parts, but not every client does so. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
