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
      used: z.int().meta({ description: 'Of tables and artifacts, dropped ones that are not purged included' }),
    }),
    concurrent_queries: z.object({
      limit: z.int().nullable(),
      source: z.enum(QUOTA_SOURCES).nullable(),
      used: z.int().meta({ description: 'Queries that were given a place, or run' }),
      waiting: z.int().meta({ description: 'Queries that wait for a place' }),
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
    summary: 'How much an environment may hold and run at once, and how much of it is used',
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    answer: { status: 200, schema: environmentQuotasSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
  set: endpoint({
    id: 'quotas.set',
    method: 'PUT',
    path: PATH,
    summary: "Limit what an environment may hold and run at once; null: the operator's limit, where there is one",
    needs: needs('MANAGE_ENVIRONMENT', 'INSTANCE'),
    params: envParams,
    body: z.strictObject({
      storage_bytes: z.int().min(0).max(MAX_BYTES).nullable(),
      concurrent_queries: z.int().min(1).max(MAX_QUERIES).nullable(),
    }),
    answer: { status: 200, schema: environmentQuotasSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
};
