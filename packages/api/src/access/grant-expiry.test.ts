import type { AuditEvent } from '@svc/core/audit';
import { endExpiredGrants } from '@svc/db/access';
import { inTransaction } from '@svc/db/connection';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

const START = Date.parse('2026-03-01T08:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(START + hours * HOUR).toISOString();

let server: TestServer;
let now = START;
let token = '';

const post = (path: string, body: unknown): Promise<Answer> => server.call('POST', path, { body });
const grant = (more: object) =>
  post('/api/v1/grants', { kind: 'ENVIRONMENT', environment: 'prod', principal: 'ann', ...more });
const namespaces = async () => (await server.call('GET', '/api/v1/environments/prod/namespaces', { token })).status;
const granted = async () => (await server.call('GET', '/api/v1/grants?principal_name=ann')).body;

beforeAll(async () => {
  server = await startTestServer({ clock: () => new Date(now) });
  await post('/api/v1/environments', { name: 'prod' });
  await post('/api/v1/principals', { name: 'ann', type: 'person' });
  token = (await post('/api/v1/principals/ann/tokens', { name: 't' })).body.token;
});
afterAll(() => server.stop());
beforeEach(() => {
  now = START;
});

test('a grant allows nothing from the moment on that it expires, directly and through a group (ACCESS-33)', async () => {
  await post('/api/v1/groups', { name: 'crew' });
  await server.call('PUT', '/api/v1/groups/crew/members/ann');
  for (const grantee of [{}, { principal: undefined, group: 'crew' }]) {
    now = START;
    const { status, body } = await grant({ role: 'ANALYST', expires_at: at(8), ...grantee });
    expect([status, body.expires_at]).toEqual([201, at(8)]);
    expect(await namespaces()).toBe(200);
    now = START + 8 * HOUR - 1;
    expect(await namespaces()).toBe(200);
    const who = '/api/v1/access/who?action=READ_NAMESPACE&environment=prod';
    const readers = async () =>
      (await server.call('GET', who)).body.map(({ principal }: { principal: string }) => principal);
    expect(await readers()).toContain('ann');
    now += 1;
    expect(await namespaces()).toBe(403);
    expect(await readers()).not.toContain('ann');
    expect(await granted()).toEqual([]);
    const own = await server.call('GET', '/api/v1/principals/ann/permissions?environment=prod', { token });
    expect(own.body.permissions.filter(({ allowed }: { allowed: boolean }) => allowed)).toEqual([]);
    expect((await server.call('DELETE', `/api/v1/grants/${body.id}`)).status).toBe(404);
  }
});

test('drops and deletions revoke no grant that has expired: the next sweep records it (ACCESS-33, ACCESS-34)', async () => {
  const [old, shop] = ['/api/v1/environments/old', '/api/v1/environments/old/namespaces/shop'];
  await post('/api/v1/environments', { name: 'old' });
  await post(`${old}/namespaces`, { path: 'shop' });
  await post(`${shop}/tables`, { name: 'sales', columns: [{ name: 'id', type: 'long' }] });
  await post('/api/v1/groups', { name: 'leavers' });
  const expired: string[] = [];
  for (const object of [{}, { namespace: 'shop' }, { namespace: 'shop', table: 'sales' }]) {
    const kind = ['ENVIRONMENT', 'NAMESPACE', 'TABLE'][Object.keys(object).length];
    const to = { principal: undefined, group: 'leavers', environment: 'old', ...object };
    expired.push((await grant({ kind, ...to, action: 'READ_TABLE', expires_at: at(1) })).body.id);
  }
  now = START + HOUR;
  for (const path of [`${shop}/tables/sales`, shop, old, '/api/v1/groups/leavers'])
    expect((await server.call('DELETE', path)).status).toBeLessThan(300);
  const events: AuditEvent[] = (await server.call('GET', `/api/v1/audit-events?since=${at(1)}`)).body;
  expect(events.filter(({ type }) => type === 'GRANT_REVOKED')).toEqual([]);
  const counts = events.map(({ detail }) => detail.revoked_policies).filter((count) => count !== undefined);
  expect(counts).toEqual([0, 0]);
  const recorded = await inTransaction(server.db, (tx) => endExpiredGrants(tx, { now: new Date(now), limit: 100 }));
  expect(recorded.map(({ grant: { id } }) => id)).toEqual(expect.arrayContaining(expired));
});

test.each([
  ['2026-03-01T07:59:59Z', 'must be in the future'],
  ['2026-03-01T08:00:00Z', 'must be in the future'],
  ['2026-03-02', 'must be a time with a time zone'],
  ['soon', 'must be a time with a time zone'],
])('%j is refused as an expiry time (ACCESS-33)', async (expires_at, message) => {
  const { status, text } = await grant({ role: 'ANALYST', expires_at });
  expect(status).toBe(422);
  expect(text).toContain(message);
  expect(text).toContain('/expires_at');
});

test('a grant that lasts longer extends the access, others are duplicates (ACCESS-35)', async () => {
  const first = await grant({ role: 'DATA_ENGINEER', expires_at: at(2) });
  const again = await grant({ role: 'DATA_ENGINEER', expires_at: at(2) });
  expect([again.status, again.body.code]).toEqual([409, 'duplicate-grant']);
  expect(again.body.detail).toContain(first.body.id);
  expect((await grant({ role: 'DATA_ENGINEER', expires_at: at(1) })).status).toBe(409);
  expect((await grant({ role: 'DATA_ENGINEER', expires_at: at(3) })).status).toBe(201);
  expect((await grant({ role: 'DATA_ENGINEER' })).status).toBe(201);
  expect((await grant({ role: 'DATA_ENGINEER', expires_at: at(9) })).status).toBe(409);
  now = START + 2 * HOUR;
  const left = (await granted()).filter(({ role }: { role: string }) => role === 'DATA_ENGINEER');
  expect(left.map(({ expires_at }: { expires_at: string | null }) => expires_at)).toEqual([null, at(3)]);
});

test('an administrator whose grant expires is not one that is left (ACCESS-36)', async () => {
  await post('/api/v1/grants', { kind: 'INSTANCE', principal: 'ann', role: 'ADMIN', expires_at: at(1) });
  const { status, body } = await server.call('PATCH', '/api/v1/principals/admin', { body: { active: false } });
  expect([status, body.code]).toEqual([409, 'last-admin']);
});
