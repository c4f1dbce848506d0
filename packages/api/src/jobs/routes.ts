import { scopeOf } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { jobEndpoints as endpoints, localText, nextTimeOf, parseCron, scheduledTimes } from '@svc/core/jobs';
import type { RunTrigger } from '@svc/core/runs';
import { findDeployment } from '@svc/db/deploys';
import { hasWaitingStart, jobRecord, listJobs, lockJobs, type StoredJob, setPaused, waitToStart } from '@svc/db/jobs';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route, StatusResponse } from '../http/route.ts';
import { requireRepository } from '../repositories/routes.ts';
import { runPrincipal, startRunFor, tryStart, wouldExceedScope } from '../runs/start-run.ts';

interface ByRepository {
  repository?: string | undefined;
}

async function checkRepository(ctx: Context, { repository }: ByRepository): Promise<void> {
  if (repository !== undefined) await requireRepository(ctx.db, repository);
}

const list = route(endpoints.list, async (ctx) => {
  await checkRepository(ctx, ctx.query);
  const jobs = await listJobs(ctx.db, { environmentId: ctx.environment.id, repository: ctx.query.repository });
  return allOrPage(ctx, jobs.map(jobRecord), (job) => [job.repository, job.name]);
});

/** The job of the path. @throws ApiError 404 listing the existing jobs, 409 naming the repositories that declare it */
async function requireJob(ctx: Context<{ job: string }, ByRepository>): Promise<StoredJob> {
  const { job: name } = ctx.params;
  const { repository } = ctx.query;
  await checkRepository(ctx, ctx.query);
  const found = await listJobs(ctx.db, { environmentId: ctx.environment.id, repository, name });
  if (found.length > 1) {
    const repositories = found.map((job) => job.repository).join(', ');
    throw new ApiError(
      'ambiguous-job',
      `Several repositories declare a job ${name}: ${repositories}. Choose one: --repo <repository>, or ?repository=<repository>.`,
    );
  }
  if (found[0]) return found[0];
  const others = await listJobs(ctx.db, { environmentId: ctx.environment.id, repository });
  const where =
    repository === undefined
      ? `in environment ${ctx.environment.name}`
      : `of repository ${repository} in environment ${ctx.environment.name}`;
  const hint =
    others.length === 0
      ? repository === undefined
        ? 'No jobs are declared there.'
        : `${repository} declares no jobs there.`
      : `There are: ${[...new Set(others.map((job) => job.name))].join(', ')}.`;
  throw notFound('job', `${name} ${where}`, hint);
}

const get = route(endpoints.get, async (ctx) => jobRecord(await requireJob(ctx)));

const start = route(endpoints.start, async (ctx) => {
  const job = await requireJob(ctx);
  const deployment = await findDeployment(ctx.db, { environmentId: ctx.environment.id, repository: job.repository });
  // Undeployed since the job was read.
  if (deployment === null) throw notFound('job', job.name, `${job.repository} is not deployed here any more.`);
  const { select, upstream, downstream, timeoutSeconds } = job.definition;
  const trigger: RunTrigger = ctx.caller.type === 'person' ? 'manual' : 'api';
  const project = { environmentId: deployment.environment_id, repositoryId: deployment.repository_id };
  // Rejects the request now rather than when the run would start.
  await runPrincipal(ctx, deployment);
  const request = { deployment, selection: { select, upstream, downstream }, job: job.name, trigger, timeoutSeconds };
  // Once a waiting start becomes a run, the run principal may be unbound, and it would act as the caller with all permissions.
  if (await wouldExceedScope(ctx)) return startRunFor(ctx, request);
  if (!(await hasWaitingStart(ctx.db, project))) {
    const started = await tryStart(ctx, request);
    if ('run' in started) return started.run;
  }
  // A deploy that removes the job drops its waiting starts. The lock ensures that it either drops this start as well or
  // that the check below finds the job removed.
  await lockJobs(ctx.db, project);
  await requireJob(ctx);
  const waitingStart = { id: ctx.deps.newId(), jobId: job.id, ...project, trigger, requesterId: ctx.caller.id };
  await waitToStart(ctx.db, [{ ...waitingStart, scheduledFor: null, missed: 0, now: ctx.now }]);
  const [waiting] = await listJobs(ctx.db, {
    environmentId: ctx.environment.id,
    repository: job.repository,
    name: job.name,
  });
  return new StatusResponse(202, { waiting: jobRecord(waiting!).waiting_for });
});

/** The schedule of a job. @throws ApiError `no-schedule` with what can't be done */
function scheduleOf(ctx: Context, job: StoredJob, what: string): { cron: string; timezone: string } {
  const { cron, timezone } = job;
  if (cron !== null && timezone !== null) return { cron, timezone };
  throw new ApiError(
    'no-schedule',
    `The job ${job.name} has no schedule in environment ${ctx.environment.name}, so there is nothing to ${what}. Add a schedule to svc.yaml and deploy it.`,
  );
}

const schedule = route(endpoints.schedule, async (ctx) => {
  const job = await requireJob(ctx);
  const { cron, timezone } = scheduleOf(ctx, job, 'list');
  const parsed = parseCron(cron);
  // A deploy accepts no other text.
  if (!parsed.ok) throw new RangeError(parsed.problem.message);
  const times = scheduledTimes(parsed.cron, timezone, ctx.now, ctx.query.count);
  return {
    cron,
    timezone,
    paused: job.paused,
    times: times.map(({ at, note }) => ({ at: at.toISOString(), local: localText(at, timezone), note })),
  };
});

async function setPause(ctx: Context<{ job: string }, ByRepository>, paused: boolean) {
  const found = await requireJob(ctx);
  await lockJobs(ctx.db, { environmentId: ctx.environment.id, repositoryId: found.repository_id });
  const job = await requireJob(ctx);
  const { cron, timezone } = scheduleOf(ctx, job, 'pause or resume');
  // Pausing a paused job changes nothing (`JOBS-13`), and resuming an active one doesn't move its next run.
  if (job.paused !== paused) {
    const nextRunAt = paused ? null : nextTimeOf(cron, timezone, ctx.now);
    await setPaused(ctx.db, { id: job.id, paused, nextRunAt });
    await ctx.audit({
      type: paused ? 'JOB_PAUSED' : 'JOB_RESUMED',
      object: scopeOf({ environment: ctx.environment.name }),
      detail: { job: job.name, repository: job.repository, next_run_at: nextRunAt?.toISOString() ?? null },
    });
  }
  return jobRecord(await requireJob(ctx));
}

const pause = route(endpoints.pause, (ctx) => setPause(ctx, true));
const resume = route(endpoints.resume, (ctx) => setPause(ctx, false));

export const jobRoutes: Route[] = [list, get, schedule, start, pause, resume];
