import { INSTANCE } from '@svc/core/access';
import { headKeys, recordEvent, sealEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let now = new Date('2026-03-01T08:00:00.000Z');
const tokens: Record<string, string> = {};
const ids: Record<string, string> = {};

const get = (path: string, token?: string): Promise<Answer> =>
  server.call('GET', path, token === undefined ? {} : { token });
const post = (path: string, body: unknown, token?: string): Promise<Answer> =>
  server.call('POST', path, { body, ...(token === undefined ? {} : { token }) });
const views = async () =>
  (await get('/api/v1/audit-events?event_type=ACTIVITY_VIEWED&limit=200')).body as {
    principal: string;
    detail: Record<string, unknown>;
    object: object;
  }[];
const viewsOf = async (name: string) => (await views()).filter((event) => event.principal === name);

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  await post('/api/v1/environments', { name: 'dev' });
  for (const name of ['auditor', 'manager', 'worker']) {
    ids[name] = (await post('/api/v1/principals', { name, type: 'person' })).body.id;
    tokens[name] = (await post(`/api/v1/principals/${name}/tokens`, { name: 't' })).body.token;
  }
  await post('/api/v1/grants', { kind: 'INSTANCE', principal: 'auditor', action: 'READ_AUDIT_LOG' });
  await post('/api/v1/grants', { kind: 'ENVIRONMENT', principal: 'manager', role: 'ADMIN', environment: 'dev' });
  await post('/api/v1/grants', { kind: 'ENVIRONMENT', principal: 'worker', role: 'DATA_ENGINEER', environment: 'dev' });
});
afterAll(() => server.stop());

const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

describe('ACTIVITY_VIEWED (specification 6.1)', () => {
  test('is written once per window for a page of the audit log with other people in it (AUDIT-6, AUDIT-7, AUDIT-8)', async () => {
    await get('/api/v1/audit-events?limit=3', tokens['auditor']);
    await get('/api/v1/audit-events?event_type=GRANT_CREATED', tokens['auditor']);
    const [event, ...more] = await viewsOf('auditor');
    expect(more).toEqual([]);
    expect(event!.object).toEqual({ kind: 'INSTANCE' });
    expect(event!.detail).toEqual({
      view: 'audit_log',
      filters: { event_type: null, environment: null, since: null, until: null, limit: 3 },
      rows_shown: 3,
      others_shown: 3,
      distinct_others: 1,
      targeting_key: null,
    });
    later(59);
    await get('/api/v1/audit-events', tokens['auditor']);
    expect(await viewsOf('auditor')).toHaveLength(1);
    later(1);
    await get('/api/v1/audit-events', tokens['auditor']);
    expect(await viewsOf('auditor')).toHaveLength(2);
  });

  test('a list about another principal has its own window, with zeros if it is empty; a list about the caller has none (AUDIT-6, AUDIT-7, AUDIT-8)', async () => {
    const before = (await viewsOf('auditor')).length;
    await get(`/api/v1/audit-events?principal_id=${ids['auditor']}`, tokens['auditor']);
    expect(await viewsOf('auditor')).toHaveLength(before);
    await get(`/api/v1/audit-events?principal_id=${ids['worker']}&event_type=TABLE_PURGED`, tokens['auditor']);
    const [event] = await viewsOf('auditor');
    expect(event!.detail).toMatchObject({
      rows_shown: 0,
      others_shown: 0,
      distinct_others: 0,
      targeting_key: { principal_id: ids['worker'] },
    });
  });

  test("a manager's query list is recorded, but not lists of own queries or by tasks (AUDIT-6, AUDIT-7, AUDIT-10, QUERY-3, QUERY-5)", async () => {
    await post('/api/v1/environments/dev/queries', { sql: 'SELECT 1' }, tokens['manager']);
    await get('/api/v1/environments/dev/queries', tokens['manager']);
    expect(await viewsOf('manager')).toEqual([]);
    await post('/api/v1/environments/dev/queries', { sql: "SELECT 'secret'" }, tokens['worker']);
    const list = await get('/api/v1/environments/dev/queries?limit=10', tokens['manager']);
    expect(list.body).toHaveLength(2);
    expect(list.body.find((q: { submitter: string }) => q.submitter === 'worker').sql_text).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      length: 15,
    });
    const [event] = await viewsOf('manager');
    expect(event).toMatchObject({
      object: { kind: 'ENVIRONMENT', environment: 'dev' },
      detail: {
        view: 'queries',
        filters: { include_ended: false, status: null, limit: 10 },
        rows_shown: 2,
        others_shown: 1,
        distinct_others: 1,
        targeting_key: null,
      },
    });
    await get('/api/v1/environments/dev/queries?submitter=worker', tokens['manager']);
    expect((await viewsOf('manager'))[0]!.detail['targeting_key']).toEqual({ submitter: 'worker' });
    await get('/api/v1/environments/dev/queries', tokens['worker']);
    expect(await viewsOf('worker')).toEqual([]);
    const submitted = (name: string, who: string) =>
      get(`/api/v1/environments/dev/queries?submitter=${name}`, tokens[who]);
    for (const name of ['manager', 'unknown']) expect((await submitted(name, 'worker')).body).toEqual([]);
    expect((await submitted('unknown', 'manager')).status).toBe(404);
  });

  test('what cannot be recorded is not shown: 503 with Retry-After (AUDIT-9)', async () => {
    later(120);
    await server.db.prisma.$executeRaw`ALTER TABLE activity_views RENAME TO activity_views_away`;
    try {
      const response = await get('/api/v1/audit-events', tokens['auditor']);
      expect([response.status, response.body.code]).toEqual([503, 'activity-not-recorded']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.body.detail).toMatch(/could not be written/);
      const queries = await get('/api/v1/environments/dev/queries', tokens['manager']);
      expect(queries.status).toBe(503);
      const own = await get(`/api/v1/audit-events?principal_id=${ids['auditor']}`, tokens['auditor']);
      expect(own.status).toBe(200);
    } finally {
      await server.db.prisma.$executeRaw`ALTER TABLE activity_views_away RENAME TO activity_views`;
    }
  });
});

