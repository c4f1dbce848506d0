import type { Transaction } from '../connection/index.ts';

/** Removes up to `limit` records of maintenance that finished before a time, except the last one of each table. */
export async function removeOldMaintenance(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    DELETE FROM maintenance WHERE id IN (
      SELECT m.id FROM maintenance m WHERE m.ended_at < ${before}
        AND EXISTS (SELECT 1 FROM maintenance n WHERE n.table_id = m.table_id AND n.created_at > m.created_at)
      LIMIT ${limit})`;
}
