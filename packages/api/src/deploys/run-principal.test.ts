import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const tokens: Record<string, string> = {};
const RUN_AS = '/api/v1/environments/prod/deployments/shop/run-as';

const call = (method: string, path: string, body?: unknown, name?: string) =>
  server.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(name === undefined ? {} : { token: tokens[name]! }),
  });
const post = async (path: string, body: unknown) => {
  const answer = await call('POST', `/api/v1${path}`, body);
  expect([path, answer.status, answer.text.slice(0, 300)]).toEqual([path, 201, expect.anything()]);
  return answer.body;
};
const grant = (body: object) => post('/grants', body);
const bind = (principal: string | null, name = 'ann') => call('PUT', RUN_AS, { principal }, name);

beforeAll(async () => {
  server = await startTestServer();
  tokens['admin'] = server.token;
  const environment = await post('/environments', { name: 'prod' });
  await post('/environments/prod/namespaces', { path: 'sales' });
  await post('/environments/prod/namespaces/sales/tables', { name: 'orders', columns: [{ name: 'id', type: 'long' }] });
  const repository = await post('/repositories', { name: 'shop' });
  const id = randomUUID();
  const project = { environment_id: environment.id, repository_id: repository.id, created_by: id };
  const { prisma } = server.db;
  const content = { assets: [], jobs: [], commit: 'a'.repeat(40), dirty: false, name: 'shop' };
  const created_at = new Date('2026-03-01T08:00:00Z');
  await prisma.projectVersion.create({
    data: { id, ...project, ...content, deploy_id: id, location: `versions/${id}`, created_at },
  });
  await prisma.deployment.create({
    data: { id, ...project, project_version_id: id, created_at, updated_at: created_at },
  });
  for (const name of ['nightly', 'powerful', 'idle']) await post('/principals', { name, type: 'service-account' });
  for (const name of ['ann', 'eve']) {
    await post('/principals', { name, type: 'person' });
    tokens[name] = (await post(`/principals/${name}/tokens`, { name: 't' })).token;
  }
  await grant({ kind: 'ENVIRONMENT', principal: 'ann', role: 'DATA_ENGINEER', environment: 'prod' });
  await grant({ kind: 'ENVIRONMENT', principal: 'eve', action: 'DEPLOY', environment: 'prod' });
  await grant({ kind: 'ENVIRONMENT', principal: 'nightly', role: 'DATA_ENGINEER', environment: 'prod' });
  await grant({ kind: 'INSTANCE', principal: 'powerful', action: 'READ_AUDIT_LOG' });
});
afterAll(() => server.stop());

