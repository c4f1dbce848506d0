import * as z from 'zod';
import { endpoint, integerText, needs, unpagedByDefault } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';
import { runSchema, TRIGGERS } from '../runs/contract.ts';
import { WORK_STATUSES } from '../writes/contract.ts';
import { DAYLIGHT_NOTES } from './scheduled-times.ts';

/** Display states. If several apply, the first one wins (JOBS-15). */
export const JOB_STATES = [
  'waiting',
  'waiting to start',
  'no schedule',
  'paused',
  'no run principal',
  'run principal unusable',
  'scheduled',
] as const;
export type JobState = (typeof JOB_STATES)[number];

const time = z.iso.datetime();

export const triggerSchema = z
  .union([
    z.object({
      kind: z.literal('schedule'),
      cron: z.string(),
      timezone: z.string(),
      paused: z.boolean(),
      next_run_at: time.nullable(),
    }),
    z.object({ kind: z.literal('on_demand') }),
  ])
  .meta({ id: 'Trigger' });

export const waitingSchema = z
  .object({
    job: z.string(),
    repository: z.string(),
    trigger: z.enum(TRIGGERS),
    requested_at: time,
    scheduled_for: time.nullable(),
    merged: z.int(),
    waits_for_run_id: z.uuid().nullable(),
  })
  .meta({ id: 'WaitingStart' });

/** The answer of a start that waits: 202 without a run (JOBS-11). */
export const startWaitingSchema = z.object({ waiting: waitingSchema }).meta({ id: 'StartWaiting' });

/** JOBS-14 to JOBS-16. */
export const jobSchema = z
  .object({
    name: z.string(),
    environment: z.string(),
    repository: z.string(),
    select: z.array(z.string()),
    upstream: z.boolean(),
    downstream: z.boolean(),
    cron: z.string().nullable(),
    timezone: z.string().nullable(),
    state: z.enum(JOB_STATES),
    paused: z.boolean(),
    next_run_at: time.nullable(),
    next_run_local: z.string().nullable(),
    waiting_for: waitingSchema.nullable(),
    waits_for_run_id: z.uuid().nullable(),
    last_run_id: z.uuid().nullable(),
    last_run_status: z.enum(WORK_STATUSES).nullable(),
    last_run_trigger: z.enum(TRIGGERS).nullable(),
    last_run_at: time.nullable(),
    triggers: z.array(triggerSchema),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof jobSchema>;

export const scheduledTimeSchema = z
  .object({ at: time, local: z.string(), note: z.enum(DAYLIGHT_NOTES).nullable() })
  .meta({ id: 'ScheduledTime' });

/** The next times of a schedule, as if it weren't paused (JOBS-18). */
export const jobScheduleSchema = z
  .object({ cron: z.string(), timezone: z.string(), paused: z.boolean(), times: z.array(scheduledTimeSchema) })
  .meta({ id: 'JobSchedule' });
export type JobSchedule = z.infer<typeof jobScheduleSchema>;

const SCHEDULED_TIMES_MAX = 100;
const SCHEDULED_TIMES_DEFAULT = 10;

const byRepository = z.strictObject({ repository: z.string().optional() });
const ofJob = envParams.extend({ job: z.string() });

export const jobEndpoints = {
  list: endpoint({
    id: 'jobs.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/jobs',
    summary: 'List the jobs of an environment, by repository and name',
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    query: byRepository.extend(unpagedByDefault),
    response: { status: 200, schema: z.array(jobSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'jobs.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/jobs/{job}',
    summary: 'Get a job',
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: ofJob,
    query: byRepository,
    response: { status: 200, schema: jobSchema },
    errors: ['not-found', 'ambiguous-job'],
  }),
  schedule: endpoint({
    id: 'jobs.schedule',
    method: 'GET',
    path: '/api/v1/environments/{env}/jobs/{job}/schedule',
    summary: "List the next times of a job's schedule",
    client: {
      notes:
        'Each has a note if daylight saving time moves, repeats or skips a time. While the schedule is paused, they are the times of a resumed one.',
    },
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: ofJob,
    query: byRepository.extend({
      count: integerText(1, SCHEDULED_TIMES_MAX)
        .default(SCHEDULED_TIMES_DEFAULT)
        .meta({
          description: `Number of times, 1 to ${SCHEDULED_TIMES_MAX} (default: ${SCHEDULED_TIMES_DEFAULT})`,
        }),
    }),
    response: { status: 200, schema: jobScheduleSchema },
    errors: ['not-found', 'ambiguous-job', 'no-schedule'],
  }),
  start: endpoint({
    id: 'jobs.start',
    method: 'POST',
    path: '/api/v1/environments/{env}/jobs/{job}/runs',
    summary: 'Start a job manually',
    needs: needs('RUN', 'ENVIRONMENT'),
    params: ofJob,
    query: byRepository,
    body: z.strictObject({}),
    bodyOptional: true,
    response: { status: 201, schema: runSchema },
    otherResponses: { 202: startWaitingSchema },
    errors: ['not-found', 'ambiguous-job', 'no-run-principal'],
  }),
  pause: endpoint({
    id: 'jobs.pause',
    method: 'POST',
    path: '/api/v1/environments/{env}/jobs/{job}/pause',
    summary: 'Pause the schedule of a job',
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: ofJob,
    query: byRepository,
    response: { status: 200, schema: jobSchema },
    errors: ['not-found', 'ambiguous-job', 'no-schedule'],
  }),
  resume: endpoint({
    id: 'jobs.resume',
    method: 'POST',
    path: '/api/v1/environments/{env}/jobs/{job}/resume',
    summary: 'Resume the schedule of a job from now on',
    needs: needs('DEPLOY', 'ENVIRONMENT'),
    params: ofJob,
    query: byRepository,
    response: { status: 200, schema: jobSchema },
    errors: ['not-found', 'ambiguous-job', 'no-schedule'],
  }),
};
