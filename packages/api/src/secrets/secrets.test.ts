import { sealingKeys, unseal } from '@svc/db/secrets';
import { startTestServer, type TestServer } from '../testing/index.ts';

let s: TestServer;
const CANARY = 'canary-77c1-password';
const E = '/api/v1/environments/dev/secrets';

beforeAll(async () => {
  s = await startTestServer();
  await s.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await s.call('POST', '/api/v1/package-indexes', { body: { name: 'corp', url: 'https://corp.example/simple' } });
});
afterAll(() => s.stop());

const create = (name: string, values: object, use: object = {}) =>
  s.call('POST', E, { body: { name, values, ...use } });

test('values are sealed to their row and never read back (SECRET-1)', async () => {
  const created = await create('one', { username: 'someone', password: CANARY }, { index: 'corp' });
  expect([created.status, created.body]).toEqual([
    201,
    expect.objectContaining({
      name: 'one',
      environment: 'dev',
      use: 'package-index',
      index: 'corp',
      keys: ['password', 'username'],
      warnings: [],
    }),
  ]);
  const again = await create('one', { password: CANARY });
  expect([again.status, again.body.remedy]).toEqual([409, 'svc secret rotate one --env dev --values-stdin']);
  const row = await s.db.prisma.secret.findFirstOrThrow({ where: { name: 'one' } });
  expect(Buffer.from(row.sealed).includes(CANARY)).toBe(false);
  const sealed = { keyId: row.key_id, bytes: row.sealed };
  expect(unseal(sealingKeys(s.secretsKey), { id: row.id, environmentId: row.environment_id }, sealed)).toEqual({
    username: 'someone',
    password: CANARY,
  });
  const otherEnvironment = { id: row.environment_id, environmentId: row.environment_id };
  expect(() => unseal(sealingKeys(s.secretsKey), otherEnvironment, sealed)).toThrow('changed outside svc');
  expect(() => unseal(sealingKeys(Buffer.alloc(32).toString('base64')), otherEnvironment, sealed)).toThrow('OLD_KEYS');
});

test('setting it again keeps the use; revoking erases the values and frees the name', async () => {
  const rotated = await s.call('PUT', `${E}/one/values`, { body: { values: { password: 'other' } } });
  expect(rotated.body).toMatchObject({ use: 'package-index', keys: ['password'], rotated_by: 'admin' });
  expect((await s.call('DELETE', `${E}/one`)).status).toBe(204);
  expect((await s.call('PUT', `${E}/one/values`, { body: { values: { password: 'x' } } })).status).toBe(404);
  const row = await s.db.prisma.secret.findFirstOrThrow({ where: { name: 'one' } });
  expect([row.sealed.length, row.revoked_at]).toEqual([0, expect.any(Date)]);
  expect((await create('one', { password: 'x' })).status).toBe(201);
});

test.each([
  ['with-nul', { password: 'a\u0000b' }, { index: 'corp' }, ['the value of password contains the character NUL']],
  [
    'too-long',
    { password: 'p'.repeat(4097) },
    { index: 'corp' },
    ['the value of password is longer than 4,096 characters'],
  ],
  ['of-4096-characters', { password: '\u{1F511}'.repeat(4096) }, { index: 'corp' }, []],
  ['no-password', { username: 'someone' }, { index: 'corp' }, ['it has no usable password']],
  ['of-a-webhook', { url: 'https://hooks.example' }, { environment: true }, []],
])('%s is stored with its warnings (SECRET-2)', async (name, values, use, warnings) => {
  const { status, body } = await create(name, values, use);
  expect([status, body.warnings]).toEqual([201, warnings.map((text) => expect.stringContaining(text))]);
});

test.each([
  [{ password: 5 }, {}, '/values/password'],
  [{ password: null }, {}, '/values/password'],
  [{}, {}, '/values'],
  [{ password: 'x' }, { index: 'corp', environment: true }, ''],
  [{ password: 'x' }, { environment: false }, '/environment'],
])('%j with %j is refused at %s (SECRET-1)', async (values, use, pointer) => {
  const { status, body } = await create('bad', values, use);
  expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer]);
});

test('a lone surrogate is refused with its own message, which does not repeat the value (SECRET-2)', async () => {
  const { status, body, text } = await s.call('POST', E, {
    raw: '{"name": "bad", "values": {"password": "canary-\\ud800"}}',
    headers: { 'Content-Type': 'application/json' },
  });
  expect([status, body.detail]).toEqual([422, expect.stringContaining('lone surrogate')]);
  expect(text).not.toContain('canary-');
});

