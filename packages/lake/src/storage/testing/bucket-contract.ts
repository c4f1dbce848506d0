import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { joinLocation } from '@svc/iceberg';
import type { BucketOptions } from '../bucket-client.ts';
import type { ObjectStore } from '../object-store.ts';
import { isOutage } from '../outage.ts';
import type { Fault, FaultProxy } from './fault-proxy.ts';
import { storeContract } from './store-contract.ts';

/** A provider's bucket for a test. */
export interface TestedBucket {
  readonly dir: string;
  readonly proxy: FaultProxy;
  /** Opens a store below a prefix, through the proxy. */
  readonly open: (prefix: string, options: BucketOptions) => Promise<ObjectStore>;
  /** Opens a store in a bucket that doesn't exist. */
  readonly openMissing: (options: BucketOptions) => Promise<ObjectStore>;
}

type Request = { method?: string | undefined; url?: string | undefined };

/** How a provider's requests look. */
export interface RequestShapes {
  readonly isUpload: (request: Request) => boolean;
  readonly isDownload: (request: Request) => boolean;
  readonly isRemoval: (request: Request) => boolean;
  readonly isListing: (request: Request) => boolean;
  /** A part of a large upload, and the request that completes it. Null if the emulator can't continue uploads. */
  readonly parts: {
    readonly isPart: (request: Request) => boolean;
    readonly isCompletion: (request: Request) => boolean;
  } | null;
}

const MB = 1 << 20;
/** Bytes that differ from position to position. */
const bytes = (size: number) => Buffer.alloc(size, Buffer.from(Array.from({ length: 251 }, (_, i) => i)));
const PASSING: Fault[] = ['reset', 500, 503, 'lost-answer'];

