import { scopeOf } from '@svc/core/access';
import { type AssetChanges, type Deploy, type JobChanges, planJobs } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { nextTimeOf } from '@svc/core/jobs';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { type DeployOutcome, finishDeploy, isSuperseded, setCurrentVersion, storeVersion } from '@svc/db/deploys';
import { lockEnvironmentForShare } from '@svc/db/environments';
import { compareJobs, dropStartsOf, listJobs, reconcileJobs } from '@svc/db/jobs';
import { createNamespace } from '@svc/db/namespaces';
import { claimTables, releaseTables } from '@svc/db/tables';
import { removeFiles } from '@svc/iceberg';
import { startDroppedEvent } from '../jobs/index.ts';
import { auditWork } from '../work/events.ts';
import { failure, failureOfProblem, failureOfStorage } from '../work/failures.ts';
import { traceOutcome } from '../work/traced.ts';
import { packProject } from './bundle.ts';
import type { CheckedProject, DeployWork } from './deploy-work.ts';
import { createDroppedViews } from './dropped-views.ts';
import { deployWarnings } from './warnings.ts';

const REMOVED = 'a deploy removed the job';

const eventOf = ({ row }: DeployWork) => ({
  origin: {
    principal: { id: row.created_by, name: row.creator ?? '' },
    environmentId: row.environment_id,
    requestId: row.request_id,
  },
  object: scopeOf({ environment: row.environment }),
});

/** Finishes a deploy that was rejected; nothing is deployed. */
export async function finishFailed(
  work: DeployWork,
  { commit, error }: { commit: string | null; error: Failure },
): Promise<void> {
  await inTransaction(work.deps.db, (tx) => failWithin(tx, work, commit, error));
}

async function failWithin(tx: Transaction, work: DeployWork, commit: string | null, error: Failure): Promise<void> {
  const { deps, claim, row } = work;
  const outcome = {
    status: 'failed' as const,
    commit,
    warnings: [],
    jobs: null,
    packageIndexes: [],
    projectVersionId: null,
    error,
  };
  await finishDeploy(tx, { claim, outcome: outcome, now: deps.clock() });
  traceOutcome(claim, outcome);
  const { origin, object } = eventOf(work);
  const detail = { deploy_id: row.id, repository: row.repository, ref: row.ref, commit, dry_run: row.dry_run, error };
  await auditWork(deps, tx, origin, { type: 'DEPLOY_FAILED', object, detail });
}

/** The changes of a deploy to jobs, and its warnings. */
interface Found {
  changes: JobChanges;
  warnings: readonly string[];
}

function succeeded(checked: CheckedProject, { changes, warnings }: Found, versionId: string | null): DeployOutcome {
  return {
    status: 'succeeded',
    commit: checked.commit,
    warnings: [...warnings, ...checked.warnings],
    jobs: {
      added: [...changes.added],
      removed: [...changes.removed],
      changed: changes.changed.map((c) => ({ name: c.name, changes: [...c.changes] })),
    },
    packageIndexes: checked.packageIndexes,
    projectVersionId: versionId,
    error: null,
  };
}

/** Finishes a dry run. It stores only its own record, which lists what a deploy would change at this moment. */
export async function finishDryRun(work: DeployWork, checked: CheckedProject, assets: AssetChanges): Promise<void> {
  const { deps, claim, row } = work;
  const { project, jobs } = checked;
  await inTransaction(deps.db, async (tx) => {
    const key = { environmentId: row.environment_id, repositoryId: row.repository_id };
    const changes = await compareJobs(tx, { ...key, jobs });
    const live = await listJobs(tx, { ...key, repository: row.repository });
    const dropped = changes.removed.filter((name) => live.some((job) => job.name === name && job.waiting !== null));
    const warnings = await deployWarnings(tx, work, { jobs, assets: project.assets, dropped });
    const outcome = { ...succeeded(checked, { changes, warnings }, null), assets: assets as Deploy['assets'] };
    await finishDeploy(tx, { claim, outcome, now: deps.clock() });
  });
  traceOutcome(claim, { status: 'succeeded' });
}

