import type { Transaction } from '../connection/index.ts';

/** Notes a successful read by a query on each table; a read is activity (specification 2.11). */
export async function recordReads(
  client: Transaction,
  { tableIds, now }: { tableIds: readonly string[]; now: Date },
): Promise<void> {
  if (tableIds.length === 0) return;
  await client.$executeRaw`
    UPDATE tables SET last_read_at = ${now}
    WHERE id = ANY(${tableIds}::uuid[]) AND (last_read_at IS NULL OR last_read_at < ${now})`;
}
