import { findVersion, type StoredVersion } from '@svc/db/deploys';
import { type Context, notFound } from '../http/context.ts';
import type { RunnableProject } from './start-run.ts';

/**
 * The version that the caller stored with `dev_namespace` (DEPLOY-24). It acts as its own project, so that neither the project's
 * runs nor those of other developers wait for it, and it has no run principal but the caller.
 *
 * @throws ApiError `not-found`, also for a version of someone else
 */
export async function requireDevVersion(ctx: Context, id: string, repository: string): Promise<RunnableProject> {
  const version = await findVersion(ctx.db, id);
  if (version === null || !isRunnable(ctx, version, repository)) {
    throw notFound(
      'version',
      id,
      'svc dev stores one and runs it. The deployed version runs without project_version_id.',
    );
  }
  return devProject(version);
}

const isRunnable = (ctx: Context, version: StoredVersion, repository: string): boolean =>
  version.dev_namespace !== null &&
  version.environment_id === ctx.environment.id &&
  version.repository === repository &&
  version.created_by === ctx.caller.id;

const devProject = ({ id, environment_id, repository }: StoredVersion): RunnableProject => ({
  environment_id,
  repository,
  repository_id: id,
  project_version_id: id,
  run_as: null,
  run_as_id: null,
  run_as_usable: null,
});
