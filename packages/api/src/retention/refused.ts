import type { Context } from '../http/context.ts';

/** Why a table that is being created will stand without the retention asked for; null when it gets it. */
export function refusedRetention(ctx: Context, table: string, days: number): { detail: string; remedy: string } | null {
  const { name, protected: isProtected } = ctx.environment;
  if (!isProtected) return null;
  const full = table.includes('.') ? table : `${ctx.namespace.path}.${table}`;
  const remedy = `svc table retention ${full} --days ${days} --env ${name}`;
  return {
    detail: `The environment ${name} is protected, where no retention is set. Once it is not protected any more, set it: ${remedy}`,
    remedy,
  };
}
