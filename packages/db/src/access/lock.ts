import { Prisma } from '../generated/client.ts';

/**
 * How to lock a row until the transaction commits: `keep` is a shared lock for attaching something to it (a grant, a
 * token, a membership); `end` is exclusive, for deleting or changing it.
 */
export type Lock = 'keep' | 'end';

export const LOCK: Record<Lock, Prisma.Sql> = {
  keep: Prisma.sql`FOR SHARE`,
  end: Prisma.sql`FOR NO KEY UPDATE`,
};
