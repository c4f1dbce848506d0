import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivedEvent, AuditEvent, EventType } from '@svc/core/audit';
import {
  acceptLog,
  countEvents,
  type EventFilter,
  exportEvents,
  headKeys,
  listEvents,
  sealEvents,
  verifyChain,
} from '@svc/db/audit';
import { loadDatabase, openSnapshot } from '@svc/db/backup';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { acquireLeaderLease, type LeaderLease, releaseLeaderLease } from '@svc/db/leases';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { tableIds } from '@svc/iceberg';
import { AuditArchive } from '@svc/lake/audit';
import { openLocalStore } from '@svc/lake/storage';
import { storeTable } from '../testing/stored-table.ts';
import type { WorkStep } from '../work/deps.ts';
import { addAuditMonths, archiveAuditLog } from './index.ts';

const keys = headKeys(Buffer.alloc(32, 1).toString('base64'));
const ALIVE = new AbortController().signal;
const DAY = 24 * 3_600_000;
const PEOPLE = [randomUUID(), randomUUID(), null];
const ENVIRONMENTS = [randomUUID(), randomUUID(), null];
const TYPES: EventType[] = ['RUN_STARTED', 'TABLE_WRITE', 'GRANT_CREATED'];

async function leaderLease(db: TestDatabase['db']): Promise<LeaderLease> {
  const request = { name: 'scheduler', holder: randomUUID(), now: new Date(), leaseMs: 1e12 };
  return (await acquireLeaderLease(db.prisma, request))!;
}

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** A log in the month of the migration and the months after it, as time passes. */
class World {
  now = new Date();
  lease: LeaderLease;
  private database: TestDatabase;
  private readonly folder: string;
  readonly store: Awaited<ReturnType<typeof openLocalStore>>;
  readonly archive: AuditArchive;

  private constructor(database: TestDatabase, folder: string, store: World['store'], lease: LeaderLease) {
    this.database = database;
    this.folder = folder;
    this.store = store;
    this.lease = lease;
    this.archive = new AuditArchive(store);
  }

