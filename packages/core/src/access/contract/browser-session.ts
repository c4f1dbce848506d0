import * as z from 'zod';
import { anySession, endpoint, SESSION_LIMITS } from '../../contract/index.ts';
import { principalSchema } from '../records.ts';
import { signInBody } from './session.ts';

export const browserSessionSchema = z
  .object({
    principal: principalSchema.pick({ id: true, name: true, type: true }),
    csrf_token: z.string().meta({ description: 'changes with the cookie of the session need it as Svc-Csrf-Token' }),
    expires_at: z.iso.datetime().meta({ description: 'when it ends unless it is used before' }),
    has_password: z
      .boolean()
      .meta({ description: 'whether the person has a password here, and not only at an identity provider' }),
    limit: z
      .enum(SESSION_LIMITS)
      .nullable()
      .meta({ description: 'what the person must do before the session can do anything else' }),
  })
  .meta({ id: 'BrowserSession' });

/** Sessions of browsers, which hold their token in a cookie that scripts can't read (ACCESS-28). */
export const browserSessionEndpoints = {
  openSession: endpoint({
    id: 'access.openSession',
    method: 'POST',
    path: '/api/v1/session',
    summary: 'Sign in with name and password in a browser, which gets a cookie',
    client: { positional: ['name', 'password'], python: false },
    needs: { kind: 'public' },
    body: signInBody,
    response: { status: 201, schema: browserSessionSchema },
    errors: ['sign-in-failed', 'second-factor-required', 'passwords-off', 'too-many-requests'],
    noIdempotency: true,
  }),
  session: endpoint({
    id: 'access.session',
    method: 'GET',
    path: '/api/v1/session',
    summary: 'Get the session of the browser',
    client: { python: false },
    needs: anySession,
    response: { status: 200, schema: browserSessionSchema },
    errors: ['not-found'],
  }),
  closeSession: endpoint({
    id: 'access.closeSession',
    method: 'DELETE',
    path: '/api/v1/session',
    summary: 'Sign out the browser',
    client: { python: false },
    needs: anySession,
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
