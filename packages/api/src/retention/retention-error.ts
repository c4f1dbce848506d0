import type { Context } from '../http/context.ts';

/** Explains why a new table will not get the requested retention; null if it will. */
export function retentionError(ctx: Context, table: string, days: number): { detail: string; remedy: string } | null {
  const { name, protected: isProtected } = ctx.environment;
  if (!isProtected) return null;
  const full = table.includes('.') ? table : `${ctx.namespace.path}.${table}`;
  const remedy = `svc table retention ${full} --days ${days} --env ${name}`;
  return {
    detail: `The environment ${name} is protected, where no retention is set. Once it is not protected any more, set it: ${remedy}`,
    remedy,
  };
}
