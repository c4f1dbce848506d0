import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3';
import { joinLocation } from '@svc/iceberg';
import type { ObjectStore } from './object-store.ts';
import { isOutage } from './outage.ts';
import { openS3Client } from './s3-client.ts';
import { openS3Store } from './s3-store.ts';
import { type Fault, type FaultProxy, startFaultProxy } from './testing/fault-proxy.ts';
import { type S3Server, startS3Server } from './testing/s3-server.ts';

const program = process.env['TEST_S3_SERVER'];
const there = program !== undefined && existsSync(program);
if (!there) console.warn('Faults of a bucket are not tried: TEST_S3_SERVER names no program (CONTRIBUTING.md).');

const MB = 1 << 20;
/** Bytes that differ from position to position. */
const bytes = (size: number) => Buffer.alloc(size, Buffer.from(Array.from({ length: 251 }, (_, i) => i)));
const PASSING: Fault[] = ['reset', 500, 503, 'lost-answer'];

(there ? describe : describe.skip)('a bucket behind a bad line', () => {
  let dir: string;
  let server: S3Server;
  let proxy: FaultProxy;
  let store: ObjectStore;
  let serial = 0;
  beforeAll(async () => {
    dir = await fs.mkdtemp(path.join(os.tmpdir(), 's3-faults-'));
    server = await startS3Server(program!, dir);
    proxy = await startFaultProxy(server.options.endpoint!);
  });
  beforeEach(() => {
    const cacheDir = path.join(dir, `cache-${serial}`);
    const options = { ...server.options, endpoint: proxy.endpoint, cacheDir, idleTimeoutMs: 500 };
    store = openS3Store(`s3://${server.bucket}/p${serial++}`, options);
  });
  afterEach(() => {
    proxy.always(null);
    expect(proxy.left).toBe(0);
  });
  afterAll(async () => {
    await proxy.close();
    await server.stop();
    await fs.rm(dir, { recursive: true, force: true });
  });

  const at = (name: string) => joinLocation(store.root, ...name.split('/'));
  const names = async () => {
    const found: string[] = [];
    for await (const { location } of store.list(store.root)) found.push(location);
    return found;
  };

  test.each(PASSING)('a small object is written once although its upload meets %p', async (fault) => {
    proxy.next([fault], ({ method }) => method === 'PUT');
    expect(await store.write(at('a'), bytes(1000))).toMatchObject({ size: 1000 });
    expect((await store.read(at('a'))).equals(bytes(1000))).toBe(true);
    await expect(store.write(at('a'), bytes(1))).rejects.toMatchObject({ reason: 'exists' });
    expect(await names()).toEqual([at('a')]);
  });

  test.each(PASSING)('a large one is whole although its parts meet %p', async (fault) => {
    proxy.next([fault, fault], ({ url }) => /partNumber=2/.test(url ?? ''));
    const whole = bytes(40 * MB);
    expect(await store.write(at('big'), Readable.from([whole]))).toMatchObject({ size: whole.length });
    expect((await store.read(at('big'))).equals(whole)).toBe(true);
  });

  test('a stream of a known size has no more parts than S3 allows', async () => {
    const parts = new Set<string>();
    proxy.always(null, ({ url }) => {
      const number = /[?&]partNumber=(\d+)/.exec(url ?? '')?.[1];
      if (number !== undefined) parts.add(number);
      return false;
    });
    const whole = bytes(40 * MB);
    const declared = 10_000 * 20 * MB;
    expect(await store.write(at('big'), Readable.from([whole]), declared)).toMatchObject({ size: whole.length });
    expect(parts.size).toBe(2);
  });

  test('a large one whose last answer is lost is known as one’s own', async () => {
    proxy.next(['lost-answer'], ({ method, url }) => method === 'POST' && /uploadId=/.test(url ?? ''));
    expect(await store.write(at('big'), Readable.from([bytes(20 * MB)]))).toMatchObject({ size: 20 * MB });
    await expect(store.write(at('big'), bytes(1))).rejects.toMatchObject({ reason: 'exists' });
  });

  test.each<Fault>([...PASSING, 'truncated', 'silent'])(
    'a read that meets %p returns the whole object',
    async (fault) => {
      const whole = bytes(3 * MB);
      await store.write(at('a'), whole);
      const get = ({ method, url }: { method?: string | undefined; url?: string | undefined }) =>
        method === 'GET' && !/list-type/.test(url ?? '');
      proxy.next([fault], get);
      expect((await store.read(at('a'))).equals(whole)).toBe(true);
      await fs.rm(path.join(dir, `cache-${serial - 1}`), { recursive: true, force: true });
      proxy.next([fault], get);
      expect((await fs.readFile(await store.localPath(at('a')))).equals(whole)).toBe(true);
    },
  );

  test('a reader may pause for longer than the store may be silent', async () => {
    await store.write(at('big'), Readable.from([bytes(40 * MB)]));
    await store.write(at('a'), bytes(10));
    const options = { ...server.options, endpoint: proxy.endpoint, cacheDir: path.join(dir, 'cache-p') };
    const impatient = openS3Store(store.root, { ...options, idleTimeoutMs: 1000, maxAttempts: 1 });
    const body = await impatient.readStream(at('big'));
    proxy.next(['silent', 'silent'], ({ method }) => method === 'GET');
    for (const _ of [1, 2]) await expect(impatient.read(at('a'))).rejects.toThrow();
    expect(body.errored).toBeNull();
    body.destroy();
  }, 60_000);

  test('a response that breaks before anyone reads it fails for its reader', async () => {
    await store.write(at('a'), bytes(3 * MB));
    proxy.next(['truncated'], ({ method }) => method === 'GET');
    const body = await store.readStream(at('a'));
    await new Promise((resolve) => body.once('close', resolve));
    await expect(body.toArray()).rejects.toThrow();
  });

  test('a store that is down is reported, and no partial files exist when it is back', async () => {
    await store.write(at('a'), bytes(10));
    proxy.always('reset');
    await expect(store.write(at('b'), bytes(10))).rejects.toThrow();
    await expect(store.read(at('a'))).rejects.toThrow();
    await expect(store.localPath(at('a'))).rejects.toThrow();
    proxy.always(null);
    expect(await names()).toEqual([at('a')]);
    expect((await store.read(at('a'))).equals(bytes(10))).toBe(true);
    expect(await store.write(at('b'), bytes(10))).toMatchObject({ size: 10 });
  }, 60_000);

  test('an answer that breaks off time and again is the storage’s failure, as is a bucket that is gone', async () => {
    await store.write(at('a'), bytes(1000));
    const failures = async () => {
      const broken = await (await store.readStream(at('a'))).toArray().catch((error: unknown) => error);
      const reads = [store.read(at('a')), store.localPath(at('a'))];
      return [broken, ...(await Promise.all(reads.map((one) => one.catch((error: unknown) => error))))].map(isOutage);
    };
    proxy.always('truncated', ({ method }) => method === 'GET');
    expect(await failures()).toEqual([true, true, true]);
    proxy.always(null);
    const bucket = path.join(dir, 's3', server.bucket);
    await fs.rename(bucket, `${bucket}-away`);
    for (const call of [() => store.read(at('a')), () => store.stat(at('a')), () => store.localPath(at('a'))])
      await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    await fs.rename(`${bucket}-away`, bucket);
    expect(await store.stat(at('a'))).toMatchObject({ size: 1000 });
    expect(await store.stat(at('b'))).toBeNull();
  });

  test('an upload that fails permanently leaves parts that the sweep aborts', async () => {
    proxy.next(Array<Fault>(5).fill(500), ({ url }) => /partNumber=2/.test(url ?? ''));
    await expect(store.write(at('big'), Readable.from([bytes(40 * MB)]))).rejects.toThrow();
    expect(await names()).toEqual([]);
    await store.sweepStages(Date.now() + 1000);
    expect(await store.sweepStages(Date.now() + 1000)).toBe(0);
  }, 60_000);

  test.each<Fault>([...PASSING, 'truncated', 'silent'])('a listing that meets %p is complete', async (fault) => {
    for (let i = 0; i < 3; i++) await store.write(at(`l/${i}`), bytes(10));
    proxy.next([fault], ({ url }) => /list-type/.test(url ?? ''));
    expect(await names()).toEqual([0, 1, 2].map((i) => at(`l/${i}`)));
  });

  test.each<Fault>([...PASSING, 'truncated', 'silent'])('a copy that meets %p is whole', async (fault) => {
    await store.write(at('source'), bytes(1000));
    proxy.next([fault], ({ method, url }) => method === 'PUT' && /copied/.test(url ?? ''));
    await store.copyAll([{ from: at('source'), to: at('copied'), bytes: 1000 }]);
    expect((await store.read(at('copied'))).equals(bytes(1000))).toBe(true);
  });

  test('a removal in batches continues after a fault', async () => {
    for (let i = 0; i < 5; i++) await store.write(at(`d/${i}`), bytes(10));
    proxy.next(PASSING, ({ method, url }) => method === 'POST' && /delete/.test(url ?? ''));
    expect(await store.removePrefix(at('d'))).toEqual({ files: 5, bytes: 50, done: true });
    expect(await names()).toEqual([]);
  }, 60_000);

  test('in a versioned bucket, a removal deletes all versions', async () => {
    const client = openS3Client(server.options);
    const Bucket = `versions-${serial}`;
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    const options = { ...server.options, endpoint: proxy.endpoint, cacheDir: path.join(dir, 'cache-v') };
    const versioned = openS3Store(`s3://${Bucket}/w`, options);
    const one = (name: string) => joinLocation(versioned.root, ...name.split('/'));
    const countVersions = async () => {
      const page = await client.send(new ListObjectVersionsCommand({ Bucket }));
      return (page.Versions?.length ?? 0) + (page.DeleteMarkers?.length ?? 0);
    };
    for (const name of ['t/a', 't/b', 'ta', 'x']) await versioned.write(one(name), bytes(10));
    // A plain deletion by somebody else hides the object but retains its versions.
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'w/t/b' }));
    expect(await countVersions()).toBe(5);
    // While it is unknown whether the bucket is versioned, nothing is removed: that could only hide it.
    proxy.next(Array<Fault>(5).fill(500), ({ url }) => /[?&]versioning/.test(url ?? ''));
    await expect(versioned.removePrefix(one('t'))).rejects.toThrow();
    expect(await countVersions()).toBe(5);
    expect(await versioned.removePrefix(one('t'))).toMatchObject({ files: 2, bytes: 20, done: true });
    expect(await countVersions()).toBe(2);
    expect(await versioned.remove(one('x'))).toBe(true);
    expect(await versioned.remove(one('x'))).toBe(false);
    expect(await countVersions()).toBe(1);
    expect((await versioned.read(one('ta'))).length).toBe(10);
    client.destroy();
  }, 60_000);
});
