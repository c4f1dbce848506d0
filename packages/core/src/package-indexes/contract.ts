import * as z from 'zod';
import { repositoryName } from '../access/names.ts';
import { decided, endpoint, needs, unpagedByDefault } from '../contract/index.ts';
import { credentialSecret } from '../secrets/name.ts';

/** A registered package index (INDEX-8, INDEX-10, INDEX-12). */
export const packageIndexSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    credential_secret: z.string().nullable(),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'PackageIndex' });
export type PackageIndex = z.infer<typeof packageIndexSchema>;

const url = (options?: { error: string }) =>
  z
    .string(options)
    .meta({ description: 'https://<host>/<path>; http for localhost and loopback addresses only', maxLength: 1024 });
const oneName = z.object({ name: z.string() });
const path = '/api/v1/package-indexes';
const readers = decided('MANAGE_PACKAGE_INDEX, or READ_ENVIRONMENT on any environment', 'MANAGE_PACKAGE_INDEX');

/** Permissions: INDEX-15 to INDEX-17. A task token may call none of these routes (ACCESS-25). */
export const packageIndexEndpoints = {
  create: endpoint({
    id: 'packageIndexes.create',
    method: 'POST',
    path,
    summary: 'Register a package index',
    client: { typescript: false, python: { positional: ['name', 'url'] } },
    needs: needs('MANAGE_PACKAGE_INDEX', 'INSTANCE'),
    body: z.strictObject({ name: repositoryName, url: url(), credential_secret: credentialSecret.default(null) }),
    response: { status: 201, schema: packageIndexSchema },
    errors: ['already-exists'],
  }),
  list: endpoint({
    id: 'packageIndexes.list',
    method: 'GET',
    path,
    summary: 'List the registered package indexes, by name',
    client: {},
    needs: readers,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(packageIndexSchema), list: true, paged: true },
  }),
  get: endpoint({
    id: 'packageIndexes.get',
    method: 'GET',
    path: `${path}/{name}`,
    summary: 'Get a package index',
    client: {},
    needs: readers,
    params: oneName,
    response: { status: 200, schema: packageIndexSchema },
    errors: ['not-found'],
  }),
  update: endpoint({
    id: 'packageIndexes.update',
    method: 'PATCH',
    path: `${path}/{name}`,
    summary: 'Change the URL or the secret of a package index',
    client: { notes: '`credential_secret=None` clears it.', typescript: false },
    needs: needs('MANAGE_PACKAGE_INDEX', 'INSTANCE'),
    params: oneName,
    body: z
      .strictObject({
        name: z.never({ error: 'the name of a package index cannot change: register another one' }).optional(),
        url: url({ error: 'must be a string: the URL of a package index cannot be cleared' }).optional(),
        credential_secret: credentialSecret.optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'name at least one of url and credential_secret')
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: packageIndexSchema },
    errors: ['not-found', 'already-exists'],
  }),
  delete: endpoint({
    id: 'packageIndexes.delete',
    method: 'DELETE',
    path: `${path}/{name}`,
    summary: 'Remove a package index. Projects that use it stop working until it is registered again',
    client: {},
    needs: needs('MANAGE_PACKAGE_INDEX', 'INSTANCE'),
    params: oneName,
    response: { status: 204 },
    errors: ['not-found'],
  }),
};
