import * as z from 'zod';
import { columnName } from '../access/names.ts';
import { decided, endpoint, needs, wait } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { failureSchema } from '../errors/index.ts';
import { tableParams, tablePath } from '../tables/params.ts';
import { WORK_STATUSES } from '../writes/contract.ts';

const time = z.iso.datetime();

/** The result of maintenance: data files read and the files that replaced them, snapshots and files removed. */
const resultSchema = z
  .object({
    compacted_files: z.int(),
    new_files: z.int(),
    expired_snapshots: z.int(),
    removed_files: z.int(),
    snapshot_id: z.union([z.int(), z.string()]).nullable(),
  })
  .meta({ id: 'MaintenanceResult' });
export type MaintenanceResult = z.infer<typeof resultSchema>;

const maintenanceSchema = z
  .object({
    id: z.uuid(),
    table: z.string(),
    compact: z.boolean(),
    expire_snapshots_older_than_days: z.int().nullable(),
    sort_by: z.array(z.string()),
    bloom_filters: z.array(z.string()),
    status: z.enum(WORK_STATUSES),
    result: resultSchema.nullable(),
    error: failureSchema.nullable(),
    created_at: time,
    started_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'Maintenance' });
export type Maintenance = z.infer<typeof maintenanceSchema>;

const ONLY_COMPACTION = 'applies only to compaction. Set compact to true';
const MAX_COLUMNS = 8;
const columns = z
  .array(columnName)
  .min(1, 'must name at least one column')
  .max(MAX_COLUMNS, `must name at most ${MAX_COLUMNS} columns`)
  .refine((names) => new Set(names).size === names.length, 'must name each column once')
  .optional();

const newMaintenanceSchema = z
  .strictObject({
    compact: z.boolean().default(false),
    expire_snapshots_older_than_days: z.int().min(0).max(3650).optional(),
    sort_by: columns.meta({
      description: 'Columns by which compaction sorts the rows of all data files, ascending, nulls last',
    }),
    bloom_filters: columns.meta({
      description: 'Columns for which compaction writes bloom filters into all data files',
    }),
  })
  .refine((m) => m.compact || m.sort_by === undefined, { path: ['sort_by'], message: ONLY_COMPACTION })
  .refine((m) => m.compact || m.bloom_filters === undefined, { path: ['bloom_filters'], message: ONLY_COMPACTION });
export type NewMaintenance = z.output<typeof newMaintenanceSchema>;

export const maintenanceEndpoints = {
  create: endpoint({
    id: 'maintenance.create',
    method: 'POST',
    path: `${tablePath}/maintenance`,
    summary: 'Compact a managed table, expire its snapshots and remove unused files',
    client: {
      name: 'tables.maintain',
      notes: 'It is queued: `client.maintenance.wait` waits for it.',
      typescript: { type: 'MaintainOptions', camelCase: true },
      python: { defaults: { compact: null } },
    },
    needs: needs('MAINTAIN_TABLE', 'TABLE'),
    params: tableParams,
    body: newMaintenanceSchema,
    response: { status: 202, schema: maintenanceSchema },
    errors: ['not-found', 'not-a-managed-table', 'table-held'],
  }),
  get: endpoint({
    id: 'maintenance.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/maintenance/{id}',
    summary: 'Get a maintenance operation of a table',
    client: {},
    needs: decided('the requester, or READ_TABLE on the table', 'READ_TABLE'),
    params: envParams.extend({ id: z.string() }),
    query: z.strictObject({ wait }),
    response: { status: 200, schema: maintenanceSchema },
    errors: ['not-found'],
  }),
};
