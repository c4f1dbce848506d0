import * as z from 'zod';
import { decided, endpoint, enumList, filterName, flag, instantText, needs, paging, wait } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { failureSchema } from '../errors/index.ts';
import { snapshotId } from '../tables/index.ts';
import { WORK_STATUSES } from '../writes/contract.ts';

export const TRIGGERS = ['schedule', 'api', 'manual'] as const;
export type RunTrigger = (typeof TRIGGERS)[number];
export const TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const time = z.iso.datetime();

export const CHECK_STATUSES = ['passed', 'warned', 'failed'] as const;

/** The result of an asset's check: the number of rows that failed it. */
export const checkResultSchema = z
  .object({ name: z.string(), status: z.enum(CHECK_STATUSES), rows: z.int() })
  .meta({ id: 'CheckResult' });
export type CheckResult = z.infer<typeof checkResultSchema>;

export const ATTEMPT_STATUSES = ['running', 'succeeded', 'failed', 'cancelled', 'lost'] as const;

/** One attempt of a task (RUN-16). `lost`: its worker disappeared, and `ended_at` is when that was noticed. */
export const taskAttemptSchema = z
  .object({
    number: z.int(),
    status: z.enum(ATTEMPT_STATUSES),
    started_at: time.nullable(),
    ended_at: time.nullable(),
    error: failureSchema.nullable(),
  })
  .meta({ id: 'TaskAttempt' });
export type TaskAttempt = z.infer<typeof taskAttemptSchema>;

export const taskSchema = z
  .object({
    asset: z.string(),
    status: z.enum(TASK_STATUSES),
    started_at: time.nullable(),
    ended_at: time.nullable(),
    rows: z.int().nullable(),
    error: failureSchema.nullable(),
    /** Empty if the asset has no checks, or the build didn't reach them; absent in a service of an older version. */
    checks: z.array(checkResultSchema).optional(),
    /** The snapshot of its table that it made, in the record of a single run; null if the caller can't read the table. */
    snapshot_id: snapshotId.nullable().optional(),
    /** In the record of a single run, oldest first. */
    attempts: z.array(taskAttemptSchema).optional(),
  })
  .meta({ id: 'RunTask' });
export type RunTask = z.infer<typeof taskSchema>;

