import { Prisma } from '../generated/client.ts';

/**
 * How to lock a row until the transaction commits: `share` is a shared lock for attaching something to it (a grant, a
 * token, a membership); `update` is exclusive, for deleting or changing it.
 */
export type Lock = 'share' | 'update';

export const LOCK: Record<Lock, Prisma.Sql> = {
  share: Prisma.sql`FOR SHARE`,
  update: Prisma.sql`FOR NO KEY UPDATE`,
};
