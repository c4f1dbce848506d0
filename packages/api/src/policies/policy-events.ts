import { scopeOf } from '@svc/core/access';
import type { ColumnMask, RowFilter } from '@svc/core/policies';
import { recordEvents } from '@svc/db/audit';
import { type PolicyLocation, revokePoliciesFor } from '@svc/db/policies';
import type { AuditInput, Context } from '../http/context.ts';

export const scopeOfPolicy = (p: PolicyLocation) => ({
  object: scopeOf({ environment: p.environment, namespace: p.namespace, table: p.table_name }),
  environmentId: p.environment_id,
});

export function filterDeleted(found: RowFilter & PolicyLocation): AuditInput {
  const { id, table_id, predicate, principal, group } = found;
  return {
    type: 'ROW_FILTER_DELETED',
    ...scopeOfPolicy(found),
    detail: { row_filter_id: id, table_id, predicate, principal, group },
  };
}

export function maskDeleted(found: ColumnMask & PolicyLocation): AuditInput {
  const { id, table_id, column, expression, principal, group } = found;
  return {
    type: 'COLUMN_MASK_DELETED',
    ...scopeOfPolicy(found),
    detail: { column_mask_id: id, table_id, column, expression, principal, group },
  };
}

/** Revokes the policies of a principal or group that is being deleted, and records each. */
export async function endPoliciesFor(
  ctx: Context,
  target: { principalId: string } | { groupId: string },
): Promise<void> {
  const { filters, masks } = await revokePoliciesFor(ctx.db, { target, by: ctx.caller.id, now: ctx.now });
  await recordEvents(
    ctx.db,
    [...filters.map(filterDeleted), ...masks.map(maskDeleted)].map((event) => ctx.event(event)),
  );
}
