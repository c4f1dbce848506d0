import { purgeEnvironment } from '@svc/db/environments';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

const PATH = '/api/v1/access-requests';
let server: TestServer;
let now = Date.parse('2026-03-01T08:00:00Z');
const tokens: Record<string, string> = {};

const call = (method: string, path: string, body?: unknown, name?: string): Promise<Answer> =>
  server.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(name === undefined ? {} : { token: tokens[name]! }),
  });
const submit = (body: object, name = 'ann') => call('POST', PATH, body, name);
const events = async (type: string) => (await call('GET', `/api/v1/audit-events?event_type=${type}`)).body;
const ORDERS = { action: 'READ_TABLE', environment: 'prod', namespace: 'sales', table: 'orders' };

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) });
  await call('POST', '/api/v1/environments', { name: 'prod' });
  await call('POST', '/api/v1/environments/prod/namespaces', { path: 'sales' });
  await call('POST', '/api/v1/environments/prod/namespaces/sales/tables', {
    name: 'orders',
    columns: [{ name: 'id', type: 'long' }],
  });
  for (const name of ['ann', 'eve']) {
    await call('POST', '/api/v1/principals', { name, type: 'person' });
    tokens[name] = (await call('POST', `/api/v1/principals/${name}/tokens`, { name: 't' })).body.token;
  }
});
afterAll(() => server.stop());

test('an approved request becomes a grant, each with its event (REQUEST-1, REQUEST-4, REQUEST-7)', async () => {
  const requested = await submit({ ...ORDERS, reason: ' the report ', expires_at: '2026-03-02T08:00:00Z' });
  expect([requested.status, requested.body]).toEqual([
    201,
    expect.objectContaining({
      principal: 'ann',
      kind: 'TABLE',
      state: 'pending',
      reason: 'the report',
      grant_id: null,
    }),
  ]);
  const { id } = requested.body;
  const denied = await call('POST', `${PATH}/${id}/approve`, {}, 'ann');
  expect(denied.status).toBe(403);
  const { status, body } = await call('POST', `${PATH}/${id}/approve`, { comment: 'until tomorrow' });
  expect([status, body.state, body.decided_by, body.comment]).toEqual([200, 'approved', 'admin', 'until tomorrow']);
  const [grant] = (await call('GET', '/api/v1/grants?principal_name=ann')).body;
  expect(grant).toMatchObject({
    id: body.grant_id,
    action: 'READ_TABLE',
    table: 'orders',
    expires_at: '2026-03-02T08:00:00.000Z',
  });
  const table = '/api/v1/environments/prod/namespaces/sales/tables/orders';
  expect((await call('GET', table, undefined, 'ann')).status).toBe(200);
  const [approved] = await events('ACCESS_REQUEST_APPROVED');
  expect(approved).toMatchObject({ principal: 'admin', detail: { access_request_id: id, grant_id: grant.id } });
  expect((await events('ACCESS_REQUESTED'))[0]).toMatchObject({ principal: 'ann', object: { table: 'orders' } });
  expect((await events('GRANT_CREATED')).some(({ detail }: { detail: { id: string } }) => detail.id === grant.id)).toBe(
    true,
  );
  for (const verb of ['approve', 'reject']) {
    const again = await call('POST', `${PATH}/${id}/${verb}`);
    expect([again.status, again.body.code]).toEqual([409, 'already-decided']);
    expect(again.body.detail).toBe('The request of ann was approved by admin.');
  }
  const had = await submit({ ...ORDERS, expires_at: '2026-03-02T07:59:59Z' });
  expect([had.status, had.body.code]).toEqual([409, 'duplicate-grant']);
});

test('access that expires can be requested for longer before it does (REQUEST-2)', async () => {
  const week = { ...ORDERS, expires_at: '2026-03-08T08:00:00Z' };
  const longer = await submit(week);
  expect([longer.status, longer.body.state]).toEqual([201, 'pending']);
  expect((await call('POST', `${PATH}/${longer.body.id}/approve`, {})).body.state).toBe('approved');
  expect((await submit(week)).body.code).toBe('duplicate-grant');
  const unlimited = await submit(ORDERS);
  expect(unlimited.status).toBe(201);
  expect((await call('DELETE', `${PATH}/${unlimited.body.id}`, undefined, 'ann')).status).toBe(204);
});

test('whether the object exists makes no difference to the answer (REQUEST-2)', async () => {
  const shape = ({ status, body }: Answer) => ({
    status,
    body: { ...body, id: '', environment: '', namespace: '', table: '' },
  });
  const missing = await submit({ ...ORDERS, environment: 'secret', table: 'gone' }, 'eve');
  const existing = await submit({ ...ORDERS, action: 'WRITE_TABLE' }, 'eve');
  expect(shape(missing)).toEqual({ ...shape(existing), body: { ...shape(existing).body, action: 'READ_TABLE' } });
  const approval = await call('POST', `${PATH}/${missing.body.id}/approve`);
  expect([approval.status, approval.body.code]).toEqual([404, 'not-found']);
  const [pending] = (await call('GET', `${PATH}?principal=eve&state=PENDING`)).body;
  expect(pending.state).toBe('pending');
  expect((await call('POST', `${PATH}/${missing.body.id}/reject`, { comment: 'no such table' })).body.state).toBe(
    'rejected',
  );
});