  static async open(): Promise<World> {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'svc-audit-'));
    return new World(database, folder, await openLocalStore(join(folder, 'store')), await leaderLease(database.db));
  }

  async close(): Promise<void> {
    await this.archive.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  /** Continues with a restored backup of the database. */
  async restore(): Promise<void> {
    const [former, snapshot] = [this.database, await openSnapshot(this.url)];
    const counts = snapshot.tables.map(async (table) => {
      const [{ count }] = await former.db.prisma.$queryRawUnsafe<[{ count: bigint }]>(
        `SELECT count(*) FROM "${table}"`,
      );
      return [table, Number(count)] as const;
    });
    const tables = Object.fromEntries(await Promise.all(counts));
    this.database = await createTestDatabase();
    await loadDatabase(this.url, { ...snapshot, tables, sequences: await snapshot.sequences() });
    await snapshot.close();
    await former.drop();
  }

  get db() {
    return this.database.db;
  }

  get url() {
    return this.database.url;
  }

  files(): Promise<string[]> {
    return readdir(join(this.folder, 'store', 'audit'), { recursive: true }).catch(() => []);
  }

  file(name: string): string {
    return join(this.folder, 'store', 'audit', name);
  }

  deps(step?: (step: WorkStep) => Promise<void>) {
    const { db, store, archive } = this;
    return { db, store, archive, clock: () => this.now, newId: randomUUID, random: randomBytes, step };
  }

  /** Writes events at a time and the milliseconds after it. */
  async record(time: Date, count: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, i) => ({
      id: randomUUID(),
      // Several events at one time, so that ids decide the order.
      time: new Date(time.getTime() + Math.floor(i / 3)).toISOString(),
      type: TYPES[i % 3],
      principal_id: PEOPLE[(i >> 1) % 3],
      principal: i % 2 === 0 ? 'ana' : null,
      environment_id: ENVIRONMENTS[(i >> 2) % 3],
      object: {
        kind: 'TABLE',
        environment: 'dev',
        namespace: i % 4 === 0 ? 'sales' : null,
        table: i % 8 === 0 ? 'or"ders' : null,
      },
      request_id: i % 5 === 0 ? 'request' : null,
      detail: { n: i, text: 'ü\u2028 "\\', 1e3: [1.5, null, { b: 12345678901234567890n.toString() }] },
    }));
    await this.db.prisma.$executeRaw`
      INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
      SELECT x.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id uuid, time timestamptz, type text,
        principal_id uuid, principal text, environment_id uuid, object jsonb, request_id text, detail jsonb)`;
  }

  seal(): Promise<unknown> {
    const options = { limit: 100_000, keys, adoptUnsigned: false, now: this.now, newId: randomUUID };
    return inTransaction(this.db, (tx) => sealEvents(tx, options));
  }

  /** The lease of a new leader: the former one has lost its own. */
  async takeOver(): Promise<LeaderLease> {
    await releaseLeaderLease(this.db.prisma, this.lease);
    return leaderLease(this.db);
  }

  addMonths() {
    return addAuditMonths(this.deps(), this.lease);
  }

  run(step?: (step: WorkStep) => Promise<void>) {
    return archiveAuditLog(this.deps(step), { lease: this.lease, months: 1 }, ALIVE);
  }

  /** The start of the month some months after the first partition's last one. */
  async month(number: number): Promise<Date> {
    const [{ time }] = await this.db.prisma.$queryRaw<[{ time: Date }]>`
      SELECT substring(pg_get_expr(relpartbound, oid) FROM '''([^'']+)''')::timestamptz AS time
      FROM pg_class WHERE relname = 'audit_events_future'`;
    this.first ??= time;
    return new Date(Date.UTC(this.first.getUTCFullYear(), this.first.getUTCMonth() + number));
  }
  private first: Date | undefined;

  /** Lets months pass, with events in each, and returns the time after them. */
  async pass(months: number, events: number): Promise<void> {
    await this.month(0);
    await this.record(this.now, events);
    for (let i = 0; i < months; i++) {
      this.now = new Date((await this.month(i)).getTime() + 15 * DAY);
      await this.addMonths();
      await this.record(this.now, events);
    }
    await this.seal();
  }

  async partitions(): Promise<string[]> {
    const rows = await this.db.prisma.$queryRaw<{ name: string }[]>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_events'::regclass ORDER BY 1`;
    return rows.map(({ name }) => name);
  }

  async pages(filter: EventFilter = {}, limit = 1000): Promise<AuditEvent[]> {
    const { archive } = this;
    const events: AuditEvent[] = [];
    for (let after: { at: Date; id: string } | null = null; ; ) {
      const page = await listEvents(this.db.prisma, { filter, page: { limit, after }, archive });
      events.push(...page.items);
      after = page.next;
      if (after === null) return events;
    }
  }

  async exported(since?: Date): Promise<AuditEvent[]> {
    const events: AuditEvent[] = [];
    const span = { since, until: new Date('9999-01-01'), archive: this.archive };
    for await (const event of exportEvents(this.db.prisma, span)) events.push(event);
    return events;
  }

  verify() {
    return verifyChain(this.db.prisma, { keys, adoptUnsigned: false, archive: this.archive });
  }

  archives() {
    return this.db.prisma.auditArchive.findMany({ orderBy: { until: 'asc' } });
  }
}

async function* inOrder(events: readonly ArchivedEvent[]): AsyncGenerator<ArchivedEvent> {
  yield* events;
}

const withoutArchiving = (events: readonly AuditEvent[]) => events.filter(({ type }) => type !== 'AUDIT_LOG_ARCHIVED');

