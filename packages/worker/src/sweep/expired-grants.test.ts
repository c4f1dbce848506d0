import { randomUUID } from 'node:crypto';
import { createGrant, createPrincipal, listEffectiveGrants } from '@svc/db/access';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { recordExpiredGrants } from './expired-grants.ts';

const START = new Date('2026-03-01T08:00:00Z');
const later = (hours: number) => new Date(START.getTime() + hours * 3_600_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('each expired grant gets one event, however many workers sweep (ACCESS-34)', async () => {
  const { db } = database;
  const { prisma } = db;
  const principalId = randomUUID();
  await createPrincipal(prisma, {
    ...{ id: principalId, name: 'ann', type: 'person', passwordHash: null, createdBy: null, now: START },
  });
  const object = {
    kind: 'INSTANCE',
    environmentId: null,
    namespaceId: null,
    tableId: null,
    serviceAccountId: null,
  } as const;
  const grant = { object, principalId, groupId: null, role: null, createdBy: null, now: START };
  const ids: string[] = [];
  for (const [action, expiresAt] of [
    ['READ_AUDIT_LOG', later(1)],
    ['MANAGE_POLICY', later(2)],
    ['MANAGE_PRINCIPAL', later(3)],
    ['MANAGE_REPOSITORY', null],
  ] as const) {
    ids.push(randomUUID());
    await createGrant(prisma, { ...grant, id: ids.at(-1)!, action, expiresAt });
  }
  const deps = { db, clock: () => later(2), newId: randomUUID };
  const { signal } = new AbortController();
  const counts = await Promise.all([1, 2].map(() => recordExpiredGrants(deps, signal)));
  expect(counts[0]! + counts[1]!).toBe(2);
  const events = await prisma.auditEvent.findMany({ where: { type: 'GRANT_EXPIRED' } });
  expect(events.map(({ detail }) => (detail as { id: string }).id).sort()).toEqual(ids.slice(0, 2).sort());
  expect(events.map(({ principal_id }) => principal_id)).toEqual([null, null]);
  const left = await listEffectiveGrants(prisma, { principalId, now: later(0) });
  expect(left.map(({ grant_id }) => grant_id).sort()).toEqual(ids.slice(2).sort());
  expect(await recordExpiredGrants(deps, signal)).toBe(0);
});
