import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSnapshot } from '@svc/db/backup';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { type ObjectStore, openStore } from '@svc/lake/storage';
import { verifyBackup } from './backup/contents.ts';
import { makeBackup } from './backup/make-backup.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { startTestService, type TestService, TOKEN } from './testing/test-service.ts';

const KEY = Buffer.alloc(32, 5).toString('base64');
let base: string;
let home: string;
let store: ObjectStore;
let first: TestDatabase;
let second: TestDatabase;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-backup-'));
  home = join(base, 'home');
  store = await openStore(join(home, 'warehouse'), undefined as never);
  [first, second] = [await createTestDatabase({ poolSize: 2 }), await createTestDatabase({ poolSize: 2 })];
}, 60_000);
afterAll(async () => {
  await first.drop();
  await second.drop();
  await rm(base, { recursive: true, force: true });
});

const serviceOn = (database: TestDatabase) =>
  startTestService({
    SVC_HOME: home,
    SVC_DATABASE_URL: database.url,
    SVC_SECRETS__KEY: KEY,
    SVC_WORKER__LEASE_SECONDS: '3',
  });
const backupOf = (database: TestDatabase, folder: string) =>
  makeBackup({ url: database.url, store, folder, key: KEY, service: '0.1.0', now: () => new Date() });
/** Opens the storage as the program does: its folder may be missing. */
const restoreInto = async (database: TestDatabase, folder: string, keys = [KEY]) => {
  const opened = await openStore(join(home, 'warehouse'), undefined as never);
  return restoreBackup({ url: database.url, store: opened, storage: undefined as never, folder, keys });
};

async function load({ client }: TestService, table: string, text: string): Promise<void> {
  const { id } = await client.tables.load('dev', table, text, { format: 'csv' });
  expect((await client.writes.wait('dev', id)).status).toBe('succeeded');
}

async function fill(service: TestService): Promise<void> {
  const { client } = service;
  await client.environments.create('dev', { description: 'a\u2028"b\\c\n\u0007d' });
  await client.namespaces.create('dev', 'shop');
  for (const name of ['sales', 'gone', 'moving'])
    await client.tables.create('dev', `shop.${name}`, { columns: [{ name: 'n', type: 'long' }] });
  await load(service, 'shop.sales', 'n\n1\n2\n9007199254740993\n');
  await load(service, 'shop.gone', 'n\n7\n');
  await client.tables.delete('dev', 'shop.gone');
  await client.principals.create({ name: 'ann "the\\ hostile"', type: 'person' });
  await client.secrets.create('dev', 'mail', { password: 'canary' });
}

/** The data that people would check after a restore. */
async function state({ client }: TestService) {
  const { rows } = await client.queries.run('dev', 'SELECT n FROM shop.sales ORDER BY n');
  return {
    rows,
    snapshots: (await client.tables.snapshots('dev', 'shop.sales')).map(({ snapshot_id: id }) => id),
    principals: (await client.principals.list()).map(({ id, name }) => [id, name]),
    secrets: await client.secrets.list('dev'),
    environments: await client.environments.list(),
    grants: await client.grants.list(),
  };
}

test('everything that is destroyed comes back, as it was at one moment of a busy service', async () => {
  const folder = join(base, 'backup');
  let service = await serviceOn(first);
  await fill(service).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  const before = await state(service);
  // Loads continue during the backup.
  let busy = true;
  const writer = (async () => {
    while (busy) await load(service, 'shop.moving', 'n\n1\n');
  })();
  await load(service, 'shop.moving', 'n\n1\n');
  const manifest = await backupOf(first, folder).finally(() => {
    busy = false;
  });
  await writer;
  const written = (await service.events('TABLE_WRITE')).length;
  await service.stop();
  await rm(home, { recursive: true });

  expect(await verifyBackup(folder)).toEqual(manifest);
  await restoreInto(second, folder);
  // A restarted sequence would assign numbers that existing rows have.
  const [next] = await second.db.prisma.$queryRaw<{ read: bigint; next: bigint }[]>`
    SELECT (SELECT max(id) FROM table_reads) AS read, nextval('table_reads_id_seq') AS next`;
  expect(Number(next?.next)).toBeGreaterThan(Number(next?.read));
  service = await serviceOn(second);
  try {
    expect(await state(service)).toEqual(before);
    const { client } = service;
    const { rows } = await client.queries.run('dev', 'SELECT count(*) AS n FROM shop.moving');
    const events = (await service.events('TABLE_WRITE')).length;
    // Each load has a row and an event: a consistent copy has as many of one as of the other.
    expect(rows).toEqual([{ n: events - 2 }]);
    expect(events).toBeLessThanOrEqual(written);
    await client.tables.undrop('dev', 'shop.gone');
    expect((await client.queries.run('dev', 'SELECT n FROM shop.gone')).rows).toEqual([{ n: 7 }]);
    await load(service, 'shop.moving', 'n\n2\n');
    expect((await client.audit.verify()).intact).toBe(true);
  } finally {
    await service.stop();
  }
}, 120_000);