test('a bind moves the secret to another use (SECRET-1)', async () => {
  await create('moving', { password: 'x' }, { environment: true });
  const bound = await s.call('POST', `${E}/moving/bind`, { body: { index: 'corp' } });
  expect(bound.body).toMatchObject({ use: 'package-index', index: 'corp' });
  expect((await s.call('POST', `${E}/moving/bind`, { body: {} })).status).toBe(422);
  expect((await s.call('POST', `${E}/moving/bind`, { body: { index: 'none' } })).status).toBe(404);
  expect((await s.call('POST', `${E}/none/bind`, { body: { index: 'corp' } })).status).toBe(404);
});

test('moving a secret in use warns what stops working; binding it where it is does not', async () => {
  await s.call('POST', '/api/v1/package-indexes', {
    body: { name: 'mirror', url: 'https://mirror.example.org/simple' },
  });
  await create('shared', { username: 'u', password: 'x' }, { index: 'mirror' });
  const bind = async (use: object) => (await s.call('POST', `${E}/shared/bind`, { body: use })).body.warnings;
  expect(await bind({ environment: true })).toEqual([]);
  await bind({ index: 'mirror' });
  await s.call('PATCH', '/api/v1/package-indexes/mirror', { body: { credential_secret: 'shared' } });
  expect(await bind({ index: 'mirror' })).toEqual([]);
  expect(await bind({ environment: true })).toEqual([
    'the package index mirror still names this secret: deploys and runs that take packages from it stop in dev until it is bound again: svc secret bind shared --env dev --index mirror',
  ]);
  await s.call('POST', '/api/v1/repositories', { body: { name: 'code', url: 'https://git.example.org/code.git' } });
  await bind({ repository: 'code' });
  await s.call('PATCH', '/api/v1/repositories/code', { body: { credential_secret: 'shared' } });
  expect(await bind({ index: 'mirror' })).toEqual([
    expect.stringContaining('the repository code still names this secret: deploys that fetch it stop in dev'),
  ]);
});

test('the events of removing an index and a repository say which secrets are unbound (SECRET-7)', async () => {
  for (const [kind, path, use] of [
    ['PACKAGE_INDEX', '/api/v1/package-indexes', 'index'],
    ['REPOSITORY', '/api/v1/repositories', 'repository'],
  ] as const) {
    const name = `gone-${use}`;
    await s.call('POST', path, { body: { name, url: `https://${use}.example.org/x` } });
    for (const secret of ['b', 'a', 'revoked']) await create(`${use}-${secret}`, { password: 'x' }, { [use]: name });
    await s.call('DELETE', `${E}/${use}-revoked`);
    expect((await s.call('DELETE', `${path}/${name}`)).status).toBe(204);
    const event = await s.db.prisma.auditEvent.findFirst({
      where: { type: `${kind}_DELETED` },
      orderBy: { time: 'desc' },
    });
    expect(event?.detail).toMatchObject({
      name,
      unbound_secrets: [
        { environment: 'dev', name: `${use}-a` },
        { environment: 'dev', name: `${use}-b` },
      ],
    });
  }
});

test('who sets or binds a secret at the moment somebody revokes it finds it or does not', async () => {
  for (let round = 0; round < 8; round++) {
    await create('contested', { password: CANARY });
    const [set, bound, ...revoked] = await Promise.all([
      s.call('PUT', `${E}/contested/values`, { body: { values: { password: 'x' } } }),
      s.call('POST', `${E}/contested/bind`, { body: { index: 'corp' } }),
      s.call('DELETE', `${E}/contested`),
      s.call('DELETE', `${E}/contested`),
    ]);
    for (const { status } of [set!, bound!]) expect([200, 404]).toContain(status);
    expect(revoked.map(({ status }) => status).sort()).toEqual([204, 404]);
  }
});

test('no secret is bound to an index or a repository that is being removed', async () => {
  for (const [path, use] of [
    ['/api/v1/package-indexes', 'index'],
    ['/api/v1/repositories', 'repository'],
  ] as const) {
    for (let round = 0; round < 8; round++) {
      const name = `brief-${use}-${round}`;
      await s.call('POST', path, { body: { name, url: `https://${name}.example.org/x` } });
      await create(`${name}-1`, { password: CANARY });
      const [bound, created, removed] = await Promise.all([
        s.call('POST', `${E}/${name}-1/bind`, { body: { [use]: name } }),
        create(`${name}-2`, { password: CANARY }, { [use]: name }),
        s.call('DELETE', `${path}/${name}`),
      ]);
      expect([200, 404]).toContain(bound.status);
      expect([201, 404]).toContain(created.status);
      expect(removed.status).toBe(204);
    }
  }
  const { body } = await s.call('GET', E);
  const brief = body.filter((secret: { name: string }) => secret.name.startsWith('brief-'));
  expect(brief.length).toBeGreaterThanOrEqual(16);
  for (const { index, repository, use } of brief) expect([index, repository, use]).toEqual([null, null, null]);
});

test('no event holds a value (AUDIT-2)', async () => {
  const events = await s.db.prisma.auditEvent.findMany();
  expect(JSON.stringify(events, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain('canary');
});
