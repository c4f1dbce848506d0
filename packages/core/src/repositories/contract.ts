import * as z from 'zod';
import { repositoryName } from '../access/names.ts';
import { endpoint, needs, unpagedByDefault } from '../contract/index.ts';
import { credentialSecret } from '../secrets/name.ts';

export const repositorySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string().nullable(),
    default_ref: z.string().nullable(),
    folder: z.string().nullable(),
    credential_secret: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Repository' });
export type Repository = z.infer<typeof repositorySchema>;

// git could parse a ref or a folder that starts with "-" as an option.
const ref = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters')
  .regex(/^[^\s\p{C}~^:?*[\\-][^\s\p{C}~^:?*[\\]*$/u, 'must be a branch, a tag or a commit id')
  .refine((text) => !text.includes('..'), 'must not contain ".."');
const folder = z
  .string()
  .max(1024, 'must be at most 1,024 characters')
  .regex(/^[^\p{C}\\]+$/u, 'must be printable characters without "\\"')
  .refine(
    (path) => !path.startsWith('/') && path.split('/').every((part) => !['', '.', '..'].includes(part)),
    'must be a path below the repository, such as projects/sales',
  );
const url = z.string().max(1024, 'must be at most 1,024 characters');
export const gitRef = ref;
const oneName = z.object({ name: z.string() });

export const repositoryEndpoints = {
  create: endpoint({
    id: 'repositories.create',
    method: 'POST',
    path: '/api/v1/repositories',
    summary: 'Register a repository',
    client: {
      notes: 'Without a `url`, it accepts only bundles of local folders.',
      typescript: { object: 'body' },
      python: { positional: ['name', 'url'] },
    },
    needs: needs('MANAGE_REPOSITORY', 'INSTANCE'),
    body: z.strictObject({
      name: repositoryName,
      url: url.nullable().default(null),
      default_ref: ref.nullable().default(null),
      folder: folder.nullable().default(null),
      credential_secret: credentialSecret.default(null),
    }),
    response: { status: 201, schema: repositorySchema },
    errors: ['already-exists'],
  }),
  list: endpoint({
    id: 'repositories.list',
    method: 'GET',
    path: '/api/v1/repositories',
    summary: 'List the registered repositories, by name',
    client: {},
    needs: needs('MANAGE_REPOSITORY', 'INSTANCE'),
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(repositorySchema), list: true, paged: true },
  }),
  get: endpoint({
    id: 'repositories.get',
    method: 'GET',
    path: '/api/v1/repositories/{name}',
    summary: 'Get a repository',
    client: {},
    needs: needs('MANAGE_REPOSITORY', 'INSTANCE'),
    params: oneName,
    response: { status: 200, schema: repositorySchema },
    errors: ['not-found'],
  }),
  update: endpoint({
    id: 'repositories.update',
    method: 'PATCH',
    path: '/api/v1/repositories/{name}',
    summary: 'Change a repository',
    client: { notes: '`null` clears a field.' },
    needs: needs('MANAGE_REPOSITORY', 'INSTANCE'),
    params: oneName,
    body: z
      .strictObject({
        url: url.nullable().optional(),
        default_ref: ref.nullable().optional(),
        folder: folder.nullable().optional(),
        credential_secret: credentialSecret.optional(),
      })
      .refine((b) => Object.keys(b).length > 0, 'name at least one of url, default_ref, folder, credential_secret')
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: repositorySchema },
    errors: ['not-found'],
  }),
  delete: endpoint({
    id: 'repositories.delete',
    method: 'DELETE',
    path: '/api/v1/repositories/{name}',
    summary: 'Remove a repository that is not deployed anywhere',
    client: { notes: 'Fails with `Conflict` while it is deployed anywhere.' },
    needs: needs('MANAGE_REPOSITORY', 'INSTANCE'),
    params: oneName,
    response: { status: 204 },
    errors: ['not-found', 'in-use'],
  }),
};
