import { grantCommand } from '@svc/core/access';
import { legalHoldRecord, type StoredTable } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { hasAdminRole } from '../http/guard/admin-role.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';

/**
 * Everyone with WRITE_TABLE may change the owner, but nobody may take a table over to release its legal hold (DROP-15).
 *
 * @throws AccessDeniedError
 */
export function requireOwnerChange(ctx: Context, table: StoredTable): void {
  if (ctx.isOwner(table.owner_id, 'WRITE_TABLE')) return;
  if (hasAdminRole(ctx, ctx.target) || legalHoldRecord(table, ctx.now) === null) return;
  const rule = 'a table under a legal hold keeps its owner, unless the owner or someone with the ADMIN role changes it';
  const remedy = grantCommand(ctx.caller.name, 'ADMIN', ctx.target);
  throw new AccessDeniedError(
    { action: 'WRITE_TABLE', object: ctx.target, reason: rule },
    {
      detail: `${ctx.caller.name} may not change the owner of ${ctx.tableName}: ${rule}. An administrator can grant the role: ${remedy}`,
      remedy,
    },
  );
}