describe('a restore', () => {
  const folder = () => join(base, 'backup');
  let empty: TestDatabase;
  beforeEach(async () => {
    empty = await createTestDatabase();
    await rm(join(home, 'warehouse'), { recursive: true, force: true });
  });
  afterEach(() => empty.drop());

  test('refuses a database or storage that is not empty, and a different secrets key', async () => {
    await expect(restoreInto(empty, folder(), ['other'])).rejects.toThrow(
      "The secrets key isn't the one of the backup",
    );
    await expect(restoreInto(empty, join(base, 'nothing'))).rejects.toThrow("doesn't contain a complete backup");
    await expect(restoreInto(second, folder())).rejects.toThrow('The database is not empty');
    await store.write(`${store.root}/other`, Buffer.from('x'));
    await expect(restoreInto(empty, folder())).rejects.toThrow("/other, which isn't in the backup");
    const moved = await openStore(join(base, 'moved'), undefined as never);
    const into = { url: empty.url, store: moved, storage: undefined as never, folder: folder(), keys: [KEY] };
    await expect(restoreBackup(into)).rejects.toThrow('set SVC_STORAGE__LOCATION');
  });

  test('stops at a damaged file without writing a row, and accepts an intact one', async () => {
    const file = join(folder(), 'database/principals.jsonl.gz');
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(1));
    await expect(verifyBackup(folder())).rejects.toThrow('is damaged');
    await expect(restoreInto(empty, folder())).rejects.toThrow('is damaged');
    expect(await empty.db.prisma.$queryRaw`SELECT count(*)::int AS n FROM principals`).toEqual([{ n: 0 }]);
    await writeFile(file, whole);
    await restoreInto(empty, folder());
    expect(await empty.db.prisma.$queryRaw`SELECT count(*)::int AS n FROM principals`).toEqual([{ n: 2 }]);
  });

  test('a backup goes into a new folder alone', async () => {
    await expect(backupOf(second, folder())).rejects.toThrow("isn't empty");
  });
});

describe('a backup of a service in use', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SVC_SECRETS__KEY: KEY });
    await service.client.environments.create('dev');
    await service.client.namespaces.create('dev', 'shop');
  }, 60_000);
  afterAll(() => service.stop());

  const backUp = async (name: string) => {
    const opened = await openStore(join(service.folder, 'home', 'warehouse'), undefined as never);
    return makeBackup({
      ...{ url: service.database.url, store: opened, folder: join(base, name) },
      ...{ key: KEY, service: '0.1.0', now: () => new Date() },
    });
  };

  const maintain = async () => {
    const { id } = await service.client.tables.maintain('dev', 'shop.busy', {
      compact: true,
      expireSnapshotsOlderThanDays: 0,
    });
    const { status, result } = await service.client.maintenance.wait('dev', id);
    expect(status).toBe('succeeded');
    return result!;
  };

  test('maintenance removes no file while the backup copies, because the copied rows may name it', async () => {
    await service.client.tables.create('dev', 'shop.busy', { columns: [{ name: 'n', type: 'long' }] });
    for (const n of [1, 2]) await load(service, 'shop.busy', `n\n${n}\n`);
    const { location } = await service.client.tables.get('dev', 'shop.busy');
    const folder = fileURLToPath(location!);
    const stored = () => service.stored(folder.slice(folder.indexOf('warehouse') + 'warehouse'.length + 1));
    const copying = await openSnapshot(service.database.url);
    try {
      expect(await maintain()).toMatchObject({ compacted_files: 2 });
      const files = await stored();
      const old = new Date(Date.now() - 48 * 3_600_000);
      for (const file of files) await utimes(file, old, old);
      expect(await maintain()).toMatchObject({ removed_files: 0 });
      expect(await stored()).toEqual(expect.arrayContaining(files));
    } finally {
      await copying.close();
    }
    expect((await maintain()).removed_files).toBeGreaterThan(1);
  });

  test.each(['/', 'file:/'])(
    'includes a table that an engine registered with a location that starts with %s',
    async (start) => {
      const name = start === '/' ? 'path' : 'short';
      const { id } = await service.client.tables.create('dev', `shop.${name}`, {
        columns: [{ name: 'n', type: 'long' }],
      });
      const row = await service.database.db.prisma.table.findUniqueOrThrow({ where: { id } });
      await service.client.tables.delete('dev', `shop.${name}`);
      const response = await fetch(`${service.url}/catalog/v1/dev/namespaces/shop/register`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, 'metadata-location': row.metadata_location!.replace('file:///', start) }),
      });
      expect(response.status).toBe(200);
      const { objects } = await backUp(name);
      expect(objects.count).toBeGreaterThan(0);
    },
  );
});

