import * as z from 'zod';
import { description, environmentName } from '../access/names.ts';
import { decided, endpoint, flag, needs, unpagedByDefault } from '../contract/index.ts';
import { secretName } from '../secrets/name.ts';
import { storageLocation } from './storage.ts';

/** Automatic maintenance of an environment's managed tables, about a day after they were written. */
const maintenanceRuleSchema = z
  .object({ compact: z.boolean(), expire_snapshots_older_than_days: z.int().nullable() })
  .meta({ id: 'MaintenanceRule' });
export type MaintenanceRule = z.infer<typeof maintenanceRuleSchema>;

const newMaintenanceRuleSchema = z
  .strictObject({
    compact: z.boolean().default(false),
    expire_snapshots_older_than_days: z.int().min(1).max(3650).nullable().default(null),
  })
  .refine(
    (m) => m.compact || m.expire_snapshots_older_than_days !== null,
    'must name at least one setting; null turns maintenance off',
  )
  .meta({ minProperties: 1 });

export const environmentSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    protected: z.boolean(),
    description: z.string().nullable(),
    retention_days: z.int().nullable(),
    maintenance: maintenanceRuleSchema.nullable(),
    storage_location: z
      .string()
      .nullable()
      .meta({ description: 'Where the tables of the environment are stored; null: in the storage of the instance' }),
    storage_secret: z.string().nullable().meta({ description: 'The secret with the keys of that storage' }),
    created_at: z.iso.datetime(),
    deleted_at: z.iso.datetime().nullable(),
    purge_after: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof environmentSchema>;

export const orphanedLocationSchema = z
  .object({ location: z.string(), files: z.int(), bytes: z.int(), modified_at: z.iso.datetime() })
  .meta({ id: 'OrphanedLocation' });
export type OrphanedLocation = z.infer<typeof orphanedLocationSchema>;

/** What one request removed; `more` is true if removable locations are left. */
export const removedLocationsSchema = z
  .object({ locations: z.array(z.string()), files: z.int(), bytes: z.int(), more: z.boolean() })
  .meta({ id: 'RemovedLocations' });
export type RemovedLocations = z.infer<typeof removedLocationsSchema>;

export const envParams = z.object({ env: z.string() });

export const environmentEndpoints = {
  create: endpoint({
    id: 'environments.create',
    method: 'POST',
    path: '/api/v1/environments',
    summary: 'Create an environment',
    client: {
      positional: ['name'],
      notes:
        'With `storage_location` (the location of a bucket, such as `s3://bucket/prefix`), its tables are stored there.',
      python: { without: ['storage_secret'] },
    },
    needs: needs('MANAGE_ENVIRONMENT', 'INSTANCE'),
    body: z.strictObject({
      name: environmentName,
      protected: z.boolean().default(false),
      description: description.nullable().default(null),
      storage_location: storageLocation.nullable().default(null),
      storage_secret: secretName.nullable().default(null),
    }),
    response: { status: 201, schema: environmentSchema },
    errors: ['already-exists', 'name-held-by-deleted', 'in-use'],
  }),
  list: endpoint({
    id: 'environments.list',
    method: 'GET',
    path: '/api/v1/environments',
    summary:
      'List the environments in which the caller has a grant, by name; their settings are null without READ_ENVIRONMENT',
    client: { notes: 'With `deleted`, lists the deleted ones.' },
    needs: decided(
      'any credential; lists the environments in which the caller has a grant; deleted=true requires MANAGE_ENVIRONMENT on the instance',
      'READ_ENVIRONMENT',
      'MANAGE_ENVIRONMENT',
    ),
    query: z.strictObject({ deleted: flag, ...unpagedByDefault }),
    response: { status: 200, schema: z.array(environmentSchema), list: true, paged: true },
  }),
  get: endpoint({
    id: 'environments.get',
    method: 'GET',
    path: '/api/v1/environments/{env}',
    summary: 'Get an environment',
    client: { path: { env: 'name' } },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    response: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
  update: endpoint({
    id: 'environments.update',
    method: 'PATCH',
    path: '/api/v1/environments/{env}',
    summary:
      'Change the protection, description or maintenance of an environment, or, with MANAGE_ENVIRONMENT on the instance, its storage',
    client: {
      path: { env: 'name' },
      notes:
        '`null` removes the description, the automatic maintenance or the storage. The storage can only change while it is empty.',
    },
    needs: needs('MANAGE_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    body: z
      .strictObject({
        protected: z.boolean().optional(),
        description: description.nullable().optional(),
        maintenance: newMaintenanceRuleSchema.nullable().optional(),
        storage_location: storageLocation.nullable().optional(),
        storage_secret: secretName.nullable().optional(),
      })
      .refine(
        (b) => Object.keys(b).length > 0,
        'name at least one of protected, description, maintenance, storage_location, storage_secret',
      )
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'environment-deleted', 'in-use'],
  }),
  delete: endpoint({
    id: 'environments.delete',
    method: 'DELETE',
    path: '/api/v1/environments/{env}',
    summary: 'Delete an environment. It can be restored during the undo period',
    client: {
      path: { env: 'name' },
      breakGlass: true,
      notes: "With `purge`, it can't be restored.",
      python: { positional: ['purge'], defaults: { purge: false } },
    },
    needs: decided('MANAGE_ENVIRONMENT; to purge a deleted environment, on the instance', 'MANAGE_ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({ purge: flag }),
    response: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'environment-deleted', 'not-deleted', 'table-held', 'environment-protected'],
  }),
  restore: endpoint({
    id: 'environments.restore',
    method: 'POST',
    path: '/api/v1/environments/{env}/restore',
    summary: 'Restore a deleted environment with its tables and grants',
    client: { path: { env: 'name' } },
    needs: decided('MANAGE_ENVIRONMENT on the instance', 'MANAGE_ENVIRONMENT'),
    params: envParams,
    response: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'not-deleted', 'undo-period-over', 'dropped-with-purge', 'purge-started'],
  }),
  listOrphaned: endpoint({
    id: 'environments.listOrphaned',
    method: 'GET',
    path: '/api/v1/environments/{env}/orphaned-locations',
    summary: 'List orphaned table folders in storage that are at least a day old',
    client: { path: { env: 'name' } },
    needs: needs('MANAGE_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(orphanedLocationSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  removeOrphaned: endpoint({
    id: 'environments.removeOrphaned',
    method: 'DELETE',
    path: '/api/v1/environments/{env}/orphaned-locations',
    summary: 'Remove orphaned table folders in storage that are at least a day old: all, or one',
    client: { path: { env: 'name' }, notes: 'Repeat it while the result has `more`.' },
    needs: needs('MANAGE_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({ location: z.string().min(1).max(4096).optional() }),
    response: { status: 200, schema: removedLocationsSchema },
    errors: ['not-found'],
  }),
};