/** What the store does in a bucket of any provider, also if requests fail. */
export function bucketContract(bucket: () => TestedBucket, shapes: RequestShapes): void {
  let store: ObjectStore;
  let serial = 0;
  const cacheOf = (n: number) => path.join(bucket().dir, `cache-${n}`);
  const options = (): BucketOptions => ({
    cacheDir: cacheOf(serial),
    cacheLimit: 1e9,
    clock: Date.now,
    idleTimeoutMs: 2000,
  });
  beforeEach(async () => {
    serial += 1;
    store = await bucket().open(`p${serial}`, options());
  });
  afterEach(() => {
    bucket().proxy.always(null);
    expect(bucket().proxy.left).toBe(0);
  });
  const at = (name: string) => joinLocation(store.root, ...name.split('/'));
  const names = async () => {
    const found: string[] = [];
    for await (const { location } of store.list(store.root)) found.push(location);
    return found;
  };

  storeContract(() => store);

  test.each(PASSING)('a small object is written once although its upload meets %p', async (fault) => {
    bucket().proxy.next([fault], shapes.isUpload);
    expect(await store.write(at('a'), bytes(1000))).toMatchObject({ size: 1000 });
    expect((await store.read(at('a'))).equals(bytes(1000))).toBe(true);
    await expect(store.write(at('a'), bytes(1))).rejects.toMatchObject({ reason: 'exists' });
    expect(await names()).toEqual([at('a')]);
  });

  test('a large stream is sent in parts, is whole, and is never overwritten', async () => {
    const whole = bytes(40 * MB);
    expect(await store.write(at('big'), Readable.from([whole]))).toMatchObject({ size: whole.length });
    expect((await store.read(at('big'))).equals(whole)).toBe(true);
    expect((await fs.stat(await store.localPath(at('big')))).size).toBe(whole.length);
    for (const body of [Readable.from([whole]), whole, bytes(1)])
      await expect(store.write(at('big'), body)).rejects.toMatchObject({ reason: 'exists' });
  }, 60_000);

  test('two writers of one large location: one has it, whole', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2].map((fill) => store.write(at('raced'), Readable.from([Buffer.alloc(20 * MB, fill)]))),
    );
    const won = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [i + 1] : []));
    const content = await store.read(at('raced'));
    expect([won, content.length]).toEqual([[content[0]], 20 * MB]);
    const lost = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(lost).toMatchObject({ reason: { reason: 'exists' } });
  }, 60_000);

  test('a large stream that breaks leaves no object', async () => {
    const broken = Readable.from(
      (async function* () {
        yield bytes(40 * MB);
        throw new Error('cut');
      })(),
    );
    await expect(store.write(at('big'), broken)).rejects.toThrow('cut');
    expect(await names()).toEqual([]);
  }, 60_000);

  if (shapes.parts !== null) {
    const { isPart, isCompletion } = shapes.parts;
    test.each<Fault>(['reset', 503])(
      'a large stream is whole although a part meets %p',
      async (fault) => {
        bucket().proxy.next([fault], isPart);
        const whole = bytes(40 * MB);
        expect(await store.write(at('big'), Readable.from([whole]))).toMatchObject({ size: whole.length });
        expect((await store.read(at('big'))).equals(whole)).toBe(true);
      },
      60_000,
    );

    test('a large stream whose last response is lost is recognized as one’s own', async () => {
      bucket().proxy.next(['lost-answer'], isCompletion);
      expect(await store.write(at('big'), Readable.from([bytes(20 * MB)]))).toMatchObject({ size: 20 * MB });
      await expect(store.write(at('big'), bytes(1))).rejects.toMatchObject({ reason: 'exists' });
    }, 60_000);
  }

  test.each<Fault>([...PASSING, 'truncated', 'silent'])(
    'a read that meets %p returns the whole object',
    async (fault) => {
      const whole = bytes(3 * MB);
      await store.write(at('a'), whole);
      bucket().proxy.next([fault], shapes.isDownload);
      expect((await store.read(at('a'))).equals(whole)).toBe(true);
      await fs.rm(cacheOf(serial), { recursive: true, force: true });
      bucket().proxy.next([fault], shapes.isDownload);
      expect((await fs.readFile(await store.localPath(at('a')))).equals(whole)).toBe(true);
    },
    60_000,
  );

  test('a store that is down is an outage, and no partial files exist when it is back', async () => {
    await store.write(at('a'), bytes(10));
    bucket().proxy.always('reset');
    const failed = await Promise.all(
      [
        store.write(at('b'), bytes(10)),
        store.read(at('a')),
        store.localPath(at('a')),
        store.stat(at('a')),
        store.remove(at('a')),
        names(),
      ].map((one) => one.then(() => 'ok', isOutage)),
    );
    expect(failed).toEqual([true, true, true, true, true, true]);
    bucket().proxy.always(null);
    expect(await names()).toEqual([at('a')]);
    expect((await store.read(at('a'))).equals(bytes(10))).toBe(true);
    expect(await store.write(at('b'), bytes(10))).toMatchObject({ size: 10 });
  }, 60_000);

  test.each<Fault>([...PASSING, 'truncated', 'silent'])(
    'a listing that meets %p is complete',
    async (fault) => {
      for (let i = 0; i < 3; i++) await store.write(at(`l/${i}`), bytes(10));
      bucket().proxy.next([fault], shapes.isListing);
      expect(await names()).toEqual([0, 1, 2].map((i) => at(`l/${i}`)));
    },
    60_000,
  );

  test.each<Fault>([...PASSING, 'truncated', 'silent'])(
    'a copy that meets %p is whole',
    async (fault) => {
      await store.write(at('source'), bytes(1000));
      bucket().proxy.next([fault], ({ method, url }) => method !== 'GET' && /copied/.test(url ?? ''));
      await store.copyAll([{ from: at('source'), to: at('copied'), bytes: 1000 }]);
      expect((await store.read(at('copied'))).equals(bytes(1000))).toBe(true);
    },
    60_000,
  );

  test('a removal in batches continues after a fault', async () => {
    for (let i = 0; i < 5; i++) await store.write(at(`d/${i}`), bytes(10));
    bucket().proxy.next(PASSING, shapes.isRemoval);
    expect(await store.removePrefix(at('d'))).toEqual({ files: 5, bytes: 50, done: true });
    expect(await names()).toEqual([]);
  }, 60_000);

  test('more objects than one page are listed and removed', async () => {
    const all = Array.from({ length: 1100 }, (_, i) => `n/${i}`);
    for (let i = 0; i < all.length; i += 50)
      await Promise.all(all.slice(i, i + 50).map((name) => store.write(at(name), Buffer.from('x'))));
    expect((await names()).sort()).toEqual(all.map(at).sort());
    expect(await store.removePrefix(at('n'))).toMatchObject({ files: 1000, done: false });
    expect(await store.removePrefix(at('n'))).toMatchObject({ files: 100, done: true });
  }, 60_000);

  test('an object that is larger than its reader accepts is refused', async () => {
    await store.write(at('a'), bytes(1000));
    await expect(store.read(at('a'), 999)).rejects.toMatchObject({ reason: 'too-large' });
    expect((await store.read(at('a'), 1000)).length).toBe(1000);
  }, 240_000);

  test('a bucket that does not exist is unavailable', async () => {
    const missing = await bucket().openMissing(options());
    const location = joinLocation(missing.root, 'a');
    for (const call of [() => missing.read(location), () => missing.stat(location), () => missing.localPath(location)])
      await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(missing.write(location, bytes(1)).catch((error) => Promise.reject(isOutage(error)))).rejects.toBe(
      true,
    );
  });
}
