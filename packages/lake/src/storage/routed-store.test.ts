import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { joinLocation } from '@svc/iceberg';
import { openLocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { OwnStorage } from './own-storage.ts';
import { routedStore } from './routed-store.ts';
import type { StsOptions } from './s3-options.ts';
import { type S3Server, startS3Server } from './testing/s3-server.ts';
import { storeContract } from './testing/store-contract.ts';
import { startStsServer } from './testing/sts-server.ts';
import { validateStorage } from './validate-storage.ts';

const program = process.env['TEST_S3_SERVER'];
const there = program !== undefined && existsSync(program);

const keysOf = (accessKeyId: string, secretAccessKey: string) => ({
  accessKeyId,
  secretAccessKey,
  sessionToken: null,
  region: null,
});

(there ? describe : describe.skip)('storage of environments of their own', () => {
  let dir: string;
  let server: S3Server;
  let base: ObjectStore;
  let store: ObjectStore;
  let known: OwnStorage[];
  let now = 1e12;
  let requests = 0;

  const own = (environment: string, secret: string, version = 1): OwnStorage => ({
    environmentId: `id-of-${environment}`,
    environment,
    location: `s3://bucket-${environment}/lake`,
    version: String(version),
    keys: () => keysOf(environment, secret),
  });
  const open = async (all: OwnStorage[], warehouse: string, sts: StsOptions | null = null) => {
    known = all;
    base = await openLocalStore(path.join(dir, warehouse));
    const cacheDir = path.join(dir, `cache-${warehouse}`);
    store = routedStore(
      base,
      { ...server.options, cacheDir, clock: () => now, sts },
      {
        locationOf: async (id) => known.find(({ environmentId }) => environmentId === id)?.location ?? null,
        all: async () => {
          requests += 1;
          return known;
        },
      },
    );
    return store;
  };
  const text = Buffer.from('text');

  beforeAll(async () => {
    dir = await fs.mkdtemp(path.join(os.tmpdir(), 'routed-store-'));
    server = await startS3Server(program!, dir);
    for (const name of ['one', 'two', 'three']) await server.addAccount(name, `secret-of-${name}`, `bucket-${name}`);
  });
  afterAll(async () => {
    await server.stop();
    await fs.rm(dir, { recursive: true, force: true });
  });

  test("an environment's own key never assumes the operator's role (CREDENTIAL-1)", async () => {
    const sts = await startStsServer(() => now);
    const role = 'arn:aws:iam::123456789012:role/svc-tables';
    const withOperatorsKey = { ...own('two', ''), keys: () => null };
    const environments = [own('one', 'secret-of-one'), withOperatorsKey];
    const all = await open(environments, 'credentials', { role, endpoint: sts.endpoint, minutes: 15 });
    const locations = [...environments.map(({ location }) => `${location}/t`), `${base.root}/t`];
    const issued: boolean[] = [];
    for (const location of locations) {
      const request = { location, reads: null, access: ['read'], exact: false, sessionName: 'svc-test' } as const;
      const vended = await all.vendCredentials(request);
      issued.push(vended !== null);
    }
    expect(issued).toEqual([false, true, false]);
    expect(sts.requests).toHaveLength(1);
    await sts.stop();
  });

  describe("the service's own part", () => {
    let serial = 0;
    beforeEach(() => open([own('one', 'secret-of-one')], `part-${serial++}`).then(() => undefined));
    storeContract(() => store);
  });

  test('what lies below an environment’s location goes to its bucket, with its keys', async () => {
    await open([own('one', 'secret-of-one'), own('two', 'secret-of-two')], 'routed');
    expect(await store.rootOf('id-of-one')).toBe('s3://bucket-one/lake');
    expect(await store.rootOf('another')).toBe(base.root);
    expect((await store.roots()).map(({ location }) => location)).toEqual([
      base.root,
      's3://bucket-one/lake',
      's3://bucket-two/lake',
    ]);
    const [one, two] = ['s3://bucket-one/lake/t/f.txt', 's3://bucket-two/lake/t/f.txt'];
    await store.write(one, text);
    await store.write(two, Readable.from(['streamed']));
    expect([(await store.read(one)).toString(), (await store.read(two)).toString()]).toEqual(['text', 'streamed']);
    const stage = await store.openStage();
    await fs.writeFile(path.join(stage.dir, 'made'), 'made here');
    await store.moveInto(path.join(stage.dir, 'made'), 's3://bucket-one/lake/t/made');
    await stage.close();
    expect(await fs.readFile(await store.localPath('s3://bucket-one/lake/t/made'), 'utf8')).toBe('made here');
    const listed: string[] = [];
    for await (const { location } of store.list('s3://bucket-one/lake')) listed.push(location);
    expect(listed.sort()).toEqual([one, 's3://bucket-one/lake/t/made']);
    expect(await store.removePrefix('s3://bucket-one/lake/t')).toMatchObject({ files: 2, done: true });
    expect(await store.stat(one)).toBeNull();
    for (const location of ['s3://bucket-three/lake/f', 's3://bucket-one/lakes/f', 's3://bucket-one/f'])
      await expect(store.write(location, text)).rejects.toMatchObject({ reason: 'outside' });
  });

  test('objects are copied between storages, and within one', async () => {
    await open([own('one', 'secret-of-one')], 'copied');
    const [from, there, again] = [joinLocation(base.root, 'f'), 's3://bucket-one/lake/f', 's3://bucket-one/lake/g'];
    await store.write(from, text);
    await store.copyAll([{ from, to: there, bytes: 4 }]);
    await store.remove(from);
    await store.copyAll([
      { from: there, to: again, bytes: 4 },
      { from: there, to: from, bytes: 4 },
    ]);
    for (const location of [there, again, from]) expect((await store.read(location)).toString()).toBe('text');
    const gone = { from: joinLocation(base.root, 'gone'), to: 's3://bucket-one/lake/h', bytes: 4 };
    await expect(store.copyAll([gone])).rejects.toMatchObject({ reason: 'missing' });
    for (const location of [there, again]) await store.remove(location);
  });

  test('new keys are taken up at once when the old ones are refused, and after seconds in any case', async () => {
    await open([own('two', 'secret-of-two')], 'rotated');
    const at = (name: string) => joinLocation('s3://bucket-two/lake', name);
    await store.write(at('a'), text);
    await server.setSecret('two', 'another-secret');
    known = [own('two', 'another-secret', 2)];
    expect((await store.read(at('a'))).toString()).toBe('text');
    await store.write(at('b'), Readable.from(['streamed with the new key']));
    // Nothing is loaded while the cached list is fresh.
    const before = requests;
    await store.stat(at('b'));
    expect(requests).toBe(before);
    now += 6000;
    await store.stat(at('b'));
    expect(requests).toBe(before + 1);
  });

  test('rejected or missing keys are reported, and harm nobody else', async () => {
    const gone = {
      ...own('three', ''),
      keys: () => {
        throw new Error('its secret lake-keys is gone');
      },
    };
    await open([own('one', 'wrong'), gone], 'wrong');
    const refused = {
      reason: 'unavailable',
      message: expect.stringContaining('s3://bucket-one/lake of environment one'),
    };
    await expect(store.write('s3://bucket-one/lake/f', text)).rejects.toMatchObject(refused);
    await expect(store.read('s3://bucket-one/lake/f')).rejects.toThrow('it rejects the access keys (');
    await expect(store.stat('s3://bucket-one/lake/f')).rejects.toThrow('it rejects the access keys (403)');
    await expect(store.list('s3://bucket-one/lake')[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
    await expect(store.read('s3://bucket-three/lake/f')).rejects.toThrow('its secret lake-keys is gone');
    expect(await store.sweepStages(0)).toBe(0);
    await store.write(joinLocation(base.root, 'f'), text);
    expect((await store.read(joinLocation(base.root, 'f'))).toString()).toBe('text');
  });

  test('a location is tested before it is used', async () => {
    const s3 = server.options;
    const tried = (location: string, access: string, secret: string) =>
      validateStorage(location, 'x', { options: s3, keys: keysOf(access, secret) });
    expect(await tried('s3://bucket-one/fresh', 'one', 'secret-of-one')).toBeNull();
    expect(await tried('s3://bucket-one/fresh', 'one', 'wrong')).toMatch(
      /^writing a file failed: it rejects the access keys/,
    );
    expect(await tried('s3://bucket-one/fresh', 'nobody', 'wrong')).toMatch(/^writing a file failed: it rejects/);
    expect(await tried('s3://bucket-one/fresh', 'three', 'secret-of-three')).toMatch(
      /rejects the access keys \(AccessDenied\)/,
    );
    expect(await tried('s3://no-such-bucket/x', 'one', 'secret-of-one')).toMatch(
      /it returned status 404 \(NoSuchBucket\)/,
    );
    const silent = { ...s3, endpoint: 'http://127.0.0.1:9' };
    expect(await validateStorage('s3://bucket-one/x', 'x', { options: silent, keys: null })).toMatch(
      /^writing a file failed: /,
    );
    await open([own('one', 'secret-of-one')], 'tried');
    for await (const { location } of store.list('s3://bucket-one/lake')) throw new Error(location);
  });
});
