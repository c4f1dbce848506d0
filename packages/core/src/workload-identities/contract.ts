import * as z from 'zod';
import { tokenScope } from '../access/contract/parameters.ts';
import { tokenSchema } from '../access/index.ts';
import { endpoint, needs, unpagedByDefault } from '../contract/index.ts';
import { issuerFailure } from '../identity-providers/index.ts';
import { subjectFailure } from './subject.ts';

const MAX_CLAIMS = 10;
/** Longer than the tokens of CI systems and clusters. */
const MAX_TOKEN = 12_000;

const checked = (failure: (text: string) => string | null) =>
  z.string().superRefine((text, context) => {
    const message = failure(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** A workload that signs in as a service account with a token of an issuer (TOKEN-8). */
export const workloadIdentitySchema = z
  .object({
    id: z.uuid(),
    principal: z.string(),
    issuer: z.string(),
    audience: z.string(),
    subject: z.string(),
    claims: z.record(z.string(), z.string()),
    environments: tokenSchema.shape.environments,
    actions: tokenSchema.shape.actions,
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WorkloadIdentity' });
export type WorkloadIdentity = z.infer<typeof workloadIdentitySchema>;

/** As RFC 8693 names the fields. */
export const exchangedTokenSchema = z
  .object({
    access_token: z.string(),
    issued_token_type: z.literal('urn:ietf:params:oauth:token-type:access_token'),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'seconds' }),
    expires_at: z.iso.datetime(),
    principal: z.string(),
  })
  .meta({ id: 'ExchangedToken' });

const TOKEN_TYPES = ['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'] as const;

export const tokenExchangeBody = z.strictObject({
  grant_type: z.literal('urn:ietf:params:oauth:grant-type:token-exchange').optional(),
  subject_token: z.string().min(1).max(MAX_TOKEN),
  subject_token_type: z.enum(TOKEN_TYPES).optional(),
  principal: z.string().max(255).optional().meta({ description: 'required if the workload may sign in as several' }),
  ...tokenScope,
});

const ofPrincipal = '/api/v1/principals/{name}/workload-identities';

/** What an issuer signs opens the account, so these routes need the right to issue its tokens. */
export const workloadIdentityEndpoints = {
  create: endpoint({
    id: 'workloadIdentities.create',
    method: 'POST',
    path: ofPrincipal,
    summary: 'Let a workload sign in as a service account with a token of its CI system or cluster',
    client: { path: { name: 'principal' }, positional: ['issuer', 'audience', 'subject'] },
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: z.object({ name: z.string() }),
    body: z.strictObject({
      issuer: checked(issuerFailure).meta({ description: '`iss` of the tokens', maxLength: 1024 }),
      audience: z.string().min(1).max(255).meta({ description: '`aud` of the tokens: the address of this service' }),
      subject: checked(subjectFailure).meta({
        description: '`sub` of the tokens; a final * after : or / stands for any text',
        maxLength: 255,
      }),
      claims: z
        .record(z.string().min(1).max(255), z.string().max(1024))
        .refine((claims) => Object.keys(claims).length <= MAX_CLAIMS, `must be at most ${MAX_CLAIMS}`)
        .optional()
        .meta({ description: 'further claims that the tokens must have, such as {"repository_id": "4711"}' }),
      ...tokenScope,
    }),
    response: { status: 201, schema: workloadIdentitySchema },
    errors: ['not-found'],
  }),
  list: endpoint({
    id: 'workloadIdentities.list',
    method: 'GET',
    path: ofPrincipal,
    summary: 'List the workloads that sign in as a service account',
    client: { path: { name: 'principal' } },
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: z.object({ name: z.string() }),
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(workloadIdentitySchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  delete: endpoint({
    id: 'workloadIdentities.delete',
    method: 'DELETE',
    path: '/api/v1/workload-identities/{id}',
    summary: 'Stop a workload from signing in, and revoke the tokens that it got',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: z.object({ id: z.string() }),
    response: { status: 204 },
    errors: ['not-found'],
  }),
  exchange: endpoint({
    id: 'tokens.exchange',
    method: 'POST',
    path: '/api/v1/token-exchange',
    summary: 'Exchange a token of a CI system or cluster for a token of a service account',
    client: { positional: ['subject_token'], notes: 'The token is valid for an hour.', python: false },
    needs: { kind: 'public' },
    body: tokenExchangeBody,
    response: { status: 200, schema: exchangedTokenSchema },
    errors: ['token-exchange-refused', 'provider-unavailable', 'too-many-requests'],
    noIdempotency: true,
  }),
};
