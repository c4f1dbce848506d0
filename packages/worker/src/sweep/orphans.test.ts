import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSnapshot } from '@svc/db/backup';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { claimAbandonedCreation, foldersWithoutRecord, startCreation } from '@svc/db/drops';
import { createEnvironment } from '@svc/db/environments';
import { createNamespace } from '@svc/db/namespaces';
import { createTable } from '@svc/db/tables';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openLocalStore } from '@svc/lake/storage';
import { pino } from 'pino';
import { storeTable } from '../testing/stored-table.ts';
import { removeOrphans } from './orphans.ts';

const reported: unknown[] = [];
const log = pino({}, { write: (line: string) => void reported.push(JSON.parse(line)) });
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
  const counts = await removeOrphans({ db, store, clock, log }, new AbortController().signal);
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
  const sweep = () => removeOrphans({ db, store, clock, log }, new AbortController().signal);
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
  const [file, line] = [`${location}/data/x.parquet`, `${store.root}/logs/${randomUUID()}-1.jsonl.gz`];
  for (const each of [file, line]) await store.write(each, Buffer.from('x'));
  await storeTable(db, { environmentId: randomUUID(), environment: 'logs', location });
  const clock = () => new Date(Date.now() + 48 * 3_600_000);
  await removeOrphans({ db, store, clock, log }, new AbortController().signal);
  expect([await store.stat(file), await store.stat(line)]).toMatchObject([{ size: 1 }, null]);
});

describe('a creation that started long ago', () => {
  /** A folder with a file, whose creation started two days ago. */
  async function started() {
    const { db } = database;
    const store = await openLocalStore(join(folder, randomUUID()));
    const [environmentId, namespaceId] = [randomUUID(), randomUUID()];
    const location = `${store.root}/tables/${environmentId}/${randomUUID()}`;
    const file = `${location}/data/x.parquet`;
    const base = { description: null, createdBy: randomUUID(), now: new Date() };
    await createEnvironment(db.prisma, { ...base, id: environmentId, name: environmentId, protected: false });
    await inTransaction(db, (tx) => createNamespace(tx, { ...base, id: namespaceId, environmentId, path: 'n' }));
    await startCreation(db.prisma, { location, now: new Date() });
    await store.write(file, Buffer.from('x'));
    const clock = () => new Date(Date.now() + 48 * 3_600_000);
    const sweep = () => removeOrphans({ db, store, clock, log }, new AbortController().signal);
    const create = (tx: Transaction) =>
      createTable(tx, {
        ...{ ...base, id: randomUUID(), environmentId, namespaceId, name: 't', kind: 'managed', columns: [], location },
        ...{ contents: { snapshotId: null, rowCount: 0, sizeBytes: 1, fileCount: 1 }, apart: false },
      });
    const isThere = async () => (await store.stat(file)) !== null;
    return { db, location, sweep, create, isThere };
  }

  test('keeps its files if it commits while the sweep finds it', async () => {
    const { db, sweep, create, isThere } = await started();
    let sweeping: Promise<unknown> | undefined;
    await inTransaction(db, async (tx) => {
      expect(await create(tx)).toBe(true);
      let isDone = false;
      sweeping = sweep().finally(() => (isDone = true));
      const waiting = () => db.prisma.$queryRaw<[]>`
        SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      while (!isDone && (await waiting()).length === 0);
    });
    await sweeping;
    expect(await isThere()).toBe(true);
  });

  test('is refused once the sweep removes its files, and afterwards', async () => {
    const { db, location, sweep, create, isThere } = await started();
    const refused = {
      code: 'write-conflict',
      message: expect.stringContaining(`its files in ${location} were removed`),
    };
    // A sweep that stopped between the two.
    await claimAbandonedCreation(db.prisma, { location, now: new Date() });
    await expect(inTransaction(db, create)).rejects.toMatchObject(refused);
    await sweep();
    expect(await isThere()).toBe(false);
    await expect(inTransaction(db, create)).rejects.toMatchObject(refused);
    expect(await foldersWithoutRecord(db.prisma, [location])).toEqual(new Set([location]));
  });
});

/** Permissions don't apply to root. */
async function withoutRoot<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid!(65_534);
  try {
    return await act();
  } finally {
    process.seteuid!(0);
  }
}

test('a folder that can not be read or changed is reported, and all others are swept', async () => {
  const { db } = database;
  const home = join(folder, 'closed');
  const store = await openLocalStore(home);
  const at = (path: string) => `${store.root}/${path}`;
  const environmentId = randomUUID();
  const [unreadable, unchangeable] = ['a', 'b'].map((name) => `artifacts/${environmentId}/${name}`) as [string, string];
  const [inUnreadable, inUnchangeable] = [at(`${unreadable}/1.txt`), at(`${unchangeable}/1.txt`)];
  const table = { id: randomUUID(), location: at(`tables/${randomUUID()}/${randomUUID()}`) };
  const creation = at(`tables/${environmentId}/${randomUUID()}`);
  const others = [
    at(`artifacts/${environmentId}/c/1.txt`),
    at(`results/${randomUUID()}`),
    `${creation}/data/x.parquet`,
  ];
  for (const location of [inUnreadable, inUnchangeable, `${table.location}/data/x.parquet`, ...others])
    await store.write(location, Buffer.from('x'));
  await mkdir(join(home, '.stages', 's-old'), { recursive: true });
  await startCreation(db.prisma, { location: creation, now: new Date() });
  await storeTable(db, { environmentId: randomUUID(), environment: 'closed', location: table.location });
  // The account of the service owns everything, but may not use some of it.
  if (process.geteuid?.() === 0) {
    await chmod(folder, 0o755);
    for (const path of await readdir(home, { recursive: true })) await chown(join(home, path), 65_534, 65_534);
    await chown(home, 65_534, 65_534);
  }
  const closed = { [join(home, unreadable)]: 0, [join(home, unchangeable)]: 0o555 };
  for (const [path, mode] of Object.entries(closed)) await chmod(path, mode);
  reported.length = 0;
  const clock = () => new Date(Date.now() + 48 * 3_600_000);
  const sweep = () => withoutRoot(() => removeOrphans({ db, store, clock, log }, new AbortController().signal));
  const counts = await sweep();
  expect(counts).toMatchObject({ files: others.length, unreadable_folders: 2 });
  const folders = [at(unreadable), at(unchangeable)];
  expect(reported).toMatchObject(folders.map((path) => ({ level: 40, folder: path, err: { code: 'EACCES' } })));
  expect(await Promise.all(others.map((location) => store.stat(location)))).toEqual(others.map(() => null));
  await expect(stat(join(home, '.stages', 's-old'))).rejects.toThrow('ENOENT');
  for (const path of Object.keys(closed)) await chmod(path, 0o755);
  expect(await sweep()).toMatchObject({ files: 2, unreadable_folders: 0 });
});
