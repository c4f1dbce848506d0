import type { Database } from '../connection/index.ts';

/** Resolves once so many statements in the database wait for a lock. */
export async function statementBlocked({ prisma }: Database, statements = 1): Promise<void> {
  for (;;) {
    const rows = await prisma.$queryRaw<{ n: bigint }[]>`
      SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    if (rows[0]!.n >= statements) return;
  }
}
