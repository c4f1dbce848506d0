import { Readable } from 'node:stream';
import { scopeOf } from '@svc/core/access';
import { shellOption } from '@svc/core/command-lines';
import { ApiError } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { runEndpoints as endpoints, type LogLine, MAX_TIMELINE_RUNS } from '@svc/core/runs';
import { isFinished } from '@svc/core/writes';
import { recordEvent } from '@svc/db/audit';
import { findDeployment, findVersion } from '@svc/db/deploys';
import type { Position } from '@svc/db/paging';
import { cancelRun, findRun, listRuns, readLog, runTimeline, type StoredRun } from '@svc/db/runs';
import { readLogFile } from '@svc/lake/runs';
import type { Context } from '../http/context.ts';
import { reauthorize, requireExisting } from '../http/guard/authorize.ts';
import { readingArchive } from '../http/response/archived-files.ts';
import { clientGone } from '../http/response/client-gone.ts';
import { positionOf } from '../http/response/position.ts';
import { alreadyFinished, notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route, StreamResponse } from '../http/route.ts';
import { requireRepository } from '../repositories/routes.ts';
import { requireDevVersion } from './dev-version.ts';
import { runDetails } from './run-details.ts';
import { startRunFor } from './start-run.ts';
import { contentVisibility, visibleLine, visibleRun, visibleRuns } from './visible-content.ts';

const create = route(endpoints.create, async (ctx) => {
  const {
    repository: name,
    full_refresh: fullRefresh = false,
    project_version_id: devVersion,
    ...selection
  } = ctx.body;
  const repository = await requireRepository(ctx.db, name);
  const manual = { selection, fullRefresh, job: null, trigger: null, timeoutSeconds: null };
  if (devVersion !== undefined) {
    return startRunFor(ctx, { ...manual, deployment: await requireDevVersion(ctx, devVersion, repository.name) });
  }
  const deployment = await findDeployment(ctx.db, { environmentId: ctx.environment.id, repository: repository.name });
  if (deployment === null) {
    const remedy = `svc deploy ${shellOption('repo', name)} --env ${ctx.environment.name}`;
    throw new ApiError(
      'not-deployed',
      `${name} is not deployed in ${ctx.environment.name}. Deploy it first: ${remedy}`,
      { remedy },
    );
  }
  return startRunFor(ctx, { ...manual, deployment });
});

interface NamedScope {
  repository?: string | undefined;
  job?: string | undefined;
}

const scopeOfRuns = async (ctx: Context, { repository, job }: NamedScope) => ({
  environmentId: ctx.environment.id,
  repositoryId: repository === undefined ? undefined : (await requireRepository(ctx.db, repository)).id,
  job,
});

const list = route(endpoints.list, async (ctx) => {
  const { repository, status, trigger, job, since, until, limit } = ctx.query;
  const filter = {
    ...(await scopeOfRuns(ctx, { repository, job })),
    statuses: status,
    triggers: trigger,
    since,
    until,
  };
  const { items, next } = await listRuns(ctx.db, {
    filter,
    page: { limit, after: positionOf(ctx.position<Position>()) },
  });
  return new PageResponse(await visibleRuns(ctx, items), next);
});

const timeline = route(endpoints.timeline, async (ctx) => {
  const { since, until, ...named } = ctx.query;
  const scope = await scopeOfRuns(ctx, named);
  return runTimeline(ctx.db, { scope, period: { since, until }, max: MAX_TIMELINE_RUNS });
});

async function load(ctx: Context<{ id: string }>): Promise<StoredRun> {
  const { id } = ctx.params;
  const run = isUuid(id) ? await findRun(ctx.db, id) : null;
  if (run === null || run.environment_id !== ctx.environment.id)
    throw notFound('run', id, { to: 'list the runs', run: `svc runs list --env ${ctx.environment.name}` });
  return run;
}

/**
 * The action that lets the caller read the run of the path (`RUN-8`). @throws AccessDeniedError, with the same error for another
 * person's run and an unknown one
 */
async function authorizeRead(ctx: Context<{ id: string }>): Promise<'READ_ENVIRONMENT' | 'RUN'> {
  const { environment } = ctx.object;
  if (!ctx.decide('READ_ENVIRONMENT').allowed) {
    const { id } = ctx.params;
    const run = isUuid(id) && ctx.decide('RUN').allowed ? await findRun(ctx.db, id) : null;
    if (run?.requested_by === ctx.caller.id && run.environment_id === environment?.id) {
      requireExisting(ctx);
      return 'RUN';
    }
    ctx.require('READ_ENVIRONMENT');
  }
  requireExisting(ctx);
  return 'READ_ENVIRONMENT';
}

const get = route(
  endpoints.get,
  async (ctx) => {
    const readAction = await authorizeRead(ctx);
    const row = await ctx.waitUntilFinished({ load: () => load(ctx), isFinished });
    const run = await visibleRun(ctx, row);
    const details = await runDetails(ctx, { row, run, readAction });
    // RUN-2 fixes the order of the last four fields.
    const { job, trigger, scheduled_for, missed, ...rest } = run;
    return { ...rest, ...details, job, trigger, scheduled_for, missed };
  },
  authorizeRead,
);

