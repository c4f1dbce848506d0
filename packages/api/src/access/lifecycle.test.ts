import { hash } from '@node-rs/argon2';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
});
afterAll(() => server.stop());

const post = (path: string, body: unknown, token?: string): Promise<Answer> =>
  server.call('POST', path, { body, ...(token === undefined ? {} : { token }) });
const principals = '/api/v1/principals';
const create = (name: string) => post(principals, { name, type: 'service-account' });
const issue = (name: string) => post(`${principals}/${name}/tokens`, { name: 't' });
const eventsOf = async (type: string, name: string) =>
  (await server.call('GET', `/api/v1/audit-events?event_type=${type}&limit=200`)).body.filter(
    (event: { detail: { name: string } }) => event.detail.name === name,
  );

describe('at once', () => {
  const many = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work));
  const statuses = (responses: Answer[]) => responses.map(({ status }) => status).sort();

  test.each([
    ['principal', principals, 'PRINCIPAL_DELETED'],
    ['group', '/api/v1/groups', 'GROUP_DELETED'],
  ])('a %s is deleted once, with one event', async (name, path, type) => {
    await post(path, { name, ...(path === principals ? { type: 'person' } : {}) });
    const responses = await many(() => server.call('DELETE', `${path}/${name}`));
    expect(statuses(responses)).toEqual([204, ...Array(7).fill(404)]);
    expect(await eventsOf(type, name)).toHaveLength(1);
  });

  test('a token is revoked once', async () => {
    await create('once');
    const { id } = (await issue('once')).body;
    expect(statuses(await many(() => server.call('DELETE', `/api/v1/tokens/${id}`)))).toEqual([
      204,
      ...Array(7).fill(404),
    ]);
  });

  test('a grant is revoked once, with one event, directly or with its group', async () => {
    await post('/api/v1/groups', { name: 'twice' });
    const grant = { kind: 'ENVIRONMENT', group: 'twice', action: 'RUN', environment: 'dev' };
    const { id } = (await post('/api/v1/grants', grant)).body;
    const removals = ['/api/v1/groups/twice', `/api/v1/grants/${id}`, `/api/v1/grants/${id}`];
    const responses = await Promise.all(removals.map((path) => server.call('DELETE', path)));
    expect(responses[0]!.status).toBe(204);
    for (const { status } of responses) expect([204, 404]).toContain(status);
    const revoked = (await server.call('GET', '/api/v1/audit-events?event_type=GRANT_REVOKED&limit=200')).body;
    expect(revoked.filter((event: { detail: { id: string } }) => event.detail.id === id)).toHaveLength(1);
  });

  test('no grant, token or membership outlives the principal it is made to (ACCESS-23)', async () => {
    await post('/api/v1/groups', { name: 'crew' });
    for (let round = 0; round < 5; round++) {
      const name = `racer-${round}`;
      await create(name);
      await Promise.all([
        post('/api/v1/grants', { kind: 'ENVIRONMENT', principal: name, action: 'RUN', environment: 'dev' }),
        issue(name),
        server.call('PUT', `/api/v1/groups/crew/members/${name}`),
        server.call('DELETE', `${principals}/${name}`),
      ]);
    }
    expect((await server.call('GET', '/api/v1/grants?environment=dev')).body).toEqual([]);
    expect((await server.call('GET', '/api/v1/groups/crew/members')).body).toEqual([]);
    const gone = await server.db.prisma.principal.findMany({ where: { deleted_at: { not: null } } });
    const alive = { principal_id: { in: gone.map(({ id }) => id) }, revoked_at: null };
    expect(await server.db.prisma.token.count({ where: alive })).toBe(0);
  });
});

