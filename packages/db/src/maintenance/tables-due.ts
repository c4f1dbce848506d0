import type { Transaction } from '../connection/index.ts';

/** A table whose environment's rule requires maintenance. */
export interface DueMaintenance {
  table_id: string;
  environment_id: string;
  compact: boolean;
  expire_days: number | null;
}

/**
 * Lists managed tables written since their last maintenance, if their environment has a rule and that maintenance is
 * old enough or never happened; those written the longest ago come first. Tables with maintenance queued or running are
 * left out.
 */
export async function tablesDue(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<DueMaintenance[]> {
  return client.$queryRaw<DueMaintenance[]>`
    SELECT t.id AS table_id, e.id AS environment_id, e.maintain_compact AS compact, e.maintain_expire_days AS expire_days
    FROM environments e JOIN tables t ON t.environment_id = e.id
    LEFT JOIN LATERAL (SELECT m.created_at, m.status, m.ended_at FROM maintenance m WHERE m.table_id = t.id
                       ORDER BY m.created_at DESC LIMIT 1) m ON true
    WHERE e.deleted_at IS NULL AND (e.maintain_compact OR e.maintain_expire_days IS NOT NULL)
      AND t.dropped_at IS NULL AND t.kind = 'managed' AND t.metadata_location IS NOT NULL
      AND (m.created_at IS NULL OR (m.status NOT IN ('queued', 'running') AND m.created_at <= ${before}
           AND t.last_write_at > m.ended_at))
    ORDER BY t.last_write_at, t.id LIMIT ${limit}`;
}
