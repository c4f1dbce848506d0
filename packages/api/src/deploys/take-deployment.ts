import { findDeployment, lockProject, type StoredDeployment } from '@svc/db/deploys';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/response/shared-errors.ts';

/** The deployment of the repository in the path. @throws ApiError `not-found` */
export async function requireDeployment(ctx: Context<{ repository: string }>): Promise<StoredDeployment> {
  const { repository } = ctx.params;
  const found = await findDeployment(ctx.db, { environmentId: ctx.environment.id, repository });
  if (found === null) {
    throw notFound('deployment of repository', repository, {
      to: 'list what is deployed',
      run: `svc deployments list --env ${ctx.environment.name}`,
    });
  }
  return found;
}

/** The same, locked, so that a concurrent change sees the result of the first one. */
export async function takeDeployment(ctx: Context<{ repository: string }>): Promise<StoredDeployment> {
  await lockProject(ctx.db, await requireDeployment(ctx));
  return requireDeployment(ctx);
}