test('lists, exports, counts and verifications are the same after months were archived (AUDIT-4, AUDIT-5)', async () => {
  await world.pass(4, 60);
  const filters: EventFilter[] = [
    {},
    { eventType: 'TABLE_WRITE' },
    { principalId: PEOPLE[0]!.toUpperCase() },
    { environmentId: ENVIRONMENTS[0]! },
    { environmentId: ENVIRONMENTS[0]!, namespace: 'sales' },
    { environmentId: ENVIRONMENTS[0]!, namespace: 'sales', table: 'or"ders' },
    { requestId: 'request' },
    {
      since: new Date((await world.month(0)).getTime() + 15 * DAY + 5),
      until: new Date((await world.month(2)).getTime() + 15 * DAY + 5),
    },
    { eventType: 'ROLE_CREATED' as EventType },
  ];
  const count = () =>
    countEvents(world.db.prisma, { since: undefined, until: world.now, readerId: PEOPLE[0]!, archive: world.archive });
  const before = await Promise.all(filters.map((filter) => world.pages(filter)));
  const exported = await world.exported();
  const counted = await count();
  // A page from before: its cursor stays valid.
  const first = await listEvents(world.db.prisma, { filter: {}, page: { limit: 170, after: null } });
  expect(before.map(({ length }) => length)).toEqual([300, 100, 100, 100, 25, 15, 60, 120, 0]);

  expect(await world.run()).toEqual({ partitions: 3, events: 180 });
  expect(await world.partitions()).toEqual(expect.arrayContaining(['audit_events_future', 'audit_events_past']));
  const archives = await world.archives();
  expect(archives.map(({ rows }) => Number(rows))).toEqual([60, 60, 60]);
  expect(archives.map(({ first_sequence: from, last_sequence: to }) => [Number(from), Number(to)])).toEqual([
    [1, 60],
    [61, 120],
    [121, 180],
  ]);

  for (const limit of [1000, 60, 7])
    for (const [i, filter] of filters.entries())
      expect(withoutArchiving(await world.pages(filter, limit))).toEqual(before[i]);
  const rest = await listEvents(world.db.prisma, {
    filter: {},
    page: { limit: 1000, after: first.next },
    archive: world.archive,
  });
  expect([...first.items, ...rest.items]).toEqual(before[0]);
  expect(withoutArchiving(await world.exported())).toEqual(exported);
  expect(await world.exported(filters[7]!.since)).toHaveLength(
    withoutArchiving(exported).filter(({ time }) => new Date(time) >= filters[7]!.since!).length + 3,
  );
  expect(await count()).toEqual(counted);
  await world.seal();
  const [event] = await world.pages({ eventType: 'AUDIT_LOG_ARCHIVED' }, 1);
  expect(event).toMatchObject({ principal: null, detail: { rows: 60 } });
  expect(await world.verify()).toMatchObject({ intact: true, sealed: 303, unsealed: 0, problem: null });
  // The last archived event is the first head that a caller may have saved.
  const last = archives.at(-1)!;
  const former = {
    sequence: Number(last.last_sequence),
    hash: Buffer.from(last.last_hash).toString('hex'),
    signature: null,
  };
  expect(
    await verifyChain(world.db.prisma, { keys, adoptUnsigned: false, archive: world.archive, former }),
  ).toMatchObject({
    intact: true,
    former_head: { contained: true },
  });
});

describe('an attempt that dies loses and doubles nothing', () => {
  const died = new Error('killed');
  test.each(['archive.written', 'archive.recorded'] as const)('at "%s"', async (at) => {
    await world.pass(2, 30);
    const before = await world.pages();
    await expect(world.run((step) => (step === at ? Promise.reject(died) : Promise.resolve()))).rejects.toBe(died);
    expect(withoutArchiving(await world.pages())).toEqual(before);
    const left = at === 'archive.written' ? 1 : 0;
    expect(await world.run()).toEqual({ partitions: left, events: left * 30 });
    expect(withoutArchiving(await world.pages())).toEqual(before);
    await world.seal();
    expect(await world.verify()).toMatchObject({ intact: true, problem: null });
    // What the first attempt wrote is removed later.
    world.now = new Date(world.now.getTime() + 2 * DAY);
    const recorded = (await world.archives()).map(({ metadata_location: location }) => location.split('/').at(-3));
    await world.run();
    expect((await readdir(world.file(''))).sort()).toEqual(recorded.sort());
  });

  test('in the middle of a file', async () => {
    await world.pass(2, 30);
    const before = await world.pages();
    const broken = new AuditArchive(world.store);
    const write = broken.write.bind(broken);
    broken.write = (events, target) => {
      const interrupted = async function* () {
        for await (const event of events) {
          yield event;
          throw died;
        }
      };
      return write(interrupted(), target);
    };
    const deps = { ...world.deps(), archive: broken };
    await expect(archiveAuditLog(deps, { lease: world.lease, months: 1 }, ALIVE)).rejects.toBe(died);
    expect(await world.archives()).toEqual([]);
    expect(await world.run()).toEqual({ partitions: 1, events: 30 });
    expect(withoutArchiving(await world.pages())).toEqual(before);
  });
});

