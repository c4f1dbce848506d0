import * as z from 'zod';
import { browserSessionSchema, mintedTokenSchema, principalName } from '../access/index.ts';
import { endpoint, type Need, needs } from '../contract/index.ts';

const kind = z
  .enum(['totp', 'security-key'])
  .meta({ description: 'an authenticator app, or a security key or passkey' });

export const secondFactorSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    kind,
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof secondFactorSchema>;

const secondFactorListSchema = z
  .object({
    factors: z.array(secondFactorSchema),
    recovery_codes_left: z.int(),
    required: z.boolean().meta({ description: 'whether the service requires the caller to have one' }),
  })
  .meta({ id: 'SecondFactorList' });

const enrolment = z.string().meta({ description: 'what adding the second factor continues with; a secret' });

const totpEnrolmentSchema = z
  .object({
    enrolment,
    secret: z.string().meta({ description: 'what to enter in the authenticator app, in base32' }),
    uri: z.string().meta({ description: 'the same as otpauth://…, for a QR code' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'TotpEnrolment' });

const json = z.record(z.string(), z.unknown());

const securityKeyEnrolmentSchema = z
  .object({
    enrolment,
    options: json.meta({ description: 'PublicKeyCredentialCreationOptions as JSON, for the browser' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'KeyEnrolment' });

const addedSecondFactorSchema = z
  .object({
    factor: secondFactorSchema,
    recovery_codes: z
      .array(z.string())
      .meta({ description: 'with the first second factor: shown only once; otherwise empty' }),
  })
  .meta({ id: 'AddedSecondFactor' });

const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' });

const code = z
  .string()
  .max(16)
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be the six digits that the authenticator app shows'));

const exactlyOne = (...names: string[]) => ({
  check: (body: Record<string, unknown>) => names.filter((name) => body[name] !== undefined).length === 1,
  message: `name exactly one of ${names.join(', ')}`,
});
const ANSWERS = exactlyOne('code', 'assertion', 'recovery_code');
const PROOFS = exactlyOne('code', 'credential');

/** What completes a sign-in. */
export const secondFactorBody = z
  .strictObject({
    challenge: z.string().max(4096).meta({ description: '`second_factor.challenge` of the first response' }),
    code: code.optional().meta({ description: 'of an authenticator app' }),
    assertion: json.optional().meta({ description: 'of a security key: what the browser returned, as JSON' }),
    recovery_code: z.string().max(64).optional(),
  })
  .refine(ANSWERS.check, ANSWERS.message);
export type SecondFactorAnswer = z.infer<typeof secondFactorBody>;

const path = '/api/v1/me/second-factors';
const own: Need = { kind: 'signed-in', taskTokens: false, limitedSessions: ['add-second-factor'] };
const whole: Need = { kind: 'signed-in', taskTokens: false };
const oneId = z.object({ id: z.uuid() });
const ANSWERED = ['second-factor-failed', 'passwords-off', 'too-many-requests'] as const;

/** Second factors of people who sign in with a password (FACTOR-1). */
export const secondFactorEndpoints = {
  completeSignIn: endpoint({
    id: 'access.completeSignIn',
    method: 'POST',
    path: '/api/v1/sign-in/second-factor',
    summary: 'Complete a sign-in with a second factor',
    client: {
      positional: ['challenge'],
      notes: 'Takes one of `code`, `assertion` and `recovery_code`. Returns the token of a session.',
      python: false,
    },
    needs: { kind: 'public' },
    body: secondFactorBody,
    response: { status: 200, schema: mintedTokenSchema },
    errors: ANSWERED,
    noIdempotency: true,
  }),
  completeSession: endpoint({
    id: 'access.completeSession',
    method: 'POST',
    path: '/api/v1/session/second-factor',
    summary: 'Complete a sign-in with a second factor in a browser, which gets a cookie',
    client: { positional: ['challenge'], python: false },
    needs: { kind: 'public' },
    body: secondFactorBody,
    response: { status: 201, schema: browserSessionSchema },
    errors: ANSWERED,
    noIdempotency: true,
  }),
  confirm: endpoint({
    id: 'access.confirmPassword',
    method: 'PUT',
    path: '/api/v1/me/confirmation',
    summary: 'Enter your password again, so that this session can change second factors for ten minutes',
    client: { positional: ['current_password'], fields: { current_password: 'current' } },
    needs: own,
    body: z.strictObject({ current_password: z.string().max(1024) }),
    response: { status: 204 },
    errors: ['passwords-off', 'too-many-requests'],
  }),
  list: endpoint({
    id: 'secondFactors.list',
    method: 'GET',
    path,
    summary: 'Get your second factors and how many recovery codes are left',
    client: {},
    needs: own,
    response: { status: 200, schema: secondFactorListSchema },
  }),
  startTotp: endpoint({
    id: 'secondFactors.startTotp',
    method: 'POST',
    path: `${path}/totp`,
    summary: 'Start to add an authenticator app',
    client: {},
    needs: own,
    response: { status: 200, schema: totpEnrolmentSchema },
    errors: ['confirmation-required'],
    noIdempotency: true,
  }),
  startSecurityKey: endpoint({
    id: 'secondFactors.startSecurityKey',
    method: 'POST',
    path: `${path}/security-key`,
    summary: 'Start to add a security key or passkey in a browser',
    client: {},
    needs: own,
    response: { status: 200, schema: securityKeyEnrolmentSchema },
    errors: ['confirmation-required'],
    noIdempotency: true,
  }),
  add: endpoint({
    id: 'secondFactors.add',
    method: 'POST',
    path,
    summary: 'Add the second factor that was started. Your other sessions end with the first one',
    client: {
      positional: ['enrolment', 'name'],
      notes: 'Takes `code` of an authenticator app, or `credential` of a security key.',
    },
    needs: own,
    body: z
      .strictObject({
        enrolment: z.string().max(4096),
        name: principalName,
        code: code.optional(),
        credential: json.optional().meta({ description: 'what the browser returned, as JSON' }),
      })
      .refine(PROOFS.check, PROOFS.message),
    response: { status: 201, schema: addedSecondFactorSchema },
    errors: ['already-exists'],
    noIdempotency: true,
  }),
  rename: endpoint({
    id: 'secondFactors.rename',
    method: 'PUT',
    path: `${path}/{id}/name`,
    summary: 'Rename a second factor',
    client: { positional: ['name'] },
    needs: whole,
    params: oneId,
    body: z.strictObject({ name: principalName }),
    response: { status: 200, schema: secondFactorSchema },
    errors: ['confirmation-required', 'not-found', 'already-exists'],
  }),
  remove: endpoint({
    id: 'secondFactors.remove',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove a second factor. Removing the last one also ends your other sessions',
    client: {},
    needs: whole,
    params: oneId,
    response: { status: 204 },
    errors: ['confirmation-required', 'not-found'],
  }),
  replaceRecoveryCodes: endpoint({
    id: 'secondFactors.replaceRecoveryCodes',
    method: 'POST',
    path: `${path}/recovery-codes`,
    summary: 'Replace your recovery codes. They are shown only once',
    client: {},
    needs: whole,
    response: { status: 200, schema: recoveryCodesSchema },
    errors: ['confirmation-required', 'not-found'],
    noIdempotency: true,
  }),
  removeOfOther: endpoint({
    id: 'principals.removeSecondFactors',
    method: 'DELETE',
    path: '/api/v1/principals/{name}/second-factors',
    summary: 'Remove all second factors and recovery codes that a person has lost',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: z.object({ name: z.string() }),
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
