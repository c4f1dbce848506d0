import { decide, scopeOf } from '@svc/core/access';
import { type PlannedAsset, planJobs } from '@svc/core/deploys';
import { chooseRunPrincipal } from '@svc/core/jobs';
import { type RunTrigger, runStarted } from '@svc/core/runs';
import { findPrincipalById, listEffectiveGrants } from '@svc/db/access';
import { type NewEvent, recordEvents } from '@svc/db/audit';
import { inTransaction, type Transaction, traceparentOf } from '@svc/db/connection';
import { findDeploymentsOf, findVersions, type StoredDeployment } from '@svc/db/deploys';
import { filterDeletedEnvironments } from '@svc/db/environments';
import { finishStarts, lockReadyStarts, type ReadyStart, type StartOutcome } from '@svc/db/jobs';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import { type NewRun, startRuns } from '@svc/db/runs';
import type { SchedulerDeps } from './deps.ts';
import { inParallel } from './in-parallel.ts';
import { startDroppedEvent } from './start-dropped.ts';

const BATCH = 2500;

type Deployed = StoredDeployment & { protected: boolean };

/** What happened to one waiting start. */
type Outcome =
  | { start: ReadyStart; run: NewRun; principal: { id: string; name: string } }
  | { start: ReadyStart; reason: string };

/**
 * Starts the longest waiting job of each free project, or drops the start with a reason (JOBS-7, JOBS-8). A start that
 * loses a race keeps waiting.
 */
export async function startPending(
  deps: SchedulerDeps,
  lease: LeaderLease,
  signal: AbortSignal,
): Promise<{ started: number; dropped: number }> {
  const total = { started: 0, dropped: 0 };
  const batch = async (limit: number) => {
    const { started, dropped, taken: claimed } = await startBatch(deps, lease, limit);
    total.started += started;
    total.dropped += dropped;
    return claimed;
  };
  await inParallel(batch, BATCH, signal);
  return total;
}

async function startBatch(deps: SchedulerDeps, lease: LeaderLease, limit: number) {
  const counts = await inTransaction(deps.db, async (tx) => {
    if (!(await lockLeaderLease(tx, lease))) return { started: 0, dropped: 0, taken: 0 };
    const starts = await lockReadyStarts(tx, { limit });
    const now = deps.clock();
    const outcomes = await decideAll({ ...deps, clock: () => now }, tx, starts);
    const startedRuns = outcomes.filter((o) => 'run' in o);
    const started = await startRuns(
      tx,
      startedRuns.map(({ run }) => run),
    );
    const processed = outcomes.filter((o) => !('run' in o) || started.has(o.run.id));
    await finishStarts(tx, { outcomes: processed.map(startOutcome), now });
    await recordEvents(
      tx,
      processed.map((outcome) => eventOf(deps, outcome, now)),
    );
    if (starts.length > 0) await deps.step?.('start.starting');
    return { started: started.size, dropped: processed.length - started.size, taken: starts.length };
  });
  if (counts.taken > 0) await deps.step?.('start.started');
  return counts;
}

const startOutcome = (o: Outcome): StartOutcome =>
  'run' in o ? { id: o.start.id, runId: o.run.id, reason: null } : { id: o.start.id, runId: null, reason: o.reason };

function eventOf(deps: SchedulerDeps, outcome: Outcome, now: Date): NewEvent {
  const { start } = outcome;
  const common = {
    id: deps.newId(),
    time: now,
    environmentId: start.environment_id,
    requestId: null,
    object: scopeOf({ environment: start.environment }),
  };
  if ('run' in outcome) {
    const { job, repository, trigger, scheduled_for: scheduledFor, merged, missed } = start;
    const event = runStarted({ id: outcome.run.id, job, repository, trigger, scheduledFor, missed, merged });
    return { ...common, ...event, principal: outcome.principal };
  }
  return { ...common, principal: null, ...startDroppedEvent(start, outcome.reason) };
}

