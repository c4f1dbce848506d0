import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import type { StoredFile } from '@svc/iceberg';
import { type ObjectStore, openStore } from '@svc/lake/storage';
import { type S3Server, startS3Server } from '@svc/lake/storage/testing';
import type { SvcClient } from '@svc/sdk';
import { verifyBackup } from '../../backup/contents.ts';
import { makeBackup } from '../../backup/make-backup.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// Backs up, destroys and restores about 1 GB of table files: BACKUP_TABLES=80 npm run test:long -- backup-large
const TABLES = Number(process.env['BACKUP_TABLES'] ?? 8);
const ROWS = 1_000_000;
const KEY = Buffer.alloc(32, 9).toString('base64');
const program = process.env['TEST_S3_SERVER'];
const withBucket = program !== undefined && existsSync(program);

/** Rows that hardly compress: about 140 bytes each in a file. */
const rowsOf = (table: number): string => {
  const parts = Array.from({ length: 8 }, (_, part) => `md5((i * 8 + ${part} + ${table * 100_000_000})::VARCHAR)`);
  return `SELECT i AS id, ${parts.join(' || ')} AS text FROM range(${ROWS}) t(i)`;
};

async function fill(client: SvcClient): Promise<void> {
  await client.environments.create('dev');
  await client.namespaces.create('dev', 'big');
  for (let table = 0; table < TABLES; table++)
    await client.queries.run('dev', rowsOf(table), { into: `big.t${table}`, mode: 'create' });
  // Creates files that only older snapshots refer to, and a table that can be undropped.
  await client.queries.run('dev', 'SELECT * FROM big.t0 WHERE id < 1000', { into: 'big.small', mode: 'create' });
  await client.queries.run('dev', 'SELECT * FROM big.t0 WHERE id < 10', { into: 'big.small', mode: 'replace' });
  await client.queries.run('dev', 'SELECT * FROM big.t0 WHERE id < 500', { into: 'big.gone', mode: 'create' });
  await client.tables.delete('dev', 'big.gone');
}

/** A count, and a hash over all values of all rows, of each table. */
async function contents(client: SvcClient): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const { name } of await client.tables.list('dev', 'big')) {
    const sql = `SELECT count(*) AS n, bit_xor(hash(id, text))::VARCHAR AS contents FROM big.${name}`;
    all.push({ name, rows: (await client.queries.run('dev', sql)).rows });
  }
  return all;
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function backUpAndRestore(base: string, s3: S3Server | null): Promise<void> {
  const home = join(base, 'home');
  const folder = join(base, 'backup');
  const location = s3 === null ? join(home, 'warehouse') : `s3://${s3.bucket}/big`;
  const store: ObjectStore = await openStore(location, s3?.options as never);
  const bucket: Record<string, string> =
    s3 === null
      ? {}
      : {
          SVC_STORAGE__LOCATION: location,
          SVC_STORAGE__S3_ENDPOINT: s3.options.endpoint!,
          SVC_STORAGE__S3_PATH_STYLE: 'true',
          SVC_STORAGE__S3_ACCESS_KEY_ID: s3.options.credentials!.accessKeyId,
          SVC_STORAGE__S3_SECRET_ACCESS_KEY: s3.options.credentials!.secretAccessKey,
        };
  const serviceOn = (database: TestDatabase): Promise<TestService> =>
    startTestService({ SVC_HOME: home, SVC_DATABASE_URL: database.url, SVC_SECRETS__KEY: KEY, ...bucket });
  const [first, second] = [await createTestDatabase({ poolSize: 2 }), await createTestDatabase({ poolSize: 2 })];
  let service = await serviceOn(first);
  try {
    await fill(service.client);
    const before = await contents(service.client);
    expect(before).toHaveLength(TABLES + 1);
    let startedAt = performance.now();
    const backup = await makeBackup({
      url: first.url,
      store,
      folder,
      key: KEY,
      service: '0.1.0',
      now: () => new Date(),
    });
    const took = seconds(startedAt);
    await service.stop();

    const files: StoredFile[] = [];
    for await (const file of store.list(store.root)) files.push(file);
    for (const { location: file } of files) await store.remove(file);
    const megabytes = Math.round(files.reduce((sum, { size }) => sum + size, 0) / 1e6);
    expect(megabytes).toBeGreaterThan(TABLES * 100);
    await rm(home, { recursive: true, force: true });
    await first.drop();
    if (s3 !== null) await rm(s3.options.cacheDir, { recursive: true, force: true });

    expect(await verifyBackup(folder)).toEqual(backup);
    startedAt = performance.now();
    // Opened as the program does: nothing is left of the folder.
    const opened = await openStore(location, s3?.options as never);
    await restoreBackup({ url: second.url, store: opened, storage: s3?.options as never, folder, keys: [KEY] });
    const figures = `backup ${took}, restore ${seconds(startedAt)}`;
    service = await serviceOn(second);
    expect(await contents(service.client)).toEqual(before);
    await service.client.tables.undrop('dev', 'big.gone');
    const { rows } = await service.client.queries.run('dev', 'SELECT count(*) AS n FROM big.gone');
    expect(rows).toEqual([{ n: 500 }]);
    expect((await service.client.audit.verify()).intact).toBe(true);
    console.log(
      `${s3 === null ? 'folder' : 'bucket'}: ${TABLES} tables, ${files.length} files, ${megabytes} MB: ${figures}`,
    );
  } finally {
    await service.stop().catch(() => {});
    await first.drop().catch(() => {});
    await second.drop();
  }
}

describe('about 1 GB', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'svc-backup-large-'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  test('of table files in a folder comes back as it was', () => backUpAndRestore(base, null));

  (withBucket ? test : test.skip)(
    `in a bucket comes back as it was${withBucket ? '' : ' (left out: TEST_S3_SERVER names no program)'}`,
    async () => {
      const s3 = await startS3Server(program!, base);
      try {
        await backUpAndRestore(base, s3);
      } finally {
        await s3.stop();
      }
    },
  );
});
