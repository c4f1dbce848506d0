import { type Deploy, type JobChanges, planJobs } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { nextTimeOf } from '@svc/core/jobs';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { type DeployOutcome, findDeployment, finishDeploy, setCurrentVersion, supersededBy } from '@svc/db/deploys';
import { lockEnvironmentForShare } from '@svc/db/environments';
import { compareJobs, dropStartsOf, listJobs, reconcileJobs } from '@svc/db/jobs';
import { lockRepositoryForShare } from '@svc/db/repositories';
import { claimTables, releaseTables } from '@svc/db/tables';
import { removeFiles } from '@svc/iceberg';
import { startDroppedEvent } from '../jobs/index.ts';
import { auditWork } from '../work/events.ts';
import { failure, failureOfProblem } from '../work/failures.ts';
import { traceOutcome } from '../work/traced.ts';
import type { RelativeChanges } from './changed-assets.ts';
import { deniedDeploy } from './denied-deploy.ts';
import { type CheckedProject, type DeployWork, eventOf } from './deploy-work.ts';
import { createDroppedViews } from './dropped-views.ts';
import { type Archive, archiveProject, createVersion } from './store-version.ts';
import { deployWarnings } from './warnings.ts';

const REMOVED = 'a deploy removed the job';

/** Finishes a deploy that was rejected; nothing is deployed. `recorded` is the error in the audit log (default: the same). */
export async function finishFailed(
  work: DeployWork,
  { commit, error, recorded = error }: { commit: string | null; error: Failure; recorded?: Failure },
): Promise<void> {
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
  const { origin, object } = eventOf(work);
  const { id, repository, ref, dry_run } = row;
  const detail = { deploy_id: id, repository, ref, commit, dry_run, error: recorded };
  await inTransaction(deps.db, async (tx) => {
    await finishDeploy(tx, { claim, outcome, now: deps.clock() });
    traceOutcome(claim, outcome);
    await auditWork(deps, tx, origin, { type: 'DEPLOY_FAILED', object, detail });
  });
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

const stored = ({ assets, previousVersionId }: RelativeChanges) => ({
  assets: assets as Deploy['assets'],
  previousVersionId,
});

/**
 * Finishes a dry run. Its record lists what a deploy would change at this moment. Nothing else is stored, except for a development
 * namespace: the version, which its developer can run (DEPLOY-24).
 */
export async function finishDryRun(
  work: DeployWork,
  checked: CheckedProject,
  compared: RelativeChanges,
): Promise<void> {
  const { deps, claim, row } = work;
  const { project, jobs } = checked;
  const archive = row.dev_namespace === null ? null : await archiveProject(work, checked);
  if (archive !== null && 'code' in archive) return finishFailed(work, { commit: checked.commit, error: archive });
  claim.signal.throwIfAborted();
  await inTransaction(deps.db, async (tx) => {
    if (archive !== null) {
      await lockEnvironmentForShare(tx, row.environment_id);
      await createVersion(tx, work, checked, archive);
    }
    const key = { environmentId: row.environment_id, repositoryId: row.repository_id };
    const changes = await compareJobs(tx, { ...key, jobs });
    const live = await listJobs(tx, { ...key, repository: row.repository });
    const dropped = changes.removed.filter((name) => live.some((job) => job.name === name && job.waiting !== null));
    const warnings = await deployWarnings(tx, work, {
      jobs,
      assets: project.assets,
      network: project.manifest?.network ?? [],
      dropped,
    });
    const outcome = {
      ...succeeded(checked, { changes, warnings }, archive?.versionId ?? null),
      ...stored(compared),
    };
    await finishDeploy(tx, { claim, outcome, now: deps.clock() });
    if (archive !== null) await auditDevVersion(tx, work, { commit: checked.commit, versionId: archive.versionId });
  });
  traceOutcome(claim, { status: 'succeeded' });
}

async function auditDevVersion(
  tx: Transaction,
  work: DeployWork,
  { commit, versionId }: { commit: string | null; versionId: string },
): Promise<void> {
  const { row } = work;
  const { origin, object } = eventOf(work);
  const detail = {
    deploy_id: row.id,
    repository: row.repository,
    commit,
    project_version_id: versionId,
    dev_namespace: row.dev_namespace,
  };
  await auditWork(work.deps, tx, origin, { type: 'DEV_VERSION_STORED', object, detail });
}

/** Activates the project's version in one transaction. `compared` is null if the changes to assets aren't known. */
export async function finishSucceeded(
  work: DeployWork,
  checked: CheckedProject,
  compared: RelativeChanges | null,
): Promise<void> {
  const { deps, claim, row } = work;
  const archive = await archiveProject(work, checked);
  if ('code' in archive) return finishFailed(work, { commit: checked.commit, error: archive });
  const { versionId } = archive;
  await deps.step?.('deploy.archived');
  claim.signal.throwIfAborted();
  const failed = await inTransaction(deps.db, async (tx): Promise<Failure | null> => {
    // Neither the environment, a namespace nor the repository can be deleted before the version is active.
    await lockEnvironmentForShare(tx, row.environment_id);
    await lockRepositoryForShare(tx, row.repository_id);
    const change = await supersededBy(tx, row);
    if (change !== null) return superseded(change);
    const denied = await deniedDeploy(work, tx);
    if (denied !== null) return denied;
    const previousVersionId = await activeVersionId(tx, row);
    // Another deploy or a rollback may have changed the active version since the comparison.
    const changes = compared?.previousVersionId === previousVersionId ? stored(compared) : { previousVersionId };
    const outcome = { ...succeeded(checked, await applyVersion(tx, work, checked, archive), versionId), ...changes };
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
    return null;
  }).catch(failureOfProblem);
  if (failed === null) return traceOutcome(claim, { status: 'succeeded' });
  await removeFiles(deps.store, [archive.location]);
  await finishFailed(work, { commit: checked.commit, error: failed });
}

const SUPERSEDED_BY = {
  deploy: 'A later deploy of this repository finished first.',
  rollback: 'The project was rolled back after this deploy was submitted.',
  undeploy: 'The project was undeployed after this deploy was submitted.',
};

const superseded = (change: keyof typeof SUPERSEDED_BY): Failure =>
  failure('superseded', SUPERSEDED_BY[change], 'Deploy again if this is the version you want.');

async function activeVersionId(tx: Transaction, row: DeployWork['row']): Promise<string | null> {
  const project = { environmentId: row.environment_id, repository: row.repository };
  return (await findDeployment(tx, project))?.project_version_id ?? null;
}

/** Reads under the project's lock, which concurrent deploys take one after the other. */
async function applyVersion(
  tx: Transaction,
  work: DeployWork,
  checked: CheckedProject,
  archive: Archive,
): Promise<Found> {
  const { deps, row } = work;
  const now = deps.clock();
  const { project, jobs } = checked;
  const key = { environmentId: row.environment_id, repositoryId: row.repository_id };
  await createVersion(tx, work, checked, archive);
  await setCurrentVersion(tx, { ...key, id: deps.newId(), versionId: archive.versionId, by: row.created_by, now });
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
  const warnings = await deployWarnings(tx, work, {
    jobs,
    assets: project.assets,
    network: project.manifest?.network ?? [],
    dropped,
  });
  const names = project.assets.map((asset) => asset.name);
  await releaseTables(tx, { ...key, remaining: names });
  await claimTables(tx, { ...key, names });
  await createDroppedViews(tx, work, { views: checked.droppedViews, origin: eventOf(work).origin });
  return { changes, warnings };
}