describe('if another worker becomes the leader, every month is archived once', () => {
  test.each(['archive.written', 'archive.recorded'] as const)('at "%s"', async (at) => {
    await world.pass(3, 30);
    const before = await world.pages();
    let other = { partitions: 0, events: 0 };
    const takeOver = async (step: WorkStep) => {
      if (step !== at || other.partitions > 0) return;
      world.lease = await world.takeOver();
      // Its clock shows a later month, so every folder of the first worker is old.
      other = await world.run();
    };
    const left = at === 'archive.written' ? 2 : 1;
    expect(await world.run(takeOver)).toEqual({ partitions: 2 - left, events: (2 - left) * 30 });
    expect(other).toEqual({ partitions: left, events: left * 30 });
    expect(withoutArchiving(await world.pages())).toEqual(before);
    const recorded = (await world.archives()).map(({ metadata_location: location }) => location.split('/').at(-3));
    expect((await readdir(world.file(''))).sort()).toEqual(recorded.sort());
  });

  test('while the former leader removes abandoned folders', async () => {
    await world.pass(3, 30);
    const before = await world.pages();
    const { store } = world;
    let other = { partitions: 0, events: 0 };
    const list = async function* (folder: string) {
      if (other.partitions === 0) {
        world.lease = await world.takeOver();
        other = await world.run();
      }
      // These folders were recorded after the removal had started.
      yield* store.list(folder);
    };
    const deps = { ...world.deps(), store: Object.create(store, { list: { value: list } }) as World['store'] };
    expect(await archiveAuditLog(deps, { lease: world.lease, months: 1 }, ALIVE)).toEqual({ partitions: 0, events: 0 });
    expect(other).toEqual({ partitions: 2, events: 60 });
    expect(withoutArchiving(await world.pages())).toEqual(before);
  });
});

test('a table that an older version created in the folder of the archive keeps its files', async () => {
  const location = `${world.archive.folder}/web`;
  const abandoned = `${world.archive.folder}/abandoned/data/x.parquet`;
  for (const file of [`${location}/data/x.parquet`, abandoned]) await world.store.write(file, Buffer.from('x'));
  await storeTable(world.db, { environmentId: randomUUID(), environment: 'dev', location });
  world.now = new Date(Date.now() + 2 * DAY);
  await world.run();
  expect([await world.store.stat(`${location}/data/x.parquet`), await world.store.stat(abandoned)]).toMatchObject([
    { size: 1 },
    null,
  ]);
});

test('a worker without the leader lease removes nothing', async () => {
  await world.pass(2, 3);
  world.lease = { ...world.lease, fence: 99n };
  expect(await world.run()).toEqual({ partitions: 0, events: 0 });
  expect(await world.archives()).toEqual([]);
  expect(await world.files()).toEqual([]);
});

test('if the storage fails, the events stay in the database', async () => {
  await world.pass(2, 30);
  const before = await world.pages();
  const outage = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  const store = Object.create(world.store, { moveInto: { value: () => Promise.reject(outage) } }) as World['store'];
  const deps = { ...world.deps(), archive: new AuditArchive(store) };
  await expect(archiveAuditLog(deps, { lease: world.lease, months: 1 }, ALIVE)).rejects.toBe(outage);
  expect(await world.pages()).toEqual(before);
  expect(await world.run()).toEqual({ partitions: 1, events: 30 });
});

test('an event that arrives while its month is archived postpones it', async () => {
  await world.pass(2, 30);
  const late = new Date((await world.month(0)).getTime() - DAY);
  let recorded = false;
  const step = async () => {
    if (recorded) return;
    recorded = true;
    await world.record(late, 1);
  };
  expect(await world.run(step)).toEqual({ partitions: 0, events: 0 });
  expect(await world.files()).toEqual([]);
  await world.seal();
  // The event has the last number: the log continues from it.
  expect(await world.run()).toEqual({ partitions: 0, events: 0 });
  await world.record(world.now, 1);
  await world.seal();
  expect(await world.run()).toEqual({ partitions: 1, events: 31 });
  await world.seal();
  expect(await world.verify()).toMatchObject({ intact: true, problem: null });
});

