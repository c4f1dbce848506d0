import { canDoMore, narrowGrants, scopeOf } from '@svc/core/access';
import { buildGraph, patternInDevNamespace, planRun, type Selection } from '@svc/core/deploys';
import { ApiError, invalid } from '@svc/core/errors';
import { bindPrincipalCommand, chooseRunPrincipal } from '@svc/core/jobs';
import { type Run, type RunTrigger, runStarted } from '@svc/core/runs';
import { listEffectiveGrants } from '@svc/db/access';
import { findVersion, type StoredDeployment } from '@svc/db/deploys';
import { findRun, runRecord, startRun } from '@svc/db/runs';
import type { Context } from '../http/context.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';

/** What is run: the deployed version of a project, or one that its developer runs in a namespace of their own. */
export type RunnableProject = Pick<
  StoredDeployment,
  'environment_id' | 'repository_id' | 'repository' | 'project_version_id' | 'run_as' | 'run_as_id' | 'run_as_usable'
>;

export interface RunRequest {
  deployment: RunnableProject;
  selection: Selection;
  /** Whether incremental assets are built from the start. */
  fullRefresh?: boolean;
  job: string | null;
  trigger: RunTrigger | null;
  timeoutSeconds: number | null;
  retryOf?: string;
}

/**
 * Whether a run that acts as the caller could do more than the scope of the caller's token includes (TOKEN-6): a run uses all
 * permissions of its principal.
 */
export async function wouldExceedScope(ctx: Context): Promise<boolean> {
  const { tokenScope: scope, caller, environment, now } = ctx;
  if (scope === null) return false;
  if (scope.actions !== null) return true;
  const all = await listEffectiveGrants(ctx.db, { principalId: caller.id, environmentId: environment.id, now });
  return canDoMore(all, narrowGrants(all, scope), environment.name);
}

/** The principal of a manually started run (`JOBS-10`). @throws AccessDeniedError if there is no suitable principal */
export async function runPrincipal(ctx: Context, deployment: RunnableProject): Promise<{ id: string; name: string }> {
  const { repository, run_as, run_as_id, run_as_usable } = deployment;
  const bound = run_as_id === null ? null : { id: run_as_id, name: run_as!, usable: run_as_usable === true };
  if (bound === null && (await wouldExceedScope(ctx))) throw actsAsCaller(ctx);
  const choice = chooseRunPrincipal({ bound, environment: ctx.environment, repository, requester: ctx.caller });
  if (choice.ok) return choice.principal;
  const environment = ctx.environment.name;
  const remedy = bindPrincipalCommand(repository, environment);
  throw new AccessDeniedError(
    { action: 'RUN', object: scopeOf({ environment }), reason: choice.reason },
    { code: 'no-run-principal', detail: `Nothing was started: ${choice.reason}. Bind one: ${remedy}`, remedy },
  );
}

function actsAsCaller(ctx: Context): AccessDeniedError {
  const limit = ctx.tokenScope?.actions == null ? 'does not include the instance' : 'lists actions';
  const reason = `the scope of the token ${limit}, and the run would act as its principal with all permissions`;
  return new AccessDeniedError(
    { action: 'RUN', object: ctx.scope(), reason },
    { detail: `Nothing was started: ${reason}. Bind a run principal, or use a token without a scope.` },
  );
}

/** Plans and starts a run and records its event; returns null (or the id of the active run) if the project is busy. */
export async function tryStart(
  ctx: Context,
  request: RunRequest,
): Promise<{ run: Run } | { activeRunId: string | null }> {
  const { deployment, selection, fullRefresh = false, job, trigger, timeoutSeconds, retryOf = null } = request;
  const principal = await runPrincipal(ctx, deployment);
  const version = (await findVersion(ctx.db, deployment.project_version_id))!;
  // A retry selects tasks, which have their names in the version.
  const selected = retryOf === null ? selectionIn(version.dev_namespace, selection) : selection;
  const plan = planRun(buildGraph(version.assets).graph!, selected);
  if (!plan.ok && retryOf !== null)
    throw new ApiError(
      'nothing-to-retry',
      `The active version of ${deployment.repository} has none of the assets that the run didn't build.`,
    );
  if (!plan.ok) throw invalid({ pointer: '/select' }, withoutDevNamespace(plan.message, version.dev_namespace));
  const id = ctx.deps.newId();
  const started = await startRun(ctx.db, {
    id,
    environmentId: deployment.environment_id,
    repositoryId: deployment.repository_id,
    versionId: version.id,
    job,
    trigger,
    principalId: principal.id,
    requestedBy: ctx.caller.id,
    ...selection,
    fullRefresh,
    timeoutSeconds,
    retryOf,
    tasks: plan.tasks,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    now: ctx.now,
  });
  if (!started.started) return started;
  await ctx.audit({
    ...runStarted({ id, job, repository: deployment.repository, trigger, scheduledFor: null, missed: 0, merged: 1 }),
    object: scopeOf({ environment: ctx.environment.name }),
  });
  return { run: runRecord((await findRun(ctx.db, id))!) };
}

/** Patterns select by the names of the project's assets, wherever a version builds them. */
const selectionIn = (devNamespace: string | null, { select, ...rest }: Selection): Selection => ({
  ...rest,
  select: devNamespace === null ? select : select.map((pattern) => patternInDevNamespace(pattern, devNamespace)),
});

/** Names the assets as the patterns do. */
const withoutDevNamespace = (message: string, devNamespace: string | null): string =>
  devNamespace === null ? message : message.replaceAll(`${devNamespace}.`, '');

/** Starts a run that doesn't wait: if the project is busy, the error names the active run. */
export async function startRunFor(ctx: Context, request: RunRequest): Promise<Run> {
  const started = await tryStart(ctx, request);
  if ('run' in started) return started.run;
  const { activeRunId } = started;
  const active = activeRunId === null ? 'another run' : `run ${activeRunId}`;
  const remedy =
    activeRunId === null ? 'repeat the command' : `svc runs show ${activeRunId} --env ${ctx.environment.name}`;
  throw new ApiError(
    'project-busy',
    `${request.deployment.repository} is busy: ${active} is active, and only one run of a project can be active at a time. Wait until it finishes, or cancel it.`,
    { remedy },
  );
}
