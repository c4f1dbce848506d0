import type { ObjectScope } from '@svc/core/access';
import type { Context } from '../http/context.ts';
import { denialDetail } from '../http/guard/denial.ts';

/**
 * Explains why a new table will not get the requested retention, which is recorded as denied; null if it will.
 * @param endpoint the route that creates the table
 */
export async function retentionError(
  ctx: Context,
  endpoint: { method: string; path: string },
  { table, days }: { table: ObjectScope; days: number },
): Promise<{ detail: string; remedy: string } | null> {
  const { name, protected: isProtected } = ctx.environment;
  if (!isProtected) return null;
  const denial = { action: 'DROP_TABLE', object: table, reason: `environment ${name} is protected` } as const;
  await ctx.audit({ type: 'AUTHORIZATION_DENIED', object: table, detail: denialDetail(endpoint, denial) });
  const remedy = `svc table retention ${table.namespace}.${table.table} --days ${days} --env ${name}`;
  return {
    detail: `The environment ${name} is protected, where no retention is set. Once it is not protected any more, set it: ${remedy}`,
    remedy,
  };
}
