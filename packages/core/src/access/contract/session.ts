import * as z from 'zod';
import { anySession, endpoint } from '../../contract/index.ts';
import { hasValidLength, TOO_LONG } from '../names.ts';
import { meSchema, mintedTokenSchema } from '../records.ts';
import { password } from './parameters.ts';

/** What a person signs in with. */
export const signInBody = z.strictObject({
  name: z.string().refine(hasValidLength, TOO_LONG).meta({ maxLength: 255 }),
  password: z.string().max(1024),
});

export const signInOptionsSchema = z
  .object({
    passwords: z.boolean().meta({ description: 'whether a name and a password are accepted' }),
    providers: z.array(z.string()).meta({ description: 'names of identity providers' }),
  })
  .meta({ id: 'SignInOptions' });

export const deviceSignInSchema = z
  .object({
    handle: z.string().meta({ description: 'what the sign-in is polled with; a secret' }),
    user_code: z.string(),
    verification_uri: z.string().meta({ description: 'page of the provider where a person enters the code' }),
    verification_uri_complete: z.string().nullable().meta({ description: 'the same page with the code' }),
    interval: z.int().meta({ description: 'seconds to wait before each poll' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'DeviceSignIn' });

export const deviceSignInStatusSchema = z
  .object({
    status: z.enum(['pending', 'slow_down', 'complete']),
    interval: z.int().meta({ description: 'seconds to wait before the next poll' }),
    token: z.string().nullable().meta({ description: 'of the session, once the sign-in is complete' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'of the session' }),
  })
  .meta({ id: 'DeviceSignInStatus' });

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
    errors: ['sign-in-failed', 'second-factor-required', 'passwords-off', 'too-many-requests'],
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
  startDeviceSignIn: endpoint({
    id: 'access.startDeviceSignIn',
    method: 'POST',
    path: '/api/v1/sign-in/device',
    summary: 'Start a sign-in with an identity provider that a person completes in a browser, on any device',
    client: { positional: ['provider'], python: false },
    needs: { kind: 'public' },
    body: z.strictObject({ provider: z.string().max(63) }),
    response: { status: 200, schema: deviceSignInSchema },
    errors: ['not-found', 'sign-in-refused', 'provider-unavailable', 'too-many-requests'],
    noIdempotency: true,
  }),
  pollDeviceSignIn: endpoint({
    id: 'access.pollDeviceSignIn',
    method: 'POST',
    path: '/api/v1/sign-in/device/poll',
    summary: 'Get the session of a sign-in that was started for a device, once a person has completed it',
    client: {
      positional: ['handle'],
      notes: 'Fails once it was declined, refused or has expired.',
      python: false,
    },
    needs: { kind: 'public' },
    body: z.strictObject({ handle: z.string().max(8192) }),
    response: { status: 200, schema: deviceSignInStatusSchema },
    errors: ['sign-in-refused', 'provider-unavailable', 'too-many-requests'],
    noIdempotency: true,
  }),
  me: endpoint({
    id: 'access.me',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Get the principal of the credential',
    client: { python: false },
    needs: anySession,
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
    needs: { kind: 'signed-in', taskTokens: false, limitedSessions: ['change-password'] },
    body: z.strictObject({ current_password: z.string().max(1024), password }),
    response: { status: 204 },
    errors: ['passwords-off', 'too-many-requests'],
  }),
};