/** Activates the project's version in one transaction. */
export async function finishSucceeded(work: DeployWork, checked: CheckedProject): Promise<void> {
  const { deps, claim, row } = work;
  const versionId = deps.newId();
  const location = `${deps.store.root}/projects/${row.environment_id}/${versionId}.tar.gz`;
  const archive = await packProject(checked.dir);
  const storeFailure = await deps.store.write(location, archive).then(() => null, failureOfStorage);
  if (storeFailure !== null) return finishFailed(work, { commit: checked.commit, error: storeFailure });
  await deps.step?.('deploy.archived');
  claim.signal.throwIfAborted();
  const deployed = await inTransaction(deps.db, async (tx) => {
    // Neither the environment nor a namespace can be deleted before the version is active.
    await lockEnvironmentForShare(tx, row.environment_id);
    if (await isSuperseded(tx, row)) return false;
    const outcome = succeeded(checked, await applyVersion(tx, work, checked, { versionId, location }), versionId);
    await finishDeploy(tx, { claim, outcome: outcome, now: deps.clock() });
    const { origin, object } = eventOf(work);
    const detail = {
      deploy_id: row.id,
      repository: row.repository,
      ref: row.ref,
      commit: checked.commit,
      dirty: checked.commit === null ? null : (row.dirty ?? false),
      project_version_id: versionId,
      warnings: outcome.warnings.length,
    };
    await auditWork(deps, tx, origin, { type: 'DEPLOY_SUCCEEDED', object, detail });
    return true;
  }).catch(failureOfProblem);
  if (deployed === true) return traceOutcome(claim, { status: 'succeeded' });
  await removeFiles(deps.store, [location]);
  if (deployed !== false) return finishFailed(work, { commit: checked.commit, error: deployed });
  const error = failure(
    'superseded',
    'A later deploy of this repository finished first.',
    'Deploy again if this is the version you want.',
  );
  await finishFailed(work, { commit: checked.commit, error });
}

/** Reads under the project's lock, which concurrent deploys take one after the other. */
async function applyVersion(
  tx: Transaction,
  work: DeployWork,
  checked: CheckedProject,
  v: { versionId: string; location: string },
): Promise<Found> {
  const { deps, row } = work;
  const now = deps.clock();
  const { project, jobs } = checked;
  const key = { environmentId: row.environment_id, repositoryId: row.repository_id };
  for (const path of checked.namespaces) await createMissing(tx, work, path);
  await storeVersion(tx, {
    ...key,
    id: v.versionId,
    deployId: row.id,
    commit: checked.commit,
    dirty: row.dirty,
    location: v.location,
    name: project.manifest?.name ?? row.repository,
    python: project.manifest?.python ?? null,
    lockHash: checked.lockHash,
    assets: project.assets,
    jobs,
    defaults: project.manifest!.defaults,
    packageIndexes: checked.packageIndexes,
    createdBy: row.created_by,
    now,
  });
  await setCurrentVersion(tx, { ...key, id: deps.newId(), versionId: v.versionId, by: row.created_by, now });
  const nextRun = ({ cron, timezone }: { cron: string; timezone: string }) => nextTimeOf(cron, timezone, now);
  const { removed, changes } = await reconcileJobs(tx, {
    ...key,
    jobs,
    plans: planJobs(project.assets, jobs),
    nextRun,
    newId: deps.newId,
    now,
  });
  const starts = await dropStartsOf(tx, { jobIds: removed, reason: REMOVED, now });
  for (const start of starts) await auditWork(deps, tx, eventOf(work).origin, startDroppedEvent(start, REMOVED));
  const dropped = changes.removed.filter((name) => starts.some(({ job }) => job === name));
  const warnings = await deployWarnings(tx, work, { jobs, assets: project.assets, dropped });
  const names = project.assets.map((asset) => asset.name);
  await releaseTables(tx, { ...key, remaining: names });
  await claimTables(tx, { ...key, names });
  await createDroppedViews(tx, work, { views: checked.droppedViews, origin: eventOf(work).origin });
  return { changes, warnings };
}

async function createMissing(tx: Transaction, work: DeployWork, path: string): Promise<void> {
  const { deps, row } = work;
  const id = deps.newId();
  const created = await createNamespace(tx, {
    id,
    environmentId: row.environment_id,
    path,
    description: null,
    createdBy: row.created_by,
    now: deps.clock(),
  });
  // Another principal created it first, which is just as good.
  if (created === null) return;
  const object = scopeOf({ environment: row.environment, namespace: path });
  await auditWork(deps, tx, eventOf(work).origin, {
    type: 'NAMESPACE_CREATED',
    object,
    detail: { namespace_id: id, path, deploy_id: row.id },
  });
}
