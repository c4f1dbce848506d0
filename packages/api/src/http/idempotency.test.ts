import { startTestServer, type TestServer } from '../testing/index.ts';

const HOUR_MS = 3_600_000;
let now = new Date('2026-03-01T08:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
});
afterAll(() => server.stop());

const create = (name: string, key: string) =>
  server.call('POST', '/api/v1/groups', { body: { name }, headers: { 'Idempotency-Key': key } });

test('a key replays for 24 hours, and has 255 characters at most (HTTP-6)', async () => {
  const first = await create('once', 'k'.repeat(255));
  expect(first.status).toBe(201);
  now = new Date(now.getTime() + 24 * HOUR_MS - 1);
  expect((await create('once', 'k'.repeat(255))).text).toBe(first.text);
  now = new Date(now.getTime() + 1);
  expect((await create('once', 'k'.repeat(255))).body.code).toBe('already-exists');
  expect((await create('long', 'k'.repeat(256))).body).toMatchObject({
    status: 422,
    errors: [{ parameter: 'Idempotency-Key' }],
  });
});

test('a key belongs to its principal (HTTP-6)', async () => {
  await server.call('POST', '/api/v1/principals', { body: { name: 'ann', type: 'person' } });
  await server.call('POST', '/api/v1/grants', { body: { kind: 'INSTANCE', principal: 'ann', role: 'ADMIN' } });
  const { token } = (await server.call('POST', '/api/v1/principals/ann/tokens', { body: { name: 't' } })).body;
  expect((await create('of-admin', 'shared')).status).toBe(201);
  const body = { name: 'of-ann' };
  const other = await server.call('POST', '/api/v1/groups', { token, body, headers: { 'Idempotency-Key': 'shared' } });
  expect([other.status, other.body.name]).toEqual([201, 'of-ann']);
});

test('an answer of 5xx is not stored (HTTP-6)', async () => {
  const { prisma } = server.db;
  await prisma.$executeRaw`ALTER TABLE groups RENAME TO groups_away`;
  try {
    expect((await create('later', 'failing')).status).toBe(500);
  } finally {
    await prisma.$executeRaw`ALTER TABLE groups_away RENAME TO groups`;
  }
  expect((await create('later', 'failing')).status).toBe(201);
});
