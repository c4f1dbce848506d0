// The audit log as one table (the layout until 0.1), as one partition for each month, and with all but the last two months archived:
// pages of the list, an event in a transaction of its own, and a verification. `npm run bench archive [MONTHS] [EVENTS A MONTH] [ROUNDS]`.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMonths, type EventFilter, listEvents, recordEvent, verifyChain } from '@svc/db/audit';
import { type Database, inTransaction, openDatabase, silent } from '@svc/db/connection';
import { acquireLeaderLease } from '@svc/db/leases';
import { migrate } from '@svc/db/migrate';
import { AuditArchive } from '@svc/lake/audit';
import { openLocalStore } from '@svc/lake/storage';
import { archiveAuditLog } from '@svc/worker/audit';
import pg from 'pg';
import { keys, sealAll } from '../audit/sealing.ts';
import { openBench, urlOf } from '../database/open.ts';
import { bar, figures, interleave, pairedRatio, table } from '../database/timing.ts';

const MONTHS = Number(process.argv[2] ?? 24);
const EVENTS = Number(process.argv[3] ?? 50_000);
const ROUNDS = Number(process.argv[4] ?? 50);
const LIMIT = 100;
/** A month in which no event is before the time of the migration. */
const FIRST = new Date(Date.UTC(2030, 0));
const month = (number: number) => new Date(Date.UTC(2030, number));
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** One in a thousand events is of this person. */
const RARE = '00000007-0000-7000-8000-000000000000';

const bench = await openBench({ poolSize: 1 });
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const opened: Database[] = [];
try {
  await run();
} finally {
  for (const db of opened) await db.close();
  await bench.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  await bench.bare.query('CREATE DATABASE filled');
  await migrate(urlOf(bench, 'filled'));
  const filled = await open('filled');
  for (let i = 0; i < MONTHS; i++) await inTransaction(filled, (tx) => addMonths(tx, month(i)));
  await onDatabase('filled', fill);
  const { sealed, seconds } = await sealAll(filled);
  await onDatabase('filled', (client) => client.query('VACUUM ANALYZE audit_events'));
  await filled.close();
  console.log(`${sealed} events in ${MONTHS} months, sealed in ${seconds.toFixed(0)} s`);
  for (const name of ['one', 'months', 'archived'])
    await bench.bare.query(`CREATE DATABASE ${name} TEMPLATE filled STRATEGY FILE_COPY`);
  await onDatabase('one', mergePartitions);
  const [one, months, archived] = [await open('one'), await open('months'), await open('archived')];
  opened.push(one, months, archived);
  const archive = new AuditArchive(await openLocalStore(join(folder, 'store')));
  await archiveMonths(archived, archive);

  const page =
    (db: Database, at: Date | null, filter: EventFilter = {}) =>
    async () => {
      const after = at === null ? null : { at, id: LAST_ID };
      const { items } = await listEvents(db.prisma, { filter, page: { limit: LIMIT, after }, archive });
      if (items.length < Math.min(LIMIT, MONTHS)) throw new Error(`a page has ${items.length} events`);
    };
  const event = (db: Database) => () =>
    inTransaction(db, (tx) =>
      recordEvent(tx, {
        ...{ id: randomUUID(), time: new Date(month(MONTHS - 1).getTime() + 1), type: 'RUN_STARTED', principal: null },
        object: { kind: 'INSTANCE', environment: null, namespace: null, table: null },
        ...{ environmentId: null, requestId: null, detail: {} },
      }),
    );
  const cases: Record<string, (db: Database) => () => Promise<unknown>> = {
    'first page': (db) => page(db, null),
    'page in the first month': (db) => page(db, new Date(month(1).getTime() - 1)),
    'page in the last archived month': (db) => page(db, new Date(month(MONTHS - 2).getTime() - 1)),
    'page of one person in a thousand': (db) => page(db, month(MONTHS - 2), { principalId: RARE }),
    'an event': event,
  };
  const rows: (string | number)[][] = [];
  const ratios: Record<string, [number, number]> = {};
  for (const [name, of] of Object.entries(cases)) {
    const times = await interleave(ROUNDS, { one: of(one), months: of(months), archived: of(archived) });
    const ratio = [pairedRatio(times.months, times.one), pairedRatio(times.archived, times.one)] as const;
    ratios[name] = [...ratio];
    rows.push([
      name,
      figures(times.one).p50,
      figures(times.months).p50,
      figures(times.archived).p50,
      ...ratio.map((r) => `${r.toFixed(2)} ×`),
    ]);
  }
  const verified = [await verify(one), await verify(months), await verify(archived)];
  rows.push(['verification, s', ...verified, ...verified.slice(1).map((s) => `${(s / verified[0]!).toFixed(2)} ×`)]);
  table(['p50, ms', 'one table', `${MONTHS} months`, 'archived', 'months', 'archived'], rows);
  bar(
    `an event takes at most a fifth longer than with one table: ${ratios['an event']![1].toFixed(2)} ×`,
    ratios['an event']![1] <= 1.2,
  );
  const flat = await interleave(ROUNDS, {
    first: page(archived, new Date(month(1).getTime() - 1)),
    last: page(archived, new Date(month(MONTHS - 2).getTime() - 1)),
  });
  const age = pairedRatio(flat.first, flat.last);
  bar(`a page of the oldest archived month takes as long as one of the newest: ${age.toFixed(2)} ×`, age <= 1.2);

  async function verify(db: Database): Promise<number> {
    const started = performance.now();
    const { intact, problem } = await verifyChain(db.prisma, { keys, adoptUnsigned: false, archive });
    if (!intact) throw new Error(problem?.detail);
    return (performance.now() - started) / 1000;
  }
}

