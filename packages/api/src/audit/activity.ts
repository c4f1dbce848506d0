import type { ObjectScope } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import { openActivityWindow, recordEvent } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { Context } from '../http/context.ts';

/** A look at what other people did (specification 6.1). */
export interface ActivityLook {
  view: 'queries' | 'table_readers' | 'audit_log';
  /** The environment, the table or the instance, and its id. */
  object: ObjectScope;
  objectId: string;
  /** Filters of this look; null where unset. */
  filters: Record<string, unknown>;
  rowsShown: number;
  othersShown: number;
  distinctOthers: number;
  /** Set when the look was aimed at somebody else. */
  targetingKey: { submitter: string } | { principal_id: string } | null;
}

const RETRY_SECONDS = 5;

/** Counts whose rows are not the caller's own; `owner` is null for what nobody did. */
export function countOthers<T>(ctx: Context, rows: readonly T[], owner: (row: T) => string | null) {
  const others = rows.map(owner).filter((id) => id !== ctx.caller.id);
  return {
    rowsShown: rows.length,
    othersShown: others.length,
    distinctOthers: new Set(others.filter((id) => id !== null)).size,
  };
}

/**
 * Records the look, once per window, before anything of it is shown. One's own activity, and a task's look, record
 * nothing. @throws Problem `activity-not-recorded` (503): what cannot be recorded is not shown.
 */
export async function recordActivity(ctx: Context, look: ActivityLook): Promise<void> {
  const { settings, db, newId } = ctx.deps;
  if (!settings.viewAuditEnabled || ctx.isTask) return;
  if (look.othersShown === 0 && look.targetingKey === null) return;
  const { view, object, objectId, filters, rowsShown, othersShown, distinctOthers, targetingKey } = look;
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
    throw new Problem(
      'activity-not-recorded',
      "This shows other people's activity, which is recorded, and the record could not be written: the database refused it. Nothing is shown; try again soon.",
      { retryAfter: RETRY_SECONDS, cause },
    );
  }
}
