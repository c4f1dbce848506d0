import { TEST_HOST } from '@svc/core/package-indexes';
import { startTestServer, type TestServer } from '../testing/index.ts';

let s: TestServer;
const tokens: Record<string, string> = {};
const VALUES = { username: 'ci', password: 'canary-9f31' };

beforeAll(async () => {
  s = await startTestServer();
  for (const name of ['dev', 'prod']) await made('/environments', { name });
  await principal('registrar', { kind: 'INSTANCE', action: 'MANAGE_PACKAGE_INDEX' });
  await principal('keeper', { kind: 'ENVIRONMENT', environment: 'dev', action: 'MANAGE_SECRET' });
  await grant('keeper', { kind: 'INSTANCE', action: 'MANAGE_PACKAGE_INDEX' });
  await principal('reader', { kind: 'ENVIRONMENT', environment: 'prod', action: 'READ_ENVIRONMENT' });
  await principal('table-reader', { kind: 'ENVIRONMENT', environment: 'prod', action: 'READ_TABLE' });
  await principal('holder', { kind: 'ENVIRONMENT', environment: 'dev', action: 'MANAGE_SECRET' });
});
afterAll(() => s.stop());

async function principal(name: string, right: object) {
  await made('/principals', { name, type: 'person' });
  tokens[name] = (await made(`/principals/${name}/tokens`, { name: 't' })).token;
  await grant(name, right);
}
const grant = (principal: string, right: object) => made('/grants', { principal, ...right });

const as = (who: string | null, method: string, path: string, body?: unknown) =>
  s.call(method, `/api/v1${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(who === null ? {} : { token: tokens[who]! }),
  });
async function made(path: string, body: unknown) {
  const response = await as(null, 'POST', path, body);
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return response.body;
}
const add = (name: string, credential_secret?: string, who: string | null = null) =>
  as(who, 'POST', '/package-indexes', {
    name,
    url: `https://${name}.example/simple`,
    ...(credential_secret === undefined ? {} : { credential_secret }),
  });
const secret = (env: string, name: string, use: object = {}) =>
  made(`/environments/${env}/secrets`, { name, values: VALUES, ...use });
const secretsOf = async (env: string) => (await as(null, 'GET', `/environments/${env}/secrets`)).body;
const eventsOf = async (type: string) => (await as(null, 'GET', `/audit-events?event_type=${type}`)).body;

