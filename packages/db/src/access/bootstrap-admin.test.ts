import { randomUUID } from 'node:crypto';
import { inTransaction } from '../connection/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { bootstrapAdmin } from './index.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const start = (token: number) =>
  inTransaction(test_.db, (tx) =>
    bootstrapAdmin(tx, { tokenHash: new Uint8Array(32).fill(token), now: new Date(), newId: randomUUID }),
  );

test('the first start creates the person admin with ADMIN on the instance; later ones create nobody (SERVICE-3)', async () => {
  const { prisma } = test_.db;
  const results = await Promise.all([start(1), start(1)]);
  expect(results.sort()).toEqual([false, true]);
  const [admin, ...others] = await prisma.principal.findMany();
  expect([admin, others]).toMatchObject([{ name: 'admin', type: 'person', active: true }, []]);
  const grants = await prisma.grant.findMany();
  expect(grants).toMatchObject([{ principal_id: admin!.id, kind: 'INSTANCE', role: 'ADMIN', action: null }]);
  expect(await start(2)).toBe(false);
  // Somebody who can configure the service gets a token of the administrator: not without a trace.
  expect(await start(2)).toBe(false);
  expect(await prisma.auditEvent.findMany()).toMatchObject([
    {
      ...{ type: 'TOKEN_ISSUED', principal: null },
      detail: { name: 'bootstrap', principal: 'admin', kind: 'personal', expires_at: null },
    },
  ]);
  expect([await prisma.principal.count(), await prisma.grant.count(), await prisma.token.count()]).toEqual([1, 1, 2]);
});
