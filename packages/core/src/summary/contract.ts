import * as z from 'zod';
import { decided, endpoint } from '../contract/index.ts';
import { droppedTableSchema } from '../drops/contract.ts';
import { envParams } from '../environments/contract.ts';
import { environmentQuotasSchema } from '../quotas/contract.ts';
import { expiringTableSchema } from '../retention/contract.ts';
import { TABLE_KINDS } from '../tables/schemas.ts';

/** The most tables in each list of a summary. */
export const MAX_SUMMARY_TABLES = 10;

const time = z.iso.datetime();

/** Runs that are queued or running now, and those of the last 24 hours that finished, by status. */
const runCountsSchema = z
  .object({ queued: z.int(), running: z.int(), succeeded: z.int(), failed: z.int(), cancelled: z.int() })
  .meta({ id: 'RunCounts' });
export type RunCounts = z.infer<typeof runCountsSchema>;

const recentTableSchema = z
  .object({
    name: z.string().meta({ description: '<namespace>.<table>' }),
    kind: z.enum(TABLE_KINDS),
    last_write_at: time.nullable(),
    last_read_at: time,
  })
  .meta({ id: 'RecentTable' });
export type RecentTable = z.infer<typeof recentTableSchema>;

/** Parts that the caller can't see are null; lists and counts of tables cover those that the caller can read. */
export const environmentSummarySchema = z
  .object({
    environment: z.string(),
    tables: z.int(),
    recent_tables: z.array(recentTableSchema),
    expiring_tables: z.array(expiringTableSchema),
    dropped_tables: z.array(droppedTableSchema),
    runs: runCountsSchema.nullable(),
    quotas: environmentQuotasSchema.nullable(),
    workers: z.int().nullable(),
  })
  .meta({ id: 'EnvironmentSummary' });
export type EnvironmentSummary = z.infer<typeof environmentSummarySchema>;

export const summaryEndpoints = {
  get: endpoint({
    id: 'summary.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/summary',
    summary: 'Summarize an environment: runs, storage, the tables read last, and those that expire or can be restored',
    client: {
      name: 'environments.summary',
      path: { env: 'name' },
      notes: 'Each list has up to 10 tables. Parts that the caller has no permission for are null.',
    },
    needs: decided(
      'READ_ENVIRONMENT, READ_NAMESPACE or READ_TABLE in the environment; shows the tables that READ_TABLE covers, with READ_ENVIRONMENT runs and quotas, and with MANAGE_ENVIRONMENT on the instance the number of workers',
      'READ_ENVIRONMENT',
      'READ_NAMESPACE',
      'READ_TABLE',
      'MANAGE_ENVIRONMENT',
    ),
    params: envParams,
    response: { status: 200, schema: environmentSummarySchema },
    errors: ['not-found', 'environment-deleted'],
  }),
};
