import * as z from 'zod';
import { endpoint, needs } from '../contract/index.ts';
import { envParams } from '../environments/index.ts';
import { MAX_BYTES, MAX_QUERIES } from './rules.ts';

/** Where a limit comes from: the environment's own, or the operator's default. */
export const QUOTA_SOURCES = ['environment', 'instance'] as const;

export const environmentQuotasSchema = z
  .object({
    storage_bytes: z.object({
      limit: z.int().nullable(),
      source: z.enum(QUOTA_SOURCES).nullable(),
      used: z
        .int()
        .meta({ description: 'Storage of tables and artifacts, including dropped ones that are not purged' }),
    }),
    concurrent_queries: z.object({
      limit: z.int().nullable(),
      source: z.enum(QUOTA_SOURCES).nullable(),
      used: z.int().meta({ description: 'Queries that have a slot or run' }),
      waiting: z.int().meta({ description: 'Queries that wait for a slot' }),
    }),
  })
  .meta({ id: 'EnvironmentQuotas' });
export type EnvironmentQuotas = z.infer<typeof environmentQuotasSchema>;

const PATH = '/api/v1/environments/{env}/quotas';

export const quotaEndpoints = {
  get: endpoint({
    id: 'quotas.get',
    method: 'GET',
    path: PATH,
    summary: 'Get the quotas of an environment and their usage',
    client: { name: 'environments.quotas', path: { env: 'name' } },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    response: { status: 200, schema: environmentQuotasSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
  set: endpoint({
    id: 'quotas.set',
    method: 'PUT',
    path: PATH,
    summary: 'Set the storage and concurrency quotas of an environment; null: the default of the operator',
    client: { name: 'environments.setQuotas', path: { env: 'name' }, typescript: { object: 'body' } },
    needs: needs('MANAGE_ENVIRONMENT', 'INSTANCE'),
    params: envParams,
    body: z.strictObject({
      storage_bytes: z.int().min(0).max(MAX_BYTES).nullable(),
      concurrent_queries: z.int().min(1).max(MAX_QUERIES).nullable(),
    }),
    response: { status: 200, schema: environmentQuotasSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
};
