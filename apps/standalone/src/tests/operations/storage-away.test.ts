import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { type Fault, type FaultProxy, type S3Server, startFaultProxy, startS3Server } from '@svc/lake/storage/testing';
import { loaded, makeSubject, readiness, type Subject, seen, sumOf, underWay } from '../../testing/storage-outage.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const program = process.env['TEST_S3_SERVER'];
const there = program !== undefined && existsSync(program);
/** A bucket gets two attempts, and no longer timeout. */
const TIMEOUTS = { idleTimeoutMs: 1000, maxAttempts: 2 };
const KEY = Buffer.alloc(32, 7).toString('base64');

const STORAGE = expect.stringMatching(/^The storage .*can't be used: .*\. No data is lost. Try again soon\.$/);
const REFUSED = [503, 'storage-unavailable', STORAGE];
const FAILED = ['failed', 'storage-unavailable', STORAGE];
const AWAY = {
  query: ['FAILED', ...FAILED.slice(1)],
  large: ['FAILED', ...FAILED.slice(1)],
  into: ['FAILED', ...FAILED.slice(1)],
  json: REFUSED,
  csv: REFUSED,
  parquet: REFUSED,
  snapshots: REFUSED,
  upload: REFUSED,
  deploy: FAILED,
  run: ['failed', ...FAILED],
  engine: [503, 'ServiceUnavailableException', STORAGE],
};
const BACK = {
  query: ['SUCCEEDED'],
  large: ['SUCCEEDED'],
  into: ['SUCCEEDED'],
  json: [200],
  csv: [200],
  parquet: [200],
  snapshots: [200],
  upload: [201],
  deploy: ['succeeded'],
  run: ['succeeded', 'succeeded'],
  engine: [200],
};

let dir: string;
let database: TestDatabase;
let service: TestService;
const subjects = new Map<string, Subject>();

/** A service whose storage has a fixture for each outage, of which nothing has been read yet. */
async function startService(outages: readonly string[], settings: Record<string, string>): Promise<void> {
  database = await createTestDatabase({ poolSize: 2 });
  const start = async (home: string) => {
    const own = {
      SVC_HOME: join(dir, home),
      SVC_DATABASE_URL: database.url,
      SVC_SECRETS__KEY: KEY,
      SVC_RUN__SWEEP_INTERVAL: '0',
    };
    service = await startTestService({ ...settings, ...own, SVC_LOG__LEVEL: 'fatal' }, { storageTimeouts: TIMEOUTS });
  };
  await start('first');
  await service.client.environments.create('dev');
  await service.client.namespaces.create('dev', 'shop');
  const making = outages.map(async (name) => subjects.set(name, await makeSubject(service, `t_${name}`)));
  await Promise.all(making);
  await service.stop();
  await start('second');
}

/** A complete outage: no data is lost, no result is wrong, and the service recovers by itself. */
async function outage(name: string, { away, back }: { away: () => unknown; back: () => unknown }): Promise<void> {
  const subject = subjects.get(name)!;
  expect(await readiness(service)).toEqual([200, 200, 200]);
  await away();
  try {
    const [found, upload, ready] = await Promise.all([
      seen(service, subject),
      loaded(service, subject.table, 100),
      readiness(service),
    ]);
    expect(found).toEqual(AWAY);
    expect(upload).toEqual(REFUSED);
    expect(ready).toEqual([200, 200, 503]);
    // Operations without storage continue.
    expect(await service.client.tables.get('dev', `shop.${subject.table}`)).toMatchObject({ row_count: 2 });
    expect(await underWay(database)).toBe(0);
  } finally {
    await back();
  }
  expect(await readiness(service)).toEqual([200, 200, 200]);
  expect(await sumOf(service, subject.table)).toBe(3);
  expect(await seen(service, subject)).toEqual(BACK);
  expect(await loaded(service, subject.table, 100)).toEqual(['succeeded']);
  expect(await sumOf(service, subject.table)).toBe(113);
  expect(await underWay(database)).toBe(0);
}

beforeEach(() => expect.hasAssertions());

(there ? describe : describe.skip)('a bucket that is away', () => {
  const FAULTS: Fault[] = [503, 'silent', 'truncated'];
  let server: S3Server;
  let proxy: FaultProxy;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-storage-away-'));
    server = await startS3Server(program!, dir);
    proxy = await startFaultProxy(server.options.endpoint!);
    const { accessKeyId, secretAccessKey } = server.options.credentials!;
    await startService(['refused', 'gone', 'half', ...FAULTS.map(String)], {
      SVC_STORAGE__LOCATION: `s3://${server.bucket}/svc`,
      SVC_STORAGE__S3_ENDPOINT: proxy.endpoint,
      SVC_STORAGE__S3_PATH_STYLE: 'true',
      SVC_STORAGE__S3_ACCESS_KEY_ID: accessKeyId,
      SVC_STORAGE__S3_SECRET_ACCESS_KEY: secretAccessKey,
    });
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    await proxy?.close();
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test(
    'connections are refused',
    () => outage('refused', { away: () => proxy.refuse(), back: () => proxy.accept() }),
    60_000,
  );

  test.each(FAULTS)(
    'requests meet %p',
    (fault) => outage(String(fault), { away: () => proxy.always(fault), back: () => proxy.always(null) }),
    60_000,
  );

  test('the bucket itself is gone', () => {
    const bucket = join(dir, 's3', server.bucket);
    return outage('gone', {
      away: () => rename(bucket, `${bucket}-away`),
      back: () => rename(`${bucket}-away`, bucket),
    });
  }, 60_000);

  test('rows that were sent before it went fail with their write, and leave nothing', async () => {
    const { table } = subjects.get('half')!;
    proxy.always(503, ({ url }) => !url!.includes('/staged/'));
    expect(await loaded(service, table, 100)).toEqual(FAILED);
    proxy.always(null);
    expect(await sumOf(service, table)).toBe(3);
    expect((await service.client.tables.snapshots('dev', `shop.${table}`)).length).toBe(1);
    expect(await loaded(service, table, 100)).toEqual(['succeeded']);
    expect(await underWay(database)).toBe(0);
  });
});

describe('a folder that is away', () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-storage-away-'));
    await startService(['gone'], { SVC_STORAGE__LOCATION: join(dir, 'warehouse') });
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    await rm(dir, { recursive: true, force: true });
  });

  test('it is moved away and back, and no other one is created at its location in between', () => {
    const folder = join(dir, 'warehouse');
    return outage('gone', {
      away: () => rename(folder, `${folder}-away`),
      async back() {
        expect(existsSync(folder)).toBe(false);
        await rename(`${folder}-away`, folder);
      },
    });
  }, 60_000);
});
