import type { Transaction } from '../connection/index.ts';

/** Removes the lineage of tables that can't be restored (LINEAGE-6), and who made their snapshots. */
export async function forgetHistory(client: Transaction, tableIds: readonly string[]): Promise<void> {
  if (tableIds.length === 0) return;
  const ids = [...tableIds];
  await client.tableInput.deleteMany({ where: { OR: [{ table_id: { in: ids } }, { input_id: { in: ids } }] } });
  await client.snapshotSource.deleteMany({ where: { table_id: { in: ids } } });
}