describe('the registry', () => {
  test('stores the normal form, lists by name, answers one, forgets a removed one (INDEX-8)', async () => {
    const body = { name: 'zeta', url: 'HTTPS://Zeta.Example:443/simple//' };
    const created = await as(null, 'POST', '/package-indexes', body);
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({ name: 'zeta', url: 'https://zeta.example/simple', credential_secret: null }),
    ]);
    await add('alpha');
    expect((await as(null, 'GET', '/package-indexes')).body.map((i: { name: string }) => i.name)).toEqual([
      'alpha',
      'zeta',
    ]);
    expect((await as(null, 'GET', '/package-indexes/zeta')).body).toEqual(created.body);
    expect((await as(null, 'DELETE', '/package-indexes/zeta')).status).toBe(204);
    expect((await as(null, 'GET', '/package-indexes/zeta')).status).toBe(404);
    expect((await add('zeta')).status).toBe(201);
  });

  test.each([
    [{ url: 'https://ALPHA.example/simple/' }, 409, 'as the package index alpha'],
    [{ name: 'alpha' }, 409, 'https://alpha.example/simple'],
    [{ name: 'a/b' }, 422, '"/"'],
    [{ name: 'a.b' }, 422, '"."'],
    [{ name: 'n'.repeat(256) }, 422, '255'],
    [{ url: 'http://new.example/simple' }, 422, 'https://new.example'],
    [{ credential_secret: 'a:b' }, 422, '":"'],
    [{ credential_secret: 'a b' }, 422, 'space'],
    [{ credential_secret: 's'.repeat(256) }, 422, '255'],
    [{ more: 1 }, 422, 'more'],
    [{ url: undefined }, 422, 'is required'],
    [{ credential_secret: 5 }, 422, 'must be a string'],
  ])('refuses %j (INDEX-8, INDEX-10, INDEX-12)', async (change, status, text) => {
    const response = await as(null, 'POST', '/package-indexes', {
      name: 'new',
      url: 'https://new.example/simple',
      ...change,
    });
    expect([response.status, response.body.detail]).toEqual([status, expect.stringContaining(text)]);
  });

  test.each([
    [{}, 'at least one'],
    [{ name: 'beta' }, 'cannot change'],
    [{ url: null }, 'cannot be cleared'],
    [{ url: 'https://ALPHA.example:443/simple/' }, 'Nothing would change'],
    [{ credential_secret: '' }, 'Nothing would change'],
    [{ more: 1 }, 'more'],
  ])('a change of %j is refused (INDEX-12, INDEX-13)', async (body, text) => {
    const response = await as(null, 'PATCH', '/package-indexes/alpha', body);
    expect([response.status, response.body.detail]).toEqual([422, expect.stringContaining(text)]);
  });

  test('a change is recorded with what it was (INDEX-13)', async () => {
    await as(null, 'PATCH', '/package-indexes/alpha', { url: 'https://alpha.example/other' });
    expect((await eventsOf('PACKAGE_INDEX_UPDATED'))[0].detail).toEqual({
      name: 'alpha',
      changed: ['url'],
      url: 'https://alpha.example/other',
      credential_secret: null,
      previous: { url: 'https://alpha.example/simple' },
    });
    expect((await eventsOf('PACKAGE_INDEX_CREATED')).at(-1).detail).toEqual({
      name: 'zeta',
      url: 'https://zeta.example/simple',
      credential_secret: null,
    });
    expect((await eventsOf('PACKAGE_INDEX_DELETED'))[0].detail).toEqual({
      name: 'zeta',
      url: 'https://zeta.example/simple',
    });
  });

  test('a name and a URL that two indexes have are both reported (INDEX-8, INDEX-11)', async () => {
    await add('first');
    await add('second');
    const body = { name: 'first', url: 'HTTPS://Second.Example:443/simple/' };
    const { status, body: problem } = await as(null, 'POST', '/package-indexes', body);
    expect(status).toBe(409);
    expect(problem.detail).toContain('named first is already registered');
    expect(problem.detail).toContain('https://second.example/simple is already registered as the package index second');
  });

  test('requires READ_ENVIRONMENT to read and MANAGE_PACKAGE_INDEX to change, and rejects task tokens (ACCESS-25, INDEX-15)', async () => {
    for (const path of ['/package-indexes', '/package-indexes/alpha']) {
      for (const who of ['registrar', 'reader']) expect((await as(who, 'GET', path)).status).toBe(200);
      for (const who of ['table-reader', 'holder']) expect((await as(who, 'GET', path)).status).toBe(403);
      expect((await s.call('GET', `/api/v1${path}`, { token: null })).status).toBe(401);
      const { token } = await made('/task-tokens', { environment: 'dev' });
      expect((await s.call('GET', `/api/v1${path}`, { token })).status).toBe(403);
    }
    const { token } = await made('/task-tokens', { environment: 'dev' });
    for (const [method, path, body] of [
      ['POST', '/package-indexes', { name: 'by-task', url: 'https://by-task.example' }],
      ['PATCH', '/package-indexes/alpha', { url: 'https://by-task.example' }],
      ['DELETE', '/package-indexes/alpha', undefined],
    ] as const) {
      const response = await s.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
      expect([method, response.status]).toEqual([method, 403]);
    }
    expect((await add('mine', undefined, 'registrar')).status).toBe(201);
    expect((await add('yours', undefined, 'reader')).status).toBe(403);
    expect((await as('reader', 'GET', '/package-indexes/none')).status).toBe(404);
  });
});

