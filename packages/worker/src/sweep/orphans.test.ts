import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSnapshot } from '@svc/db/backup';
import { inTransaction } from '@svc/db/connection';
import { createEnvironment } from '@svc/db/environments';
import { createNamespace } from '@svc/db/namespaces';
import { createTable } from '@svc/db/tables';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openLocalStore } from '@svc/lake/storage';
import { storeTable } from '../testing/stored-table.ts';
import { removeOrphans } from './orphans.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-orphans-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('files of artifacts stay, whatever they are called', async () => {
  const { db } = database;
  const store = await openLocalStore(join(folder, 'store'));
  const [environmentId, namespaceId] = [randomUUID(), randomUUID()];
  const base = { description: null, createdBy: randomUUID(), now: new Date() };
  await createEnvironment(db.prisma, { ...base, id: environmentId, name: 'dev', protected: false });
  await inTransaction(db, (tx) => createNamespace(tx, { ...base, id: namespaceId, environmentId, path: 'n' }));
  const locationOf = (name: string) =>
    `${store.root}/artifacts/${environmentId}/${randomUUID()}/${encodeURIComponent(name)}`;
  const recorded = ['plain.txt', 'a,b+c=d&e@f:g;h$i.csv', '~draft', "it's (1)!*.pdf", 'ü %2C.html'].map(locationOf);
  const orphans = ['plain.txt', 'a,b.csv'].map(locationOf);
  for (const location of [...recorded, ...orphans]) await store.write(location, Buffer.from('x'));
  for (const [i, location] of recorded.entries()) {
    const named = { id: randomUUID(), environmentId, namespaceId, name: `a${i}` };
    const contents = { snapshotId: null, rowCount: 0, sizeBytes: 1, fileCount: 1 };
    const row = {
      ...named,
      kind: 'artifact' as const,
      ...base,
      columns: [],
      location,
      apart: false,
      contents,
    };
    expect(await inTransaction(db, (tx) => createTable(tx, { ...row, builtByRepository: null }))).toBe(true);
  }
  const clock = () => new Date(Date.now() + 48 * 3_600_000);
  const counts = await removeOrphans({ db, store, clock }, new AbortController().signal);
  const left = await Promise.all(
    [...recorded, ...orphans].map(async (location) => (await store.stat(location)) !== null),
  );
  expect(left).toEqual([...recorded.map(() => true), ...orphans.map(() => false)]);
  expect(counts['files']).toBe(orphans.length);
});

test('an artifact that was replaced stays until no backup copies, even if the sweep started before', async () => {
  const { db, url } = database;
  const store = await openLocalStore(join(folder, 'copied'));
  const replaced = `${store.root}/artifacts/${randomUUID()}/${randomUUID()}/report.html`;
  await store.write(replaced, Buffer.from('x'));
  const clock = () => new Date(Date.now() + 48 * 3_600_000);
  const sweep = () => removeOrphans({ db, store, clock }, new AbortController().signal);
  const copying = await openSnapshot(url);
  try {
    expect(await sweep()).toMatchObject({ files: 0 });
    expect(await store.stat(replaced)).not.toBeNull();
  } finally {
    await copying.close();
  }
  expect(await sweep()).toMatchObject({ files: 1 });
});

test('a table that an older version created in the folder of the logs keeps its files', async () => {
  const { db } = database;
  const store = await openLocalStore(join(folder, 'logs'));
  const location = `${store.root}/logs/web`;
  const [file, log] = [`${location}/data/x.parquet`, `${store.root}/logs/${randomUUID()}-1.jsonl.gz`];
  for (const each of [file, log]) await store.write(each, Buffer.from('x'));
  await storeTable(db, { environmentId: randomUUID(), environment: 'logs', location });
  const clock = () => new Date(Date.now() + 48 * 3_600_000);
  await removeOrphans({ db, store, clock }, new AbortController().signal);
  expect([await store.stat(file), await store.stat(log)]).toMatchObject([{ size: 1 }, null]);
});
