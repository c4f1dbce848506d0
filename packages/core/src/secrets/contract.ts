import * as z from 'zod';
import { hasValidLength, repositoryName, TOO_LONG } from '../access/names.ts';
import { endpoint, needs, unpagedByDefault } from '../contract/index.ts';
import { secretName } from './name.ts';
import { SECRET_USES } from './values.ts';

export const secretSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    environment: z.string(),
    use: z.enum(SECRET_USES).nullable().meta({ description: 'What the secret is used for; null: it is not bound' }),
    index: z.string().nullable(),
    repository: z.string().nullable(),
    keys: z.array(z.string()).meta({ description: 'Names of the values; the values themselves are never returned' }),
    warnings: z.array(z.string()),
    created_at: z.iso.datetime(),
    created_by: z.string().nullable(),
    rotated_at: z.iso.datetime().nullable(),
    rotated_by: z.string().nullable(),
  })
  .meta({ id: 'Secret' });
export type Secret = z.infer<typeof secretSchema>;

const valueName = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasValidLength, TOO_LONG)
  .regex(/^[^\p{C}]+$/u, 'must contain only printable characters')
  .meta({ maxLength: 255 });

/** Texts by name, such as `username` and `password`. NUL is accepted with a warning; a lone surrogate is refused. */
const values = z
  .record(valueName, z.string({ error: 'must be a string' }), {
    error: ({ code, issues }) => (code === 'invalid_key' && issues?.[0]?.message) || 'must be an object of strings',
  })
  .refine((values) => Object.keys(values).length > 0, 'must contain at least one value')
  .refine((values) => Object.keys(values).length <= 100, 'must contain at most 100 values')
  .meta({
    minProperties: 1,
    maxProperties: 100,
    description: 'Texts by name, such as {"username": "…", "password": "…"}',
  });

const useFields = {
  index: repositoryName.optional().meta({ description: 'Bind it to this package index' }),
  repository: repositoryName.optional().meta({ description: 'Bind it to this repository' }),
  environment: z.literal(true).optional().meta({ description: 'Bind it to the environment for storage or webhooks' }),
};

type Uses = { index?: unknown; repository?: unknown; environment?: unknown };
const countUses = (body: Uses) =>
  [body.index, body.repository, body.environment].filter((use) => use !== undefined).length;
const ONE_USE = 'a secret serves one use only: name one of index, repository and environment';

const secretParams = z.object({ env: z.string(), name: z.string() });
const path = '/api/v1/environments/{env}/secrets';

export const secretEndpoints = {
  create: endpoint({
    id: 'secrets.create',
    method: 'POST',
    path,
    summary: 'Create a secret, optionally bound to a use',
    client: {
      positional: ['name', 'values'],
      notes: 'Values are texts by name, such as `username` and `password`.',
      typescript: { object: 'target', type: 'SecretTarget' },
      python: false,
    },
    needs: needs('MANAGE_SECRET', 'ENVIRONMENT'),
    params: z.object({ env: z.string() }),
    body: z.strictObject({ name: secretName, values, ...useFields }).refine((body) => countUses(body) <= 1, ONE_USE),
    sealed: ['values'],
    response: { status: 201, schema: secretSchema },
    errors: ['already-exists', 'not-found'],
  }),
  list: endpoint({
    id: 'secrets.list',
    method: 'GET',
    path,
    summary: 'List the secrets of an environment, by name, without their values',
    client: {},
    needs: needs('MANAGE_SECRET', 'ENVIRONMENT'),
    params: z.object({ env: z.string() }),
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(secretSchema), list: true, paged: true },
  }),
  rotate: endpoint({
    id: 'secrets.rotate',
    method: 'PUT',
    path: `${path}/{name}/values`,
    summary: 'Rotate a secret: replace its values',
    client: { positional: ['values'] },
    needs: needs('MANAGE_SECRET', 'ENVIRONMENT'),
    params: secretParams,
    body: z.strictObject({ values }),
    sealed: ['values'],
    response: { status: 200, schema: secretSchema },
    errors: ['not-found'],
  }),
  bind: endpoint({
    id: 'secrets.bind',
    method: 'POST',
    path: `${path}/{name}/bind`,
    summary: 'Bind a secret to a use. A previous use ends, and the warnings list what stops working',
    client: { typescript: { object: 'target', type: 'SecretTarget' }, python: false },
    needs: needs('MANAGE_SECRET', 'ENVIRONMENT'),
    params: secretParams,
    body: z
      .strictObject(useFields)
      .refine((body) => countUses(body) === 1, 'name exactly one of index, repository and environment'),
    response: { status: 200, schema: secretSchema },
    errors: ['not-found'],
  }),
  revoke: endpoint({
    id: 'secrets.revoke',
    method: 'DELETE',
    path: `${path}/{name}`,
    summary: 'Revoke a secret and erase its values',
    client: {},
    needs: needs('MANAGE_SECRET', 'ENVIRONMENT'),
    params: secretParams,
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
