import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { joinLocation } from '@svc/iceberg';
import type { ObjectStore } from './object-store.ts';
import { openS3Client } from './s3-client.ts';
import { openS3Store } from './s3-store.ts';
import { type S3Server, startS3Server } from './testing/s3-server.ts';
import { storeContract } from './testing/store-contract.ts';

const program = process.env['TEST_S3_SERVER'];
const there = program !== undefined && existsSync(program);
if (!there) console.warn("The S3 store isn't tested: TEST_S3_SERVER doesn't name a program (see CONTRIBUTING.md).");

(there ? describe : describe.skip)('a bucket', () => {
  let dir: string;
  let server: S3Server;
  let store: ObjectStore;
  let serial = 0;
  beforeAll(async () => {
    dir = await fs.mkdtemp(path.join(os.tmpdir(), 's3-store-'));
    server = await startS3Server(program!, dir);
  });
  afterAll(async () => {
    await server.stop();
    await fs.rm(dir, { recursive: true, force: true });
  });
  // Each test has a prefix and a cache of its own.
  const open = () => {
    const cacheDir = path.join(dir, `cache-${serial}`);
    store = openS3Store(`s3://${server.bucket}/below/${serial++}`, { ...server.options, cacheDir });
    return store;
  };

  storeContract(open);

  test('a large stream goes up in parts and comes back whole', async () => {
    open();
    const piece = Buffer.alloc(1 << 20, 'abcdefg');
    const location = joinLocation(store.root, 'big');
    const body = Readable.from(Array.from({ length: 40 }, () => piece));
    expect(await store.write(location, body)).toMatchObject({ size: 40 << 20 });
    const again = Readable.from([piece]);
    await expect(store.write(location, again)).rejects.toMatchObject({ reason: 'exists' });
    const local = await store.localPath(location);
    expect((await fs.stat(local)).size).toBe(40 << 20);
    expect((await store.read(location)).equals(Buffer.concat(Array.from({ length: 40 }, () => piece)))).toBe(true);
  });

  test.each(['s3://other/k', 'file:///etc/passwd', '/etc/passwd', 's3://lake', 's3://lake/belowmore', ''])(
    'refuses %p',
    async (location) => {
      open();
      await expect(store.read(location)).rejects.toMatchObject({ reason: 'outside' });
    },
  );

  test('objects of other programs that no location can name are only removed with their folder', async () => {
    open();
    const client = openS3Client(server.options);
    const prefix = store.root.slice(`s3://${server.bucket}/`.length);
    for (const name of ['t/a?b', 't/a#b', 't/folder/', 't/a%00b'])
      await client.send(
        new PutObjectCommand({ Bucket: server.bucket, Key: `${prefix}/${name}`, Body: Buffer.alloc(0) }),
      );
    client.destroy();
    await store.write(`${store.root}/t/a`, Buffer.from('a'));
    const listed: string[] = [];
    for await (const { location } of store.list(store.root)) listed.push(location);
    expect(listed).toEqual([`${store.root}/t/a`]);
    expect(await store.removePrefix(`${store.root}/t`)).toEqual({ files: 5, bytes: 1, done: true });
  });

  test('copies beyond the limit are evicted, the least recently used first, and fetched again when needed', async () => {
    let now = 1e12;
    const cacheDir = path.join(dir, `cache-small-${serial}`);
    const options = { ...server.options, cacheDir, cacheLimit: 250, clock: () => now };
    const small = openS3Store(`s3://${server.bucket}/small/${serial++}`, options);
    const at = (i: number) => joinLocation(small.root, `f${i}`);
    for (let i = 0; i < 4; i++) await small.write(at(i), Buffer.alloc(100, String(i)));
    const paths: string[] = [];
    for (let i = 0; i < 4; i++) {
      paths.push(await small.localPath(at(i)));
      now += 20 * 60_000;
    }
    expect(paths.map(existsSync)).toEqual([false, false, true, true]);
    expect(await fs.readFile(await small.localPath(at(0)), 'utf8')).toBe('0'.repeat(100));
  });
});
