import { existsSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { liveLocations } from '@svc/db/tables';
import type { Life } from './life.ts';
import type { MovedService } from './moved-service.ts';
import type { DueRun } from './timetable.ts';

/** The sweep runs daily and leaves files that are younger than a day. */
const SWEPT_MS = 2 * 86_400_000;
/** How long svc retains reads, deliveries and maintenance records. */
const RETENTION_MS = 90 * 86_400_000;
/** The maximum number of files of one table: versions of eight days, and files that the sweep hasn't reached. */
const MAX_FILES = 250;

/** The runs that schedules must have started since the last check, in the order of their times. */
export interface Expected {
  runs: readonly DueRun[];
  /** The number of rows of the tables that schedules append to. */
  appended: ReadonlyMap<string, number>;
}

const inOrder = (runs: readonly (DueRun & { status?: string })[]) =>
  runs
    .map((run) => [new Date(run.scheduledFor).toISOString(), run.env, run.job, run.missed, run.status].join(' '))
    .sort();

/** Everything that must hold at the end of a month and of the soak. */
export class Checks {
  private readonly s: MovedService;
  private readonly life: Life;
  private after = '00000000-0000-0000-0000-000000000000';

  constructor(s: MovedService, life: Life) {
    this.s = s;
    this.life = life;
  }

  async all(expected: Expected): Promise<void> {
    await this.runs(expected.runs);
    await this.rows(expected.appended);
    await this.nothingPending();
    await this.oldRowsGone();
    await this.filesGone();
    await this.noOrphans();
    expect(await this.s.client.audit.verify()).toMatchObject({ intact: true, problem: null });
  }

  /** Each due time has one run, and no run is unexpected. */
  private async runs(due: readonly DueRun[]): Promise<void> {
    const rows = await this.s.db.prisma.$queryRaw<(DueRun & { id: string; status: string; at: Date })[]>`
      SELECT r.id, e.name AS env, r.job, r.scheduled_for AS at, r.missed, r.status FROM runs r
      JOIN environments e ON e.id = r.environment_id WHERE r.id > ${this.after}::uuid ORDER BY r.id`;
    const began = rows.map(({ at, ...run }) => ({ ...run, scheduledFor: at.getTime() }));
    const wanted = due.map((run) => ({ ...run, status: run.job === 'broken' ? 'failed' : 'succeeded' }));
    expect(inOrder(began)).toEqual(inOrder(wanted));
    this.after = rows.at(-1)?.id ?? this.after;
    // Sequential work wasn't overtaken.
    for (const env of new Set(began.map((run) => run.env))) {
      const times = began.filter((run) => run.env === env && run.missed === 0).map((run) => run.scheduledFor);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  }

  private async rows(appended: ReadonlyMap<string, number>): Promise<void> {
    const counts = new Map([...appended, ['shop loads.orders', this.life.orders]]);
    for (const [name, count] of counts) {
      const [env, table] = name.split(' ') as [string, string];
      const { rows } = await this.s.client.queries.run(env, `SELECT count(*) AS n FROM ${table}`);
      expect([name, rows]).toEqual([name, [{ n: count }]]);
    }
  }

  /** No leases, no locks, no open transactions, and no waiting work. */
  private async nothingPending(): Promise<void> {
    const left = await this.s.db.prisma.$queryRaw`
      SELECT 'run' AS what FROM runs WHERE ended_at IS NULL UNION ALL
      SELECT 'start' FROM job_starts WHERE ended_at IS NULL UNION ALL
      SELECT 'query' FROM queries WHERE ended_at IS NULL UNION ALL
      SELECT 'write' FROM writes WHERE ended_at IS NULL UNION ALL
      SELECT 'deploy' FROM deploys WHERE ended_at IS NULL UNION ALL
      SELECT 'maintenance' FROM maintenance WHERE ended_at IS NULL UNION ALL
      SELECT 'delivery' FROM webhook_deliveries WHERE ended_at IS NULL UNION ALL
      SELECT 'creation' FROM table_creations UNION ALL
      SELECT 'lease ' || name FROM leases WHERE name <> 'scheduler' UNION ALL
      SELECT 'lock ' || l.objid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.locktype = 'advisory' AND a.datname = current_database() AND a.xact_start IS NULL UNION ALL
      SELECT 'transaction ' || query FROM pg_stat_activity
        WHERE datname = current_database() AND xact_start < now() - interval '10 s'`;
    expect(left).toEqual([]);
  }

  /** Records with a retention period were removed after it. */
  private async oldRowsGone(): Promise<void> {
    const sweptUntil = this.s.now() - SWEPT_MS;
    const swept = new Date(sweptUntil);
    const season = new Date(sweptUntil - RETENTION_MS);
    const left = await this.s.db.prisma.$queryRaw`
      SELECT 'answer' AS what FROM idempotency_keys WHERE expires_at < ${swept} UNION ALL
      SELECT 'bundle' FROM bundles WHERE expires_at < ${swept} UNION ALL
      SELECT 'result' FROM queries WHERE result_expires_at < ${swept}
        AND (result_location IS NOT NULL OR first_rows IS NOT NULL) UNION ALL
      SELECT 'listed query' FROM queries WHERE recent AND ended_at < ${swept} UNION ALL
      SELECT 'try to sign in' FROM sign_in_throttles WHERE window_ends < ${swept} UNION ALL
      SELECT 'read' FROM table_reads WHERE read_at < ${season} UNION ALL
      SELECT 'delivery' FROM webhook_deliveries WHERE ended_at < ${season} UNION ALL
      SELECT 'maintenance' FROM maintenance m WHERE ended_at < ${season}
        AND EXISTS (SELECT FROM maintenance n WHERE n.table_id = m.table_id AND n.created_at > m.created_at) UNION ALL
      SELECT 'unsealed event' FROM audit_events WHERE sequence IS NULL AND time < ${swept}`;
    expect(left).toEqual([]);
  }

  private async filesGone(): Promise<void> {
    const late = this.life.gone.filter(({ due }) => due < this.s.now() - SWEPT_MS).map(({ location }) => location);
    expect(
      late
        .map((location) => fileURLToPath(location))
        .filter((folder) => existsSync(folder) && readdirSync(folder).length > 0),
    ).toEqual([]);
  }

  /** Every file belongs to a table that isn't purged, or is named by a record; and no table accumulates files. */
  private async noOrphans(): Promise<void> {
    const managed = await this.s.db.prisma.$queryRaw<{ location: string }[]>`
      SELECT location FROM tables WHERE purged_at IS NULL AND kind = 'managed'`;
    const counts = new Map(managed.map(({ location }) => [fileURLToPath(location), 0]));
    const others: string[] = [];
    for (const entry of await readdir(this.s.warehouse, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const table = [...counts.keys()].find((folder) => path.startsWith(`${folder}/`));
      if (table === undefined) others.push(path);
      else counts.set(table, counts.get(table)! + 1);
    }
    expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
    const named = await liveLocations(
      this.s.db.prisma,
      others.map((path) => pathToFileURL(path).href),
    );
    expect(others.filter((path) => !named.has(pathToFileURL(path).href))).toEqual([]);
  }
}
