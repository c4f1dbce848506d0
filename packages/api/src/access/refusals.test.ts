import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let bob: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await server.call('POST', '/api/v1/principals', { body: { name: 'bob', type: 'person' } });
  bob = (await server.call('POST', '/api/v1/principals/bob/tokens', { body: { name: 't' } })).body.token;
});
afterAll(() => server.stop());

const create = (path: string, body: unknown) => server.call('POST', path, { body });

test.each([
  [{ principal: 'bob' }, 'svc grant create --kind INSTANCE --principal bob --action READ_QUERY_TEXT'],
  [{ group: "o'hara" }, "svc grant create --kind INSTANCE --group 'o'\\''hara' --action READ_QUERY_TEXT"],
])('READ_QUERY_TEXT below the instance is refused with the command for %j (ACCESS-5)', async (to, remedy) => {
  const grant = { ...to, kind: 'ENVIRONMENT', action: 'read_query_text', environment: 'dev' };
  const response = await create('/api/v1/grants', grant);
  expect([response.status, response.body.remedy]).toEqual([422, remedy]);
  expect(response.body.detail).toContain(remedy);
});

test.each([
  '/api/v1/grants?principal_name=',
  '/api/v1/grants?environment=',
  '/api/v1/principals/admin/permissions?environment=dev&namespace=&table=t',
  '/api/v1/environments/dev/runs?job=',
  '/api/v1/environments/dev/queries?submitter=',
  '/api/v1/environments/dev/deploys?repository=',
])('%s is 422: an empty name is rejected', async (path) => {
  const response = await server.call('GET', path);
  expect([response.status, response.body.detail]).toEqual([422, expect.stringContaining('must not be empty')]);
});

