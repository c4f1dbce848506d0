import { compareVersions, splitAssetName, type VersionChanges } from '@svc/core/deploys';
import { isUuid } from '@svc/core/ids';
import { findCode, findVersion, findVersionBefore, type StoredVersion } from '@svc/db/deploys';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/response/shared-errors.ts';

/** The project version of the path, or another one. @throws ApiError `not-found` */
export async function requireVersion(ctx: Context, id: string): Promise<StoredVersion> {
  const version = isUuid(id) ? await findVersion(ctx.db, id) : null;
  if (version === null || version.environment_id !== ctx.environment.id) throw notFound('project version', id);
  return version;
}

/** Compares a version with another one of its project, or with the one before (DEPLOY-26). */
export async function versionChanges(ctx: Context, id: string, against: string | undefined): Promise<VersionChanges> {
  const after = await requireVersion(ctx, id);
  const before = against === undefined ? await findVersionBefore(ctx.db, after) : await requireVersion(ctx, against);
  if (before !== null && before.repository_id !== after.repository_id)
    throw notFound('project version', `${before.id} of ${after.repository}`);
  const changes = compareVersions(
    before === null ? null : await compared(ctx, before),
    await compared(ctx, after),
    await sourceReader(ctx),
  );
  return {
    project_version_id: after.id,
    against: before?.id ?? null,
    ...(changes as Omit<VersionChanges, 'project_version_id' | 'against'>),
  };
}

const compared = async (ctx: Context, version: StoredVersion) => ({
  ...version,
  lockHash: version.lock_hash,
  code: await findCode(ctx.db, version.id),
});

/** Callers who can deploy can read all sources, and readers of tables what these are built from, like the SQL of a view. */
async function sourceReader(ctx: Context): Promise<(assets: readonly string[]) => boolean> {
  if (ctx.decide('DEPLOY').allowed) return () => true;
  const grants = await ctx.listGrants();
  const canRead = (asset: string) => {
    const names = splitAssetName(asset);
    return names !== null && ctx.decide('READ_TABLE', ctx.scope(names), grants).allowed;
  };
  return (assets) => assets.length > 0 && assets.every(canRead);
}