test('an object with a long name that is not ASCII is backed up and restored', async () => {
  const from = await openStore(join(base, 'long'), undefined as never);
  const name = encodeURIComponent('отчёт-о-продажах-за-первый-квартал-и-первое-полугодие.html');
  const location = `${from.root}/artifacts/e/f/${name}`;
  await from.write(location, Buffer.from('report'));
  const folder = join(base, 'long-backup');
  const [full, empty] = [await createTestDatabase(), await createTestDatabase()];
  try {
    const options = { url: full.url, store: from, folder, key: KEY, service: '0.1.0', now: () => new Date() };
    expect((await makeBackup(options)).objects.count).toBe(1);
    await verifyBackup(folder);
    await rm(join(base, 'long'), { recursive: true });
    const into = await openStore(join(base, 'long'), undefined as never);
    await restoreBackup({ url: empty.url, store: into, storage: undefined as never, folder, keys: [KEY] });
    expect((await into.read(location)).toString()).toBe('report');
  } finally {
    await full.drop();
    await empty.drop();
  }
});

test('a backup inside the storage is refused, because it would copy itself', async () => {
  const from = await openStore(join(base, 'outer'), undefined as never);
  const folder = join(base, 'outer', 'backups', 'monday');
  const options = { url: second.url, store: from, folder, key: KEY, service: '0.1.0', now: () => new Date() };
  await expect(makeBackup(options)).rejects.toThrow('inside the storage');
});

test('a copy that fails while an earlier one is awaited makes the backup fail with its error', async () => {
  const from = await openStore(join(base, 'failing'), undefined as never);
  for (const name of ['first', 'second']) await from.write(`${from.root}/${name}`, Buffer.from(name));
  let fail: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  let copies = 0;
  const readStream = async (location: string) => {
    copies += 1;
    if (copies === 2) {
      fail();
      throw new Error('the disk is full');
    }
    const stream = await from.readStream(location);
    await failed;
    // Node looks for unhandled errors when the queue of promises is empty.
    await new Promise((resolve) => setImmediate(resolve));
    return stream;
  };
  const failing = Object.create(from, { readStream: { value: readStream } }) as ObjectStore;
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const database = await createTestDatabase();
  try {
    const options = { url: database.url, store: failing, folder: join(base, 'failing-backup') };
    const made = makeBackup({ ...options, key: KEY, service: '0.1.0', now: () => new Date() });
    await expect(made).rejects.toThrow('the disk is full');
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
    await database.drop();
  }
});

test('a full disk is reported with the folder and what to do', async () => {
  const from = await openStore(join(base, 'filling'), undefined as never);
  await from.write(`${from.root}/file`, Buffer.from('file'));
  const readStream = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const store = Object.create(from, { readStream: { value: readStream } }) as ObjectStore;
  const folder = join(base, 'full-disk');
  const made = makeBackup({ url: second.url, store, folder, key: KEY, service: '0.1.0', now: () => new Date() });
  await expect(made).rejects.toThrow(`The disk of ${folder} is full. Free space, or choose a folder on another disk`);
});

test('a restore onto a full disk says so, and that it continues', async () => {
  const empty = await createTestDatabase();
  const from = await openStore(join(base, 'from'), undefined as never);
  await from.write(`${from.root}/file`, Buffer.from('file'));
  const folder = join(base, 'of-from');
  await makeBackup({ url: empty.url, store: from, folder, key: KEY, service: '0.1.0', now: () => new Date() });
  const write = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const store = Object.create(from, { write: { value: write } }) as ObjectStore;
  const restored = restoreBackup({ url: empty.url, store, storage: undefined as never, folder, keys: [KEY] });
  await expect(restored)
    .rejects.toThrow(
      `The disk of the storage ${from.root} is full. Free space, and start the restore again: it continues.`,
    )
    .finally(() => empty.drop());
});

test.each([
  ['{', /its manifest\.json is damaged: .*JSON/],
  ['null', /its manifest\.json is damaged: .*expected object/s],
  ['{"format": 1}', /its manifest\.json is damaged: /],
])('a backup with the manifest %s is reported as damaged', async (text, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-damaged-'));
  await writeFile(join(folder, 'manifest.json'), text);
  await expect(verifyBackup(folder)).rejects.toThrow(message);
  await expect(verifyBackup(folder)).rejects.toThrow(folder);
  await rm(folder, { recursive: true });
});