describe('callers without permission get the same 403 for invalid parameters (ACCESS-20, ACCESS-21)', () => {
  const paths = async () => {
    const query = (await create('/api/v1/environments/dev/queries', { sql: 'SELECT 1' })).body.id;
    const token = (await create('/api/v1/principals/admin/tokens', { name: 'x' })).body.id;
    const env = '/api/v1/environments/dev';
    return [
      ['GET', `${env}/queries/${query}`, 'wait=61'],
      ['GET', `${env}/queries/${query}/results`, 'format=xml'],
      ['POST', `${env}/queries/${query}/cancel`, 'nothing=1'],
      ['GET', `${env}/writes/${query}`, 'wait=x'],
      ['GET', `${env}/runs/${query}`, 'wait=x'],
      ['GET', `${env}/namespaces`, 'limit=0'],
      ['POST', `${env}/namespaces`, 'nothing=1'],
      ['DELETE', `/api/v1/tokens/${token}`, 'nothing=1'],
      ['GET', '/api/v1/repositories/none', 'nothing=1'],
      ['GET', '/api/v1/package-indexes', 'nothing=1'],
      ['GET', `${env}/expiring-tables`, 'within_days=x'],
      ['GET', `${env}/namespaces/none/dropped-tables`, 'limit=0'],
      ['GET', `${env}/namespaces/none/purges`, 'limit=0'],
      ['PUT', `${env}/namespaces/none/tables/t/retention`, 'nothing=1'],
      ['POST', `${env}/namespaces/none/tables/t/undrop`, 'nothing=1'],
      ['PUT', `${env}/namespaces/none/tables/t/hold`, 'nothing=1'],
      ['DELETE', '/api/v1/environments/gone', 'purge=x'],
      ['POST', '/api/v1/environments/gone/restore', 'nothing=1'],
    ] as const;
  };

  test('each is recorded; authorized callers get the validation error', async () => {
    await create('/api/v1/principals', { name: 'eve', type: 'person' });
    const eve = (await create('/api/v1/principals/eve/tokens', { name: 't' })).body.token;
    for (const [method, path, wrong] of await paths()) {
      const body = method === 'POST' && path.endsWith('namespaces') ? { body: { path: 'x' } } : {};
      const [plain, odd] = [
        await server.call(method, path, { token: eve, ...body }),
        await server.call(method, `${path}?${wrong}`, { token: eve, ...body, headers: { 'Idempotency-Key': '' } }),
      ];
      const strip = ({ request_id: _, ...rest }: Record<string, unknown>) => rest;
      expect([path, odd.status, strip(odd.body)]).toEqual([path, 403, strip(plain.body)]);
      expect(odd.text).not.toContain('parameter');
      const events = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=1');
      expect(events.body[0]).toMatchObject({ principal: 'eve', request_id: odd.body.request_id });
      if (/\/(writes|runs|none|gone)(\/|$)/.test(path)) continue;
      expect((await server.call(method, `${path}?${wrong}`, body)).status).toBe(422);
    }
  });

  test('a replayed response requires the permission at the time of the replay (HTTP-6)', async () => {
    await create('/api/v1/principals', { name: 'mia', type: 'person' });
    const token = (await create('/api/v1/principals/mia/tokens', { name: 't' })).body.token;
    const grant = { kind: 'ENVIRONMENT', principal: 'mia', action: 'MANAGE_ENVIRONMENT', environment: 'dev' };
    const granted = (await create('/api/v1/grants', grant)).body.id;
    const { id } = (await create('/api/v1/environments/dev/queries', { sql: 'SELECT 1' })).body;
    const cancel = () =>
      server.call('POST', `/api/v1/environments/dev/queries/${id}/cancel`, {
        token,
        headers: { 'Idempotency-Key': 'once' },
      });
    const first = await cancel();
    expect([first.status, (await cancel()).text]).toEqual([200, first.text]);
    await server.call('DELETE', `/api/v1/grants/${granted}`);
    expect((await cancel()).status).toBe(403);
  });

  test('a replayed namespace requires the permission on its parent (HTTP-6)', async () => {
    const env = '/api/v1/environments/dev';
    for (const path of ['parent', 'other']) expect((await create(`${env}/namespaces`, { path })).status).toBe(201);
    await create('/api/v1/principals', { name: 'nia', type: 'person' });
    const token = (await create('/api/v1/principals/nia/tokens', { name: 't' })).body.token;
    const grantOn = async (namespace: string) => {
      const grant = { kind: 'NAMESPACE', principal: 'nia', action: 'CREATE_NAMESPACE', environment: 'dev', namespace };
      return (await create('/api/v1/grants', grant)).body.id;
    };
    const granted = await grantOn('parent');
    await grantOn('other');
    const below = () => {
      const headers = { 'Idempotency-Key': 'below' };
      return server.call('POST', `${env}/namespaces`, { token, headers, body: { path: 'parent.below' } });
    };
    const first = await below();
    expect([first.status, (await below()).text]).toEqual([201, first.text]);
    await server.call('DELETE', `/api/v1/grants/${granted}`);
    expect((await below()).status).toBe(403);
  });
});

test('a task token is bound to one environment: the one it was minted for, or the first that it is used in (ACCESS-25)', async () => {
  await create('/api/v1/environments', { name: 'other' });
  const mint = async (body?: object) => (await create('/api/v1/task-tokens', body)).body.token as string;
  for (const token of [await mint({ environment: 'dev' }), await mint({}), await mint()]) {
    const status = async (path: string) => (await server.call('GET', `/api/v1/${path}`, { token })).status;
    expect(await status('me')).toBe(200);
    expect(await status('environments/unknown')).toBe(403);
    expect(await Promise.all([1, 2].map(() => status('environments/dev')))).toEqual([200, 200]);
    expect(await status('environments/other')).toBe(403);
    const { body } = await server.call('GET', '/api/v1/environments', { token });
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['dev']);
  }
});

