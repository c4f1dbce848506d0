import * as z from 'zod';
import { environmentName, principalName } from '../access/names.ts';
import { endpoint, needs, unpagedByDefault } from '../contract/index.ts';
import { emailAddress } from './claims.ts';
import { issuerFailure } from './issuer.ts';

/** A provider that people sign in with (SSO-1). Its client secret is never returned. */
export const identityProviderSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean(),
    scopes: z.array(z.string()),
    link_by: z.enum(['subject', 'verified-email']),
    create_people: z.boolean(),
    email_domains: z.array(z.string()),
    groups_claim: z.string().nullable(),
    groups: z.array(z.object({ value: z.string(), group: z.string() })),
    scim_account: z.string().nullable(),
    active: z.boolean(),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'IdentityProvider' });
export type IdentityProvider = z.infer<typeof identityProviderSchema>;

/** Who a person is at a provider. */
export const identitySchema = z
  .object({
    provider: z.string(),
    subject: z.string(),
    email: z.string().nullable().meta({ description: 'verified, as of the last sign-in' }),
    linked_at: z.iso.datetime(),
    last_sign_in_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Identity' });

export const signInMethodsSchema = z
  .object({
    principal: z.string(),
    email: z.string().nullable().meta({ description: 'the address that identities may be linked to' }),
    password: z.boolean(),
    identities: z.array(identitySchema),
  })
  .meta({ id: 'SignInMethods' });
export type SignInMethods = z.infer<typeof signInMethodsSchema>;

const printable = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .regex(/^[\x20-\x7e]*$/, 'must contain only printable ASCII characters');

const issuer = z
  .string()
  .superRefine((text, context) => {
    const message = issuerFailure(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({ description: 'https://<host>/<path> as in the tokens of the provider', maxLength: 1024 });

const scopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/, 'must be the name of a scope'))
  .max(50)
  .refine((all) => all.includes('openid'), 'must contain openid');

const domain = z
  .string()
  .max(253)
  .transform((text) => text.toLowerCase())
  .pipe(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a domain, such as example.com'));

const mapping = z.strictObject({
  value: z.string().min(1, 'must not be empty').max(1024).meta({ description: 'a value of the claim' }),
  group: principalName.meta({ description: 'the group that it adds people to' }),
});

const fields = {
  client_id: printable(1024),
  client_secret: printable(4096).nullable().meta({ description: 'null: the client is public' }),
  scopes,
  link_by: z.enum(['subject', 'verified-email']),
  create_people: z.boolean(),
  email_domains: z.array(domain).max(100),
  groups_claim: printable(255).nullable(),
  groups: z
    .array(mapping)
    .max(1000)
    .refine((all) => new Set(all.map(({ value, group }) => JSON.stringify([value, group]))).size === all.length, {
      error: 'must not contain the same value and group twice',
    }),
  scim_account: principalName.nullable().meta({
    description: 'the service account with whose tokens the provider manages people and groups (SCIM)',
  }),
  active: z.boolean(),
};

const optional = <T extends Record<string, z.ZodType>>(shape: T) => z.strictObject(shape).partial().shape;

const path = '/api/v1/identity-providers';
const oneName = z.object({ name: z.string() });
const OWN = 'for another principal, the ADMIN role on the instance';

/** A provider decides who gets sessions, of administrators too. So it needs the right to issue tokens (SSO-3). */
export const identityProviderEndpoints = {
  create: endpoint({
    id: 'identityProviders.create',
    method: 'POST',
    path,
    summary: 'Register an identity provider that people can sign in with',
    client: {
      notes: 'The client secret is never returned.',
      typescript: { object: 'body' },
      python: { positional: ['name', 'issuer', 'client_id'] },
    },
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    body: z.strictObject({
      name: environmentName,
      issuer,
      client_id: fields.client_id,
      client_secret: fields.client_secret.default(null),
      scopes: fields.scopes.default(['openid', 'profile', 'email']),
      link_by: fields.link_by.default('subject'),
      create_people: fields.create_people.default(false),
      email_domains: fields.email_domains.default([]),
      groups_claim: fields.groups_claim.default(null),
      groups: fields.groups.default([]),
      scim_account: fields.scim_account.default(null),
      active: fields.active.default(true),
    }),
    response: { status: 201, schema: identityProviderSchema },
    errors: ['already-exists', 'not-found'],
  }),
  list: endpoint({
    id: 'identityProviders.list',
    method: 'GET',
    path,
    summary: 'List the identity providers, by name',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(identityProviderSchema), list: true, paged: true },
  }),
  get: endpoint({
    id: 'identityProviders.get',
    method: 'GET',
    path: `${path}/{name}`,
    summary: 'Get an identity provider',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: oneName,
    response: { status: 200, schema: identityProviderSchema },
    errors: ['not-found'],
  }),
  update: endpoint({
    id: 'identityProviders.update',
    method: 'PATCH',
    path: `${path}/{name}`,
    summary: 'Change an identity provider. Its name and issuer stay',
    client: { notes: '`client_secret` and `groups_claim` are cleared with `null`.' },
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: oneName,
    body: z
      .strictObject({
        name: z.never({ error: 'the name cannot change: register another provider' }).optional(),
        issuer: z
          .never({ error: 'the issuer cannot change, because its subjects are linked: register another provider' })
          .optional(),
        ...optional(fields),
      })
      .refine((body) => Object.keys(body).length > 0, `name at least one of ${Object.keys(fields).join(', ')}`)
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: identityProviderSchema },
    errors: ['not-found'],
  }),
  delete: endpoint({
    id: 'identityProviders.delete',
    method: 'DELETE',
    path: `${path}/{name}`,
    summary: 'Delete an identity provider with its identities and the memberships that come from it',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: oneName,
    response: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
  signInMethods: endpoint({
    id: 'principals.signInMethods',
    method: 'GET',
    path: '/api/v1/principals/{name}/sign-in-methods',
    summary: 'Get how a principal can sign in: its e-mail address, its password, and its identities',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE', { orSelf: OWN }),
    params: oneName,
    response: { status: 200, schema: signInMethodsSchema },
    errors: ['not-found'],
  }),
  setEmail: endpoint({
    id: 'principals.setEmail',
    method: 'PUT',
    path: '/api/v1/principals/{name}/email',
    summary: 'Set the e-mail address that identities may be linked to',
    client: { positional: ['email'], notes: '`null` removes it. Linked identities stay.' },
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: oneName,
    body: z.strictObject({ email: emailAddress.nullable() }),
    response: { status: 200, schema: signInMethodsSchema },
    errors: ['not-found', 'already-exists'],
  }),
  link: endpoint({
    id: 'principals.linkIdentity',
    method: 'PUT',
    path: '/api/v1/principals/{name}/identities/{provider}',
    summary: 'Link a person to a subject of an identity provider',
    client: { positional: ['subject'] },
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: z.object({ name: z.string(), provider: z.string() }),
    body: z.strictObject({ subject: z.string().min(1, 'must not be empty').max(255) }),
    response: { status: 200, schema: signInMethodsSchema },
    errors: ['not-found', 'already-exists'],
  }),
  unlink: endpoint({
    id: 'principals.unlinkIdentity',
    method: 'DELETE',
    path: '/api/v1/principals/{name}/identities/{provider}',
    summary: 'Unlink a person from an identity provider, with the memberships that come from it',
    client: {},
    needs: needs('MANAGE_TOKEN', 'INSTANCE'),
    params: z.object({ name: z.string(), provider: z.string() }),
    response: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
};
