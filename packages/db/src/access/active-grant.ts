import { Prisma } from '../generated/client.ts';

/** The condition on grants, named `alias` in the statement, that they are active at `now`: neither revoked nor expired (ACCESS-33). */
export const isActive = (alias: 'g' | 'grants' | 'x', now: Prisma.Sql): Prisma.Sql => {
  const column = (name: string) => Prisma.raw(`${alias}.${name}`);
  return Prisma.sql`${column('ended_at')} IS NULL AND (${column('expires_at')} IS NULL OR ${column('expires_at')} > ${now})`;
};

/** The rows of access that count: those of the present, or those of a time in the past. */
export interface Moment {
  readonly grant: (alias: 'g' | 'grants') => Prisma.Sql;
  readonly group: (alias: 'gr') => Prisma.Sql;
  readonly member: (alias: 'm') => Prisma.Sql;
  readonly principal: (alias: 'p') => Prisma.Sql;
}

export const present = (now: Prisma.Sql): Moment => ({
  grant: (alias) => isActive(alias, now),
  group: (alias) => Prisma.raw(`${alias}.deleted_at IS NULL`),
  member: (alias) => Prisma.raw(`${alias}.removed_at IS NULL`),
  principal: (alias) => Prisma.raw(`${alias}.deleted_at IS NULL`),
});

/** Whether a row existed at the time, by the names of its columns for its start and its end. */
const existedAt = (time: Prisma.Sql, alias: string, start: string, end: string): Prisma.Sql => {
  const [from, until] = [Prisma.raw(`${alias}.${start}`), Prisma.raw(`${alias}.${end}`)];
  return Prisma.sql`${from} <= ${time} AND (${until} IS NULL OR ${until} > ${time})`;
};

export const past = (time: Prisma.Sql): Moment => ({
  grant: (alias) =>
    Prisma.sql`${existedAt(time, alias, 'created_at', 'ended_at')}
      AND (${Prisma.raw(`${alias}.expires_at`)} IS NULL OR ${Prisma.raw(`${alias}.expires_at`)} > ${time})`,
  group: (alias) => existedAt(time, alias, 'created_at', 'deleted_at'),
  member: (alias) => existedAt(time, alias, 'added_at', 'removed_at'),
  principal: (alias) => existedAt(time, alias, 'created_at', 'deleted_at'),
});

/** A time as a parameter of a statement. */
export const at = (now: Date): Prisma.Sql => Prisma.sql`${now}::timestamptz`;
