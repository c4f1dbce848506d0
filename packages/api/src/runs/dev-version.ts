import { createHash } from 'node:crypto';
import { nameKey } from '@svc/core/access';
import { findVersion, type StoredVersion } from '@svc/db/deploys';
import type { Context } from '../http/context.ts';
import { protectedDevBuildError } from '../http/guard/protection.ts';
import { notFound } from '../http/response/shared-errors.ts';
import type { RunnableProject } from './start-run.ts';

/**
 * The version that the caller stored with `dev_namespace` (DEPLOY-24). Each namespace acts as a project of its own, so that neither
 * the project's runs nor those in other namespaces wait for it, and it has no run principal but the caller.
 *
 * @throws ApiError `not-found`, also for a version of someone else, or if its files were removed
 * @throws AccessDeniedError `environment-protected`
 */
export async function requireDevVersion(ctx: Context, id: string, repository: string): Promise<RunnableProject> {
  const version = await findVersion(ctx.db, id);
  if (version === null || !isRunnable(ctx, version, repository) || !(await hasFiles(ctx, version))) {
    throw notFound(
      'version',
      id,
      'svc dev stores one for a day. The deployed version runs without project_version_id.',
    );
  }
  if (ctx.environment.protected) throw protectedDevBuildError(ctx.environment.name, 'RUN', ctx.target);
  return devProject(version);
}

const isRunnable = (ctx: Context, version: StoredVersion, repository: string): boolean =>
  version.dev_namespace !== null &&
  version.environment_id === ctx.environment.id &&
  version.repository === repository &&
  version.created_by === ctx.caller.id;

const hasFiles = async ({ deps }: Context, { location }: StoredVersion): Promise<boolean> =>
  (await deps.store.stat(location)) !== null;

const devProject = (version: StoredVersion): RunnableProject => ({
  environment_id: version.environment_id,
  repository: version.repository,
  repository_id: projectIdOf(version),
  project_version_id: version.id,
  run_as: null,
  run_as_id: null,
  run_as_usable: null,
});

/** One run at a time is active with this id, as with that of a project: two would append the same rows. */
function projectIdOf({ environment_id, repository_id, dev_namespace }: StoredVersion): string {
  const text = JSON.stringify([environment_id, repository_id, nameKey(dev_namespace!)]);
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
