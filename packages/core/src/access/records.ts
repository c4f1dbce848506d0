import * as z from 'zod';
import { ACTIONS, ROLES } from './actions.ts';
import { OBJECT_KINDS } from './objects.ts';

const time = z.iso.datetime();
const optionalTime = time.nullable();

const scopeSchema = z
  .object({
    kind: z.enum(OBJECT_KINDS),
    environment: z.string().nullable(),
    namespace: z.string().nullable(),
    table: z.string().nullable(),
    service_account: z.string().optional().meta({ description: 'only of kind SERVICE_ACCOUNT' }),
  })
  .meta({ id: 'Scope' });

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
    expires_at: optionalTime.meta({
      description: 'from when on it allows nothing; null if it applies until it is revoked',
    }),
    service_account: z.string().nullable().meta({ description: 'the object of kind SERVICE_ACCOUNT' }),
    last_used_at: optionalTime.meta({ description: 'when it last allowed something, to the day; null for never' }),
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
    environments: z
      .array(z.string())
      .nullable()
      .meta({ description: 'environments in which it works; null: wherever its principal has permissions' }),
    actions: z
      .array(z.enum(ACTIONS))
      .nullable()
      .meta({ description: 'actions that it carries at most; null: all that its principal has' }),
    last_used_at: optionalTime.meta({ description: 'to the minute; null if it has not been used' }),
    last_used_address: z.string().nullable().meta({ description: 'address of that request' }),
    last_used_client: z.string().nullable().meta({ description: 'User-Agent of that request' }),
  })
  .meta({ id: 'Token' });
export type TokenRecord = z.infer<typeof tokenSchema>;

export const issuedTokenSchema = tokenSchema.extend({ token: z.string() }).meta({ id: 'IssuedToken' });
export const mintedTokenSchema = z.object({ token: z.string(), expires_at: time }).meta({ id: 'MintedToken' });

export const viaSchema = z
  .object({
    kind: z.enum(['role', 'grant', 'group']),
    grant_id: z.uuid(),
    group: z.string().nullable(),
    role: z.enum(ROLES).nullable(),
    scope: scopeSchema,
  })
  .meta({ id: 'Via' });

/** ACCESS-14 to ACCESS-16. */
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
    at: time.optional().meta({ description: 'the time in the past that was requested' }),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof permissionsSchema>;

export const meSchema = principalSchema
  .extend({
    token: tokenSchema.pick({ id: true, name: true, kind: true, expires_at: true, environments: true, actions: true }),
  })
  .meta({ id: 'Me' });

/** A principal that may perform the action, with the grants that allow it. */
export const holderSchema = z
  .object({
    principal: z.string(),
    type: z.enum(['person', 'service-account']),
    active: z.boolean(),
    via: z.array(viaSchema),
  })
  .meta({ id: 'Holder' });
export type Holder = z.infer<typeof holderSchema>;

/** An object that a principal's grants name, with what they allow on it and on everything inside it. */
export const reachedObjectSchema = z
  .object({ scope: scopeSchema, actions: z.array(z.enum(ACTIONS)), via: z.array(viaSchema) })
  .meta({ id: 'ReachedObject' });
export type ReachedObject = z.infer<typeof reachedObjectSchema>;

/** What revoking a grant would take away: for each principal it applies to, the actions that no other grant allows. */
export const revocationPreviewSchema = z
  .object({
    grant: grantSchema,
    principals: z.array(z.object({ principal: z.string(), loses: z.array(z.enum(ACTIONS)) })),
  })
  .meta({ id: 'RevocationPreview' });
export type RevocationPreview = z.infer<typeof revocationPreviewSchema>;