describe('changes at the same time', () => {
  const together = (count: number, send: (i: number) => ReturnType<typeof as>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(i)));
  const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

  test('one of equal changes and one of equal removals succeeds, and is recorded once (INDEX-12, INDEX-13)', async () => {
    await add('race');
    const path = '/package-indexes/race';
    const changed = await together(8, () => as(null, 'PATCH', path, { url: 'https://race.example/moved' }));
    expect(statuses(changed)).toEqual([200, ...Array(7).fill(422)]);
    const removed = await together(8, () => as(null, 'DELETE', path));
    expect(statuses(removed)).toEqual([204, ...Array(7).fill(404)]);
    for (const type of ['PACKAGE_INDEX_UPDATED', 'PACKAGE_INDEX_DELETED']) {
      const events = await eventsOf(type);
      expect(events.filter((event: { detail: { name: string } }) => event.detail.name === 'race')).toHaveLength(1);
    }
  });

  test('a change of the URL and one of the secret are both kept (INDEX-13)', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `both-${i}`);
    await Promise.all(names.map((name) => add(name)));
    const changes = (name: string) => [{ url: `https://${name}.example/moved` }, { credential_secret: 'later' }];
    await Promise.all(
      names.flatMap((name) => changes(name).map((body) => as(null, 'PATCH', `/package-indexes/${name}`, body))),
    );
    for (const name of names) {
      const { body } = await as(null, 'GET', `/package-indexes/${name}`);
      expect(body).toMatchObject({ url: `https://${name}.example/moved`, credential_secret: 'later' });
      await as(null, 'DELETE', `/package-indexes/${name}`);
    }
  });

  test('one of equal changes of a repository succeeds', async () => {
    await made('/repositories', { name: 'race', url: 'https://git.example/race.git' });
    const url = 'https://git.example/moved.git';
    const changed = await together(8, () => as(null, 'PATCH', '/repositories/race', { url }));
    expect(statuses(changed)).toEqual([200, ...Array(7).fill(422)]);
  });
});

