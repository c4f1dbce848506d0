import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inDevNamespace, resolveJobs } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { sandboxOwner } from '@svc/core/queries';
import { findBundle, findDeploy } from '@svc/db/deploys';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { failureOfStorage } from '../work/failures.ts';
import { unpackBundle } from './bundle.ts';
import { changedAssets } from './changed-assets.ts';
import { deniedDeploy } from './denied-deploy.ts';
import type { CheckedProject, DeployWork } from './deploy-work.ts';
import { findDroppedViews } from './dropped-views.ts';
import { fetchGuarded } from './fetch-guarded.ts';
import { finishDryRun, finishFailed, finishSucceeded } from './finish-deploy.ts';
import { missingNamespaces } from './missing-namespaces.ts';
import { ProjectError } from './project-error.ts';
import { projectFailure, recordedProjectFailure } from './project-failure.ts';
import { readCode } from './read-code.ts';
import { type ReadOptions, readProject } from './read-project.ts';
import { unknownNames } from './unknown-names.ts';
import { verifyProjectLock } from './verify-lock.ts';

/** Runs one claimed deploy until it finishes: fetches, reads and validates the project, and activates the version. */
export async function executeDeploy(deps: WorkerDeps, claim: ActiveClaim): Promise<void> {
  const row = (await findDeploy(deps.db.prisma, claim.id))!;
  const work: DeployWork = { deps, claim, row };
  await mkdir(join(deps.workDir, 'deploys'), { recursive: true });
  const folder = await mkdtemp(join(deps.workDir, 'deploys', 'deploy-'));
  try {
    await deploy(work, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function deploy(work: DeployWork, folder: string): Promise<void> {
  const { deps, claim, row } = work;
  const fetched = await fetchProject(work, folder).catch(toFailure);
  claim.signal.throwIfAborted();
  if ('code' in fetched) return finishFailed(work, { commit: row.commit, error: fetched });
  const { dir, top, commit } = fetched;
  const project = await readProject(dir, {
    ...readerOf(deps),
    top,
    owner: sandboxOwner(row.environment_id, row.created_by),
    signal: claim.signal,
  }).catch(toFailure);
  claim.signal.throwIfAborted();
  if ('code' in project) return finishFailed(work, { commit, error: project });
  const failure = projectFailure(project.problems);
  if (failure !== null || project.manifest === null) {
    const recorded = recordedProjectFailure(project.problems)!;
    return finishFailed(work, { commit, error: failure!, recorded });
  }
  const environment = { id: row.environment_id, name: row.environment };
  const lock = await verifyProjectLock(deps, project.lock, { environment, phase: 'deploy' });
  if (lock.error !== null) return finishFailed(work, { commit, error: lock.error });
  const assets = row.dev_namespace === null ? project.assets : inDevNamespace(project.assets, row.dev_namespace);
  const denied = await deniedDeploy(work, deps.db.prisma);
  if (denied !== null) return finishFailed(work, { commit, error: denied });
  const namespaces = await missingNamespaces(work, assets);
  if ('code' in namespaces) return finishFailed(work, { commit, error: namespaces });
  const jobs = resolveJobs(project.manifest, row.environment);
  const named = await unknownNames(work, project.graph!, project.statements);
  claim.signal.throwIfAborted();
  const dropped = await findDroppedViews(work, project.assets);
  const checked: CheckedProject = {
    dir,
    commit,
    project,
    jobs,
    packageIndexes: lock.indexes,
    namespaces: namespaces.paths,
    assets,
    lockHash: lock.hash,
    code: project.usesPython ? await readCode(dir) : [],
    droppedViews: dropped.views,
    warnings: [...named.warnings, ...dropped.warnings],
  };
  const compare = () => changedAssets(work, checked, { columns: named.columns, folder });
  if (!row.dry_run) {
    // A deploy doesn't need the files of the active version, so it succeeds if they can't be read.
    const changes = await compare().catch((error: unknown) => {
      deps.log.warn(
        { err: error, deploy: row.id },
        'the assets could not be compared with those of the active version',
      );
      return null;
    });
    claim.signal.throwIfAborted();
    return finishSucceeded(work, checked, changes);
  }
  const changes = await compare().catch(toFailure);
  claim.signal.throwIfAborted();
  if ('code' in changes) return finishFailed(work, { commit, error: changes });
  await finishDryRun(work, checked, changes);
}

/** Python assets are read without running them, so any interpreter works, with the module's own sources. */
function readerOf({ python, sdk, isolation, sandbox, settings }: WorkerDeps): Omit<ReadOptions, 'owner' | 'signal'> {
  return {
    python: python === null ? null : { command: python.command, support: join(sdk, 'src') },
    isolation,
    sandbox,
    maxStatementBytes: settings.queryMaxStatementBytes,
  };
}

async function fetchProject(
  { deps, claim, row }: DeployWork,
  folder: string,
): Promise<{ dir: string; top?: string; commit: string | null }> {
  if (row.bundle_id !== null) {
    const bundle = await findBundle(deps.db.prisma, { id: row.bundle_id, environmentId: row.environment_id });
    if (bundle === null) throw new ProjectError('bundle-gone', 'the bundle no longer exists', 'upload it again');
    const dir = join(folder, 'project');
    await mkdir(dir);
    await unpackBundle(await deps.store.readStream(bundle.location), dir, undefined, claim.signal);
    return { dir, commit: row.commit };
  }
  return fetchGuarded(deps, row, { workDir: folder, signal: claim.signal });
}

/** Errors of the project or of the storage become the deploy's error; any other error is the service's. */
function toFailure(error: unknown): Failure {
  if (error instanceof ProjectError) return error.failure;
  return failureOfStorage(error);
}
