import type { RecentTable } from '@svc/core/summary';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { type VisibleTables, visibleTablesSql } from '../tables/index.ts';

interface Visible {
  environmentId: string;
  visible: VisibleTables;
}

export async function countTables(client: Transaction, { environmentId, visible }: Visible): Promise<number> {
  const [row] = await client.$queryRaw<{ tables: number }[]>`
    SELECT count(*)::int AS tables FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL ${visibleTablesSql(visible)}`;
  return row!.tables;
}

/** The tables that were read last, the latest first. */
export async function listRecentTables(
  client: Transaction,
  { environmentId, visible, limit }: Visible & { limit: number },
): Promise<RecentTable[]> {
  const rows = await client.$queryRaw<
    { name: string; kind: TableKind; last_write_at: Date | null; last_read_at: Date }[]
  >`
    SELECT n.path || '.' || t.name AS name, t.kind, t.last_write_at, t.last_read_at
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL AND t.last_read_at IS NOT NULL
      ${visibleTablesSql(visible)}
    ORDER BY t.last_read_at DESC, t.id LIMIT ${limit}`;
  return rows.map(({ name, kind, last_write_at, last_read_at }) => ({
    name,
    kind,
    last_write_at: last_write_at?.toISOString() ?? null,
    last_read_at: last_read_at.toISOString(),
  }));
}
