import * as z from 'zod';
import { endpoint, signedIn } from '../../contract/index.ts';
import { hasValidLength, TOO_LONG } from '../names.ts';
import { meSchema, mintedTokenSchema } from '../records.ts';
import { password } from './parameters.ts';

/** What a person signs in with. */
export const signInBody = z.strictObject({
  name: z.string().refine(hasValidLength, TOO_LONG).meta({ maxLength: 255 }),
  password: z.string().max(1024),
});

export const signInOptionsSchema = z
  .object({ providers: z.array(z.string()).meta({ description: 'names of identity providers' }) })
  .meta({ id: 'SignInOptions' });

/** Signing in, and the account of the caller. */
export const sessionEndpoints = {
  signIn: endpoint({
    id: 'access.signIn',
    method: 'POST',
    path: '/api/v1/sign-in',
    summary: 'Sign in with name and password',
    client: {
      positional: ['name', 'password'],
      notes: 'Returns the token of a session. Fails with `TooManyRequests` after several attempts.',
      python: false,
    },
    needs: { kind: 'public' },
    body: signInBody,
    response: { status: 200, schema: mintedTokenSchema },
    errors: ['sign-in-failed', 'too-many-requests'],
    noIdempotency: true,
  }),
  signInOptions: endpoint({
    id: 'access.signInOptions',
    method: 'GET',
    path: '/api/v1/sign-in',
    summary: 'Get how people can sign in',
    client: { python: false },
    needs: { kind: 'public' },
    response: { status: 200, schema: signInOptionsSchema },
  }),
  me: endpoint({
    id: 'access.me',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Get the principal of the credential',
    client: { python: false },
    needs: signedIn,
    response: { status: 200, schema: meSchema },
  }),
  changePassword: endpoint({
    id: 'access.changePassword',
    method: 'PUT',
    path: '/api/v1/me/password',
    summary: 'Change your own password. Your other sessions end',
    client: {
      positional: ['current_password', 'password'],
      fields: { current_password: 'current' },
      notes: 'Fails if `current` is wrong, and with `TooManyRequests` after several attempts.',
    },
    needs: { kind: 'signed-in', taskTokens: false },
    body: z.strictObject({ current_password: z.string().max(1024), password }),
    response: { status: 204 },
    errors: ['too-many-requests'],
  }),
};
