import { scopeOf } from '@svc/core/access';
import { assetKey } from '@svc/core/deploys';
import { cancelled, type Failure } from '@svc/core/errors';
import { jobEndpoints } from '@svc/core/jobs';
import { runEndpoints } from '@svc/core/runs';
import type { Slots } from '@svc/core/workers';
import { isActivePrincipal } from '@svc/db/access';
import { inTransaction } from '@svc/db/connection';
import { findVersion, type StoredVersion } from '@svc/db/deploys';
import { findEnvironmentById } from '@svc/db/environments';
import { findRun, finishRun, lockTasks, type RunOutcome, type StoredRun, type StoredTaskRow } from '@svc/db/runs';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { auditWork, type RequestedBy, routeText } from '../work/events.ts';
import { failure, failureOfStorage } from '../work/failures.ts';
import { traceOutcome } from '../work/traced.ts';
import { performTask, skipTask } from './perform-task.ts';
import { verifyVersion } from './python-environment.ts';
import { RunLogger } from './run-log.ts';
import type { RunWork } from './run-work.ts';
import { WaitingInterpreter } from './waiting-interpreter.ts';

/** Runs the tasks of a claimed run in dependency order. Tasks downstream of a failed task are skipped. */
export async function executeRun(deps: WorkerDeps, claim: ActiveClaim, slots: Slots): Promise<void> {
  const run = (await findRun(deps.db.prisma, claim.id))!;
  const principal = { id: run.principal_id, name: run.principal ?? '' };
  const origin = { principal, environmentId: run.environment_id, requestId: run.request_id };
  const log = new RunLogger(deps, run.id);
  const environment = await findEnvironmentById(deps.db.prisma, run.environment_id);
  const version = await findVersion(deps.db.prisma, run.project_version_id);
  const environmentRef = { id: run.environment_id, name: run.environment };
  const request = requestedBy(run);
  const work: RunWork = {
    deps,
    claim,
    run,
    version: version!,
    environment: environmentRef,
    principal,
    origin,
    request,
    log,
    interpreters: new WaitingInterpreter(deps, {
      runId: run.id,
      hosts: version?.network ?? [],
      pythonTasks: countPython(run, version),
    }),
  };
  const ids = run.tasks.map(() => deps.newId());
  const tasks = await lockTasks(deps.db.prisma, { claim, ids, now: deps.clock() });
  try {
    const outcome =
      (await refusal(work, environment !== null && version !== null)) ?? (await runTasks(work, tasks, slots));
    await log.flush();
    await finish(work, outcome);
  } finally {
    await work.interpreters.close();
    await log.flush();
  }
}

function countPython({ tasks }: StoredRun, version: StoredVersion | null): number {
  const assets = version?.assets.filter(({ source }) => source.language === 'python') ?? [];
  const python = new Set(assets.map(({ name }) => assetKey(name)));
  return tasks.filter(({ asset, status }) => status !== 'succeeded' && python.has(assetKey(asset))).length;
}

function requestedBy({ id: runId, request_id: id, retry_of, job, trigger }: StoredRun): RequestedBy {
  if (trigger === 'schedule') return { id, route: null, runId };
  const endpoint = retry_of !== null ? runEndpoints.retry : job !== null ? jobEndpoints.start : runEndpoints.create;
  return { id, route: routeText(endpoint), runId };
}

/** Returns how a run that can't start finishes, or null if it can. */
async function refusal(work: RunWork, exists: boolean): Promise<RunOutcome | null> {
  const { deps, principal } = work;
  if (!exists) return { status: 'cancelled', error: environmentDeleted('before the run started') };
  if (!(await isActivePrincipal(deps.db.prisma, principal.id)))
    return { status: 'failed', error: deactivated(principal.name, 'before the run started') };
  const error = await verifyVersion(work).catch(failureOfStorage);
  return error === null ? null : { status: 'failed', error };
}

const environmentDeleted = (when: string): Failure =>
  failure('environment-deleted', `The environment was deleted ${when}.`);

