import * as z from 'zod';
import { decided, endpoint, flag, needs, paging, signedIn } from '../contract/index.ts';
import { ACTIONS, ROLES } from './actions.ts';
import { principalName } from './names.ts';
import { OBJECT_KINDS, scopeSchema } from './objects.ts';

const time = z.iso.datetime();
const optionalTime = time.nullable();

export const principalSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.enum(['person', 'service-account']),
    active: z.boolean(),
    created_at: time,
  })
  .meta({ id: 'Principal' });
export type Principal = z.infer<typeof principalSchema>;

export const groupSchema = z.object({ id: z.uuid(), name: z.string(), created_at: time }).meta({ id: 'Group' });
export type Group = z.infer<typeof groupSchema>;

export const grantSchema = z
  .object({
    id: z.uuid(),
    principal_id: z.uuid().nullable(),
    group_id: z.uuid().nullable(),
    role: z.enum(ROLES).nullable(),
    action: z.enum(ACTIONS).nullable(),
    kind: z.enum(OBJECT_KINDS),
    principal: z.string().nullable(),
    group: z.string().nullable(),
    environment: z.string().nullable(),
    namespace: z.string().nullable(),
    table: z.string().nullable(),
    created_at: time,
    created_by: z.uuid().nullable(),
  })
  .meta({ id: 'Grant' });
export type Grant = z.infer<typeof grantSchema>;

export const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    principal: z.string(),
    kind: z.enum(['personal', 'service-account', 'session', 'task']),
    created_at: time,
    expires_at: optionalTime,
  })
  .meta({ id: 'Token' });
export type TokenRecord = z.infer<typeof tokenSchema>;

export const issuedTokenSchema = tokenSchema.extend({ token: z.string() }).meta({ id: 'IssuedToken' });
export const mintedTokenSchema = z.object({ token: z.string(), expires_at: time }).meta({ id: 'MintedToken' });

export const viaSchema = z
  .object({
    kind: z.enum(['role', 'grant', 'group']),
    grant_id: z.uuid(),
    group: z.string().optional(),
    role: z.enum(ROLES).nullable(),
    scope: scopeSchema,
  })
  .meta({ id: 'Via' });

