import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  ArchiveContents,
  addMonths,
  findArchivable,
  headKeys,
  readPartition,
  replaceByArchive,
  sealEvents,
} from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import { tableIds } from '@svc/iceberg';
import { AuditArchive } from '@svc/lake/audit';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let now = new Date('2026-03-01T08:00:00.000Z');
let auditor: string;
let archive: AuditArchive;

const get = (path: string, token?: string): Promise<Answer> =>
  server.call('GET', `/api/v1${path}`, token === undefined ? {} : { token });
const post = (path: string, body: unknown) => server.call('POST', `/api/v1${path}`, { body });
const setActive = (active: boolean) => server.call('PATCH', '/api/v1/principals/eve', { body: { active } });
const eveAt = async (day: number) =>
  (await get(`/principals/eve/permissions?environment=dev&at=2026-03-0${day}T12:00:00Z`)).body.active;
const list = async (filters = '') => {
  const { status, body, headers } = await get(`/audit-events?limit=3${filters}`, auditor);
  return {
    status,
    events: body as { id: string; type: string; detail: Record<string, unknown> }[],
    next: headers.get('x-next-cursor'),
  };
};
/** All events without those that the list itself adds, page by page from a cursor. */
const pages = async (cursor: string | null = '') => {
  const events: string[] = [];
  for (let at = cursor; at !== null; ) {
    const page = await list(at === '' ? '' : `&cursor=${encodeURIComponent(at)}`);
    expect(page.status).toBe(200);
    events.push(
      ...page.events.filter(({ type }) => !/^(ACTIVITY_VIEWED|AUDIT_LOG_ARCHIVED)$/.test(type)).map(({ id }) => id),
    );
    at = page.next;
  }
  return events;
};

async function seal(): Promise<void> {
  const keys = headKeys(server.secretsKey);
  const options = { limit: 1000, keys, adoptUnsigned: false, now, newId: randomUUID };
  await inTransaction(server.db, (tx) => sealEvents(tx, options));
}

async function archiveFirst(): Promise<string> {
  const { prisma } = server.db;
  const partition = (await findArchivable(prisma, { now, months: 1 }))!;
  const target = {
    location: archive.locationOf(randomUUID()),
    now,
    ids: tableIds({ newId: randomUUID, random: randomBytes }),
  };
  const contents = new ArchiveContents();
  const written = await archive.write(readPartition(prisma, partition, contents), target);
  const replace = () =>
    inTransaction(server.db, (tx) => replaceByArchive(tx, partition, { ...written, contents }, now));
  expect(await replace()).toBe(true);
  return target.location;
}

beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  archive = new AuditArchive(server.store);
  await post('/environments', { name: 'dev' });
  for (const name of ['auditor', 'eve']) await post('/principals', { name, type: 'person' });
  await post('/grants', { kind: 'INSTANCE', principal: 'auditor', action: 'READ_AUDIT_LOG' });
  now = new Date('2026-03-03T08:00:00.000Z');
  await setActive(false);
  now = new Date('2026-03-05T08:00:00.000Z');
  await setActive(true);
});
afterAll(async () => {
  await archive.close();
  await server.stop();
});

test('archived events are listed, exported and verified with the same rights, and cursors stay valid (AUDIT-4, AUDIT-5, AUDIT-10)', async () => {
  await server.db.prisma.$executeRaw`
    INSERT INTO audit_events (id, time, type, principal_id, principal, object, detail)
    SELECT ${randomUUID()}::uuid, ${now}, 'QUERY_COMPLETED', id, name, '{"kind": "ENVIRONMENT"}', '{"sql_text": "SELECT 1", "tables": []}'
    FROM principals WHERE name = 'admin'`;
  now = new Date('2026-03-08T08:00:00.000Z');
  expect([await eveAt(2), await eveAt(4), await eveAt(6)]).toEqual([true, false, true]);
  // A year later, the events are in a month that is over.
  now = new Date(Date.now() + 400 * 24 * 3_600_000);
  await inTransaction(server.db, (tx) => addMonths(tx, now));
  auditor = (await post('/principals/auditor/tokens', { name: 't' })).body.token;
  await post('/environments', { name: 'later' });
  await seal();
  const before = await pages();
  const { next } = await list();
  const rest = await pages(next);
  const exported = (await get('/audit-events/export')).text
    .split('\n')
    .filter((line) => !line.includes('ACTIVITY_VIEWED'));
  await seal();

  const location = await archiveFirst();
  expect(await server.db.prisma.auditEvent.count({ where: { type: 'PRINCIPAL_UPDATED' } })).toBe(0);
  expect(await pages()).toEqual(before);
  expect(await pages(next)).toEqual(rest);
  const again = (await get('/audit-events/export')).text
    .split('\n')
    .filter((line) => !line.includes('ACTIVITY_VIEWED'));
  expect(again).toEqual(exported);
  const [query] = (await list('&event_type=QUERY_COMPLETED')).events;
  expect(query!.detail['sql_text']).toEqual({ sha256: expect.any(String), length: 8 });
  const [own] = (await get('/audit-events?event_type=QUERY_COMPLETED')).body;
  expect(own.detail.sql_text).toBe('SELECT 1');
  const eve = (await post('/principals/eve/tokens', { name: 't' })).body.token;
  expect((await get('/audit-events', eve)).status).toBe(403);
  await seal();
  expect((await get('/audit-events/verification', auditor)).body).toMatchObject({ intact: true, problem: null });
  // Who was active is known without the archive.
  await rm(fileURLToPath(location), { recursive: true });
  expect([await eveAt(2), await eveAt(4), await eveAt(6)]).toEqual([true, false, true]);
  expect((await get('/audit-events/verification', auditor)).body).toMatchObject({
    intact: false,
    problem: { sequence: 1, detail: expect.stringContaining("can't be read") },
  });
  for (const path of ['/audit-events?limit=100', '/audit-events/export'])
    expect((await get(path, auditor)).body).toMatchObject({
      ...{ status: 409, code: 'files-gone', remedy: expect.stringContaining('svc audit verify') },
      detail: expect.stringMatching(/^Archived events of the audit log can't be read\. No object exists at /),
    });
});
