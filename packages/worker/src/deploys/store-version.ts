import { scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import type { Transaction } from '@svc/db/connection';
import { storeVersion } from '@svc/db/deploys';
import { createNamespace } from '@svc/db/namespaces';
import { auditWork } from '../work/events.ts';
import { failureOfStorage } from '../work/failures.ts';
import { packProject } from './bundle.ts';
import { type CheckedProject, type DeployWork, eventOf } from './deploy-work.ts';

/** The packed files of a version that isn't stored yet. */
export interface Archive {
  readonly versionId: string;
  readonly location: string;
}

/** Packs the project's files and stores them where the version will find them. */
export async function archiveProject({ deps, row }: DeployWork, { dir }: CheckedProject): Promise<Archive | Failure> {
  const versionId = deps.newId();
  const location = `${deps.store.root}/projects/${row.environment_id}/${versionId}.tar.gz`;
  const failed = await deps.store.write(location, await packProject(dir)).then(() => null, failureOfStorage);
  return failed ?? { versionId, location };
}

/** Stores the version of the project and creates the namespaces that its assets need. */
export async function createVersion(
  tx: Transaction,
  work: DeployWork,
  checked: CheckedProject,
  { versionId, location }: Archive,
): Promise<void> {
  const { deps, row } = work;
  const { project } = checked;
  for (const path of checked.namespaces) await createMissing(tx, work, path);
  await storeVersion(tx, {
    environmentId: row.environment_id,
    repositoryId: row.repository_id,
    id: versionId,
    deployId: row.id,
    commit: checked.commit,
    dirty: row.dirty,
    devNamespace: row.dev_namespace,
    location,
    name: project.manifest?.name ?? row.repository,
    python: project.manifest?.python ?? null,
    network: project.manifest?.network ?? [],
    lockHash: checked.lockHash,
    assets: checked.assets,
    jobs: checked.jobs,
    defaults: project.manifest!.defaults,
    packageIndexes: checked.packageIndexes,
    code: checked.code,
    createdBy: row.created_by,
    now: deps.clock(),
  });
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