const cancel = route(endpoints.cancel, async (ctx) => {
  const run = await load(ctx);
  const { cancelled, finished, isFirst } = await cancelRun(ctx.db, { id: run.id, now: ctx.now });
  if (!cancelled) throw alreadyFinished('run', run.status);
  if (finished) {
    const principal = { id: ctx.caller.id, name: ctx.caller.name };
    const object = scopeOf({ environment: ctx.environment.name });
    await recordEvent(ctx.db, {
      id: ctx.deps.newId(),
      time: ctx.now,
      type: 'RUN_ENDED',
      principal,
      object,
      environmentId: ctx.environment.id,
      requestId: ctx.requestId,
      detail: { run_id: run.id, status: 'cancelled' },
    });
  } else if (isFirst) {
    // The actor of RUN_ENDED, which the worker writes, is the run principal.
    const object = scopeOf({ environment: ctx.environment.name });
    await ctx.audit({ type: 'RUN_CANCEL_REQUESTED', object, detail: { run_id: run.id } });
  }
  return visibleRun(ctx, (await findRun(ctx.db, run.id))!);
});

const retry = route(endpoints.retry, async (ctx) => {
  const run = await load(ctx);
  if (!isFinished(run))
    throw new ApiError(
      'not-ended',
      `The run is ${run.status}: wait until it finishes, or cancel it, before you run it again.`,
    );
  const again = run.tasks.filter(({ status }) => status !== 'succeeded').map(({ asset }) => asset);
  if (again.length === 0)
    throw new ApiError(
      'nothing-to-retry',
      'Every task of the run succeeded. Start the job again to rebuild everything.',
    );
  const version = await findVersion(ctx.db, run.project_version_id);
  const deployment = version?.dev_namespace
    ? await requireDevVersion(ctx, run.project_version_id, run.repository)
    : await findDeployment(ctx.db, { environmentId: ctx.environment.id, repository: run.repository });
  if (deployment === null)
    throw new ApiError('not-deployed', `${run.repository} is no longer deployed in ${ctx.environment.name}.`);
  // Tasks skipped because of a failed one are included: they did not succeed either.
  const selection = { select: again, upstream: false, downstream: false };
  const trigger = run.job === null ? null : ctx.caller.type === 'person' ? ('manual' as const) : ('api' as const);
  return startRunFor(ctx, {
    deployment,
    selection,
    fullRefresh: run.full_refresh,
    job: run.job,
    trigger,
    timeoutSeconds: run.timeout_seconds,
    retryOf: run.id,
  });
});

const LOG_BATCH = 1000;

const logs = route(
  endpoints.logs,
  async (ctx) => {
    const readAction = await authorizeRead(ctx);
    const run = await load(ctx);
    return new StreamResponse(
      'application/x-ndjson',
      Readable.from(logLines(ctx, { run, readAction }, ctx.query.follow)),
    );
  },
  authorizeRead,
);

const ARCHIVE = {
  contents: 'The archived log',
  remedy: 'copy the files below logs back from a backup of the storage',
};

/** The lines of a log in storage, none while it is in the database. Opens the file when the first line is read. */
async function* archivedLines({ deps }: Context, { log_location }: StoredRun): AsyncGenerator<LogLine> {
  if (log_location !== null) yield* await readingArchive(readLogFile(deps.store, log_location), ARCHIVE);
}

/**
 * The log from its start. With `follow` it continues until the run has finished and its last line is sent; it breaks
 * off if the caller loses access.
 */
async function* logLines(
  ctx: Context,
  { run, readAction }: { run: StoredRun; readAction: 'READ_ENVIRONMENT' | 'RUN' },
  follow: boolean,
): AsyncGenerator<string> {
  const gone = clientGone(ctx.res);
  let after = 0;
  let sees = await contentVisibility(ctx, [run]);
  const text = (line: LogLine) => `${JSON.stringify(visibleLine(line, (asset) => sees(run, asset)))}\n`;
  const unread = async function* (lines: AsyncIterable<LogLine>) {
    for await (const line of lines) {
      if (line.sequence <= after) continue;
      after = line.sequence;
      yield text(line);
    }
  };
  yield* unread(archivedLines(ctx, run));
  for (;;) {
    // The state is read before the log, so that no line written before the run finished is missed.
    const last = !follow || isFinished((await findRun(ctx.db, run.id)) ?? run);
    const lines = await readLog(ctx.db, { runId: run.id, after, limit: LOG_BATCH });
    for (const line of lines) yield text(line);
    after = lines.at(-1)?.sequence ?? after;
    if (lines.length === LOG_BATCH) continue;
    // The log may have been moved while it was read.
    if (last && run.log_location === null) yield* unread(archivedLines(ctx, (await findRun(ctx.db, run.id)) ?? run));
    if (last || gone.aborted) return;
    await ctx.deps.waiter.untilLog({ id: run.id, signal: gone });
    if (gone.aborted) continue;
    await reauthorize(ctx, readAction);
    sees = await contentVisibility(ctx, [run]);
  }
}

export const runRoutes: Route[] = [create, list, timeline, get, cancel, retry, logs];
