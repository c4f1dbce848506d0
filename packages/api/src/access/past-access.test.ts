import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let now = Date.parse('2026-03-01T08:00:00Z');
const tokens: Record<string, string> = {};

const call = (method: string, path: string, body?: unknown, name?: string) =>
  server.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(name === undefined ? {} : { token: tokens[name]! }),
  });
const post = async (path: string, body: unknown) => {
  const answer = await call('POST', `/api/v1${path}`, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
};
const remove = async (path: string) => expect((await call('DELETE', `/api/v1${path}`)).status).toBeLessThan(300);
const day = (n: number) => `2026-03-0${n}T12:00:00Z`;
const onDay = (n: number) => {
  now = Date.parse(`2026-03-0${n}T08:00:00Z`);
};
const ORDERS = 'environment=prod&namespace=sales&table=orders';
const explain = async (name: string, at: string, as?: string) =>
  call('GET', `/api/v1/principals/${name}/permissions?${ORDERS}&at=${at}`, undefined, as);
/** Whether the principal could read the table on each day. */
const reads = async (name: string, days: number[]) => {
  const found: (boolean | number)[] = [];
  for (const n of days) {
    const { status, body } = await explain(name, day(n));
    found.push(status === 200 ? body.permissions[0].allowed : status);
  }
  return found;
};
const who = async (at: string, more = '') => {
  const { body } = await call('GET', `/api/v1/access/who?action=READ_TABLE&${ORDERS}&at=${at}${more}`);
  return body.map(({ principal, active }: { principal: string; active: boolean }) =>
    active ? principal : `(${principal})`,
  );
};

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) });
  await post('/environments', { name: 'prod' });
  await post('/environments/prod/namespaces', { path: 'sales' });
  await post('/environments/prod/namespaces/sales/tables', { name: 'orders', columns: [{ name: 'id', type: 'long' }] });
  for (const name of ['ann', 'bob', 'eve']) await post('/principals', { name, type: 'person' });
  await post('/groups', { name: 'readers' });
  onDay(2);
  const single = await post('/grants', {
    kind: 'NAMESPACE',
    principal: 'ann',
    role: 'ANALYST',
    environment: 'prod',
    namespace: 'sales',
  });
  await post('/grants', {
    kind: 'TABLE',
    group: 'readers',
    action: 'READ_TABLE',
    environment: 'prod',
    namespace: 'sales',
    table: 'orders',
  });
  await post('/grants', {
    kind: 'ENVIRONMENT',
    principal: 'eve',
    action: 'READ_TABLE',
    environment: 'prod',
    expires_at: day(4),
  });
  onDay(3);
  await call('PUT', '/api/v1/groups/readers/members/bob');
  await call('PATCH', '/api/v1/principals/eve', { active: false });
  onDay(4);
  await remove(`/grants/${single.id}`);
  onDay(5);
  await remove('/groups/readers/members/bob');
  await call('PATCH', '/api/v1/principals/eve', { active: true });
  await remove('/environments/prod/namespaces/sales/tables/orders');
  onDay(6);
  await remove('/principals/ann');
  onDay(7);
  await post('/principals', { name: 'ann', type: 'person' });
  for (const name of ['ann', 'bob']) tokens[name] = (await post(`/principals/${name}/tokens`, { name: 't' })).token;
  onDay(8);
});
afterAll(() => server.stop());

test('permissions at a time in the past: grants, expiry, memberships, principals and objects of that time (ACCESS-47)', async () => {
  expect(await reads('ann', [1, 2, 3, 4, 5])).toEqual([false, true, true, false, false]);
  // Nobody had the name on the sixth; on the seventh, it is another principal's.
  expect(await reads('ann', [6, 7])).toEqual([404, false]);
  expect(await reads('bob', [2, 3, 4, 5])).toEqual([false, true, true, false]);
  expect(await reads('eve', [1, 2, 3, 5])).toEqual([false, true, true, false]);
  const { body } = await explain('eve', day(3));
  expect([body.active, body.at, body.note]).toEqual([
    false,
    '2026-03-03T12:00:00.000Z',
    expect.stringContaining('deactivated'),
  ]);
  expect((await explain('eve', day(2))).body.active).toBe(true);
});

test('who had an action at a time in the past (ACCESS-47)', async () => {
  expect(await who(day(1))).toEqual(['admin']);
  expect(await who(day(2))).toEqual(['admin', 'ann', 'eve']);
  expect(await who(day(3))).toEqual(['admin', 'ann', 'bob', '(eve)']);
  expect(await who(day(5))).toEqual(['admin']);
  expect(await who(day(3), '&limit=2')).toEqual(['admin', 'ann']);
});

test('the name of another principal, the future and the own past (ACCESS-47)', async () => {
  expect((await explain('bob', day(3), 'bob')).body.permissions[0].allowed).toBe(true);
  const former = await explain('ann', day(3), 'ann');
  expect([former.status, former.body.code]).toEqual([403, 'forbidden']);
  expect((await explain('bob', day(3), 'ann')).status).toBe(403);
  const future = await explain('bob', day(9));
  expect([future.status, future.body.errors[0].parameter]).toEqual([422, 'at']);
  expect((await explain('bob', 'yesterday')).status).toBe(422);
});