test('grants removed with their grantee or object are recorded as revoked', async () => {
  const path = '/api/v1/environments/dev/namespaces';
  await create('leaver');
  await post('/api/v1/groups', { name: 'leavers' });
  await post(path, { path: 'short' });
  const grant = async (body: object) => (await post('/api/v1/grants', { action: 'READ_NAMESPACE', ...body })).body.id;
  const dev = { kind: 'ENVIRONMENT', environment: 'dev' };
  const ids = [
    await grant({ ...dev, principal: 'leaver' }),
    await grant({ ...dev, group: 'leavers' }),
    await grant({ kind: 'NAMESPACE', environment: 'dev', namespace: 'short', principal: 'admin' }),
  ];
  for (const gone of [`${principals}/leaver`, '/api/v1/groups/leavers', `${path}/short`])
    expect((await server.call('DELETE', gone)).status).toBe(204);
  const revoked = (await server.call('GET', '/api/v1/audit-events?event_type=GRANT_REVOKED&environment=dev&limit=3'))
    .body;
  expect(revoked.map((event: { detail: { id: string } }) => event.detail.id).sort()).toEqual(ids.sort());
  for (const event of revoked)
    expect(event).toMatchObject({ principal: 'admin', detail: { action: 'READ_NAMESPACE' } });
});

test('a search keeps its spaces, and lists all when there is nothing else in it (ACCESS-13)', async () => {
  for (const name of ['a b', 'ab']) await create(name);
  for (const name of ['a b', 'ab']) await post('/api/v1/groups', { name });
  for (const list of [principals, '/api/v1/groups']) {
    const names = async (q: string) =>
      (await server.call('GET', `${list}?q=${encodeURIComponent(q)}`)).body.map((row: { name: string }) => row.name);
    expect(await names(' b')).toEqual(['a b']);
    expect((await names('  ')).length).toBeGreaterThan(1);
  }
});

test('a deactivated principal gets no token of any kind, and the refusal names the remedy', async () => {
  await create('sleeper');
  await server.call('PATCH', `${principals}/sleeper`, { body: { active: false } });
  for (const response of [
    await issue('sleeper'),
    await post('/api/v1/task-tokens', { environment: 'dev', principal: 'sleeper' }),
  ]) {
    expect([response.status, response.body.remedy]).toEqual([422, 'svc principal activate sleeper']);
  }
});

