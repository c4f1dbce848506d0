import type { Database } from '../connection/open.ts';
import type { WorkKind } from './work.ts';

/** Kinds of queued work. `queries_over_quota` counts queries that wait for a slot in their environment's quota. */
type BacklogKind = WorkKind | 'queries_over_quota';

interface Backlog {
  readonly kind: BacklogKind;
  readonly waiting: number;
  /** When the oldest item was enqueued; null if nothing waits. */
  readonly since: Date | null;
}

/** Reads the backlog of every kind in one statement, using the indexes on queued work. */
export async function readBacklog({ prisma }: Pick<Database, 'prisma'>): Promise<Backlog[]> {
  return prisma.$queryRaw<Backlog[]>`
    SELECT 'queries' AS kind, count(*)::int AS waiting, min(created_at) AS since FROM queries WHERE status = 'queued'
    UNION ALL SELECT 'queries_over_quota', count(*)::int, min(created_at) FROM queries WHERE status = 'waiting'
    UNION ALL SELECT 'writes', count(*)::int, min(created_at) FROM writes WHERE status = 'queued'
    UNION ALL SELECT 'deploys', count(*)::int, min(created_at) FROM deploys WHERE status = 'queued'
    UNION ALL SELECT 'runs', count(*)::int, min(created_at) FROM runs WHERE status = 'queued'
    UNION ALL SELECT 'maintenance', count(*)::int, min(created_at) FROM maintenance WHERE status = 'queued'`;
}
