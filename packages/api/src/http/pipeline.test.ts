import { ALL_ENDPOINTS } from '@svc/core/routes';
import request from 'supertest';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const environments = '/api/v1/environments';
const make = (name: string, extra: object = {}) => server.call('POST', environments, { body: { name }, ...extra });

test('no response is cached on the way', async () => {
  for (const response of [
    await server.call('GET', environments),
    await server.call('GET', `${environments}/none`),
    await server.call('GET', environments, { token: null }),
    await server.call('POST', '/api/v1/principals/admin/tokens', { body: { name: 'kept' } }),
  ])
    expect([response.status, response.headers.get('cache-control')]).toEqual([response.status, 'no-store']);
});

describe('problems', () => {
  test('an unknown field, parameter, wrong type and over-long name are 422 and named (HTTP-3, HTTP-4)', async () => {
    for (const [body, pointer] of [
      [{ name: 'x1', colour: 'red' }, '/colour'],
      [{ name: 5 }, '/name'],
      [{}, '/name'],
      [{ name: 'a'.repeat(64) }, '/name'],
      [{ name: '../etc' }, '/name'],
      [{ name: 'x1', protected: 'yes' }, '/protected'],
      [{ name: 'x1', description: 'a\0b' }, '/description'],
    ] as const) {
      const response = await server.call('POST', environments, { body });
      expect(response.status).toBe(422);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(response.body.errors[0].pointer).toBe(pointer);
      expect(response.body.detail).toContain(pointer);
    }
    const parameter = await server.call('GET', `${environments}?colour=red`);
    expect([parameter.status, parameter.body.errors[0].parameter]).toEqual([422, 'colour']);
  });

  test('a command in the detail is the remedy as well (HTTP-3)', async () => {
    await make('commands');
    await server.call('POST', '/api/v1/repositories', { body: { name: 'deployed_nowhere' } });
    const absent = '01a1ffc2-1045-7cba-a63d-4187d9d9a4ed';
    for (const [method, path, body, remedy] of [
      ['GET', '/repositories/none', undefined, 'svc repository list'],
      ['GET', '/package-indexes/none', undefined, 'svc index list'],
      ['GET', '/identity-providers/none', undefined, 'svc identity-provider list'],
      ['DELETE', `/grants/${absent}`, undefined, 'svc grant list'],
      ['DELETE', `/access-requests/${absent}`, undefined, 'svc access requests'],
      ['DELETE', '/environments/commands/secrets/none', undefined, 'svc secret list --env commands'],
      ['GET', `/environments/commands/runs/${absent}`, undefined, 'svc runs list --env commands'],
      ['GET', `/environments/commands/saved-queries/${absent}`, undefined, 'svc saved-query list --env commands'],
      [
        'DELETE',
        '/environments/commands/deployments/deployed_nowhere',
        undefined,
        'svc deployments list --env commands',
      ],
      [
        'POST',
        '/principals',
        { name: 'robot', type: 'service-account', password: 'a long password 1' },
        'svc token issue robot NAME',
      ],
    ] as const) {
      const { body: problem } = await server.call(method, `/api/v1${path}`, body === undefined ? {} : { body });
      expect([path, problem.remedy]).toEqual([path, remedy]);
      expect(problem.detail).toContain(`: ${remedy}`);
    }
  });

  test('null in a POST is a field left out, but never one that is needed or that a PATCH cannot clear', async () => {
    const nulls = { group: null, role: null, environment: null, namespace: null, table: null };
    const body = { kind: 'INSTANCE', principal: 'admin', action: 'READ_QUERY_TEXT', ...nulls };
    expect((await server.call('POST', '/api/v1/grants', { body })).status).toBe(201);
    const person = { name: 'nulls', type: 'person', password: null };
    expect((await server.call('POST', '/api/v1/principals', { body: person })).status).toBe(201);
    await server.call('POST', environments, { body: { name: 'inner' } });
    await server.call('POST', `${environments}/inner/namespaces`, { body: { path: 'n' } });
    const tables = `${environments}/inner/namespaces/n/tables`;
    const columns = [{ name: 'a', type: 'long', nullable: null, description: null }];
    const table = await server.call('POST', tables, { body: { name: 't', columns, location: null } });
    expect([table.status, table.body.columns?.[0].nullable]).toEqual([201, true]);
    const typeless = [{ name: 'a', type: null }];
    const refused = await server.call('POST', tables, { body: { name: 'u', columns: typeless } });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/columns/0/type']);
    for (const [method, path, wrong, pointer] of [
      ['POST', environments, { name: null }, '/name'],
      ['POST', environments, { name: 'x1', colour: null }, '/colour'],
      ['PATCH', '/api/v1/principals/nulls', { active: null }, '/active'],
    ] as const) {
      const response = await server.call(method, path, { body: wrong });
      expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
    }
  });

  test('every 422 says where (HTTP-3)', async () => {
    await server.call('POST', '/api/v1/package-indexes', { body: { name: 'corp', url: 'https://corp.example' } });
    for (const body of [{ url: 'https://corp.example' }, { credential_secret: null }]) {
      const { status, body: problem } = await server.call('PATCH', '/api/v1/package-indexes/corp', { body });
      expect([status, problem.errors]).toEqual([422, [{ pointer: '', message: problem.detail }]]);
    }
    const headers = { 'Idempotency-Key': 'k' };
    const { body } = await server.call('POST', '/api/v1/principals/admin/tokens', { body: { name: 't' }, headers });
    expect(body.errors[0].parameter).toBe('Idempotency-Key');
  });

  test('broken JSON is 400, another media type 415, a large body 413, an unknown route 404, a wrong method 405 (HTTP-4)', async () => {
    const json = { headers: { 'Content-Type': 'application/json' } };
    expect((await server.call('POST', environments, { raw: '{', ...json })).status).toBe(400);
    expect(
      (await server.call('POST', environments, { raw: 'a=b', headers: { 'Content-Type': 'text/plain' } })).status,
    ).toBe(415);
    expect((await server.call('POST', environments, { raw: `"${'x'.repeat(2 ** 21)}"`, ...json })).status).toBe(413);
    expect((await server.call('GET', '/api/v1/nothing')).body.code).toBe('no-such-route');
    const method = await server.call('PUT', environments, { body: {} });
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST, GET']);
    expect((await server.call('GET', '/api/v1/environments/%ff')).status).toBe(400);
  });

  test('take and echo a request id (HTTP-5)', async () => {
    const value = await server.call('GET', '/api/v1/nothing', { headers: { 'X-Request-Id': 'abc-1' } });
    expect([value.headers.get('x-request-id'), value.body.request_id]).toEqual(['abc-1', 'abc-1']);
    const made = await server.call('GET', '/api/v1/nothing', { headers: { 'X-Request-Id': 'x'.repeat(129) } });
    expect(made.body.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('hostile names in a path are simply unknown', async () => {
    for (const name of ['%00', "'; drop table environments; --", '..%2f..', '%F0%9F%92%A9', '%', '*', 'DEV']) {
      const response = await server.call('GET', `${environments}/${name === '%' ? '%25' : name}`);
      expect([404, 400]).toContain(response.status);
    }
  });
});

describe('Idempotency-Key (HTTP-6)', () => {
  test('replays the answer of the same body, refuses another body, and makes one thing', async () => {
    const headers = { 'Idempotency-Key': 'once-1' };
    const [first, second] = [await make('once', { headers }), await make('once', { headers })];
    expect(first.status).toBe(201);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    const other = await server.call('POST', environments, { body: { name: 'another' }, headers });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused']);
    expect((await server.call('GET', `${environments}/another`)).status).toBe(404);
  });

  test('covers the path and all parameters except wait', async () => {
    await make('keyed');
    const submit = (suffix: string, sql = 'SELECT 71') =>
      server.call('POST', `${environments}/keyed/queries${suffix}`, {
        body: { sql },
        headers: { 'Idempotency-Key': 'asked-1' },
      });
    const first = await submit('');
    for (const suffix of ['?wait=0', '/'])
      expect([suffix, (await submit(suffix)).body.id]).toEqual([suffix, first.body.id]);
    expect((await submit('?wait=0', 'SELECT 72')).body.code).toBe('idempotency-key-reused');
  });

  test('many at once make one thing', async () => {
    const headers = { 'Idempotency-Key': 'race-1' };
    const responses = await Promise.all(Array.from({ length: 8 }, () => make('race', { headers })));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    const events = await server.call('GET', '/api/v1/audit-events?event_type=ENVIRONMENT_CREATED&limit=200');
    expect(events.body.filter((e: { detail: { name: string } }) => e.detail.name === 'race')).toHaveLength(1);
  });

  test('replays a refusal too, until the key expires', async () => {
    const headers = { 'Idempotency-Key': 'taken-1' };
    const first = await make('once', { headers });
    expect([first.status, first.body.code]).toEqual([409, 'already-exists']);
    const second = await make('once', { headers });
    expect(second.headers.get('content-type')).toContain('application/problem+json');
    expect(second.body).toEqual(first.body);
  });

  test('is ignored by other methods than POST', async () => {
    const headers = { 'Idempotency-Key': 'taken-1' };
    await make('patched');
    const described = { body: { description: 'd' }, headers };
    expect((await server.call('PATCH', `${environments}/patched`, described)).status).toBe(200);
    expect((await server.call('DELETE', `${environments}/patched`, { headers })).status).toBe(200);
  });

  test('is refused where a secret shows once', async () => {
    const response = await server.call('POST', '/api/v1/principals/admin/tokens', {
      body: { name: 'k' },
      headers: { 'Idempotency-Key': 'k' },
    });
    expect([response.status, response.body.code]).toEqual([422, 'idempotency-not-supported']);
  });
});

describe('pages', () => {
  test('list each item once despite concurrent inserts, and bind the cursor to list, filters and limit (ACCESS-13, HTTP-7, HTTP-8)', async () => {
    for (let i = 0; i < 7; i++) await server.call('POST', '/api/v1/groups', { body: { name: `g${i}` } });
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page++) {
      const response = await server.call('GET', `/api/v1/groups?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(response.status).toBe(200);
      seen.push(...response.body.map((g: { name: string }) => g.name));
      await server.call('POST', '/api/v1/groups', { body: { name: `late${page}` } });
      const next = response.headers.get('x-next-cursor');
      if (next === null) break;
      expect(response.headers.get('link')).toContain('rel="next"');
      cursor = next;
    }
    expect(seen).toEqual(['g6', 'g5', 'g4', 'g3', 'g2', 'g1', 'g0']);
    const first = await server.call('GET', '/api/v1/groups?limit=2');
    const good = first.headers.get('x-next-cursor')!;
    for (const [path, message] of [
      [`/api/v1/groups?limit=3&cursor=${good}`, /another limit/],
      [`/api/v1/groups?limit=2&q=g&cursor=${good}`, /other filters/],
      [`/api/v1/principals?limit=2&cursor=${good}`, /issued for groups.list, not for principals.list/],
      [`/api/v1/groups?limit=2&cursor=${good.slice(0, -3)}abc`, /not a cursor issued by this service/],
      ['/api/v1/groups?limit=2&cursor=x', /not a cursor issued by this service/],
    ] as const) {
      const response = await server.call('GET', path);
      expect(response.status).toBe(422);
      expect(response.body.detail).toMatch(message);
    }
    for (const limit of ['0', '201', '-1', '1.5', 'x', '']) {
      const response = await server.call('GET', `/api/v1/groups?limit=${limit}`);
      expect([response.status, response.body.errors[0]]).toEqual([
        422,
        { parameter: 'limit', message: 'must be a whole number from 1 to 200' },
      ]);
    }
  });
});

describe('sign-in', () => {
  test('returns a session; wrong, unknown and deactivated get the same response; too many are throttled (ACCESS-26)', async () => {
    const password = 'correct horse battery';
    await server.call('POST', '/api/v1/principals', { body: { name: 'ana', type: 'person', password } });
    const signIn = (name: string, pass: string) =>
      server.call('POST', '/api/v1/sign-in', { body: { name, password: pass }, token: null });
    const ok = await signIn('ana', password);
    expect(ok.status).toBe(200);
    expect(ok.body.token).toMatch(/^svc_ses_[0-9A-Za-z]{36}$/);
    const me = await server.call('GET', '/api/v1/me', { token: ok.body.token });
    expect(me.body).toMatchObject({ name: 'ana', type: 'person', token: { kind: 'session' } });
    const wrong = await signIn('ana', 'wrong');
    const unknown = await signIn('nobody-here', 'wrong');
    const core = ({ status, body }: { status: number; body: { detail: string; code: string } }) => [
      status,
      body.code,
      body.detail,
    ];
    expect(core(wrong)).toEqual([
      401,
      'sign-in-failed',
      'The name or the password is wrong, or the account is deactivated.',
    ]);
    expect(core(unknown)).toEqual(core(wrong));
    await server.call('PATCH', '/api/v1/principals/ana', { body: { active: false } });
    expect(core(await signIn('ana', password))).toEqual(core(wrong));
    expect((await server.call('GET', '/api/v1/me', { token: ok.body.token })).status).toBe(401);
    for (let i = 0; i < 10; i++) await signIn('bob', 'wrong');
    const throttled = await signIn('bob', 'wrong');
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
    await signIn('bob', 'wrong');
    // Only the first throttled attempt is recorded, and only with names of existing people.
    const failures = await server.call('GET', '/api/v1/audit-events?event_type=SIGN_IN_FAILED');
    const details = failures.body.map(({ detail }: { detail: unknown }) => detail);
    expect(details.slice(0, 2)).toEqual([
      { name: null, address: '127.0.0.1', throttled: true },
      { name: null, address: '127.0.0.1', throttled: false },
    ]);
    expect(details.filter((detail: { name: string }) => detail.name === 'ana')).toHaveLength(2);
    expect(failures.body.every((event: { principal_id: unknown }) => event.principal_id === null)).toBe(true);
  });

  test('concurrent guesses count toward the limit, and a correct one resets it', async () => {
    const password = 'another right password';
    await server.call('POST', '/api/v1/principals', { body: { name: 'eve', type: 'person', password } });
    const signIn = (pass: string) =>
      server.call('POST', '/api/v1/sign-in', { body: { name: 'eve', password: pass }, token: null });
    for (let i = 0; i < 12; i++) expect((await signIn(password)).status).toBe(200);
    const responses = await Promise.all(Array.from({ length: 25 }, () => signIn('guess')));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await signIn(password)).status).toBe(429);
  });
});

describe("one's own password", () => {
  const change = (token: string, current_password: string, password: string) =>
    server.call('PUT', '/api/v1/me/password', { token, body: { current_password, password } });
  const sessionOf = async (name: string, password: string) =>
    (await server.call('POST', '/api/v1/sign-in', { body: { name, password }, token: null })).body.token;
  const works = async (token: string) => (await server.call('GET', '/api/v1/me', { token })).status === 200;

  test('requires the current password to change, and closes the other sessions but revokes no token', async () => {
    const first = 'the first password';
    await server.call('POST', '/api/v1/principals', { body: { name: 'pia', type: 'person', password: first } });
    const issued = await server.call('POST', '/api/v1/principals/pia/tokens', { body: { name: 'kept' } });
    const [own, other] = [await sessionOf('pia', first), await sessionOf('pia', first)];
    const wrong = await change(own, 'not it', 'another password');
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/current_password']);
    expect((await change(own, first, 'short')).body.errors[0].pointer).toBe('/password');
    expect(await works(other)).toBe(true);
    expect((await change(own, first, 'the second password')).status).toBe(204);
    expect(await Promise.all([own, other, issued.body.token].map(works))).toEqual([true, false, true]);
    expect(await sessionOf('pia', first)).toBeUndefined();
    const third = await sessionOf('pia', 'the second password');
    const events = await server.call('GET', '/api/v1/audit-events?event_type=PRINCIPAL_UPDATED&limit=1');
    expect(events.body[0]).toMatchObject({ principal: 'pia', detail: { name: 'pia', changed: ['password'] } });
    // Set by an administrator: all sessions are closed.
    await server.call('PATCH', '/api/v1/principals/pia', { body: { password: 'the third password' } });
    expect(await Promise.all([own, third, issued.body.token].map(works))).toEqual([false, false, true]);
  });

  test('is guessed at no faster than by signing in', async () => {
    const body = { name: 'quinn', type: 'person', password: 'what quinn knows' };
    await server.call('POST', '/api/v1/principals', { body });
    const found = await sessionOf('quinn', body.password);
    for (let i = 0; i < 10; i++) expect((await change(found, 'guess', 'mine from now on')).status).toBe(422);
    expect((await change(found, 'guess', 'mine from now on')).status).toBe(429);
    expect((await change(found, body.password, 'mine from now on')).status).toBe(429);
  });

  test('is nothing that a service account or a task has', async () => {
    await server.call('POST', '/api/v1/principals', { body: { name: 'robot', type: 'service-account' } });
    const robot = await server.call('POST', '/api/v1/principals/robot/tokens', { body: { name: 't' } });
    const refused = await change(robot.body.token, 'x', 'a long password');
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('svc token issue robot')]);
    const task = await server.call('POST', '/api/v1/task-tokens', { body: {} });
    expect((await change(task.body.token, 'x', 'a long password')).status).toBe(403);
  });
});

describe('operators', () => {
  test('see health, versions, metrics and the documents without a credential (SERVICE-4)', async () => {
    const anybody = request(server.url);
    for (const path of ['/livez', '/readyz', '/readyz/storage']) await anybody.get(path).expect(200, { status: 'ok' });
    const version = await anybody.get('/version').expect(200);
    expect(version.body).toEqual({
      service: '0.0.0-test',
      schema: expect.stringMatching(/^\d{14}_/),
      zone_database: expect.stringMatching(/^20\d\d[a-z]$/),
    });
    const metrics = await anybody.get('/metrics').expect(200);
    expect(metrics.text).toContain('svc_http_request_duration_seconds');
    expect(metrics.text).toMatch(/^svc_work_waiting\{kind="queries"\} \d+$/m);
    expect(metrics.text).toMatch(/^svc_scheduler_leader [01]$/m);
    const document = await anybody.get('/api/v1/openapi.json').expect(200);
    expect(document.body.openapi).toBe('3.1.0');
    const page = await anybody
      .get('/docs/api')
      .expect(200)
      .expect('content-security-policy', /default-src 'self'/);
    expect(page.text).toContain('swagger-ui');
    await anybody.get('/docs/api/assets/swagger-ui-bundle.js').expect(200);
    await anybody.get('/docs/api/assets/../package.json').expect(404);
  });
});

test('other lists return 100 rows without a limit (HTTP-7)', async () => {
  const rows = Array.from({ length: 101 }, (_, i) => ({ id: crypto.randomUUID(), name: `of-many-${i}` }));
  const created_at = new Date();
  await server.db.prisma.group.createMany({ data: rows.map((row) => ({ ...row, created_at })) });
  const page = await server.call('GET', '/api/v1/groups?q=of-many');
  expect(page.body).toHaveLength(100);
  const cursor = page.headers.get('x-next-cursor')!;
  expect((await server.call('GET', `/api/v1/groups?q=of-many&cursor=${cursor}`)).body).toHaveLength(1);
});

describe('lists that answer whole (HTTP-7)', () => {
  const list = async (query: string) => {
    const response = await server.call('GET', `${environments}${query}`);
    return { ...response, names: (response.body as { name: string }[]).map(({ name }) => name) };
  };

  test('are paged with a limit, and continue after a deleted row', async () => {
    for (const name of ['p-a', 'p-b', 'p-c', 'p-d']) await make(name);
    const whole = await list('');
    expect(whole.headers.get('x-next-cursor')).toBeNull();
    const seen: string[] = [];
    let query = '?limit=1';
    for (;;) {
      const page = await list(query);
      seen.push(...page.names);
      const cursor = page.headers.get('x-next-cursor');
      if (page.names[0] === 'p-b') await server.call('DELETE', `${environments}/p-b`);
      if (cursor === null) break;
      expect(page.headers.get('link')).toContain('rel="next"');
      query = `?limit=1&cursor=${cursor}`;
    }
    expect(seen).toEqual(whole.names);
    const { headers } = await list('?limit=1');
    const cursor = headers.get('x-next-cursor')!;
    const other = await server.call('GET', `${environments}?cursor=${cursor}`);
    expect([other.status, other.body.code]).toEqual([422, 'invalid-cursor']);
    for (const changed of [`${cursor}=`, cursor.replace('.', '!.'), `+${cursor}`])
      expect((await server.call('GET', `${environments}?limit=1&cursor=${encodeURIComponent(changed)}`)).status).toBe(
        422,
      );
    expect((await server.call('GET', `${environments}?limit=201`)).status).toBe(422);
    expect((await list('?deleted=True&limit=1')).names).toEqual(['p-b']);
  });

  test('every list route takes limit and cursor', () => {
    const without = ALL_ENDPOINTS.filter(
      ({ response, query }) => 'list' in response && !(query && 'cursor' in query.shape),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});