describe('naming a secret', () => {
  test('binds it in every environment where the caller may (INDEX-16)', async () => {
    for (const env of ['dev', 'prod']) await secret(env, 's1');
    const refused = await add('i1', 's1', 'keeper');
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(refused.body.remedy).toBe('svc secret bind s1 --env prod --index i1');
    expect(refused.body.detail).toContain('svc index update i1 --credential-secret s1');
    for (const env of ['dev', 'prod']) expect((await secretsOf(env))[0]).toMatchObject({ name: 's1', use: null });
    expect((await eventsOf('AUTHORIZATION_DENIED'))[0]).toMatchObject({
      principal: 'keeper',
      object: { kind: 'ENVIRONMENT', environment: 'prod' },
      detail: { action: 'MANAGE_SECRET' },
    });
    expect((await as(null, 'GET', '/package-indexes/i1')).status).toBe(404);
    expect((await add('i1', 's1')).status).toBe(201);
    for (const env of ['dev', 'prod']) {
      expect((await secretsOf(env))[0]).toMatchObject({ name: 's1', use: 'package-index', index: 'i1' });
    }
    expect((await eventsOf('SECRET_BOUND')).slice(0, 2).map((e: { detail: object }) => e.detail)).toEqual(
      Array(2).fill(
        expect.objectContaining({ name: 's1', index: 'i1', previous: { use: null, index: null, repository: null } }),
      ),
    );
  });

  test('is rejected for a secret with another use, for every caller (INDEX-16, SECRET-1)', async () => {
    for (const [use, where] of [
      [{ environment: true }, 'storage or webhooks'],
      [{ index: 'alpha' }, 'bound to the package index alpha'],
    ] as const) {
      const name = `used-${Object.keys(use)[0]}`;
      await secret('dev', name, use);
      for (const who of [null, 'registrar', 'keeper']) {
        const response = await add('i2', name, who as string);
        expect([response.status, response.body.remedy]).toEqual([403, `svc secret bind ${name} --env dev --index i2`]);
        expect(response.body.detail).toContain(where);
      }
    }
  });

  test('a registrar alone may name one that is bound to the index, and none that is not (INDEX-16)', async () => {
    await add('i3', undefined, 'registrar');
    const update = (who: string) => as(who, 'PATCH', '/package-indexes/i3', { credential_secret: 's3' });
    const ahead = await update('registrar');
    expect([ahead.status, ahead.body.remedy]).toEqual([403, 'svc secret bind s3 --env ENV --index i3']);
    await secret('dev', 's3');
    expect((await update('registrar')).status).toBe(403);
    const bound = await as('holder', 'POST', '/environments/dev/secrets/s3/bind', { index: 'i3' });
    expect(bound.body).toMatchObject({ use: 'package-index', index: 'i3' });
    expect((await update('registrar')).body).toMatchObject({ credential_secret: 's3' });
  });

  test('an unknown secret name is accepted from callers with MANAGE_SECRET anywhere', async () => {
    expect((await add('i4', 'later', 'keeper')).body).toMatchObject({ credential_secret: 'later' });
  });

  test('ADMIN on a namespace or a table carries MANAGE_SECRET nowhere (INDEX-16)', async () => {
    await made('/environments/dev/namespaces', { path: 'n' });
    await made('/environments/dev/namespaces/n/tables', { name: 't', columns: [{ name: 'id', type: 'long' }] });
    await principal('part', { kind: 'INSTANCE', action: 'MANAGE_PACKAGE_INDEX' });
    await grant('part', { kind: 'NAMESPACE', environment: 'dev', namespace: 'n', role: 'ADMIN' });
    await grant('part', { kind: 'TABLE', environment: 'dev', namespace: 'n', table: 't', role: 'ADMIN' });
    const refused = await add('i5', 'later', 'part');
    expect([refused.status, refused.body.remedy]).toEqual([403, 'svc secret bind later --env ENV --index i5']);
    expect((await eventsOf('AUTHORIZATION_DENIED'))[0]).toMatchObject({
      principal: 'part',
      detail: {
        action: 'MANAGE_SECRET',
        reason: 'no environment has a secret later, and the caller holds MANAGE_SECRET nowhere',
      },
    });
    expect((await as(null, 'GET', '/package-indexes/i5')).status).toBe(404);
  });

  test('a new URL needs MANAGE_SECRET where a secret is bound, cleared or not (INDEX-17, SECRET-7)', async () => {
    const url = { url: 'https://i3.example/moved' };
    const refused = await as('registrar', 'PATCH', '/package-indexes/i3', url);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('needs MANAGE_SECRET there')]);
    expect((await as('registrar', 'PATCH', '/package-indexes/i3', { credential_secret: null })).status).toBe(200);
    expect((await as('registrar', 'PATCH', '/package-indexes/i3', url)).status).toBe(403);
    expect((await as('keeper', 'PATCH', '/package-indexes/i3', url)).status).toBe(200);
    // Callers without access to the secret can still stop the projects.
    expect((await as('registrar', 'DELETE', '/package-indexes/i3')).status).toBe(204);
    expect((await secretsOf('dev')).find((x: { name: string }) => x.name === 's3')).toMatchObject({ use: null });
  });

  test('the test index takes none (INDEX-7)', async () => {
    const host = TEST_HOST;
    const body = { name: 'test', url: `https://${host}/simple` };
    const refused = await as(null, 'POST', '/package-indexes', { ...body, credential_secret: 'later' });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining("the test index's address")]);
    expect((await as(null, 'POST', '/package-indexes', body)).status).toBe(201);
    const later = await as(null, 'PATCH', '/package-indexes/test', { credential_secret: 'later' });
    expect([later.status, later.body.errors]).toEqual([
      422,
      [{ pointer: '/credential_secret', message: expect.stringContaining("the test index's address") }],
    ]);
  });

  test('a repository follows the same rules', async () => {
    await secret('dev', 'git');
    const body = { name: 'shop', url: 'https://git.example/shop.git', credential_secret: 'git' };
    await grant('registrar', { kind: 'INSTANCE', action: 'MANAGE_REPOSITORY' });
    const refused = await as('registrar', 'POST', '/repositories', body);
    expect([refused.status, refused.body.remedy]).toEqual([403, 'svc secret bind git --env dev --repository shop']);
    expect((await as(null, 'POST', '/repositories', body)).status).toBe(201);
    const moved = await as('registrar', 'PATCH', '/repositories/shop', { url: 'https://evil.example/shop.git' });
    expect(moved.status).toBe(403);
    expect((await as(null, 'DELETE', '/repositories/shop')).status).toBe(204);
    expect((await secretsOf('dev')).find((x: { name: string }) => x.name === 'git')).toMatchObject({ use: null });
  });
});
