import type { RunTimeline } from '@svc/core/runs';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type RunScope, rowsOf } from './find-run.ts';
import type { StoredRun } from './stored-run.ts';

export interface Period {
  since: Date;
  until?: Date | undefined;
}

type StoredSpan = Pick<
  StoredRun,
  | 'id'
  | 'repository'
  | 'status'
  | 'select'
  | 'created_at'
  | 'started_at'
  | 'ended_at'
  | 'job'
  | 'trigger'
  | 'scheduled_for'
>;

/** The runs that were queued or running in the period, up to `max`, newest first, ties by id. */
export async function runTimeline(
  client: Transaction,
  { scope, period: { since, until }, max }: { scope: RunScope; period: Period; max: number },
): Promise<RunTimeline> {
  const runs = Prisma.sql`${rowsOf(scope)} ${until === undefined ? Prisma.empty : Prisma.sql`AND created_at < ${until}`}`;
  const newest = Prisma.sql`ORDER BY created_at DESC, id DESC LIMIT ${max + 1}`;
  // Disjoint parts, each in the order of an index of its own.
  const parts = [
    Prisma.sql`AND ended_at IS NULL`,
    Prisma.sql`AND ended_at IS NOT NULL AND created_at >= ${since}`,
    Prisma.sql`AND ended_at >= ${since} AND created_at < ${since}`,
  ].map((part) => Prisma.sql`(SELECT id, created_at ${runs} ${part} ${newest})`);
  const rows = await client.$queryRaw<StoredSpan[]>`
    SELECT x.id, r.name AS repository, x.status, x.select, x.created_at, x.started_at, x.ended_at, x.job, x.trigger,
           x.scheduled_for
    FROM (SELECT id FROM (${Prisma.join(parts, ' UNION ALL ')}) keys ${newest}) shown
    JOIN runs x ON x.id = shown.id LEFT JOIN project_versions v ON v.id = x.project_version_id
    JOIN repositories r ON r.id = coalesce(v.repository_id, x.repository_id)
    ORDER BY x.created_at DESC, x.id DESC`;
  return { runs: rows.slice(0, max).map(spanOf), truncated: rows.length > max };
}

const spanOf = ({
  created_at,
  started_at,
  ended_at,
  scheduled_for,
  ...span
}: StoredSpan): RunTimeline['runs'][number] => ({
  id: span.id,
  repository: span.repository,
  status: span.status,
  select: span.select,
  created_at: created_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  ended_at: ended_at?.toISOString() ?? null,
  job: span.job,
  trigger: span.trigger,
  scheduled_for: scheduled_for?.toISOString() ?? null,
});
