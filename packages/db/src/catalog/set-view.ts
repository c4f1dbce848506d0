import type { Column } from '@svc/core/tables';
import { jsonText, type Transaction } from '../connection/index.ts';

/**
 * Swaps a view's metadata pointer, like a table's. Returns false if another commit was first or the view was dropped.
 */
export async function swapView(
  client: Transaction,
  swap: {
    id: string;
    expected: string | null;
    next: string;
    sql: string;
    columns: readonly Column[];
    description: string | null;
    now: Date;
  },
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE tables SET metadata_location = ${swap.next}, view_sql = ${swap.sql}, description = ${swap.description},
      columns = ${jsonText(swap.columns)}::jsonb, updated_at = ${swap.now}, last_write_at = ${swap.now}
    WHERE id = ${swap.id}::uuid AND metadata_location IS NOT DISTINCT FROM ${swap.expected} AND dropped_at IS NULL`;
  return changed === 1;
}