test('late events of an archived month, and events of the far future, are stored, listed in order and verified', async () => {
  await world.pass(3, 30);
  await world.run();
  const early = new Date(world.now.getTime() - 400 * DAY);
  await world.record(early, 2);
  const between = new Date((await world.month(0)).getTime() + 15 * DAY + 2);
  await world.record(between, 2);
  await world.record(new Date('2199-01-01'), 2);
  await world.seal();
  const events = await world.pages();
  expect(events).toHaveLength(120 + 2 + 6);
  expect(await world.pages({}, 5)).toEqual(events);
  const order = events.map(({ time, id }) => `${time} ${id}`);
  expect(order).toEqual([...order].sort().reverse());
  expect((await world.exported()).map(({ id }) => id)).toEqual(events.map(({ id }) => id).reverse());
  expect(await world.verify()).toMatchObject({ intact: true, problem: null });
  // They don't keep the next months from being created and archived.
  world.now = new Date((await world.month(3)).getTime() + 15 * DAY);
  expect(await world.addMonths()).toEqual({ partitions: 1 });
  expect(await world.run()).toEqual({ partitions: 1, events: 30 });
  expect(withoutArchiving(await world.pages())).toEqual(withoutArchiving(events));
});

test('after a restore, late events of archived months are archived with later months, and lists stay in order', async () => {
  await world.pass(3, 30);
  await world.run();
  await world.record(new Date((await world.month(0)).getTime() + 15 * DAY + 2), 4);
  await world.seal();
  await world.restore();
  for (const month of [4, 6]) {
    world.now = await world.month(month);
    await world.addMonths();
  }
  await world.record(world.now, 3);
  await world.seal();
  const before = await world.pages();
  expect(before).toHaveLength(120 + 2 + 4 + 3);
  expect(await world.run()).toEqual({ partitions: 2, events: 66 });
  const archives = await world.archives();
  expect(archives.at(-1)!.since.getTime()).toBeLessThan(archives.at(-2)!.until.getTime());
  for (const limit of [1000, 40, 7])
    expect(withoutArchiving(await world.pages({}, limit))).toEqual(withoutArchiving(before));
  const exported = await world.exported();
  expect(withoutArchiving(exported).map(({ id }) => id)).toEqual(
    withoutArchiving(before)
      .map(({ id }) => id)
      .reverse(),
  );
  expect(await world.verify()).toMatchObject({ intact: true, problem: null });
});

test('after months without a worker, all events have a partition, and their months are archived together', async () => {
  await world.month(0);
  await world.record(world.now, 3);
  const later = await world.month(12);
  await world.record(new Date((await world.month(5)).getTime() + DAY), 3);
  await world.record(later, 3);
  world.now = new Date(later.getTime() + DAY);
  expect((await world.addMonths()).partitions).toBe(4);
  expect(await world.addMonths()).toEqual({ partitions: 0 });
  await world.seal();
  expect(await world.run()).toEqual({ partitions: 1, events: 3 });
  world.now = await world.month(14);
  await world.addMonths();
  await world.record(world.now, 1);
  await world.seal();
  expect(await world.run()).toEqual({ partitions: 1, events: 7 });
  expect(withoutArchiving(await world.pages())).toHaveLength(10);
});

test('the last sealed events stay in the database, so that the sealer can continue', async () => {
  await world.month(0);
  await world.record(world.now, 3);
  await world.seal();
  world.now = await world.month(6);
  await world.addMonths();
  expect(await world.run()).toEqual({ partitions: 0, events: 0 });
});

