import type { Transaction } from '../connection/index.ts';

export interface ActivityWindow {
  principalId: string;
  view: 'queries' | 'table_readers' | 'audit_log';
  objectId: string;
  /** Empty without one. */
  targetingKey: string;
  now: Date;
  windowMs: number;
}

/** Opens the window of a look; false while one is open (specification 6.1). Two looks at once open one. */
export async function openActivityWindow(client: Transaction, w: ActivityWindow): Promise<boolean> {
  const over = new Date(w.now.getTime() - w.windowMs);
  const rows = await client.$queryRaw<{ view: string }[]>`
    INSERT INTO activity_views (principal_id, view, object_id, targeting_key, began_at)
    VALUES (${w.principalId}::uuid, ${w.view}, ${w.objectId}::uuid, ${w.targetingKey}, ${w.now})
    ON CONFLICT (principal_id, view, object_id, targeting_key) DO UPDATE SET began_at = excluded.began_at
    WHERE activity_views.began_at <= ${over} RETURNING view`;
  return rows.length === 1;
}