describe('a task token for an environment that the caller may not read', () => {
  const mint = (environment: string) =>
    server.call('POST', '/api/v1/task-tokens', { token: bob, body: { environment } });
  const without = (text: string, name: string) =>
    text.replaceAll(name, 'NAME').replace(/"request_id": ?"[^"]*"/, '"request_id":"ID"');

  test('is refused as for an unknown one, byte for byte, and so recorded', async () => {
    for (const name of ['hidden', 'erased']) await create('/api/v1/environments', { name });
    await server.call('DELETE', '/api/v1/environments/erased');
    await create('/api/v1/grants', { kind: 'INSTANCE', principal: 'bob', action: 'MINT_TASK_TOKEN' });
    const [unknown, ...others] = await Promise.all(['nowhere', 'hidden', 'erased'].map(mint));
    expect(unknown!.status).toBe(403);
    expect(others.map(({ status }) => status)).toEqual([403, 403]);
    for (const [i, name] of ['hidden', 'erased'].entries()) {
      expect(without(others[i]!.text, name)).toBe(without(unknown!.text, 'nowhere'));
    }
    const { body } = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=3');
    expect(
      body.map((event: { object: object; detail: { action: string } }) => [event.object, event.detail.action]),
    ).toEqual(
      expect.arrayContaining(
        ['nowhere', 'hidden', 'erased'].map((environment) => [
          expect.objectContaining({ environment }),
          'READ_ENVIRONMENT',
        ]),
      ),
    );
  });

  test('is made where any grant lies in the environment; an unknown one is 404 for callers who read everything', async () => {
    await create('/api/v1/grants', { kind: 'ENVIRONMENT', principal: 'bob', action: 'RUN', environment: 'hidden' });
    expect((await mint('hidden')).status).toBe(201);
    expect((await create('/api/v1/task-tokens', { environment: 'nowhere' })).status).toBe(404);
  });
});

test('a name has one spelling (TABLE-2)', async () => {
  const decomposed = 'rene\u0301';
  const response = await create('/api/v1/principals', { name: decomposed, type: 'person' });
  expect([response.status, response.body.detail]).toEqual([422, expect.stringContaining('NFC')]);
  expect((await create('/api/v1/principals', { name: decomposed.normalize('NFC'), type: 'person' })).status).toBe(201);
  expect((await create('/api/v1/repositories', { name: decomposed })).status).toBe(422);
});

test('a result shows to its submitter alone, and no grant is offered that would not open it (QUERY-1)', async () => {
  const { id } = (await create('/api/v1/environments/dev/queries', { sql: 'SELECT 1' })).body;
  const path = `/api/v1/environments/dev/queries/${id}`;
  for (const one of [path, '/api/v1/environments/dev/queries/019e0000-0000-7000-8000-000000000000']) {
    const { status, body } = await server.call('GET', `${one}/results`, { token: bob });
    expect([status, body.remedy, body.detail]).toEqual([403, undefined, expect.stringContaining('only the submitter')]);
  }
  await create('/api/v1/grants', {
    kind: 'ENVIRONMENT',
    principal: 'bob',
    action: 'MANAGE_ENVIRONMENT',
    environment: 'dev',
  });
  expect((await server.call('GET', path, { token: bob })).status).toBe(200);
  const response = await server.call('GET', `${path}/results`, { token: bob });
  expect([response.status, response.body.remedy]).toEqual([403, undefined]);
  expect(response.body.detail).toContain('only the submitter');
});

test('a denied task token is advised to use another token instead of a grant', async () => {
  const { token } = (await create('/api/v1/task-tokens', { environment: 'dev' })).body;
  for (const [method, path] of [
    ['GET', '/api/v1/grants'],
    ['POST', '/api/v1/package-indexes'],
    ['GET', '/api/v1/environments/other/namespaces'],
    ['DELETE', '/api/v1/environments/dev/namespaces/a/tables/t'],
  ] as const) {
    const { status, body } = await server.call(method, path, { token });
    expect([status, body.remedy]).toEqual([403, undefined]);
    expect(body.detail).toContain('Use your own token');
    expect(body.detail).not.toContain('grant create');
  }
});