test('without ACT_AS, only an account that can do no more than the caller can be bound (ACCESS-46)', async () => {
  expect((await bind('nightly')).body.run_as).toBe('nightly');
  expect((await bind('idle', 'eve')).body.run_as).toBe('idle');
  const refused = await bind('nightly', 'eve');
  expect([refused.status, refused.body.remedy]).toEqual([
    403,
    'svc grant create --kind SERVICE_ACCOUNT --principal eve --action ACT_AS --service-account nightly',
  ]);
  expect(refused.body.detail).toContain('eve may not ACT_AS on the service account nightly');
  const [event] = (await call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=1')).body;
  expect(event).toMatchObject({
    principal: 'eve',
    object: { kind: 'SERVICE_ACCOUNT', service_account: 'nightly' },
    detail: { action: 'ACT_AS' },
  });
  expect((await bind('powerful')).status).toBe(403);
  expect((await bind('powerful', 'admin')).body.run_as).toBe('powerful');
  // What is bound already stays, and can be removed.
  expect((await bind('powerful')).status).toBe(200);
  expect((await bind(null, 'eve')).body.run_as).toBeNull();
  expect((await bind('powerful')).status).toBe(403);
  // Invalid principals get the same answer as before.
  expect([(await bind('unknown', 'eve')).status, (await bind('ann', 'eve')).status]).toEqual([422, 422]);
});

test('ACT_AS on an account allows to bind it, and is revoked with it (ACCESS-45, ACCESS-46)', async () => {
  await post('/principals', { name: 'loader', type: 'service-account' });
  await grant({ kind: 'ENVIRONMENT', principal: 'loader', role: 'ADMIN', environment: 'prod' });
  expect((await bind('loader', 'eve')).status).toBe(403);
  const created = await grant({
    kind: 'service_account',
    principal: 'eve',
    action: 'act_as',
    service_account: 'loader',
  });
  expect(created).toMatchObject({
    kind: 'SERVICE_ACCOUNT',
    action: 'ACT_AS',
    service_account: 'loader',
    environment: null,
  });
  expect((await bind('loader', 'eve')).body.run_as).toBe('loader');
  const list = '/api/v1/grants?service_account=loader';
  expect((await call('GET', list)).body.map(({ id }: { id: string }) => id)).toEqual([created.id]);
  const { body } = await call('GET', '/api/v1/principals/eve/permissions?service_account=loader', undefined, 'eve');
  expect(body.scope).toEqual({
    ...{ kind: 'SERVICE_ACCOUNT', environment: null, namespace: null, table: null },
    service_account: 'loader',
  });
  expect(body.permissions).toEqual([expect.objectContaining({ action: 'ACT_AS', allowed: true })]);
  const who = await call('GET', '/api/v1/access/who?action=ACT_AS&service_account=loader');
  expect(who.body.map(({ principal }: { principal: string }) => principal)).toEqual(['admin', 'eve']);
  expect((await call('DELETE', '/api/v1/principals/loader')).status).toBe(204);
  const granted = (await call('GET', '/api/v1/grants?principal_name=eve')).body;
  expect(granted.map(({ action }: { action: string }) => action)).toEqual(['DEPLOY']);
});

test('times that passed without a usable account are not caught up, even if no worker has read them (JOBS-2)', async () => {
  const { prisma } = server.db;
  const { environment_id, repository_id } = await prisma.deployment.findFirstOrThrow();
  const definition = { name: 'hourly', select: ['*'], upstream: false, downstream: false };
  const schedule = { cron: '0 * * * *', timezone: 'UTC' };
  const created_at = new Date('2026-03-01T00:00:00Z');
  const { id } = await prisma.job.create({
    data: {
      id: randomUUID(),
      environment_id,
      repository_id,
      name: 'hourly',
      definition,
      ...schedule,
      created_at,
      updated_at: created_at,
    },
  });
  const passTime = (hour: number) =>
    prisma.job.update({ where: { id }, data: { next_run_at: new Date(Date.UTC(2026, 2, 1, hour)) } });
  const isDue = async () => (await prisma.job.findUniqueOrThrow({ where: { id } })).next_run_at! <= new Date();

  await bind(null, 'admin');
  await passTime(1);
  expect((await bind('idle', 'admin')).status).toBe(200);
  expect(await isDue()).toBe(false);

  await passTime(2);
  expect((await bind('nightly', 'admin')).status).toBe(200);
  expect(await isDue()).toBe(true);

  const activate = (active: boolean) => call('PATCH', '/api/v1/principals/nightly', { active }, 'admin');
  await activate(true);
  expect(await isDue()).toBe(true);
  await activate(false);
  await activate(true);
  expect(await isDue()).toBe(false);
  await prisma.job.delete({ where: { id } });
});

test('an account with the name of the deleted one that is bound is another account (ACCESS-46)', async () => {
  await post('/principals', { name: 'again', type: 'service-account' });
  expect((await bind('again', 'eve')).body.run_as).toBe('again');
  await call('DELETE', '/api/v1/principals/again');
  await post('/principals', { name: 'again', type: 'service-account' });
  await grant({ kind: 'ENVIRONMENT', principal: 'again', role: 'ADMIN', environment: 'prod' });
  expect((await bind('again', 'eve')).status).toBe(403);
  await bind(null, 'eve');
});

test('what a grant on a service account must look like (ACCESS-10, ACCESS-45)', async () => {
  const refused = async (body: object) => {
    const answer = await call('POST', '/api/v1/grants', { principal: 'eve', ...body });
    return [answer.status, answer.body.errors?.[0]?.pointer];
  };
  const on = { kind: 'SERVICE_ACCOUNT', service_account: 'nightly' };
  expect(await refused({ ...on, role: 'ADMIN' })).toEqual([422, '/role']);
  expect(await refused({ ...on, action: 'READ_TABLE' })).toEqual([422, '/action']);
  expect(await refused({ ...on, action: 'ACT_AS', environment: 'prod' })).toEqual([422, '/environment']);
  expect(await refused({ kind: 'SERVICE_ACCOUNT', action: 'ACT_AS' })).toEqual([422, '/service_account']);
  expect(await refused({ kind: 'ENVIRONMENT', environment: 'prod', action: 'ACT_AS' })).toEqual([422, '/action']);
  expect((await refused({ ...on, action: 'ACT_AS', service_account: 'ann' }))[0]).toBe(404);
  expect((await refused({ ...on, action: 'ACT_AS', service_account: 'unknown' }))[0]).toBe(404);
});

test('policies that bind the caller, but not the account, count as well (ACCESS-46)', async () => {
  const filters = '/api/v1/environments/prod/namespaces/sales/tables/orders/row-filters';
  expect((await bind('nightly')).status).toBe(200);
  await bind(null);
  const filter = await call('POST', filters, { principal: 'ann', predicate: 'id > 1' });
  expect(filter.status).toBe(201);
  expect((await bind('nightly')).status).toBe(403);
  // The same policy for both, through a group.
  expect((await call('DELETE', `/api/v1/row-filters/${filter.body.id}`)).status).toBe(204);
  await post('/groups', { name: 'all' });
  for (const name of ['ann', 'nightly']) await call('PUT', `/api/v1/groups/all/members/${name}`);
  expect((await call('POST', filters, { group: 'all', predicate: 'id > 1' })).status).toBe(201);
  expect((await bind('nightly')).status).toBe(200);
  await bind(null);
  await call('DELETE', '/api/v1/groups/all/members/nightly');
  expect((await bind('nightly')).status).toBe(403);
  // The caller could restore a dropped table afterwards.
  expect((await call('DELETE', '/api/v1/environments/prod/namespaces/sales/tables/orders')).status).toBe(200);
  expect((await bind('nightly')).status).toBe(403);
});

test('ACT_AS can be requested like other access (REQUEST-1, ACCESS-45)', async () => {
  const { body } = await call(
    'POST',
    '/api/v1/access-requests',
    { action: 'ACT_AS', service_account: 'nightly' },
    'eve',
  );
  expect(body).toMatchObject({ kind: 'SERVICE_ACCOUNT', service_account: 'nightly', state: 'pending' });
  const again = await call('POST', '/api/v1/access-requests', { action: 'ACT_AS', service_account: 'powerful' }, 'eve');
  expect(again.status).toBe(201);
  const approved = await call('POST', `/api/v1/access-requests/${body.id}/approve`, {});
  expect(approved.body.state).toBe('approved');
  expect((await bind('nightly', 'eve')).status).toBe(200);
});
