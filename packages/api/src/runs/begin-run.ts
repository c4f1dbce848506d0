import { scopeOf } from '@svc/core/access';
import { buildGraph, planRun, type Selection } from '@svc/core/deploys';
import { invalid, Problem } from '@svc/core/errors';
import type { RunTrigger } from '@svc/core/runs';
import { findVersion, type StoredDeployment } from '@svc/db/deploys';
import { findRun, runRecord, startRun } from '@svc/db/runs';
import type { Context } from '../http/context.ts';
import { Denied, shellWord } from '../http/denial.ts';

export interface RunRequest {
  deployment: StoredDeployment;
  selection: Selection;
  job: string | null;
  trigger: RunTrigger | null;
  timeoutSeconds: number | null;
}

/** Whom a run by hand acts as (specification 2.8 rule 10): the bound account, else the caller where nothing protects. */
function runPrincipal(ctx: Context, { deployment }: RunRequest): { id: string; name: string } {
  const { repository, run_as, run_as_id, run_as_usable } = deployment;
  const environment = ctx.environment.name;
  if (run_as_id !== null && run_as_usable) return { id: run_as_id, name: run_as! };
  if (run_as_id === null && !ctx.environment.protected) return ctx.caller;
  const remedy = `svc deployments set-run-as ${shellWord(repository)} --env ${environment} --principal <service account>`;
  const why =
    run_as_id === null
      ? `the environment ${environment} is protected and no run principal is bound to ${repository}`
      : `the bound run principal ${run_as} is inactive or no longer a service account`;
  throw new Denied(
    { action: 'RUN', object: scopeOf({ environment }), reason: why },
    { code: 'no-run-principal', detail: `Nothing was started: ${why}. Bind one: ${remedy}`, remedy },
  );
}

/** Plans and begins a run, or refuses it naming the active one. */
export async function beginRun(ctx: Context, request: RunRequest) {
  const { deployment, selection, job, trigger } = request;
  const principal = runPrincipal(ctx, request);
  const version = (await findVersion(ctx.db, deployment.project_version_id))!;
  const plan = planRun(buildGraph(version.assets).graph!, selection);
  if (!plan.ok) throw invalid({ pointer: '/select' }, plan.message);
  const { newId } = ctx.deps;
  const id = newId();
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
    timeoutSeconds: request.timeoutSeconds,
    tasks: plan.tasks.map((task) => ({ id: newId(), ...task })),
    requestId: ctx.requestId,
    now: ctx.now,
  });
  if (!started.started) {
    const active = started.activeRunId === null ? 'another run' : `run ${started.activeRunId}`;
    throw new Problem(
      'project-busy',
      `${deployment.repository} is busy: ${active} is active, and only one run of a project is active at a time. Wait for its end or cancel it.`,
      {
        remedy:
          started.activeRunId === null
            ? 'repeat the command'
            : `svc runs show ${started.activeRunId} --env ${ctx.environment.name}`,
      },
    );
  }
  await ctx.audit({
    type: 'RUN_STARTED',
    object: scopeOf({ environment: ctx.environment.name }),
    detail: { run_id: id, job, repository: deployment.repository, trigger, scheduled_for: null, missed: 0, merged: 1 },
  });
  return runRecord((await findRun(ctx.db, id))!);
}
