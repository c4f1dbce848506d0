import * as z from 'zod';
import { endpoint, needs, unpagedByDefault } from '../contract/index.ts';
import { ENFORCED_BY } from './limits.ts';

/** How a worker runs Python tasks: in a sandbox, under rules of Landlock, under the worker's own account, or not at all. */
export const TASK_ISOLATIONS = ['bubblewrap', 'landlock', 'none', 'refused'] as const;
export type TaskIsolation = (typeof TASK_ISOLATIONS)[number];

/** Whether Python tasks can only connect to what the operator approved, or to everything that the worker reaches. */
export const TASK_NETWORKS = ['restricted', 'unrestricted'] as const;
export type TaskNetworkKind = (typeof TASK_NETWORKS)[number];

const limitSchema = z
  .object({
    limit: z.int().nullable().meta({ description: 'Bytes of memory or disk, or a number; null: no limit' }),
    enforced_by: z.enum(ENFORCED_BY),
  })
  .meta({ id: 'TaskLimit' });

export const taskLimitsSchema = z
  .object({ memory: limitSchema, processes: limitSchema, open_files: limitSchema, disk: limitSchema })
  .meta({ id: 'TaskLimits' });
export type ReportedLimits = z.infer<typeof taskLimitsSchema>;

export const workerSchema = z
  .object({
    id: z.uuid(),
    host: z.string().meta({ description: 'Name of the machine' }),
    started_at: z.iso.datetime(),
    seen_at: z.iso.datetime().meta({ description: 'When the worker last reported' }),
    isolation: z.enum(TASK_ISOLATIONS),
    task_network: z.enum(TASK_NETWORKS).meta({
      description:
        'Whether Python tasks can only connect to the service and approved hosts, or to everything that the worker reaches',
    }),
    task_limits: taskLimitsSchema,
    notes: z.array(z.string()).meta({ description: 'Notes for operators, such as limits that are not enforced' }),
  })
  .meta({ id: 'Worker' });
export type Worker = z.infer<typeof workerSchema>;

export const workerEndpoints = {
  list: endpoint({
    id: 'workers.list',
    method: 'GET',
    path: '/api/v1/workers',
    summary: 'List the active workers and the limits they enforce on Python tasks',
    needs: needs('MANAGE_ENVIRONMENT', 'INSTANCE'),
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(workerSchema), list: true, paged: true },
  }),
};