const deactivated = (name: string, when: string): Failure =>
  failure('not-allowed', `The run principal ${name} was deactivated ${when}.`);

type State = 'queued' | 'running' | 'succeeded' | 'failed';

async function runTasks(work: RunWork, tasks: readonly StoredTaskRow[], slots: Slots): Promise<RunOutcome> {
  const states = new Map<string, State>(tasks.map(({ asset, status }) => [asset, done(status)]));
  const under = new Map<string, Promise<void>>();
  try {
    await runRemaining(work, tasks, slots, { states, under });
  } catch (error) {
    if (!work.claim.signal.aborted) throw error;
    return await stopped(work);
  } finally {
    // No task of the run may still be working when the run finishes.
    await Promise.allSettled(under.values());
  }
  const failed = tasks.filter(({ asset }) => states.get(asset) === 'failed').map(({ asset }) => asset);
  if (failed.length === 0) return { status: 'succeeded', error: null };
  const detail = `${failed.length} of ${tasks.length} tasks failed or were skipped: ${failed.join(', ')}.`;
  const remedy = `svc runs logs ${work.run.id} --env ${work.environment.name}`;
  return { status: 'failed', error: failure('tasks-failed', detail, remedy) };
}

interface Progress {
  states: Map<string, State>;
  /** The tasks that are running. */
  under: Map<string, Promise<void>>;
}

/** Starts each task as soon as its dependencies are built. Returns when there is nothing left to start. */
async function runRemaining(work: RunWork, tasks: readonly StoredTaskRow[], slots: Slots, { states, under }: Progress) {
  const { signal } = work.claim;
  const start = async (task: StoredTaskRow): Promise<void> => {
    await slots.take(signal);
    try {
      states.set(task.asset, (await performTask(work, task)) ? 'succeeded' : 'failed');
    } finally {
      slots.release();
    }
  };
  do {
    if (work.run.cancel_requested_at !== null) work.claim.stop('cancelled');
    signal.throwIfAborted();
    for (const task of tasks) {
      if (states.get(task.asset) !== 'queued') continue;
      const broken = task.depends_on.find((name) => states.get(name) === 'failed');
      if (broken !== undefined) {
        await skipTask(work, task, broken);
        states.set(task.asset, 'failed');
      } else if (task.depends_on.every((name) => states.get(name) === 'succeeded')) {
        states.set(task.asset, 'running');
        const built = start(task).finally(() => under.delete(task.asset));
        // It may fail before anything awaits it, for example if the run is cancelled while another task is skipped.
        built.catch(() => undefined);
        under.set(task.asset, built);
      }
    }
    if (under.size > 0) await Promise.race(under.values());
  } while (under.size > 0 || [...states.values()].includes('queued'));
}

const done = (status: StoredTaskRow['status']): State =>
  status === 'succeeded'
    ? 'succeeded'
    : status === 'failed' || status === 'skipped' || status === 'cancelled'
      ? 'failed'
      : 'queued';

async function stopped({ deps, claim, principal, environment }: RunWork): Promise<RunOutcome> {
  if (claim.signal.reason !== 'cancelled') throw new Error(`stopped: ${String(claim.signal.reason)}`);
  if ((await findEnvironmentById(deps.db.prisma, environment.id)) === null)
    return { status: 'cancelled', error: environmentDeleted('while the run was executing') };
  if (!(await isActivePrincipal(deps.db.prisma, principal.id)))
    return { status: 'failed', error: deactivated(principal.name, 'while the run was executing') };
  return { status: 'cancelled', error: cancelled('run') };
}

async function finish(work: RunWork, outcome: RunOutcome): Promise<void> {
  const { deps, claim, run, origin, environment } = work;
  await inTransaction(deps.db, async (tx) => {
    await finishRun(tx, { claim, outcome, now: deps.clock() });
    const object = scopeOf({ environment: environment.name });
    await auditWork(deps, tx, origin, {
      type: 'RUN_ENDED',
      object,
      detail: { run_id: run.id, status: outcome.status },
    });
    await deps.step?.('run.ending');
  });
  traceOutcome(claim, outcome);
}