test('the tokens of a deactivated principal stop, and work again when it is activated, but for revoked ones (ACCESS-22)', async () => {
  await create('pausing');
  const [paused, revoked] = [await issue('pausing'), await issue('pausing')];
  const responses = async () => {
    const calls = [paused, revoked].map(({ body }) => server.call('GET', '/api/v1/me', { token: body.token }));
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  const setActive = (active: boolean) => server.call('PATCH', `${principals}/pausing`, { body: { active } });
  expect(await responses()).toEqual([200, 200]);
  await setActive(false);
  expect(await responses()).toEqual([401, 401]);
  await server.call('DELETE', `/api/v1/tokens/${revoked.body.id}`);
  await setActive(true);
  expect(await responses()).toEqual([200, 401]);
});

test('the sessions of a deactivated principal end, also once it is activated again (ACCESS-22)', async () => {
  const person = { name: 'returning', password: 'correct horse battery' };
  await post(principals, { ...person, type: 'person' });
  const { body } = await server.call('POST', '/api/v1/sign-in', { body: person, token: null });
  const status = async () => (await server.call('GET', '/api/v1/me', { token: body.token })).status;
  expect(await status()).toBe(200);
  for (const active of [false, true]) {
    await server.call('PATCH', `${principals}/returning`, { body: { active } });
    expect(await status()).toBe(401);
  }
});

test('only administrators set the passwords of others (ACCESS-37)', async () => {
  for (const name of ['clerk', 'boss', 'deputy', 'plain']) await post(principals, { name, type: 'person' });
  await post('/api/v1/grants', { kind: 'INSTANCE', principal: 'clerk', action: 'MANAGE_PRINCIPAL' });
  await post('/api/v1/grants', { kind: 'INSTANCE', principal: 'boss', role: 'ADMIN' });
  await post('/api/v1/groups', { name: 'bosses' });
  await server.call('PUT', '/api/v1/groups/bosses/members/deputy');
  await post('/api/v1/grants', { kind: 'INSTANCE', group: 'bosses', role: 'ADMIN' });
  const [clerk, boss] = [(await issue('clerk')).body.token, (await issue('boss')).body.token];
  const set = async (name: string, token: string) =>
    (await server.call('PATCH', `${principals}/${name}`, { body: { password: 'correct horse battery' }, token }))
      .status;
  expect(await set('clerk', clerk)).toBe(200);
  const denied = ['plain', 'boss', 'deputy', 'admin'];
  expect(await Promise.all(denied.map((name) => set(name, clerk)))).toEqual([403, 403, 403, 403]);
  const denials = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=4');
  for (const event of denials.body)
    expect(event).toMatchObject({ principal: 'clerk', detail: { action: 'MANAGE_TOKEN' } });
  expect([await set('boss', boss), await set('deputy', boss)]).toEqual([200, 200]);
});

test('what a principal has under way is stopped when it is deactivated or deleted (ACCESS-22)', async () => {
  for (const [name, end] of [
    ['paused', () => server.call('PATCH', `${principals}/paused`, { body: { active: false } })],
    ['gone', () => server.call('DELETE', `${principals}/gone`)],
  ] as const) {
    await create(name);
    await post('/api/v1/grants', { kind: 'ENVIRONMENT', principal: name, action: 'SUBMIT_QUERY', environment: 'dev' });
    const { token } = (await issue(name)).body;
    const { id } = (await post('/api/v1/environments/dev/queries', { sql: 'SELECT 1' }, token)).body;
    await end();
    const stored = await server.db.prisma.query.findUniqueOrThrow({ where: { id } });
    expect(stored.cancel_requested_at).not.toBeNull();
  }
});

test('authorization runs before validation (ACCESS-20)', async () => {
  await create('unprivileged');
  const { token } = (await issue('unprivileged')).body;
  for (const path of ['permissions?nonsense=1', 'tokens?nonsense=1']) {
    const response = await server.call('GET', `${principals}/admin/${path}`, { token });
    expect([response.status, response.body.remedy]).toEqual([
      403,
      'svc grant create --kind INSTANCE --principal unprivileged --role ADMIN',
    ]);
  }
  expect((await post(`${principals}/admin/tokens`, { nonsense: 1 }, token)).status).toBe(403);
  expect((await post(`${principals}/unprivileged/tokens`, { nonsense: 1 }, token)).status).toBe(422);
});

test('sign-in takes no Idempotency-Key', async () => {
  const response = await server.call('POST', '/api/v1/sign-in', {
    body: { name: 'x', password: 'y' },
    headers: { 'Idempotency-Key': 'k' },
    token: null,
  });
  expect([response.status, response.body.code]).toEqual([422, 'idempotency-not-supported']);
});

test('a password has 12 characters at the least, and is not easy to guess (ACCESS-38)', async () => {
  const make = (password: string, name = `of-${password.length}`) =>
    post(principals, { name, type: 'person', password });
  const short = await make('only eleven');
  expect([short.status, short.body.errors[0].pointer]).toEqual([422, '/password']);
  expect((await make('these twelve')).status).toBe(201);
  const common = await make('Password1234', 'common');
  expect([common.status, common.body.errors[0].pointer]).toEqual([422, '/password']);
  expect(common.body.detail).toMatch(/easy to guess: it is a common password/);
  const own = await server.call('PATCH', `${principals}/of-12`, { body: { password: 'of-12-of-12-2026' } });
  expect(own.status).toBe(422);
});

test('a shorter password of an earlier version still signs in, and has to be replaced by a longer one (ACCESS-38)', async () => {
  await post(principals, { name: 'older', type: 'person', password: 'these twelve' });
  const password_hash = await hash('12345678');
  await server.db.prisma.principal.updateMany({ where: { name: 'older' }, data: { password_hash } });
  const signedIn = await server.call('POST', '/api/v1/sign-in', {
    body: { name: 'older', password: '12345678' },
    token: null,
  });
  expect(signedIn.status).toBe(200);
  const change = (password: string) =>
    server.call('PUT', '/api/v1/me/password', {
      body: { current_password: '12345678', password },
      token: signedIn.body.token,
    });
  expect([(await change('12345679')).status, (await change('these twelve')).status]).toEqual([422, 204]);
});
