import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { decide, scopeOf } from '@svc/core/access';
import { normalizeColumnType } from '@svc/core/column-types';
import {
  type Asset,
  type AssetChanges,
  assetKey,
  codeChanges,
  compareAssets,
  type NamedColumn,
} from '@svc/core/deploys';
import { findCode, findDeployment, findVersion, type StoredVersion } from '@svc/db/deploys';
import { unpackBundle } from './bundle.ts';
import { type CheckedProject, type DeployWork, grantsOf } from './deploy-work.ts';
import { readCode } from './read-code.ts';
import type { NamedColumns } from './unknown-names.ts';

/** The changes of a deploy to the assets, relative to a version. */
export interface RelativeChanges {
  readonly assets: AssetChanges;
  /** That version; null if nothing was deployed. */
  readonly previousVersionId: string | null;
}

/** The changes of a deploy or a dry run to the assets, relative to the active version (DEPLOY-22). */
export async function changedAssets(
  work: DeployWork,
  checked: CheckedProject,
  { columns, folder }: { columns: NamedColumns['columns']; folder: string },
): Promise<RelativeChanges> {
  const active = await activeVersion(work);
  const next = checked.project.assets;
  const tables = await tablesOf(work, next);
  const changedFiles = active === null ? () => [] : await filesOf(work, checked, { active, folder });
  const assets = compareAssets({
    active: active?.assets ?? [],
    next,
    changedFiles,
    columns: ({ name }) => {
      const key = assetKey(name);
      return { next: columns.get(key)?.map(normalized) ?? null, table: tables.get(key) ?? null };
    },
  });
  return { assets, previousVersionId: active?.id ?? null };
}

const normalized = ({ name, type }: NamedColumn): NamedColumn => ({ name, type: normalizeColumnType(type) ?? type });

async function activeVersion({ deps, row }: DeployWork): Promise<StoredVersion | null> {
  const { prisma } = deps.db;
  const deployment = await findDeployment(prisma, { environmentId: row.environment_id, repository: row.repository });
  return deployment === null ? null : findVersion(prisma, deployment.project_version_id);
}

/** The columns of the assets' tables that the deploying principal can read. */
async function tablesOf(
  work: DeployWork,
  assets: readonly Asset[],
): Promise<ReadonlyMap<string, readonly NamedColumn[]>> {
  const { deps, row } = work;
  const grants = await grantsOf(work);
  const readable = assets.filter(
    ({ namespace, table }) =>
      decide(grants, 'READ_TABLE', scopeOf({ environment: row.environment, namespace, table })).allowed,
  );
  const environment = { id: row.environment_id, name: row.environment };
  const reading = { environment, principalId: row.created_by, now: deps.clock() };
  const found = await Promise.all(
    readable.map(async ({ name, namespace, table }) => {
      const { table: stored } = await deps.statements.findReadableTable({ ...reading, namespace, name: table });
      return stored === null || stored.kind === 'artifact'
        ? []
        : [[assetKey(name), stored.columns.map(normalized)] as const];
    }),
  );
  return new Map(found.flat());
}

/** What differs in the files behind an asset. */
async function filesOf(
  { deps, claim }: DeployWork,
  { project, lockHash, code }: CheckedProject,
  { active, folder }: { active: StoredVersion; folder: string },
): Promise<(asset: Asset) => readonly string[]> {
  if (!project.usesPython) return () => [];
  const next = { assets: project.assets, python: project.manifest?.python ?? null, lockHash, code };
  const stored = await findCode(deps.db.prisma, active.id);
  const before = { ...active, lockHash: active.lock_hash };
  if (stored !== null) return codeChanges({ ...before, code: stored }, next);
  const old = await mkdtemp(join(folder, 'active-'));
  await unpackBundle(await deps.store.readStream(active.location), old, undefined, claim.signal);
  return codeChanges({ ...before, code: await readCode(old) }, next);
}