test('a query that was cancelled before it started says so, and has no result', async () => {
  const { id } = (await create('/api/v1/environments/dev/queries', { sql: 'SELECT 1' })).body;
  const path = `/api/v1/environments/dev/queries/${id}`;
  expect((await server.call('POST', `${path}/cancel`)).body.status).toBe('CANCELLED');
  const { status, body } = await server.call('GET', `${path}/results`);
  expect([status, body.detail]).toEqual([404, 'The query was cancelled: it has no result.']);
});

test('a missing field is reported as required, an invalid one with the accepted values', async () => {
  await create('/api/v1/environments/dev/namespaces', { path: 'worded' });
  const tables = '/api/v1/environments/dev/namespaces/worded/tables';
  await create(tables, { name: 't', columns: [{ name: 'id', type: 'int' }] });
  for (const [method, path, body, detail] of [
    ['POST', '/api/v1/principals', { name: 'kindless' }, 'field /type: is required: one of person, service-account.'],
    ['POST', `${tables}/t/rollback`, {}, 'field /snapshot_id: is required.'],
    ['POST', `${tables}/t/rollback`, { snapshot_id: null }, 'field /snapshot_id: must be the id of a snapshot.'],
    [
      'PUT',
      `${tables}/t/hold`,
      { reason: 'x', until: 'soon' },
      'field /until: must be a day, written like 2026-03-01, or a time with a time zone, like 2026-03-01T08:00:00Z.',
    ],
  ] as const) {
    const response = await server.call(method, path, { body });
    expect([path, response.status, response.body.detail]).toEqual([path, 422, detail]);
  }
});

test('a name has up to 255 characters, of which some are two code units (TABLE-2)', async () => {
  for (const letter of ['n', '\u{1f600}']) {
    for (const [count, status] of [
      [255, 201],
      [256, 422],
    ] as const) {
      const name = letter.repeat(count);
      const made = [
        await create('/api/v1/groups', { name }),
        await create('/api/v1/principals', { name, type: 'person', password: 'correct horse' }),
        await create('/api/v1/repositories', { name }),
        await create('/api/v1/package-indexes', { name, url: `https://${letter === 'n' ? 'a' : 'b'}.example` }),
      ];
      expect([count, ...made.map((response) => response.status)]).toEqual([count, status, status, status, status]);
    }
    const signIn = await create('/api/v1/sign-in', { name: letter.repeat(255), password: 'correct horse' });
    expect(signIn.status).toBe(200);
  }
});

test('a role on a table does not get a body of a new namespace validated (ACCESS-20)', async () => {
  const env = '/api/v1/environments/owned';
  expect((await create('/api/v1/environments', { name: 'owned' })).status).toBe(201);
  expect((await create(`${env}/namespaces`, { path: 'n' })).status).toBe(201);
  const table = { name: 't', columns: [{ name: 'id', type: 'int' }] };
  expect((await create(`${env}/namespaces/n/tables`, table)).status).toBe(201);
  await create('/api/v1/principals', { name: 'owner', type: 'person' });
  const { token } = (await create('/api/v1/principals/owner/tokens', { name: 't' })).body;
  const on = { kind: 'TABLE', environment: 'owned', namespace: 'n', table: 't' };
  expect((await create('/api/v1/grants', { ...on, principal: 'owner', role: 'ADMIN' })).status).toBe(201);
  const response = await server.call('POST', `${env}/namespaces`, { token, body: { nothing: 1 } });
  expect([response.status, response.body.detail]).toEqual([403, expect.stringContaining('CREATE_NAMESPACE')]);
  const iceberg = { token, body: { namespace: [5] } };
  expect((await server.call('POST', '/catalog/v1/owned/namespaces', iceberg)).status).toBe(403);
});
