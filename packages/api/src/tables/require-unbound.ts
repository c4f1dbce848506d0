import { BOUND } from '@svc/core/policies';
import type { Context } from '../http/context.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { isCallerBound } from './record.ts';

/**
 * Denies callers to whom a policy of the table applies: the change would affect rows that they don't see.
 * @param change completes "you can't"
 * @throws AccessDeniedError
 */
export async function requireUnbound(ctx: Context, tableId: string, change: string): Promise<void> {
  if (!(await isCallerBound(ctx, tableId))) return;
  throw new AccessDeniedError(
    { action: 'WRITE_TABLE', object: ctx.target, reason: BOUND },
    {
      detail: `A row filter or column mask on ${ctx.tableName} applies to you, so you can't ${change}: you don't see all of them as they are.`,
    },
  );
}
