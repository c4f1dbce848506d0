import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { openLocalStore } from './local-store.ts';
import { joinLocation } from './locations.ts';
import type { ObjectStore } from './object-store.ts';

let base: string;
let store: ObjectStore;

beforeEach(async () => {
  base = await fs.mkdtemp(path.join(os.tmpdir(), 'store-'));
  store = await openLocalStore(path.join(base, 'root'));
});
afterEach(() => fs.rm(base, { recursive: true, force: true }));

const all = async (prefix: string) => {
  const found: string[] = [];
  for await (const o of store.list(prefix)) found.push(o.location.slice(store.root.length + 1));
  return found.sort();
};

test('writes once, reads, lists and removes', async () => {
  const one = joinLocation(store.root, 'a', 'one');
  expect(await store.write(one, Buffer.from('1'))).toMatchObject({ location: one, size: 1 });
  await store.write(joinLocation(store.root, 'a', 'b', 'two words%'), Readable.from(['x', 'yz']));
  await expect(store.write(one, Buffer.from('2'))).rejects.toMatchObject({ reason: 'exists' });
  expect((await store.read(one)).toString()).toBe('1');
  expect(await all(store.root)).toEqual(['a/b/two%20words%25', 'a/one']);
  expect(await store.stat(joinLocation(store.root, 'a'))).toBeNull();
  expect(await store.remove(one)).toBe(true);
  expect(await store.remove(one)).toBe(false);
  await expect(store.read(one)).rejects.toMatchObject({ reason: 'missing' });
  expect(await all(joinLocation(store.root, 'missing'))).toEqual([]);
});

test('a failing stream leaves nothing', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('cut');
    })(),
  );
  await expect(store.write(joinLocation(store.root, 'a', 'x'), broken)).rejects.toThrow('cut');
  expect(await fs.readdir(path.join(base, 'root', 'a'))).toEqual([]);
});

test('removes a prefix in batches, keeping what is nested', async () => {
  for (let i = 0; i < 5; i++) await store.write(joinLocation(store.root, 't', `f${i}`), Buffer.from('ab'));
  await store.write(joinLocation(store.root, 't', 'inner', 'kept'), Buffer.from('k'));
  const keep = (o: { location: string }) => o.location.includes('/inner/');
  const prefix = joinLocation(store.root, 't');
  expect(await store.removePrefix(prefix, { limit: 3, keep })).toEqual({ files: 3, bytes: 6, done: false });
  expect(await store.removePrefix(prefix, { limit: 3, keep })).toEqual({ files: 2, bytes: 4, done: true });
  expect(await all(store.root)).toEqual(['t/inner/kept']);
  expect(await store.removePrefix(prefix)).toEqual({ files: 1, bytes: 1, done: true });
  expect(await fs.readdir(path.join(base, 'root'))).toEqual([]);
});

test.each(['/../outside', '/%2e%2e/outside', '/a/..%2f..%2foutside', '/./a', '/a%00b', '', '?x', '#x'])(
  'refuses root + %p',
  async (suffix) => {
    await expect(store.write(`${store.root}${suffix}`, Buffer.from('x'))).rejects.toMatchObject({ reason: 'outside' });
    await expect(store.removePrefix(`${store.root}${suffix}`)).rejects.toMatchObject({ reason: 'outside' });
  },
);

test.each(['/etc/passwd', 'file:///etc/passwd', 'file://host/etc/passwd', 's3://b/k', 'etc/passwd', ''])(
  'refuses %p',
  async (location) => {
    await expect(store.read(location)).rejects.toMatchObject({ reason: 'outside' });
  },
);

test('links neither lead out nor are followed', async () => {
  await fs.mkdir(path.join(base, 'secret'));
  await fs.writeFile(path.join(base, 'secret', 'f'), 'secret');
  await fs.symlink(path.join(base, 'secret'), path.join(base, 'root', 'link'));
  await fs.symlink(path.join(base, 'secret', 'f'), path.join(base, 'root', 'file'));
  await expect(store.read(joinLocation(store.root, 'link', 'f'))).rejects.toMatchObject({ reason: 'outside' });
  await expect(store.read(joinLocation(store.root, 'file'))).rejects.toMatchObject({ reason: 'outside' });
  await expect(store.write(joinLocation(store.root, 'link', 'g'), Buffer.from('x'))).rejects.toMatchObject({
    reason: 'outside',
  });
  expect(await all(store.root)).toEqual([]);
  expect((await store.removePrefix(joinLocation(store.root, 'link'))).files).toBe(0);
  expect(await fs.readdir(path.join(base, 'secret'))).toEqual(['f']);
});

test('a stage is adopted file by file, closed, swept and never listed', async () => {
  const stage = await store.openStage();
  await fs.writeFile(path.join(stage.dir, 'x'), 'abc');
  await fs.writeFile(path.join(stage.dir, 'y'), 'left');
  const location = joinLocation(store.root, 'a', 'x');
  expect(await store.adopt(path.join(stage.dir, 'x'), location)).toMatchObject({ size: 3 });
  expect(await all(store.root)).toEqual(['a/x']);
  await stage.close();
  await expect(fs.stat(stage.dir)).rejects.toThrow();
  const left = await store.openStage();
  expect(await store.sweepStages(0)).toBe(0);
  expect(await store.sweepStages(Number.MAX_SAFE_INTEGER)).toBe(1);
  await expect(fs.stat(left.dir)).rejects.toThrow();
});
