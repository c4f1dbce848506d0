import { assetKey, isIncremental } from '@svc/core/deploys';
import { ApiError, type Failure } from '@svc/core/errors';
import { type CheckResult, failureLines } from '@svc/core/runs';
import { inTransaction } from '@svc/db/connection';
import { recordInputs } from '@svc/db/lineage';
import { finishTask, retryTask, type StoredTaskRow, startTask } from '@svc/db/runs';
import { LIMIT_CODES } from '../limits/index.ts';
import { storageQuotaFailure } from '../quotas/index.ts';
import { failureOfFiles } from '../tables/files-failure.ts';
import { engineOf } from '../work/engines.ts';
import { failure, failureOfProblem } from '../work/failures.ts';
import { traceOutcome } from '../work/traced.ts';
import { declaredInputs } from './declared-inputs.ts';
import { buildArtifact } from './outputs/build-artifact.ts';
import { buildTable } from './outputs/build-table.ts';
import { buildView } from './outputs/build-view.ts';
import { taskSeconds } from './outputs/python-rows.ts';
import { isFailure } from './outputs/target.ts';
import type { FinishTask, RunWork, TaskWork } from './run-work.ts';

/** Failures that a retry would meet again. */
const FINAL_CODES = new Set(['check-failed', 'quota-exceeded', 'table-held', ...LIMIT_CODES.keys()]);

/** Builds one asset and retries failures as often as the job allows. Returns true on success. */
export async function performTask(work: RunWork, task: StoredTaskRow): Promise<boolean> {
  const asset = work.version.assets.find(({ name }) => assetKey(name) === assetKey(task.asset))!;
  const job = work.version.jobs.find(({ name }) => name === work.run.job);
  const retries = job?.retries ?? work.version.defaults.retries;
  for (let attempt = task.failures; ; attempt++) {
    const checks: CheckResult[] = [];
    const failed = await attemptTask({ ...work, task, asset, checks });
    if (failed === null) return true;
    if (attempt >= retries || FINAL_CODES.has(failed.code)) {
      await finishWithFailure(work, task, failed, checks);
      return false;
    }
    work.log.line(task.asset, 'service', `retrying (${retries - attempt} left)`);
    const { deps, claim } = work;
    await retryTask(deps.db.prisma, { claim, taskId: task.id, error: failed, now: deps.clock() });
  }
}

type Attempt = Omit<TaskWork, 'signal' | 'inputs' | 'engine'>;

/** Makes one attempt in its own span. */
function attemptTask(work: Attempt): Promise<Failure | null> {
  const { asset } = work;
  const { traces } = work.deps.db;
  if (traces === undefined) return attempt(work);
  const fields = { 'svc.asset': asset.name, 'svc.asset.kind': asset.kind, 'svc.asset.language': asset.source.language };
  return traces.inSpan({ name: 'task', attributes: fields }, async (span) => {
    const failed = await attempt(work);
    traceOutcome({ span }, { status: failed === null ? 'succeeded' : 'failed', error: failed });
    return failed;
  });
}

async function attempt(work: Attempt): Promise<Failure | null> {
  const { deps, claim, run, log, task, asset } = work;
  await inTransaction(deps.db, (tx) => startTask(tx, { claim, taskId: task.id, now: deps.clock() }));
  await deps.step?.('task.started');
  const seconds = taskSeconds(work);
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([claim.signal, limit]);
  const began = performance.now();
  log.line(task.asset, 'service', `building ${asset.kind} ${asset.name} (${asset.source.language})`);
  const inputs: TaskWork['inputs'] = { read: null };
  const origin = { ...work.origin, work: { runId: run.id, asset: asset.name } };
  const engine = engineOf(deps, work.environment.name, asset);
  const failed = isFailure(engine)
    ? engine
    : await build({ ...work, engine, origin, inputs, signal }, finishOf(work, inputs)).catch(failureOfBuild);
  claim.signal.throwIfAborted();
  const spent = (performance.now() - began) / 1000;
  const { kind, source } = asset;
  deps.metrics?.task({ kind, language: source.language, outcome: failed === null ? 'succeeded' : 'failed' }, spent);
  const took = spent.toFixed(1);
  if (failed === null) {
    log.line(task.asset, 'service', `built in ${took} s`);
    return null;
  }
  const cause = limit.aborted ? overdue(seconds) : failed;
  // The log already contains the output of the installer or the program.
  for (const line of failureLines(cause, took)) log.line(task.asset, 'service', line);
  return cause;
}

/** @throws all other errors */
const failureOfBuild = (error: unknown): Failure =>
  error instanceof ApiError ? failureOfProblem(error) : failureOfFiles(error);

/** Finishes the task with the inputs that its build has recorded until then. */
function finishOf({ deps, claim, run, version, task, asset, checks }: Attempt, inputs: TaskWork['inputs']): FinishTask {
  return async (tx, rows, tableId) => {
    const now = deps.clock();
    const outcome = { status: 'succeeded', rows, error: null, checks } as const;
    await finishTask(tx, { claim, taskId: task.id, outcome, now });
    await recordInputs(tx, {
      tableId,
      environmentId: run.environment_id,
      runId: run.id,
      projectVersionId: run.project_version_id,
      retainsRows: isIncremental(asset) && !run.full_refresh,
      read: inputs.read,
      declared: await declaredInputs(tx, version, asset),
      now,
    });
  };
}

const overdue = (seconds: number): Failure =>
  failure(
    'timeout',
    `The task took longer than ${seconds} s.`,
    'Raise timeout_seconds of the job in svc.yaml, or make the task smaller.',
  );

async function build(work: TaskWork, finish: FinishTask): Promise<Failure | null> {
  // A view has no files.
  const exceeded = work.asset.kind === 'view' ? null : await storageQuotaFailure(work.deps, work.environment);
  if (exceeded !== null) return exceeded;
  switch (work.asset.kind) {
    case 'table':
      return buildTable(work, finish);
    case 'view':
      return buildView(work, finish);
    case 'artifact':
      return buildArtifact(work, finish);
  }
}

async function finishWithFailure(
  { deps, claim }: RunWork,
  task: StoredTaskRow,
  error: Failure,
  checks: readonly CheckResult[],
): Promise<void> {
  const outcome = { status: 'failed', rows: null, error, checks } as const;
  await inTransaction(deps.db, (tx) => finishTask(tx, { claim, taskId: task.id, outcome, now: deps.clock() }));
}

/** Skips a task whose input could not be built. */
export async function skipTask({ deps, claim, log }: RunWork, task: StoredTaskRow, because: string): Promise<void> {
  const error = failure('skipped', `Not built: ${because} failed.`);
  log.line(task.asset, 'service', `skipped: ${because} failed`);
  await inTransaction(deps.db, (tx) =>
    finishTask(tx, { claim, taskId: task.id, outcome: { status: 'skipped', rows: null, error }, now: deps.clock() }),
  );
}
