import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** A partition of the log: the events from `since` (null: without a lower bound) until `until` (null: without an upper one). */
export interface Partition {
  readonly name: string;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** Partition of the events after the months that exist: no event is without a partition. */
const FUTURE = 'audit_events_future';
/** Partition of late events whose months were archived. */
export const PAST = 'audit_events_past';
/** Months for which partitions are created ahead: the time in which no worker needs to run. */
const MONTHS_AHEAD = 3;
/** How long statements of others may wait for a change of the partitions. */
const LOCK_TIMEOUT = '2s';

/** Partitions are named by this module only. */
export const nameSql = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);

const bound = (time: Date | null, or: 'MINVALUE' | 'MAXVALUE'): Prisma.Sql =>
  Prisma.raw(time === null ? or : `'${time.toISOString()}'`);

export const rangeSql = (since: Date | null, until: Date | null): Prisma.Sql =>
  Prisma.sql`FOR VALUES FROM (${bound(since, 'MINVALUE')}) TO (${bound(until, 'MAXVALUE')})`;

/** The first moment of a month, in UTC. */
export const monthStart = (time: Date, months = 0): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));

/** The partitions in the order of their events. */
export function listPartitions(client: Transaction): Promise<Partition[]> {
  return client.$queryRaw<Partition[]>`
    SELECT c.relname AS name, substring(b.text FROM 'FROM \\(''([^'']+)''\\)')::timestamptz AS since,
      substring(b.text FROM 'TO \\(''([^'']+)''\\)')::timestamptz AS until
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS text) b
    WHERE i.inhparent = 'audit_events'::regclass ORDER BY since NULLS FIRST`;
}

/**
 * Locks the log for a change of its partitions, which takes milliseconds.
 * @throws if a transaction has used the log for longer than the statements of others may wait (SQLSTATE 55P03)
 */
export async function lockPartitions(client: Transaction): Promise<void> {
  await client.$executeRaw`SELECT set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
  await client.$executeRaw`LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE`;
}

/** Creates a partition with what a unique index of the whole log can't express. */
export async function createPartition(client: Transaction, { name, since, until }: Partition): Promise<void> {
  await client.$executeRaw`CREATE TABLE ${nameSql(name)} PARTITION OF audit_events ${rangeSql(since, until)}`;
  await client.$executeRaw`ALTER TABLE ${nameSql(name)} ADD PRIMARY KEY (id)`;
  await client.$executeRaw`CREATE UNIQUE INDEX ON ${nameSql(name)} (sequence) WHERE sequence IS NOT NULL`;
}

const partitionOf = (since: Date, until: Date): Partition => ({
  name: `audit_events_${since.toISOString().slice(0, 7).replace('-', '_')}`,
  since,
  until,
});

/** The missing partitions of the coming months, and the time after them. */
function missingMonths(partitions: readonly Partition[], now: Date): { months: Partition[]; end: Date } {
  const end = monthStart(now, MONTHS_AHEAD + 1);
  const months: Partition[] = [];
  let from = partitions.at(-1)?.since ?? end;
  // If no worker ran for long, one partition has all the months until this one.
  for (let until = monthStart(from < now ? now : from, 1); from < end; until = monthStart(until, 1)) {
    months.push(partitionOf(from, until));
    from = until;
  }
  return { months, end };
}

/**
 * Creates the partitions of the coming months, in one transaction. Events that already have such a time move to them.
 * Returns how many partitions were created.
 */
export async function addMonths(client: Transaction, now: Date): Promise<number> {
  if (missingMonths(await listPartitions(client), now).months.length === 0) return 0;
  await lockPartitions(client);
  const { months, end } = missingMonths(await listPartitions(client), now);
  if (months.length === 0) return 0;
  await client.$executeRaw`ALTER TABLE audit_events DETACH PARTITION ${nameSql(FUTURE)}`;
  for (const month of months) await createPartition(client, month);
  await client.$executeRaw`
    WITH moved AS (DELETE FROM ${nameSql(FUTURE)} WHERE time < ${end} RETURNING *)
    INSERT INTO audit_events SELECT * FROM moved`;
  await client.$executeRaw`ALTER TABLE audit_events ATTACH PARTITION ${nameSql(FUTURE)} ${rangeSql(end, null)}`;
  return months.length;
}
