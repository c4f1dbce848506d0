import { randomUUID } from 'node:crypto';
import { createGrant, listGrants } from '../access/index.ts';
import { headKeys, listEvents, recordEvent, sealEvents } from '../audit/index.ts';
import { inTransaction } from '../connection/index.ts';
import { listDeploys, listVersions, storeVersion, submitDeploy } from '../deploys/index.ts';
import { listQueries, type QueryListFilter, type QueryPosition, submitQuery } from '../queries/index.ts';
import { listRuns } from '../runs/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import type { Page, PageRequest } from './index.ts';

// Each test reads a list page by page while rows are inserted. Rows that existed at the start must appear once and in
// order. Timestamps collide, so ids break ties.

let test_: TestDatabase;
let env: string;
const START = Date.UTC(2026, 0, 1);
const at = (minute: number) => new Date(START + minute * 60_000);

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());
beforeEach(async () => {
  env = randomUUID();
  const { prisma } = test_.db;
  await prisma.environment.create({ data: { id: env, name: `e-${env}`, created_at: at(0) } });
  await prisma.principal.create({ data: { id: env, name: `p-${env}`, type: 'person', created_at: at(0) } });
  await prisma.repository.create({ data: { id: env, name: `r-${env}`, created_at: at(0), updated_at: at(0) } });
});

interface List {
  insert: (id: string, time: Date, n: number) => Promise<void>;
  read: (page: PageRequest) => Promise<Page<{ id: string }>>;
}

const STATUSES = ['succeeded', 'failed', 'cancelled'] as const;
const TRIGGERS = ['manual', 'api', 'schedule'] as const;

/** A project has one active run at most. */
const MID_WALK = 21;

const insertRun: List['insert'] = async (id, time, n) => {
  const state = n === MID_WALK ? { status: 'running', ended_at: null } : { status: STATUSES[n % 3]!, ended_at: time };
  await test_.db.prisma.run.create({
    data: {
      ...{ id, environment_id: env, repository_id: env, project_version_id: env, principal_id: env, select: [] },
      ...{ ...state, trigger: n % 4 === 3 ? null : TRIGGERS[n % 4]!, created_at: time },
    },
  });
};

const insertGrant: List['insert'] = (id, now, n) =>
  createGrant(test_.db.prisma, {
    ...{ id, now, principalId: env, groupId: null, createdBy: null, expiresAt: null },
    ...(n % 2 === 0 ? { role: 'DATA_ENGINEER' as const, action: null } : { role: null, action: 'RUN' as const }),
    object: { kind: 'ENVIRONMENT', environmentId: env, namespaceId: null, tableId: null, serviceAccountId: null },
  });

const sealing = { keys: headKeys(Buffer.alloc(32).toString('base64')), adoptUnsigned: false, newId: randomUUID };

const LISTS: Record<string, List> = {
  runs: {
    insert: insertRun,
    read: (page) => listRuns(test_.db.prisma, { filter: { environmentId: env }, page }),
  },
  'runs by several statuses and triggers': {
    insert: insertRun,
    read: (page) =>
      listRuns(test_.db.prisma, {
        filter: {
          environmentId: env,
          statuses: ['failed', 'succeeded', 'failed', 'running'],
          triggers: ['api', 'manual'],
        },
        page,
      }),
  },
  deploys: {
    insert: (id, now, n) =>
      submitDeploy(test_.db.prisma, {
        ...{ id, environmentId: env, repositoryId: env, createdBy: env, requestId: id, now },
        ...{ ref: null, bundleId: null, dryRun: n % 5 === 0 },
      }),
    read: (page) => listDeploys(test_.db.prisma, { environmentId: env, repositoryId: env, page }),
  },
  'project versions': {
    insert: (id, now, n) =>
      storeVersion(test_.db.prisma, {
        ...{ id, environmentId: env, repositoryId: env, deployId: id, createdBy: env, now },
        ...{
          commit: null,
          dirty: null,
          location: `versions/${id}`,
          name: 'shop',
          python: null,
          network: [],
          lockHash: null,
        },
        ...{ assets: [], jobs: [], defaults: { timeoutSeconds: null, retries: 0 }, packageIndexes: [], code: [] },
        devNamespace: n % 5 === 0 ? 'dev_ann' : null,
      }),
    read: (page) => listVersions(test_.db.prisma, { environmentId: env, repositoryId: env, page }),
  },
  grants: {
    insert: insertGrant,
    read: (page) => listGrants(test_.db.prisma, { filter: { principalId: env }, page, now: new Date(0) }),
  },
  'grants by action': {
    insert: insertGrant,
    read: (page) =>
      listGrants(test_.db.prisma, { filter: { principalId: env, action: 'RUN' }, page, now: new Date(0) }),
  },
  'audit events': {
    insert: async (id, time, n) => {
      await recordEvent(test_.db.prisma, {
        ...{ id, time, type: 'ENVIRONMENT_UPDATED', principal: null, environmentId: env, requestId: null, detail: {} },
        object: { kind: 'ENVIRONMENT', environment: `e-${env}`, namespace: null, table: null },
      });
      // Only some events have a sequence number.
      if (n % 7 === 0) await inTransaction(test_.db, (tx) => sealEvents(tx, { limit: 3, ...sealing, now: time }));
    },
    read: (page) => listEvents(test_.db.prisma, { filter: { environmentId: env }, page }),
  },
};