test('a month is not removed while a backup copies the database', async () => {
  await world.pass(2, 3);
  await inTransaction(world.db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_lock_shared(72707371)`;
    expect(await world.run()).toEqual({ partitions: 0, events: 0 });
    await tx.$executeRaw`SELECT pg_advisory_unlock_shared(72707371)`;
  });
  expect(await world.run()).toEqual({ partitions: 1, events: 3 });
});

test('a transaction that uses the log postpones the removal', async () => {
  await world.pass(2, 3);
  await inTransaction(world.db, async (tx) => {
    await tx.auditEvent.count();
    expect(await world.run()).toEqual({ partitions: 0, events: 0 });
  });
  expect(await world.files()).toEqual([]);
  expect(await world.run()).toEqual({ partitions: 1, events: 3 });
});

test('verification names the archive that is damaged or missing, or whose event was changed (AUDIT-5)', async () => {
  await world.pass(4, 30);
  await world.run();
  await world.seal();
  const [, second] = await world.archives();
  const name = `the archive of the events from ${second!.since.toISOString()} until ${second!.until.toISOString()}`;
  const folder = second!.metadata_location.split('/').at(-3)!;
  const file = world.file(join(folder, 'data', '00000.parquet'));
  const { archive } = world;
  // Another event at the place of one that was archived.
  const changed = Object.create(archive, {
    numbered: {
      value: async (...args: Parameters<AuditArchive['numbered']>) =>
        (await archive.numbered(...args)).map((event) =>
          event.sequence === 40n ? { ...event, principal: 'bob' } : event,
        ),
    },
  }) as AuditArchive;
  const found = await verifyChain(world.db.prisma, { keys, adoptUnsigned: false, archive: changed });
  expect(found.problem).toEqual({
    sequence: 40,
    detail: expect.stringMatching(/^event 40 .* was changed .*, in the archive of/),
  });
  expect(found.problem!.detail).toContain(name);
  await chmod(file, 0o600);
  await appendFile(file, 'damaged');
  expect(await world.verify()).toMatchObject({
    intact: false,
    problem: { sequence: 31, detail: expect.stringContaining(`${name} can't be read`) },
  });
  await rm(file);
  expect(await world.verify()).toMatchObject({
    intact: false,
    problem: { sequence: 31, detail: expect.stringContaining(`${name} can't be read`) },
  });
});

test('a hundred archived months: a page reads one of them, and a filter only those that have such events', async () => {
  const rare = randomUUID();
  await world.pass(100, 3);
  await world.db.prisma.$executeRaw`
    UPDATE audit_events SET principal_id = ${rare}::uuid WHERE date_trunc('month', time, 'UTC') = ${await world.month(20)}`;
  await world.run();
  expect(await world.archives()).toHaveLength(99);
  let read = 0;
  const { archive } = world;
  const counting = Object.create(archive, {
    page: {
      value: (...args: Parameters<AuditArchive['page']>) => {
        read++;
        return archive.page(...args);
      },
    },
  }) as AuditArchive;
  const page = (filter: EventFilter, at: Date | null) =>
    listEvents(world.db.prisma, {
      ...{ filter, archive: counting },
      page: { limit: 2, after: at === null ? null : { at, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } },
    });
  expect((await page({}, null)).items).toHaveLength(2);
  expect(read).toBe(0);
  expect((await page({}, new Date((await world.month(50)).getTime() + 16 * DAY))).items).toHaveLength(2);
  expect(read).toBe(1);
  expect((await page({ principalId: rare }, null)).items).toHaveLength(2);
  expect(read).toBe(2);
  expect(withoutArchiving(await world.pages())).toHaveLength(303);
});

describe('months that are archived between two statements of a reader change nothing that it returns', () => {
  /** Archives after a statement of the reader. */
  const archivingAfter = (statements: number) => {
    let left = statements;
    const prisma = world.db.prisma;
    const after = async <R>(result: Promise<R>): Promise<R> => {
      const found = await result;
      if (--left === 0) await world.run();
      return found;
    };
    return {
      $queryRaw: (...args: Parameters<Transaction['$queryRaw']>) => after(prisma.$queryRaw(...args)),
      auditEvent: { count: (args: object) => after(prisma.auditEvent.count(args)) },
    } as unknown as Transaction;
  };

  test.each([1, 2, 3, 4])('after statement %i', async (statements) => {
    await world.pass(3, 30);
    const { archive } = world;
    const until = world.now;
    const events: string[] = [];
    for await (const { id } of exportEvents(archivingAfter(statements), { since: undefined, until, archive }))
      events.push(id);
    const all = withoutArchiving(await world.exported()).filter(({ time }) => new Date(time) < until);
    expect(events).toEqual(all.map(({ id }) => id));
  });

  test.each([1, 2])('after statement %i of a count', async (statements) => {
    await world.pass(3, 30);
    const { archive } = world;
    const span = { since: undefined, until: world.now, readerId: PEOPLE[0]!, archive };
    const before = await countEvents(world.db.prisma, span);
    expect(await countEvents(archivingAfter(statements), span)).toEqual(before);
  });

  test.each([1, 2, 3, 4])('after statement %i of a verification', async (statements) => {
    await world.pass(3, 30);
    const { archive } = world;
    const client = archivingAfter(statements);
    expect(await verifyChain(client, { keys, adoptUnsigned: false, archive })).toMatchObject({
      ...{ intact: true, sealed: 120, problem: null },
    });
  });
});

