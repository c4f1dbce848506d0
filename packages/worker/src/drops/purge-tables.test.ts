import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSnapshot } from '@svc/db/backup';
import { inTransaction } from '@svc/db/connection';
import { dropTable } from '@svc/db/drops';
import { acquireLeaderLease } from '@svc/db/leases';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openLocalStore } from '@svc/lake/storage';
import { storeTable } from '../testing/stored-table.ts';
import { purgeTables } from './purge-tables.ts';
import type { SweepDeps } from './sweep-deps.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-purge-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('a dropped table keeps its files while a backup copies, even if the sweep started before', async () => {
  const { db, url } = database;
  const store = await openLocalStore(join(folder, 'store'));
  const environmentId = randomUUID();
  const location = `${store.root}/tables/${environmentId}/t`;
  await store.write(`${location}/data/x.parquet`, Buffer.from('rows'));
  const id = await storeTable(db, { environmentId, environment: 'dev', location });
  const drop = { id, dropId: randomUUID(), reason: 'purge', by: randomUUID(), undoDays: 7, now: new Date() } as const;
  await inTransaction(db, (tx) => dropTable(tx, drop));
  const clock = () => new Date();
  const deps = { db, store, clock, newId: randomUUID } as unknown as SweepDeps;
  const holder = { name: 'sweep', holder: randomUUID(), now: clock(), leaseMs: 600_000 };
  const lease = (await acquireLeaderLease(db.prisma, holder))!;
  const sweep = () => purgeTables(deps, lease, new AbortController().signal);
  const copying = await openSnapshot(url);
  try {
    expect(await sweep()).toMatchObject({ purged: 0, files: 0 });
    expect(await store.stat(`${location}/data/x.parquet`)).not.toBeNull();
  } finally {
    await copying.close();
  }
  expect(await sweep()).toMatchObject({ purged: 1, files: 1 });
});
