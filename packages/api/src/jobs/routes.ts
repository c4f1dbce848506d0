import { Problem } from '@svc/core/errors';
import { jobEndpoints as endpoints } from '@svc/core/jobs';
import { findDeployment } from '@svc/db/deploys';
import { jobRecord, listJobs, type StoredJob } from '@svc/db/jobs';
import { type Context, notFound } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { requireRepository } from '../repositories/routes.ts';
import { beginRun } from '../runs/begin-run.ts';

interface ByRepository {
  repository?: string | undefined;
}

async function checkRepository(ctx: Context, { repository }: ByRepository): Promise<void> {
  if (repository !== undefined) await requireRepository(ctx.db, repository);
}

const list = route(endpoints.list, async (ctx) => {
  await checkRepository(ctx, ctx.query);
  return (await listJobs(ctx.db, { environmentId: ctx.environment.id, repository: ctx.query.repository })).map(
    jobRecord,
  );
});

/** The job of the path. @throws Problem 404 listing the jobs there are, 409 naming the repositories that declare it. */
async function requireJob(ctx: Context<{ job: string }, ByRepository>): Promise<StoredJob> {
  const { job: name } = ctx.params;
  const { repository } = ctx.query;
  await checkRepository(ctx, ctx.query);
  const found = await listJobs(ctx.db, { environmentId: ctx.environment.id, repository, name });
  if (found.length > 1) {
    const repositories = found.map((job) => job.repository).join(', ');
    throw new Problem(
      'ambiguous-job',
      `Several repositories declare a job ${name}: ${repositories}. Name one: --repo <repository>, or ?repository=<repository>.`,
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
      : `There are: ${others.map((job) => job.name).join(', ')}.`;
  throw notFound('job', `${name} ${where}`, hint);
}

const get = route(endpoints.get, async (ctx) => jobRecord(await requireJob(ctx)));

const start = route(endpoints.start, async (ctx) => {
  const job = await requireJob(ctx);
  const deployment = (await findDeployment(ctx.db, { environmentId: ctx.environment.id, repository: job.repository }))!;
  const { select, upstream, downstream, timeoutSeconds } = job.definition;
  return beginRun(ctx, {
    deployment,
    selection: { select, upstream, downstream },
    job: job.name,
    trigger: ctx.caller.type === 'person' ? 'manual' : 'api',
    timeoutSeconds,
  });
});

export const jobRoutes: Route[] = [list, get, start];