test('a change whose event cannot be written is not made (AUDIT-1)', async () => {
  await server.db.prisma.$executeRaw`ALTER TABLE audit_events RENAME TO audit_events_away`;
  try {
    expect((await post('/api/v1/environments', { name: 'unrecorded' })).status).toBe(500);
  } finally {
    await server.db.prisma.$executeRaw`ALTER TABLE audit_events_away RENAME TO audit_events`;
  }
  expect((await get('/api/v1/environments/unrecorded')).status).toBe(404);
});

test('events are listed newest first; since is inclusive, until exclusive (AUDIT-4)', async () => {
  const times: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    later(1);
    times.push(now.toISOString());
    await post('/api/v1/groups', { name });
  }
  const names = async (query: string) =>
    (await get(`/api/v1/audit-events?event_type=GROUP_CREATED${query}`)).body.map(
      ({ detail }: { detail: { name: string } }) => detail.name,
    );
  expect(await names('')).toEqual(['third', 'second', 'first']);
  expect(await names(`&since=${times[1]}`)).toEqual(['third', 'second']);
  expect(await names(`&until=${times[1]}`)).toEqual(['first']);
  expect(await names(`&since=${times[0]}&until=${times[2]}`)).toEqual(['second', 'first']);
});

describe('content of events (specification 6.2)', () => {
  const write = (principal: string, type: 'QUERY_COMPLETED' | 'TABLE_WRITE', detail: object) =>
    recordEvent(server.db.prisma, {
      id: crypto.randomUUID(),
      time: now,
      type,
      principal: { id: ids[principal]!, name: principal },
      object: INSTANCE,
      environmentId: null,
      requestId: null,
      detail: { ...detail },
    });

  test("hides other people's statements, watermarks and unknown fields without READ_QUERY_TEXT (AUDIT-10, AUDIT-11)", async () => {
    later(1);
    await write('worker', 'QUERY_COMPLETED', {
      query_id: 'q',
      status: 'succeeded',
      sql_text: 'SELECT 1',
      tables: [],
      surprise: 'x',
    });
    await write('worker', 'TABLE_WRITE', {
      table_id: 't',
      mode: 'append',
      rows: 1,
      snapshot_id: 1,
      watermark: '2026-01-01',
    });
    await write('auditor', 'QUERY_COMPLETED', { query_id: 'q', status: 'succeeded', sql_text: 'SELECT 2', tables: [] });
    const details = async (token?: string) =>
      (await get('/api/v1/audit-events?limit=3', token)).body.map((e: { detail: object }) => e.detail);
    const seen = await details(tokens['auditor']);
    expect(seen).toContainEqual(
      expect.objectContaining({
        sql_text: { sha256: 'e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5', length: 8 },
        surprise: { hidden: true },
      }),
    );
    expect(seen).toContainEqual(expect.objectContaining({ watermark: { hidden: true }, rows: 1 }));
    expect(seen).toContainEqual(expect.objectContaining({ sql_text: 'SELECT 2' }));
    await post('/api/v1/grants', { kind: 'INSTANCE', principal: 'auditor', action: 'READ_QUERY_TEXT' });
    const all = (await get('/api/v1/audit-events?limit=10', tokens['auditor'])).body.map(
      (e: { detail: object }) => e.detail,
    );
    expect(all).toContainEqual(expect.objectContaining({ sql_text: 'SELECT 1', surprise: 'x' }));
    expect(all).toContainEqual(expect.objectContaining({ watermark: '2026-01-01' }));
  });
});