async function decideAll(deps: SchedulerDeps, tx: Transaction, starts: readonly ReadyStart[]): Promise<Outcome[]> {
  const projectOf = (of: Pick<ReadyStart, 'environment_id' | 'repository_id'>) =>
    `${of.environment_id} ${of.repository_id}`;
  const deployed = new Map((await findDeploymentsOf(tx, starts)).map((d) => [projectOf(d), d]));
  const undeployed = starts.filter((start) => !deployed.has(projectOf(start)));
  const deleted = await filterDeletedEnvironments(tx, [...new Set(undeployed.map((start) => start.environment_id))]);
  const outcomes: Outcome[] = [];
  for (const start of starts) {
    const deployment = deployed.get(projectOf(start));
    if (deployment !== undefined) outcomes.push(await decideOne(deps, tx, start, deployment));
    else {
      const isDeleted = deleted.has(start.environment_id);
      outcomes.push({ start, reason: isDeleted ? 'the environment was deleted' : 'the project is no longer deployed' });
    }
  }
  return outcomes;
}

async function decideOne(
  deps: SchedulerDeps,
  tx: Transaction,
  start: ReadyStart,
  deployment: Deployed,
): Promise<Outcome> {
  if (start.removed) return { start, reason: 'the deployed version no longer declares the job' };
  const starter = await qualifiedRequester(tx, start, { environment: deployment.environment, now: deps.clock() });
  if (start.scheduled_for === null && 'reason' in starter) return { start, reason: starter.reason };
  const requester = start.trigger === 'schedule' || 'reason' in starter ? null : starter;
  const { run_as_id, run_as, run_as_usable, environment, repository } = deployment;
  const runAs = run_as_id === null ? null : { id: run_as_id, name: run_as!, usable: run_as_usable === true };
  const choice = chooseRunPrincipal({
    bound: runAs,
    requester,
    repository,
    environment: { name: environment, protected: deployment.protected },
  });
  if (!choice.ok) return { start, reason: choice.reason };
  const versionId = deployment.project_version_id;
  const tasks = await tasksOf(tx, start, versionId);
  const trigger = requester?.trigger ?? start.trigger;
  const parts = { tasks, versionId, principalId: choice.principal.id, trigger };
  return {
    start: { ...start, trigger },
    principal: choice.principal,
    run: runOf(deps, start, { ...parts, requestedBy: requester?.id ?? null }),
  };
}

/** Returns the first requester who still qualifies: active, with RUN on the environment. */
async function qualifiedRequester(
  tx: Transaction,
  start: ReadyStart,
  { environment, now }: { environment: string; now: Date },
): Promise<{ id: string; name: string; trigger: RunTrigger } | { reason: string }> {
  let reason = 'it has no requester';
  for (const id of new Set(start.requesters)) {
    const principal = await findPrincipalById(tx, id);
    if (principal === null || !principal.active) {
      const isDeleted = principal ?? (await findPrincipalById(tx, id, { deletedToo: true }));
      reason = `its requester ${isDeleted?.name ?? id} was ${principal === null ? 'deleted' : 'deactivated'}`;
      continue;
    }
    const grants = await listEffectiveGrants(tx, { principalId: id, environmentId: start.environment_id, now });
    if (decide(grants, 'RUN', scopeOf({ environment })).allowed)
      return { id, name: principal.name, trigger: principal.type === 'person' ? 'manual' : 'api' };
    reason = `its requester ${principal.name} lost RUN on the environment ${environment}`;
  }
  return { reason };
}

/** The tasks that a start builds. Jobs deployed before tasks were stored are planned from their version. */
async function tasksOf(
  tx: Transaction,
  { job, tasks }: ReadyStart,
  versionId: string,
): Promise<readonly PlannedAsset[]> {
  if (tasks !== null) return tasks.map(({ asset, depends_on }) => ({ asset, dependsOn: depends_on }));
  const [version] = await findVersions(tx, [versionId]);
  return planJobs(version!.assets, version!.jobs).get(job)!;
}

interface RunParts {
  tasks: readonly PlannedAsset[];
  versionId: string;
  principalId: string;
  trigger: RunTrigger;
  requestedBy: string | null;
}

function runOf({ db, newId, clock }: SchedulerDeps, start: ReadyStart, { tasks, ...parts }: RunParts): NewRun {
  const { select, upstream, downstream, timeoutSeconds } = start.definition;
  return {
    ...parts,
    id: newId(),
    environmentId: start.environment_id,
    repositoryId: start.repository_id,
    job: start.job,
    select,
    upstream,
    downstream,
    timeoutSeconds,
    scheduledFor: start.scheduled_for,
    missed: start.missed,
    tasks,
    requestId: null,
    traceparent: traceparentOf(db),
    now: clock(),
  };
}
