import type { RunTrigger } from '@svc/core/runs';
import type { Transaction } from '../connection/index.ts';
import { announceWork } from '../leases/index.ts';

export interface PlannedTask {
  id: string;
  asset: string;
  /** Names of planned assets that must be built before. */
  dependsOn: readonly string[];
}

export interface NewRun {
  id: string;
  environmentId: string;
  repositoryId: string;
  versionId: string;
  job: string | null;
  trigger: RunTrigger | null;
  principalId: string;
  requestedBy: string | null;
  select: readonly string[];
  upstream: boolean;
  downstream: boolean;
  timeoutSeconds: number | null;
  /** In building order. */
  tasks: readonly PlannedTask[];
  requestId: string | null;
  now: Date;
}

/** Begins a run unless the project has an active one, whose id is then given. The unique index holds the rule. */
export async function startRun(
  client: Transaction,
  run: NewRun,
): Promise<{ started: true } | { started: false; activeRunId: string | null }> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, requested_by,
      status, "select", upstream, downstream, timeout_seconds, created_at, request_id)
    VALUES (${run.id}::uuid, ${run.environmentId}::uuid, ${run.repositoryId}::uuid, ${run.versionId}::uuid, ${run.job},
      ${run.trigger}, ${run.principalId}::uuid, ${run.requestedBy}::uuid, 'queued', ${JSON.stringify(run.select)}::jsonb,
      ${run.upstream}, ${run.downstream}, ${run.timeoutSeconds}, ${run.now}, ${run.requestId})
    ON CONFLICT (environment_id, repository_id) WHERE status IN ('queued', 'running') DO NOTHING RETURNING id`;
  if (rows.length === 0) return { started: false, activeRunId: await activeRunOf(client, run) };
  await client.runTask.createMany({
    data: run.tasks.map(({ id, asset, dependsOn }, position) => ({
      id,
      run_id: run.id,
      position,
      asset,
      depends_on: [...dependsOn],
      status: 'queued',
    })),
  });
  await announceWork(client, 'runs');
  return { started: true };
}

async function activeRunOf(
  client: Transaction,
  p: { environmentId: string; repositoryId: string },
): Promise<string | null> {
  const row = await client.run.findFirst({
    where: { environment_id: p.environmentId, repository_id: p.repositoryId, status: { in: ['queued', 'running'] } },
    select: { id: true },
  });
  return row?.id ?? null;
}
