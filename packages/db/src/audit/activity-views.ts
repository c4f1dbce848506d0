import type { Transaction } from '../connection/index.ts';

export interface ActivityWindow {
  principalId: string;
  view: 'queries' | 'table_readers' | 'audit_log';
  objectId: string;
  /** Empty if the view has no targeting key. */
  targetingKey: string;
  now: Date;
  windowMs: number;
}

/**
 * Opens the window in which a view writes its event once (AUDIT-8). Returns false if a window is open; only one of two
 * concurrent calls opens it.
 */
export async function openActivityWindow(client: Transaction, w: ActivityWindow): Promise<boolean> {
  const over = new Date(w.now.getTime() - w.windowMs);
  const rows = await client.$queryRaw<{ view: string }[]>`
    INSERT INTO activity_views (principal_id, view, object_id, targeting_key, began_at)
    VALUES (${w.principalId}::uuid, ${w.view}, ${w.objectId}::uuid, ${w.targetingKey}, ${w.now})
    ON CONFLICT (principal_id, view, object_id, targeting_key) DO UPDATE SET began_at = excluded.began_at
    WHERE activity_views.began_at <= ${over} RETURNING view`;
  return rows.length === 1;
}