test('everyone sees only their own requests, administrators all (REQUEST-3)', async () => {
  const principals = async (query: string, name?: string) =>
    (await call('GET', `${PATH}${query}`, undefined, name)).body.map(
      ({ principal }: { principal: string }) => principal,
    );
  expect(new Set(await principals('', 'ann'))).toEqual(new Set(['ann']));
  expect(await principals('?principal=eve', 'ann')).toEqual([]);
  expect(await principals('?principal=nobody')).toEqual([]);
  expect(new Set(await principals(''))).toEqual(new Set(['ann', 'eve']));
  expect((await call('GET', `${PATH}?state=unknown`)).status).toBe(422);
  const task = (await call('POST', '/api/v1/task-tokens', {})).body.token;
  for (const method of ['GET', 'POST']) expect((await server.call(method, PATH, { token: task })).status).toBe(403);
});

test('the same request is pending once, in any letter case, and can be withdrawn by its owner only (REQUEST-5)', async () => {
  const role = { role: 'analyst', environment: 'prod', namespace: 'sales' };
  const [first, second] = await Promise.all([submit(role), submit({ ...role, namespace: 'SALES', role: 'ANALYST' })]);
  expect([first.status, second.status].sort()).toEqual([201, 409]);
  const { id } = [first, second].find(({ status }) => status === 201)!.body;
  expect((await call('DELETE', `${PATH}/${id}`, undefined, 'eve')).status).toBe(404);
  expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(404);
  expect((await call('DELETE', `${PATH}/${id}`, undefined, 'ann')).status).toBe(204);
  expect((await call('DELETE', `${PATH}/${id}`, undefined, 'ann')).status).toBe(409);
  expect((await submit(role)).status).toBe(201);
});

test.each([
  [{ environment: 'prod' }, '/action'],
  [{ role: 'ANALYST', action: 'RUN' }, '/action'],
  [{ action: 'MANAGE_GRANT' }, '/action'],
  [{ action: 'RUN', namespace: 'sales' }, '/environment'],
  [{ action: 'READ_TABLE', environment: 'prod', table: 'orders' }, '/namespace'],
  [{ action: 'RUN', environment: 'prod', namespace: 'sales' }, '/action'],
  [{ role: 'ANALYST', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  [{ role: 'ANALYST', reason: 'x'.repeat(2001) }, '/reason'],
])('%j is refused at %s', async (body, pointer) => {
  const answer = await submit(body);
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
});

test('a requested time that has passed needs another one; what was granted in the meantime is not granted twice (REQUEST-4)', async () => {
  const { id } = (await submit({ action: 'RUN', environment: 'prod', expires_at: '2026-03-01T09:00:00Z' })).body;
  now += 2 * 3_600_000;
  const late = await call('POST', `${PATH}/${id}/approve`);
  expect([late.status, late.body.errors[0].pointer]).toEqual([422, '/expires_at']);
  const grant = (
    await call('POST', '/api/v1/grants', { kind: 'ENVIRONMENT', principal: 'ann', action: 'RUN', environment: 'prod' })
  ).body;
  const approved = await call('POST', `${PATH}/${id}/approve`, { expires_at: null });
  expect([approved.status, approved.body.grant_id]).toEqual([200, grant.id]);
});

test('concurrent decisions of a request are one, and concurrent requests stay within the limit (REQUEST-5)', async () => {
  const { id } = (await submit({ action: 'DEPLOY', environment: 'prod' }, 'eve')).body;
  const decisions = await Promise.all(
    ['approve', 'approve', 'reject'].map((verb) => call('POST', `${PATH}/${id}/${verb}`)),
  );
  expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const granted = (await call('GET', '/api/v1/grants?principal_name=eve&action=DEPLOY')).body;
  const { state } = (await call('GET', `${PATH}?principal=eve&limit=1`)).body[0];
  expect(granted).toHaveLength(state === 'approved' ? 1 : 0);
});

test('a principal has 100 pending requests at most, and deleting it withdraws them (REQUEST-5, REQUEST-6)', async () => {
  await call('POST', '/api/v1/principals', { name: 'bot', type: 'service-account' });
  tokens['bot'] = (await call('POST', '/api/v1/principals/bot/tokens', { name: 't' })).body.token;
  for (let n = 0; n < 99; n++)
    expect((await submit({ role: 'ANALYST', environment: `e${n}` }, 'bot')).status).toBe(201);
  const last = await Promise.all(['x', 'y', 'z'].map((name) => submit({ role: 'ANALYST', environment: name }, 'bot')));
  expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const more = await submit({ role: 'ANALYST', environment: 'more' }, 'bot');
  expect([more.status, more.body.code]).toEqual([409, 'limit-reached']);
  const before = (await call('GET', `${PATH}?principal=bot&limit=1`)).body[0];
  await call('DELETE', '/api/v1/principals/bot');
  const after = await call('POST', `${PATH}/${before.id}/approve`);
  expect([after.status, after.body.code]).toEqual([409, 'already-decided']);
});

test('purging an environment withdraws the requests for it (REQUEST-6)', async () => {
  const { id } = (await call('POST', '/api/v1/environments', { name: 'trial' })).body;
  const request = { action: 'READ_TABLE', environment: 'trial', namespace: 'sales', table: 'orders' };
  expect((await submit(request)).status).toBe(201);
  const other = (await submit({ ...request, environment: 'trial2' })).body;
  await call('DELETE', '/api/v1/environments/trial');
  expect(await purgeEnvironment(server.db.prisma, { id, now: new Date(now + 30 * 86_400_000) })).toBe(0);
  const requests = (await call('GET', `${PATH}?principal=ann&limit=2`)).body;
  expect(requests).toMatchObject([
    { id: other.id, state: 'pending' },
    { environment: 'trial', state: 'withdrawn', decided_by: null },
  ]);
});
