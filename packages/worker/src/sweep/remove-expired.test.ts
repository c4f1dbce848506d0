import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@svc/core/settings';
import { createPrincipal } from '@svc/db/access';
import { storeResponse } from '@svc/db/idempotency';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openLocalStore } from '@svc/lake/storage';
import { removeExpired } from './remove-expired.ts';

const START = new Date('2026-03-01T08:00:00Z');
const END = new Date('2026-03-02T08:00:00Z');

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-expired-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('a worker that stops removes no further batch', async () => {
  const { db } = database;
  const { prisma } = db;
  const principalId = randomUUID();
  await createPrincipal(prisma, {
    ...{ id: principalId, name: 'ann', type: 'person', passwordHash: null, createdBy: null, now: START },
  });
  const response = { bodyHash: Buffer.alloc(32), status: 201, response: {}, now: START, expiresAt: END };
  for (let n = 0; n < 501; n++)
    await storeResponse(prisma, { principalId, method: 'POST', path: '/', key: `${n}`, ...response });
  const settings = readSettings({}, () => '');
  const deps = { db, store: await openLocalStore(folder), settings, clock: () => END };
  await expect(removeExpired(deps, AbortSignal.abort())).rejects.toThrow(/abort/);
  expect(await prisma.idempotencyKey.count()).toBe(501);
  expect(await removeExpired(deps, new AbortController().signal)).toMatchObject({ answers: 501, results: 0 });
  expect(await prisma.idempotencyKey.count()).toBe(0);
});
