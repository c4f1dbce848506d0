import { Prisma } from '../generated/client.ts';

/** The condition on grants, named `alias` in the statement, that they are active at `now`: neither revoked nor expired (ACCESS-33). */
export const isActive = (alias: 'g' | 'grants' | 'x', now: Prisma.Sql): Prisma.Sql => {
  const column = (name: string) => Prisma.raw(`${alias}.${name}`);
  return Prisma.sql`${column('ended_at')} IS NULL AND (${column('expires_at')} IS NULL OR ${column('expires_at')} > ${now})`;
};

/** A time as a parameter of a statement. */
export const at = (now: Date): Prisma.Sql => Prisma.sql`${now}::timestamptz`;