describe('the sealed log', () => {
  const seal = () => {
    const keys = headKeys(server.secretsKey);
    const options = { limit: 10_000, keys, adoptUnsigned: false, now, newId: () => crypto.randomUUID() };
    return inTransaction(server.db, (tx) => sealEvents(tx, options));
  };

  test('numbers committed events without a gap and proves itself (AUDIT-5)', async () => {
    const [a, b] = await Promise.all([seal(), seal()]);
    expect(Math.max(a.sealed, b.sealed)).toBeGreaterThan(0);
    await get('/api/v1/environments/nowhere', tokens['worker']);
    await seal();
    const { rows } = {
      rows: await server.db.prisma.auditEvent.findMany({
        where: { sequence: { not: null } },
        orderBy: { sequence: 'asc' },
      }),
    };
    expect(rows.map((row) => Number(row.sequence))).toEqual(rows.map((_, i) => i + 1));
    const { body } = await get('/api/v1/audit-events/verification');
    expect(body).toMatchObject({
      intact: true,
      sealed: rows.length,
      problem: null,
      head: { sequence: rows.length, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('a changed, a removed and a cut-off event are found', async () => {
    const verify = async () => (await get('/api/v1/audit-events/verification')).body;
    const { prisma } = server.db;
    const third = (await prisma.auditEvent.findFirst({ where: { sequence: 3n } }))!;
    await prisma.auditEvent.update({ where: { id: third.id }, data: { principal: 'somebody else' } });
    expect((await verify()).problem).toEqual({ sequence: 3, detail: expect.stringContaining('was changed') });
    await prisma.auditEvent.update({ where: { id: third.id }, data: { principal: third.principal } });
    expect((await verify()).intact).toBe(true);
    await prisma.auditEvent.delete({ where: { id: third.id } });
    expect((await verify()).problem).toEqual({ sequence: 3, detail: expect.stringContaining('is missing') });
    await prisma.auditEvent.create({
      data: { ...third, object: third.object as object, detail: third.detail as object },
    });
    const last = (await prisma.auditEvent.findFirst({
      where: { sequence: { not: null } },
      orderBy: { sequence: 'desc' },
    }))!;
    await prisma.auditEvent.delete({ where: { id: last.id } });
    expect((await verify()).problem.detail).toMatch(/the log ends at event/);
    await prisma.auditEvent.create({ data: { ...last, object: last.object as object, detail: last.detail as object } });
    expect((await verify()).intact).toBe(true);
  });

  test('is signed; a head saved before is found in it, and missed in one that was rewritten', async () => {
    const path = '/api/v1/audit-events/verification';
    const { body } = await get(path);
    expect(body.signed_head).toMatchObject({ version: 1, ...body.head, signed_since: { sequence: 1 } });
    expect(body.former_head).toBeNull();
    const of = async (head: object) => (await get(`${path}?head=${encodeURIComponent(JSON.stringify(head))}`)).body;
    await seal();
    const found = { sequence: body.head.sequence, contained: true };
    expect(await of(body.signed_head)).toMatchObject({ intact: true, former_head: { ...found, signature: 'valid' } });
    expect(await of(body.head)).toMatchObject({ intact: true, former_head: { ...found, signature: 'none' } });
    const other = { ...body.head, hash: '0'.repeat(64) };
    expect(await of(other)).toMatchObject({
      intact: false,
      problem: { sequence: found.sequence, detail: expect.stringContaining('another hash than the saved head') },
      former_head: { contained: false, signature: 'none' },
    });
    const beyond = { ...body.head, sequence: 1_000_000 };
    expect((await of(beyond)).problem.detail).toMatch(/events were removed, or an earlier backup was restored/);
    const { prisma } = server.db;
    const head = (await prisma.auditHead.findFirst())!;
    await prisma.auditHead.update({ where: { id: 1 }, data: { mac: Buffer.alloc(32) } });
    expect(await of(body.signed_head)).toMatchObject({
      intact: false,
      problem: { detail: expect.stringMatching(/^the signature of the head at event \d+ is wrong/) },
      signed_head: null,
      former_head: { contained: true, signature: 'valid' },
    });
    const cut = await get('/api/v1/audit-events/export?heads=true');
    expect(cut.text.trim().split('\n').at(-1)).toBe('{"signed_head":null}');
    await prisma.auditHead.update({ where: { id: 1 }, data: { mac: head.mac } });
    for (const text of ['', 'x', '{"sequence":1}', JSON.stringify({ ...body.signed_head, version: 2 })]) {
      const response = await get(`${path}?head=${encodeURIComponent(text)}`);
      expect([response.status, response.body.detail]).toEqual([422, expect.stringContaining('head')]);
    }
    expect((await get(`${path}?head=x`, tokens['worker'])).status).toBe(403);
  });

  test('is exported with a last line for its head on request, which covers all events with a number', async () => {
    await seal();
    const lines = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const { signed_head } = (await get('/api/v1/audit-events/verification')).body;
    const plain = lines((await get('/api/v1/audit-events/export')).text);
    const events = lines((await get('/api/v1/audit-events/export?heads=true')).text);
    expect(events.pop()).toEqual({ signed_head });
    expect(events).toEqual(plain);
    expect(events.every((event) => 'id' in event && !('signed_head' in event))).toBe(true);
    expect(Math.max(...events.map(({ sequence }) => sequence))).toBeLessThanOrEqual(signed_head.sequence);
    expect((await get('/api/v1/audit-events/export?heads=1')).status).toBe(422);
  });

  test('is exported as JSON lines, oldest first', async () => {
    const response = await get('/api/v1/audit-events/export?since=2026-03-01T09:00:00%2B01:00');
    const lines = response.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { time: string });
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.map((line) => line.time)).toEqual(lines.map((line) => line.time).sort());
    expect((await get('/api/v1/audit-events/export?since=2026-03-01')).status).toBe(422);
  });
});

test('events are listed by request and by the object that they recorded, also after a rename and a drop (AUDIT-12)', async () => {
  const dev = '/api/v1/environments/dev';
  for (const namespace of ['sales', 'sales.eu', 'other']) await post(`${dev}/namespaces`, { path: namespace });
  const columns = [{ name: 'id', type: 'long' }];
  for (const table of ['sales/tables', 'sales.eu/tables', 'other/tables'])
    await post(`${dev}/namespaces/${table}`, { name: 'orders', columns });
  await post(`${dev}/namespaces/sales/tables/orders/rename`, { to: 'sales.renamed' });
  await server.call('DELETE', `${dev}/namespaces/sales/tables/renamed`);
  const types = async (query: string) =>
    (await get(`/api/v1/audit-events?${query}`)).body.map(({ type }: { type: string }) => type);
  expect(await types('environment=dev&namespace=sales')).toEqual([
    'TABLE_DROPPED',
    'TABLE_UPDATED',
    'TABLE_CREATED',
    'NAMESPACE_CREATED',
  ]);
  expect(await types('environment=dev&namespace=sales.eu&table=orders')).toEqual(['TABLE_CREATED']);
  expect(await types('environment=dev&namespace=sales&table=absent')).toEqual([]);
  const [{ request_id, id }] = (await get('/api/v1/audit-events?environment=dev&namespace=other&table=orders')).body;
  const { body } = await get(`/api/v1/audit-events?request_id=${request_id}`);
  expect(body.map((event: { id: string }) => event.id)).toEqual([id]);
  expect(await types('request_id=none')).toEqual([]);
});

test('a list by object or request needs its permission, and its filters are in the event of the view (AUDIT-7, AUDIT-12)', async () => {
  for (const query of ['environment=dev&namespace=sales', 'request_id=x'])
    expect((await get(`/api/v1/audit-events?${query}`, tokens['worker'])).status).toBe(403);
  later(120);
  await get('/api/v1/audit-events?environment=dev&namespace=sales&table=orders&limit=5', tokens['auditor']);
  expect((await viewsOf('auditor'))[0]!.detail['filters']).toEqual({
    ...{ event_type: null, environment: 'dev', since: null, until: null, limit: 5 },
    ...{ namespace: 'sales', table: 'orders' },
  });
});

test('the filters of the list name what they take (AUDIT-4)', async () => {
  for (const [query, message] of [
    ['event_type=FLOWN', /TABLE_DROPPED/],
    ['principal_id=me', /id of a principal/],
    ['since=2026-03-01', /2026-03-01T08:00:00Z/],
    ['until=yesterday', /time zone/],
    ['namespace=sales', /parameter namespace: needs environment/],
    ['environment=dev&table=orders', /parameter table: needs namespace/],
    ['environment=dev&namespace=', /must not be empty/],
  ] as const) {
    const response = await get(`/api/v1/audit-events?${query}`);
    expect(response.status).toBe(422);
    expect(response.body.detail).toMatch(message);
  }
  expect((await get('/api/v1/audit-events?environment=nowhere')).status).toBe(404);
});
