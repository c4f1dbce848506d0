import { scopeOf } from '@svc/core/access';
import { shellOption } from '@svc/core/command-lines';
import { deployEndpoints as endpoints, planJobs } from '@svc/core/deploys';
import { ApiError, invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { nextTimeOf } from '@svc/core/jobs';
import { isFinished } from '@svc/core/writes';
import {
  deploymentRecord,
  deployRecord,
  findBundle,
  findDeploy,
  findVersion,
  listDeployments,
  listDeploys,
  listVersions,
  removeDeployment,
  type StoredDeploy,
  setCurrentVersion,
  storeBundle,
  submitDeploy,
  versionRecord,
} from '@svc/db/deploys';
import { dropStartsOf, reconcileJobs, removeJobs } from '@svc/db/jobs';
import type { Position } from '@svc/db/paging';
import { claimTables, releaseTables } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { protectedDevBuildError } from '../http/guard/protection.ts';
import { bodyHasher } from '../http/request/idempotency.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { positionOf } from '../http/response/position.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route, uploadRoute } from '../http/route.ts';
import { requireRepository } from '../repositories/routes.ts';
import { stageUpload } from '../writes/staging.ts';
import { setRunAs } from './run-principal.ts';
import { requireDeployment, takeDeployment } from './take-deployment.ts';
import { requireVersion, versionChanges } from './version-changes.ts';
import { withVisibleColumns } from './visible-changes.ts';

const BUNDLE_LIMIT = 256 * 1024 * 1024;
const BUNDLE_HOURS = 24;

const uploadBundle = uploadRoute(
  endpoints.uploadBundle,
  (ctx) => stageUpload(ctx, 'bundles', ctx.deps.newId(), BUNDLE_LIMIT, bodyHasher(ctx)),
  async (ctx, { location, size, hash }) => {
    const id = ctx.deps.newId();
    const expiresAt = new Date(ctx.now.getTime() + BUNDLE_HOURS * 3_600_000);
    await storeBundle(ctx.db, {
      id,
      environmentId: ctx.environment.id,
      location,
      size,
      sha256: hash.toString('hex'),
      createdBy: ctx.caller.id,
      now: ctx.now,
      expiresAt,
    });
    return { bundle_id: id };
  },
);

const create = route(endpoints.create, async (ctx) => {
  const { repository: name, ref, bundle_id, commit, dirty, dry_run, dev_namespace } = ctx.body;
  if (dev_namespace !== undefined && ctx.environment.protected)
    throw protectedDevBuildError(ctx.environment.name, 'DEPLOY', ctx.target);
  const repository = await requireRepository(ctx.db, name);
  if (bundle_id === undefined && repository.url === null) {
    throw invalid(
      { pointer: '/bundle_id' },
      `the repository ${name} has no url: it accepts only bundles (svc deploy FOLDER ${shellOption('repo', name)})`,
    );
  }
  if (
    bundle_id !== undefined &&
    (await findBundle(ctx.db, { id: bundle_id, environmentId: ctx.environment.id })) === null
  ) {
    throw notFound('bundle', bundle_id, 'Upload it to this environment again.');
  }
  const id = ctx.deps.newId();
  await submitDeploy(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    repositoryId: repository.id,
    ref: ref ?? null,
    bundleId: bundle_id ?? null,
    commit: commit ?? null,
    dirty: dirty ?? null,
    dryRun: dry_run,
    devNamespace: dev_namespace ?? null,
    createdBy: ctx.caller.id,
    tokenActions: ctx.tokenScope?.actions ?? null,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    now: ctx.now,
  });
  return deployRecord((await findDeploy(ctx.db, id))!);
});

/** The page of a list that the request wants, and the project or environment that it's about. */
async function listRequest(ctx: Context<unknown, { repository?: string | undefined; limit: number }>) {
  const { repository: name, limit } = ctx.query;
  const repositoryId = name === undefined ? undefined : (await requireRepository(ctx.db, name)).id;
  const page = { limit, after: positionOf(ctx.position<Position>()) };
  return { environmentId: ctx.environment.id, repositoryId, page };
}

const list = route(endpoints.list, async (ctx) => {
  const { items, next } = await listDeploys(ctx.db, await listRequest(ctx));
  return new PageResponse(items, next);
});

async function load(ctx: Context<{ id: string }>): Promise<StoredDeploy> {
  const { id } = ctx.params;
  const deploy = isUuid(id) ? await findDeploy(ctx.db, id) : null;
  if (deploy === null || deploy.environment_id !== ctx.environment.id) throw notFound('deploy', id);
  return deploy;
}

/** DEPLOY is enough to follow a deployment. */
function authorizeFollow(ctx: Context): void {
  if (!ctx.decide('DEPLOY').allowed) ctx.require('READ_ENVIRONMENT');
  requireExisting(ctx);
}