/** The last four fields are in the order of RUN-2, with `status` before all of them. */
export const runSchema = z
  .object({
    id: z.uuid(),
    environment: z.string(),
    repository: z.string(),
    project_version_id: z.uuid(),
    principal: z.string().nullable(),
    requested_by: z.string().nullable(),
    status: z.enum(WORK_STATUSES),
    select: z.array(z.string()),
    upstream: z.boolean(),
    downstream: z.boolean(),
    full_refresh: z.boolean(),
    tasks: z.array(taskSchema),
    /** The run whose failed tasks it runs again; absent in a service of an older version. */
    retry_of: z.uuid().nullable().optional(),
    /** The runs that retried it, newest first, in the record of a single run. */
    retried_by: z.array(z.uuid()).optional(),
    error: failureSchema.nullable(),
    created_at: time,
    started_at: time.nullable(),
    ended_at: time.nullable(),
    job: z.string().nullable(),
    trigger: z.enum(TRIGGERS).nullable(),
    scheduled_for: time.nullable(),
    missed: z.int(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof runSchema>;

/** The most runs that a timeline shows. */
export const MAX_TIMELINE_RUNS = 10_000;

/** When a run was created, started and finished, without its tasks. */
export const runSpanSchema = runSchema
  .pick({
    id: true,
    repository: true,
    status: true,
    select: true,
    created_at: true,
    started_at: true,
    ended_at: true,
    job: true,
    trigger: true,
    scheduled_for: true,
  })
  .meta({ id: 'RunSpan' });
export type RunSpan = z.infer<typeof runSpanSchema>;

/** Newest first. `truncated`: the period has more runs, which are older. */
export const runTimelineSchema = z
  .object({ runs: z.array(runSpanSchema), truncated: z.boolean() })
  .meta({ id: 'RunTimeline' });
export type RunTimeline = z.infer<typeof runTimelineSchema>;

export const logLineSchema = z
  .object({
    sequence: z.int(),
    time,
    asset: z.string().nullable(),
    stream: z.enum(['service', 'stdout', 'stderr']),
    line: z.string(),
  })
  .meta({ id: 'LogLine' });
export type LogLine = z.infer<typeof logLineSchema>;

/** Callers with RUN may read the runs that they requested. */
const readers = decided('READ_ENVIRONMENT, or RUN for a run that you started', 'READ_ENVIRONMENT', 'RUN');
const ofRun = envParams.extend({ id: z.string() });
const pattern = z.string().min(1, 'must not be empty').max(512, 'must be at most 512 characters');

export const runEndpoints = {
  create: endpoint({
    id: 'runs.create',
    method: 'POST',
    path: '/api/v1/environments/{env}/runs',
    summary: 'Run selected assets of a deployed project',
    client: {
      notes:
        'Fails with `Conflict`, which names the active run, while the project is busy. With `full_refresh`, incremental assets are ' +
        'built from the start and replace the rows of their tables. `project_version_id` is a version that you stored with `dev_namespace`.',
      typescript: { object: 'body' },
      python: { positional: ['repository'] },
    },
    needs: needs('RUN', 'ENVIRONMENT'),
    params: envParams,
    body: z.strictObject({
      repository: z.string(),
      select: z.array(pattern).min(1, 'must name at least one pattern').max(1000).default(['*']),
      upstream: z.boolean().default(false),
      downstream: z.boolean().default(false),
      full_refresh: z.boolean().optional(),
      project_version_id: z.uuid().optional(),
    }),
    response: { status: 201, schema: runSchema },
    errors: ['not-found', 'project-busy', 'not-deployed', 'no-run-principal', 'environment-protected'],
  }),
  list: endpoint({
    id: 'runs.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/runs',
    summary: 'List runs, newest first',
    client: {
      notes:
        '`status` and `trigger` accept one value or several. `since` is inclusive, `until` is exclusive; both need a time zone.',
      typescript: { type: 'RunFilters' },
    },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({
      repository: filterName,
      status: enumList(WORK_STATUSES, { anyCase: true }),
      trigger: enumList(TRIGGERS),
      job: filterName,
      since: instantText.optional(),
      until: instantText.optional(),
      ...paging,
    }),
    response: { status: 200, schema: z.array(runSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  timeline: endpoint({
    id: 'runs.timeline',
    method: 'GET',
    path: '/api/v1/environments/{env}/run-timeline',
    summary: 'Get the runs that were queued or running during a period, without their tasks',
    client: {
      notes: '`since` is inclusive, `until` is exclusive (default: no end). Shows up to 10,000 runs, the newest.',
      positional: ['since'],
    },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: z.strictObject({
      since: instantText,
      until: instantText.optional(),
      repository: filterName,
      job: filterName,
    }),
    response: { status: 200, schema: runTimelineSchema },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'runs.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/runs/{id}',
    summary: 'Get a run',
    client: {},
    needs: readers,
    params: ofRun,
    query: z.strictObject({ wait }),
    response: { status: 200, schema: runSchema },
    errors: ['not-found'],
  }),
  cancel: endpoint({
    id: 'runs.cancel',
    method: 'POST',
    path: '/api/v1/environments/{env}/runs/{id}/cancel',
    summary: 'Cancel a run',
    client: {},
    needs: needs('RUN', 'ENVIRONMENT'),
    params: ofRun,
    response: { status: 200, schema: runSchema },
    errors: ['not-found', 'already-ended'],
  }),
  retry: endpoint({
    id: 'runs.retry',
    method: 'POST',
    path: '/api/v1/environments/{env}/runs/{id}/retry',
    summary: 'Run the failed tasks of a run again, with the tasks that depend on them',
    client: { notes: 'It uses the active project version. Returns the new run.' },
    needs: needs('RUN', 'ENVIRONMENT'),
    params: ofRun,
    response: { status: 201, schema: runSchema },
    errors: [
      'not-found',
      'not-ended',
      'nothing-to-retry',
      'not-deployed',
      'project-busy',
      'no-run-principal',
      'environment-protected',
    ],
  }),
  logs: endpoint({
    id: 'runs.logs',
    method: 'GET',
    path: '/api/v1/environments/{env}/runs/{id}/logs',
    summary: 'Get the log of a run as JSON lines; follow=true streams until the run finishes',
    needs: readers,
    params: ofRun,
    query: z.strictObject({ follow: flag }),
    response: { status: 200, stream: ['application/x-ndjson'] },
    errors: ['not-found'],
  }),
};
