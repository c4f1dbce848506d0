import type { Model, ModelRun } from './model.ts';
import type { World } from './world.ts';

/** Reads each environment's state from the database in the form of `expectedOf`; `names` maps account ids to names. */
export async function observe(
  prisma: World['prisma'],
  { environments, names }: { environments: readonly string[]; names: ReadonlyMap<string, string> },
): Promise<Map<string, ReturnType<typeof expectedOf>>> {
  const where = { environment_id: { in: [...environments] } };
  const orderBy = { id: 'asc' as const };
  const runs = await prisma.run.findMany({ where, orderBy });
  const events = await prisma.auditEvent.findMany({ where, orderBy });
  const jobs = await prisma.job.findMany({ where: { ...where, removed_at: null }, orderBy: { name: 'asc' } });
  const starts = await prisma.jobStart.findMany({ where: { ...where, ended_at: null } });
  const merged = new Map(events.map(({ detail }) => [text(detail, 'run_id'), (detail as { merged?: number }).merged]));
  const groups = { runs: group(runs), events: group(events), jobs: group(jobs), starts: group(starts) };
  return new Map(
    environments.map((id) => [
      id,
      {
        runs: (groups.runs.get(id) ?? []).map(
          (run): ModelRun => ({
            job: run.job!,
            trigger: run.trigger as ModelRun['trigger'],
            scheduledFor: run.scheduled_for?.getTime() ?? null,
            missed: run.missed,
            merged: merged.get(run.id)!,
            principal: names.get(run.principal_id)!,
          }),
        ),
        drops: (groups.events.get(id) ?? [])
          .filter(({ type }) => type === 'JOB_START_DROPPED')
          .map(({ detail }) => ({
            job: text(detail, 'job'),
            because: text(detail, 'reason').includes('requester') ? ('requester' as const) : ('principal' as const),
          })),
        active: (groups.runs.get(id) ?? []).filter(({ status }) => status === 'queued').length,
        jobs: (groups.jobs.get(id) ?? []).map(({ name, paused, next_run_at }) => [
          name,
          paused,
          next_run_at?.getTime() ?? null,
        ]),
        waiting: (groups.starts.get(id) ?? [])
          .map(({ job_id, merged: all, missed }) => [jobs.find((job) => job.id === job_id)?.name, all, missed])
          .sort(),
      },
    ]),
  );
}

const text = (detail: unknown, key: string): string => String((detail as Record<string, unknown>)[key]);

function group<T extends { environment_id: string | null }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const found = groups.get(row.environment_id!);
    if (found === undefined) groups.set(row.environment_id!, [row]);
    else found.push(row);
  }
  return groups;
}

/** The database state that a model expects. */
export function expectedOf({ runs, drops, active, jobs, waiting }: Model) {
  return {
    runs,
    drops,
    active: active ? 1 : 0,
    jobs: [...jobs]
      .map(([name, { paused, next }]): (string | boolean | number | null)[] => [name, paused, next])
      .sort(),
    waiting: [...waiting]
      .map(([name, { merged, missed }]): (string | number | undefined)[] => [name, merged, missed])
      .sort(),
  };
}
