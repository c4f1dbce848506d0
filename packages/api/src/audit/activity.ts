import type { ObjectScope } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { openActivityWindow, recordEvent } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { Context } from '../http/context.ts';

/** A view of other people's activity (`AUDIT-6`). */
export interface ActivityView {
  view: 'queries' | 'table_readers' | 'audit_log';
  /** The environment, the table or the instance, and its id. */
  object: ObjectScope;
  objectId: string;
  /** The filters of this view; null where unset. */
  filters: Record<string, unknown>;
  rowsShown: number;
  othersShown: number;
  distinctOthers: number;
  /** Set when the view targeted another person. */
  targetingKey: { submitter: string } | { principal_id: string } | null;
}

const RETRY_SECONDS = 5;

/** Counts the rows that aren't the caller's own; `owner` returns null for rows without an actor. */
export function countOthers<T>(ctx: Context, rows: readonly T[], owner: (row: T) => string | null) {
  const others = rows.map(owner).filter((id) => id !== ctx.caller.id);
  return {
    rowsShown: rows.length,
    othersShown: others.length,
    distinctOthers: new Set(others.filter((id) => id !== null)).size,
  };
}

/**
 * Records the view, once per window, before anything is shown. The caller's own activity and views by tasks aren't
 * recorded. @throws ApiError `activity-not-recorded` (503), because a view that can't be recorded must not be shown
 */
export async function recordActivity(ctx: Context, activity: ActivityView): Promise<void> {
  const { settings, db, newId } = ctx.deps;
  if (!settings.viewAuditEnabled || ctx.isTask) return;
  if (activity.othersShown === 0 && activity.targetingKey === null) return;
  const { view, object, objectId, filters, rowsShown, othersShown, distinctOthers, targetingKey } = activity;
  const window = {
    principalId: ctx.caller.id,
    view,
    objectId,
    targetingKey: targetingKey === null ? '' : JSON.stringify(targetingKey),
    now: ctx.now,
    windowMs: settings.viewAuditWindowMinutes * 60_000,
  };
  const detail = {
    view,
    filters,
    rows_shown: rowsShown,
    others_shown: othersShown,
    distinct_others: distinctOthers,
    targeting_key: targetingKey,
  };
  try {
    await inTransaction(db, async (tx) => {
      if (!(await openActivityWindow(tx, window))) return;
      await recordEvent(tx, {
        id: newId(),
        time: ctx.now,
        type: 'ACTIVITY_VIEWED',
        principal: { id: ctx.caller.id, name: ctx.caller.name },
        object,
        environmentId: object.environment === null ? null : (ctx.object.environment?.id ?? null),
        requestId: ctx.requestId,
        detail,
      });
    });
  } catch (cause) {
    throw new ApiError(
      'activity-not-recorded',
      "Viewing other people's activity is audited, and the audit event could not be written to the database. Nothing is shown. Try again soon.",
      { retryAfter: RETRY_SECONDS, cause },
    );
  }
}