test('if the events of the database and the head are deleted, verification reports it, and no new log is started (AUDIT-5)', async () => {
  await world.pass(3, 30);
  await world.run();
  const archived = (await world.pages()).filter(({ sequence }) => sequence !== null && sequence <= 60);
  await world.db.prisma.$executeRaw`DELETE FROM audit_events`;
  await world.db.prisma.$executeRaw`DELETE FROM audit_head`;
  expect(await world.verify()).toMatchObject({
    ...{ intact: false, sealed: 60 },
    problem: { sequence: 61, detail: 'the log ends at event 60, and its head is missing' },
  });
  await world.record(world.now, 3);
  await expect(world.seal()).rejects.toThrow('The head of the audit log is missing');
  const accepted = { keys, now: world.now, newId: randomUUID };
  expect(await inTransaction(world.db, (tx) => acceptLog(tx, accepted))).toMatchObject({
    signed: { reason: 'operator', after_sequence: 60 },
  });
  await world.seal();
  expect(await world.verify()).toMatchObject({ intact: true, sealed: 64, problem: null });
  expect((await world.pages()).slice(4)).toEqual(archived);
});

describe('verification finds an event that was added to an archive (AUDIT-5)', () => {
  test.each([
    ['the number of another event of its part, after it', 0, 2n],
    ['the number of another event of its part, before it', 0, 8n],
    ['a number of an earlier part', 1, 5n],
    ['a number of a later part', 0, 40n],
    ['a number of the database', 0, 70n],
    ['a number after the log', 0, 1000n],
    ['a number before the log', 0, -1n],
  ])('with %s', async (_, index, sequence) => {
    await world.pass(3, 30);
    await world.run();
    await world.seal();
    expect(await world.verify()).toMatchObject({ intact: true });
    const { archive } = world;
    const part = (await world.archives())[index];
    const events = await archive.numbered(part!.metadata_location, 0n, 60n);
    const forged = { ...events[3]!, id: randomUUID(), sequence, principal: 'mallory' };
    const changed = [...events.slice(0, 4), forged, ...events.slice(4)];
    const target = { location: archive.locationOf(randomUUID()), now: world.now };
    const ids = tableIds({ newId: randomUUID, random: randomBytes });
    const written = await archive.write(inOrder(changed), { ...target, ids });
    await world.db.prisma.auditArchive.update({
      where: { metadata_location: part!.metadata_location },
      data: { metadata_location: written.metadataLocation, rows: BigInt(changed.length) },
    });
    const shows = (await world.pages()).some(({ principal }) => principal === 'mallory');
    const { intact } = await world.verify();
    expect({ shows, intact }).toEqual({ shows: true, intact: false });
  });
});

test('late events are archived after a restore to a database that was created months before', async () => {
  await world.pass(3, 30);
  await world.run();
  await world.record(new Date((await world.month(0)).getTime() - DAY), 3);
  await world.seal();
  await world.restore();
  for (const month of [4, 6]) {
    world.now = await world.month(month);
    await world.addMonths();
  }
  await world.record(world.now, 3);
  await world.seal();
  const before = withoutArchiving(await world.pages());
  expect(await world.run()).toEqual({ partitions: 2, events: 65 });
  expect(withoutArchiving(await world.pages())).toEqual(before);
  expect(withoutArchiving(await world.pages({}, 7))).toEqual(before);
  await world.seal();
  expect(await world.verify()).toMatchObject({ intact: true, problem: null });
});
