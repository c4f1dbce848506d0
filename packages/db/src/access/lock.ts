import { Prisma } from '../generated/client.ts';

/**
 * How a row is held until the transaction ends: to `keep` it as it is while something is attached to it (a grant, a
 * token, a membership), which several may do at once, or to `end` or change it.
 */
export type Lock = 'keep' | 'end';

export const LOCK: Record<Lock, Prisma.Sql> = {
  keep: Prisma.sql`FOR SHARE`,
  end: Prisma.sql`FOR NO KEY UPDATE`,
};
