import type { Database } from '../connection/open.ts';

/** Kinds of work that wait in the database for a worker; queries also for a place of their environment's quota. */
type BacklogKind = 'queries' | 'queries_over_quota' | 'writes' | 'deploys' | 'runs' | 'maintenance';

interface Backlog {
  readonly kind: BacklogKind;
  readonly waiting: number;
  /** Since when the first of it waits; null where nothing does. */
  readonly since: Date | null;
}

/** What waits for a worker: one statement over the indexes of queued work. */
export async function readBacklog({ prisma }: Pick<Database, 'prisma'>): Promise<Backlog[]> {
  return prisma.$queryRaw<Backlog[]>`
    SELECT 'queries' AS kind, count(*)::int AS waiting, min(created_at) AS since FROM queries WHERE status = 'queued'
    UNION ALL SELECT 'queries_over_quota', count(*)::int, min(created_at) FROM queries WHERE status = 'waiting'
    UNION ALL SELECT 'writes', count(*)::int, min(created_at) FROM writes WHERE status = 'queued'
    UNION ALL SELECT 'deploys', count(*)::int, min(created_at) FROM deploys WHERE status = 'queued'
    UNION ALL SELECT 'runs', count(*)::int, min(created_at) FROM runs WHERE status = 'queued'
    UNION ALL SELECT 'maintenance', count(*)::int, min(created_at) FROM maintenance WHERE status = 'queued'`;
}