const get = route(
  endpoints.get,
  async (ctx) => {
    authorizeFollow(ctx);
    const deploy = deployRecord(await ctx.waitUntilFinished({ load: () => load(ctx), isFinished }));
    return withVisibleColumns(ctx, deploy);
  },
  authorizeFollow,
);

const deployments = route(endpoints.listDeployments, async (ctx) =>
  allOrPage(ctx, (await listDeployments(ctx.db, ctx.environment.id)).map(deploymentRecord), (d) => [d.repository]),
);

const rollback = route(endpoints.rollback, async (ctx) => {
  const deployment = await takeDeployment(ctx);
  const versionId = ctx.body.project_version_id ?? deployment.previous_version_id;
  if (versionId === null) {
    throw new ApiError(
      'not-deployed',
      `${deployment.repository} has no earlier version in ${ctx.environment.name} to roll back to.`,
    );
  }
  const version = await findVersion(ctx.db, versionId);
  const { environment_id, repository_id } = deployment;
  const isOther = version?.environment_id !== environment_id || version.repository_id !== repository_id;
  if (isOther || version.dev_namespace !== null) {
    throw notFound('project version', `${versionId} of ${deployment.repository}`, {
      to: 'list them',
      run: `svc project-version list --env ${ctx.environment.name}`,
    });
  }
  const { newId } = ctx.deps;
  await setCurrentVersion(ctx.db, {
    id: newId(),
    environmentId: environment_id,
    repositoryId: repository_id,
    versionId,
    by: ctx.caller.id,
    isRollback: true,
    now: ctx.now,
  });
  const nextRun = ({ cron, timezone }: { cron: string; timezone: string }) => nextTimeOf(cron, timezone, ctx.now);
  const { removed } = await reconcileJobs(ctx.db, {
    environmentId: environment_id,
    repositoryId: repository_id,
    jobs: version.jobs,
    plans: planJobs(version.assets, version.jobs),
    nextRun,
    newId,
    now: ctx.now,
  });
  await dropStarts(ctx, removed, 'a rollback removed the job');
  const project = { environmentId: environment_id, repositoryId: repository_id };
  const names = version.assets.map((asset) => asset.name);
  await releaseTables(ctx.db, { ...project, remaining: names });
  await claimTables(ctx.db, { ...project, names });
  await ctx.audit({
    type: 'ROLLED_BACK',
    object: scopeOf({ environment: ctx.environment.name }),
    detail: {
      repository: deployment.repository,
      project_version_id: versionId,
      previous: deployment.project_version_id,
    },
  });
  return deploymentRecord(await requireDeployment(ctx));
});

/** Drops the waiting starts of removed jobs and records an event for each. */
async function dropStarts(ctx: Context, jobIds: readonly string[], reason: string): Promise<void> {
  for (const start of await dropStartsOf(ctx.db, { jobIds, reason, now: ctx.now })) {
    const { job, repository, trigger, merged } = start;
    const scheduled_for = start.scheduled_for?.toISOString() ?? null;
    const object = scopeOf({ environment: ctx.environment.name });
    await ctx.audit({
      type: 'JOB_START_DROPPED',
      object,
      detail: { job, repository, trigger, reason, merged, scheduled_for },
    });
  }
}

const undeploy = route(endpoints.undeploy, async (ctx) => {
  const deployment = await takeDeployment(ctx);
  const { environment_id: environmentId, repository_id: repositoryId } = deployment;
  const removed = await removeJobs(ctx.db, { environmentId, repositoryId, now: ctx.now });
  await dropStarts(ctx, removed, 'the project was undeployed');
  await removeDeployment(ctx.db, { deployment, by: ctx.caller.id, now: ctx.now });
  await ctx.audit({
    type: 'UNDEPLOYED',
    object: scopeOf({ environment: ctx.environment.name }),
    detail: { repository: deployment.repository, project_version_id: deployment.project_version_id },
  });
  return undefined;
});

const projectVersions = route(endpoints.listProjectVersions, async (ctx) => {
  const { items, next } = await listVersions(ctx.db, await listRequest(ctx));
  return new PageResponse(items, next);
});

const projectVersion = route(endpoints.getProjectVersion, async (ctx) =>
  versionRecord(await requireVersion(ctx, ctx.params.id)),
);

const compareProjectVersion = route(endpoints.compareProjectVersion, async (ctx) =>
  versionChanges(ctx, ctx.params.id, ctx.query.against),
);

export const deployRoutes: Route[] = [
  uploadBundle,
  create,
  list,
  get,
  deployments,
  setRunAs,
  rollback,
  undeploy,
  projectVersions,
  projectVersion,
  compareProjectVersion,
];