/** Specification 2.4. */
export const permissionsSchema = z
  .object({
    principal: z.string(),
    active: z.boolean(),
    scope: scopeSchema,
    permissions: z.array(
      z.object({
        action: z.enum(ACTIONS),
        allowed: z.boolean(),
        via: z.array(viaSchema),
        reason: z.string().nullable(),
      }),
    ),
    note: z.string().nullable(),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof permissionsSchema>;

export const meSchema = principalSchema
  .extend({
    token: z.object({ id: z.uuid(), name: z.string(), kind: tokenSchema.shape.kind, expires_at: optionalTime }),
  })
  .meta({ id: 'Me' });

/** A principal that may do what was asked, with the granting records. */
export const holderSchema = z
  .object({
    principal: z.string(),
    type: z.enum(['person', 'service-account']),
    active: z.boolean(),
    via: z.array(viaSchema),
  })
  .meta({ id: 'Holder' });
export type Holder = z.infer<typeof holderSchema>;

/** An object that grants of a principal name: what they give there and on all it contains. */
export const reachedObjectSchema = z
  .object({ scope: scopeSchema, actions: z.array(z.enum(ACTIONS)), via: z.array(viaSchema) })
  .meta({ id: 'ReachedObject' });
export type ReachedObject = z.infer<typeof reachedObjectSchema>;

/** What revoking a grant would take away: of each principal it reaches, the actions that no other grant gives. */
export const revocationPreviewSchema = z
  .object({
    grant: grantSchema,
    principals: z.array(z.object({ principal: z.string(), loses: z.array(z.enum(ACTIONS)) })),
  })
  .meta({ id: 'RevocationPreview' });
export type RevocationPreview = z.infer<typeof revocationPreviewSchema>;

const objectNames = {
  environment: z.string().optional(),
  namespace: z.string().optional(),
  table: z.string().optional(),
};

const oneName = z.object({ name: z.string() });
const password = z.string().min(12, 'must be at least 12 characters').max(1024, 'must be at most 1,024 characters');
const expires = z.iso.datetime({ offset: true, error: 'must be a time with a time zone' });

export const accessEndpoints = {
  signIn: endpoint({
    id: 'access.signIn',
    method: 'POST',
    path: '/api/v1/sign-in',
    summary: 'Sign in with name and password',
    needs: { kind: 'public' },
    body: z.strictObject({ name: z.string().max(255), password: z.string().max(1024) }),
    answer: { status: 200, schema: mintedTokenSchema },
    errors: ['sign-in-failed', 'too-many-requests'],
    noIdempotency: true,
  }),
  me: endpoint({
    id: 'access.me',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Who the credential belongs to',
    needs: signedIn,
    answer: { status: 200, schema: meSchema },
  }),
  createPrincipal: endpoint({
    id: 'principals.create',
    method: 'POST',
    path: '/api/v1/principals',
    summary: 'Create a person or a service account',
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    body: z.strictObject({
      name: principalName,
      type: z.enum(['person', 'service-account']),
      password: password.optional(),
    }),
    answer: { status: 201, schema: principalSchema },
    errors: ['already-exists'],
  }),
  listPrincipals: endpoint({
    id: 'principals.list',
    method: 'GET',
    path: '/api/v1/principals',
    summary: 'List principals, newest first',
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    query: z.strictObject({ q: z.string().optional(), ...paging }),
    answer: { status: 200, schema: z.array(principalSchema), list: true, paged: true },
  }),
  getPrincipal: endpoint({
    id: 'principals.get',
    method: 'GET',
    path: '/api/v1/principals/{name}',
    summary: 'One principal',
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    params: oneName,
    answer: { status: 200, schema: principalSchema },
    errors: ['not-found'],
  }),
  updatePrincipal: endpoint({
    id: 'principals.update',
    method: 'PATCH',
    path: '/api/v1/principals/{name}',
    summary: 'Activate, deactivate, set a password',
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    params: oneName,
    body: z
      .strictObject({ active: z.boolean().optional(), password: password.nullable().optional() })
      .refine((b) => Object.keys(b).length > 0, 'name at least one of active, password'),
    answer: { status: 200, schema: principalSchema },
    errors: ['not-found', 'last-admin'],
  }),
  deletePrincipal: endpoint({
    id: 'principals.delete',
    method: 'DELETE',
    path: '/api/v1/principals/{name}',
    summary: 'Delete a principal: ends its grants, memberships and tokens',
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    params: oneName,
    answer: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
  permissions: endpoint({
    id: 'principals.permissions',
    method: 'GET',
    path: '/api/v1/principals/{name}/permissions',
    summary: 'What a principal may do on an object, and through what',
    needs: decided('oneself, or the ADMIN role on the instance; never a task token', 'MANAGE_GRANT'),
    params: oneName,
    query: z.strictObject({
      environment: z.string().optional(),
      namespace: z.string().optional(),
      table: z.string().optional(),
    }),
    answer: { status: 200, schema: permissionsSchema },
    errors: ['not-found'],
  }),
  issueToken: endpoint({
    id: 'tokens.issue',
    method: 'POST',
    path: '/api/v1/principals/{name}/tokens',
    summary: 'Issue a token; its text shows once',
    needs: decided('oneself, or MANAGE_TOKEN; never a task token', 'MANAGE_TOKEN'),
    params: oneName,
    body: z.strictObject({ name: principalName, expires_at: expires.optional() }),
    answer: { status: 201, schema: issuedTokenSchema },
    errors: ['not-found'],
    noIdempotency: true,
  }),
  listTokens: endpoint({
    id: 'tokens.list',
    method: 'GET',
    path: '/api/v1/principals/{name}/tokens',
    summary: 'The tokens of a principal that still work',
    needs: decided('oneself, or MANAGE_TOKEN; never a task token', 'MANAGE_TOKEN'),
    params: oneName,
    query: z.strictObject({}),
    answer: { status: 200, schema: z.array(tokenSchema), list: true },
    errors: ['not-found'],
  }),
  revokeToken: endpoint({
    id: 'tokens.revoke',
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    summary: 'Revoke a token',
    needs: decided("one's own, or MANAGE_TOKEN; never a task token", 'MANAGE_TOKEN'),
    params: z.object({ id: z.string() }),
    answer: { status: 204 },
    errors: ['not-found'],
  }),
  mintTaskToken: endpoint({
    id: 'tokens.mintTask',
    method: 'POST',
    path: '/api/v1/task-tokens',
    summary: 'Mint a task token, for one hour at most',
    needs: needs('MINT_TASK_TOKEN', 'INSTANCE'),
    body: z.strictObject({ environment: z.string().optional(), principal: z.string().optional() }),
    bodyOptional: true,
    answer: { status: 201, schema: mintedTokenSchema },
    errors: ['not-found'],
    noIdempotency: true,
  }),
  createGroup: endpoint({
    id: 'groups.create',
    method: 'POST',
    path: '/api/v1/groups',
    summary: 'Create a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    body: z.strictObject({ name: principalName }),
    answer: { status: 201, schema: groupSchema },
    errors: ['already-exists'],
  }),
  listGroups: endpoint({
    id: 'groups.list',
    method: 'GET',
    path: '/api/v1/groups',
    summary: 'List groups, newest first',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    query: z.strictObject({ q: z.string().optional(), ...paging }),
    answer: { status: 200, schema: z.array(groupSchema), list: true, paged: true },
  }),
  getGroup: endpoint({
    id: 'groups.get',
    method: 'GET',
    path: '/api/v1/groups/{name}',
    summary: 'One group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: oneName,
    answer: { status: 200, schema: groupSchema },
    errors: ['not-found'],
  }),
  deleteGroup: endpoint({
    id: 'groups.delete',
    method: 'DELETE',
    path: '/api/v1/groups/{name}',
    summary: 'Delete a group: ends its grants and memberships',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: oneName,
    answer: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
  listMembers: endpoint({
    id: 'groups.members',
    method: 'GET',
    path: '/api/v1/groups/{name}/members',
    summary: 'The members of a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: oneName,
    query: z.strictObject({}),
    answer: { status: 200, schema: z.array(principalSchema), list: true },
    errors: ['not-found'],
  }),
  addMember: endpoint({
    id: 'groups.addMember',
    method: 'PUT',
    path: '/api/v1/groups/{name}/members/{principal}',
    summary: 'Add a principal to a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: z.object({ name: z.string(), principal: z.string() }),
    answer: { status: 204 },
    errors: ['not-found'],
  }),
  removeMember: endpoint({
    id: 'groups.removeMember',
    method: 'DELETE',
    path: '/api/v1/groups/{name}/members/{principal}',
    summary: 'Remove a principal from a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: z.object({ name: z.string(), principal: z.string() }),
    answer: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
  createGrant: endpoint({
    id: 'grants.create',
    method: 'POST',
    path: '/api/v1/grants',
    summary: 'Grant a role or a single action',
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    body: z.strictObject({
      kind: z.string(),
      principal: z.string().optional(),
      group: z.string().optional(),
      role: z.string().optional(),
      action: z.string().optional(),
      environment: z.string().optional(),
      namespace: z.string().optional(),
      table: z.string().optional(),
    }),
    answer: { status: 201, schema: grantSchema },
    errors: ['not-found', 'duplicate-grant'],
  }),
  listGrants: endpoint({
    id: 'grants.list',
    method: 'GET',
    path: '/api/v1/grants',
    summary: 'List active grants, newest first',
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    query: z.strictObject({
      principal_name: z.string().optional(),
      group_name: z.string().optional(),
      action: z.string().optional(),
      environment: z.string().optional(),
      namespace: z.string().optional(),
      table: z.string().optional(),
      ...paging,
    }),
    answer: { status: 200, schema: z.array(grantSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  revokeGrant: endpoint({
    id: 'grants.revoke',
    method: 'DELETE',
    path: '/api/v1/grants/{id}',
    summary: 'Revoke a grant',
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    params: z.object({ id: z.string() }),
    query: z.strictObject({ dry_run: flag }),
    answer: { status: 204 },
    otherAnswers: { 200: revocationPreviewSchema },
    errors: ['not-found', 'last-admin'],
  }),
  who: endpoint({
    id: 'access.who',
    method: 'GET',
    path: '/api/v1/access/who',
    summary: 'Who can do something on an object, and through what',
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    query: z.strictObject({ ...objectNames, action: z.string(), ...paging }),
    answer: { status: 200, schema: z.array(holderSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  objects: endpoint({
    id: 'principals.objects',
    method: 'GET',
    path: '/api/v1/principals/{name}/objects',
    summary: 'What a principal can touch, and through what',
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    params: oneName,
    query: z.strictObject({ action: z.string().optional(), ...paging }),
    answer: { status: 200, schema: z.array(reachedObjectSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
};
