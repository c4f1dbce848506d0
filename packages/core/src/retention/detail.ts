import { isShortened, type Retention } from './rules.ts';

/** The detail of TABLE_RETENTION_SET and TABLE_RETENTION_CLEARED (RETAIN-8). */
export function retentionDetail(tableId: string, before: Retention, after: Retention): Record<string, unknown> {
  return {
    table_id: tableId,
    days: after.days,
    on: after.on,
    shortened: isShortened(before.dueAt, after.dueAt),
    previous: { source: before.source, days: before.days, on: before.on, never: before.never },
    expires_at: after.expiresAt?.toISOString() ?? null,
  };
}