const ids = (page: Page<{ id: string }>) => page.items.map(({ id }) => id);

describe.each(Object.entries(LISTS))('paging through %s', (_, list) => {
  test('shows each row once and in order, whatever is inserted between its pages (HTTP-8)', async () => {
    let inserted = 0;
    const insert = (time: Date) => list.insert(randomUUID(), time, inserted++);
    // Five rows of a kind per minute.
    for (let minute = 0; minute < 8; minute++) for (let i = 0; i < 5; i++) await insert(at(minute));
    const whole = ids(await list.read({ limit: 200, after: null }));
    const walked: string[] = [];
    let after: PageRequest['after'] = null;
    do {
      const page: Page<{ id: string }> = await list.read({ limit: 3, after });
      walked.push(...ids(page));
      after = page.next;
      await Promise.all(Array.from({ length: 4 }, (_, i) => insert(at(100 + i))));
    } while (after !== null);
    expect(walked).toEqual(whole);
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.length).toBeGreaterThan(12);
  });
});

describe('paging through queries', () => {
  const start = at(60);

  async function query(minute: number, data: { status: string; started_at?: Date; ended_at?: Date }): Promise<string> {
    const id = randomUUID();
    const submitted = {
      id,
      environmentId: env,
      environment: 'dev',
      submitterId: env,
      submitter: 'ann',
      now: at(minute),
      tokenKind: 'personal',
      requestId: id,
    };
    await submitQuery(test_.db.prisma, {
      ...{ ...submitted, sql: 'SELECT 1', into: null, mode: null, breakGlass: null, runId: null },
    });
    await test_.db.prisma.query.update({ where: { id }, data });
    return id;
  }

  const change = (id: string, data: { status: string; started_at?: Date; ended_at?: Date }) =>
    test_.db.prisma.query.update({ where: { id }, data });

  async function walk(filter: Omit<QueryListFilter, 'environmentId'>, between: (page: number) => Promise<unknown>) {
    const walked: string[] = [];
    let after: QueryPosition | null = null;
    for (let page = 1; page === 1 || after !== null; page++) {
      const now = new Date(start.getTime() + (page - 1) * 60_000);
      const read: Awaited<ReturnType<typeof listQueries>> = await listQueries(test_.db.prisma, {
        ...{ filter: { environmentId: env, ...filter }, limit: 2, after, now },
      });
      walked.push(...read.rows.map(({ id }) => id));
      after = read.next;
      await between(page);
    }
    return walked;
  }

  test('keeps each query in the section it was in at the start, even if it starts or finishes between two pages (QUERY-4)', async () => {
    const started_at = at(30);
    const running: string[] = [];
    const queued: string[] = [];
    const finished: string[] = [];
    for (const minute of [4, 3, 3, 2, 1]) {
      running.push(await query(minute, { status: 'running', started_at }));
      queued.push(await query(minute, { status: 'queued' }));
      for (const status of ['failed', 'cancelled'])
        finished.push(await query(minute, { status, started_at, ended_at: at(40) }));
    }
    const filter = { includeFinished: true, statuses: ['running', 'queued', 'failed', 'cancelled'] } as const;
    const { rows } = await listQueries(test_.db.prisma, {
      ...{ filter: { environmentId: env, ...filter }, limit: 200, after: null, now: start },
    });
    const whole = rows.map(({ id }) => id);
    expect(whole).toHaveLength(20);
    expect(new Set(whole.slice(0, 5))).toEqual(new Set(running));
    expect(new Set(whole.slice(5, 10))).toEqual(new Set(queued));
    expect(new Set(whole.slice(10))).toEqual(new Set(finished));

    const later = (page: number) => new Date(start.getTime() + page * 60_000 - 30_000);
    const walked = await walk(filter, async (page) => {
      const time = later(page);
      await query(60 + page, { status: 'queued' });
      // A query that was shown and one that was not finish; a waiting one starts, and the last one is cancelled while
      // it waits.
      if (page === 1) await change(whole[0]!, { status: 'succeeded', ended_at: time });
      if (page === 1) await change(whole[4]!, { status: 'failed', ended_at: time });
      if (page === 2) await change(whole[8]!, { status: 'running', started_at: time });
      if (page === 3) await change(whole[8]!, { status: 'succeeded', ended_at: time });
      if (page === 4) await change(whole[9]!, { status: 'cancelled', ended_at: time });
    });
    expect(walked).toEqual(whole);
  });

  test('leaves out queries that finished more than 24 hours before the start, with and without a status (QUERY-3)', async () => {
    const old = { status: 'failed', started_at: at(1), ended_at: new Date(start.getTime() - 24 * 3_600_000) };
    await query(1, old);
    const recent = await query(1, { ...old, ended_at: new Date(old.ended_at.getTime() + 1) });
    const nothing = () => Promise.resolve();
    expect(await walk({ includeFinished: true }, nothing)).toEqual([recent]);
    expect(await walk({ includeFinished: false, statuses: ['failed'] }, nothing)).toEqual([recent]);
    expect(await walk({ includeFinished: false }, nothing)).toEqual([]);
  });
});