async function fill(client: pg.Client): Promise<void> {
  for (let i = 0; i < MONTHS; i++)
    await client.query(
      `INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
       SELECT gen_random_uuid(), $1::timestamptz + make_interval(secs => i * 2400000.0 / $2::int), 'QUERY_COMPLETED',
         (lpad(to_hex(i % 1000), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 'p' || i % 1000, gen_random_uuid(),
         '{"kind": "ENVIRONMENT", "environment": "prod"}', 'request ' || i,
         jsonb_build_object('rows', i, 'sql_text', 'SELECT region, sum(amount) FROM sales.orders WHERE day = ' || i)
       FROM generate_series(1, $2::int) i`,
      [month(i), EVENTS],
    );
}

function open(name: string): Promise<Database> {
  return openDatabase({ url: urlOf(bench, name), log: silent, statementTimeoutMs: 0, poolSize: 4 });
}

async function onDatabase(name: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(bench, name) });
  await client.connect();
  await work(client);
  await client.end();
}

async function mergePartitions(client: pg.Client): Promise<void> {
  await client.query('CREATE TABLE merged (LIKE audit_events_first INCLUDING ALL)');
  await client.query('INSERT INTO merged SELECT * FROM audit_events ORDER BY time');
  await client.query('DROP TABLE audit_events');
  await client.query('ALTER TABLE merged RENAME TO audit_events');
  await client.query('VACUUM ANALYZE audit_events');
}

async function archiveMonths(db: Database, archive: AuditArchive): Promise<void> {
  const now = month(MONTHS - 1);
  const lease = await acquireLeaderLease(db.prisma, {
    name: 'scheduler',
    holder: randomUUID(),
    now: FIRST,
    leaseMs: 1e12,
  });
  const store = await openLocalStore(join(folder, 'store'));
  const deps = { db, archive, store, clock: () => now, newId: randomUUID, random: randomBytes };
  const started = performance.now();
  const { events } = await archiveAuditLog(deps, { lease: lease!, months: 1 }, new AbortController().signal);
  console.log(`archived ${events} events in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
