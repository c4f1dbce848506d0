import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { joinLocation } from '@svc/iceberg';
import { openLocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';
import { locationsIn, storeContract } from './testing/store-contract.ts';

let base: string;
let store: ObjectStore;

beforeEach(async () => {
  base = await fs.mkdtemp(path.join(os.tmpdir(), 'store-'));
  store = await openLocalStore(path.join(base, 'root'));
});
afterEach(() => fs.rm(base, { recursive: true, force: true }));

storeContract(() => store);

test('a failing stream leaves nothing', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('cut');
    })(),
  );
  await expect(store.write(joinLocation(store.root, 'a', 'x'), broken)).rejects.toThrow('cut');
  expect(await fs.readdir(path.join(base, 'root', 'a'))).toEqual([]);
});

describe('copies', () => {
  const inode = async (location: string) => (await fs.stat(await store.localPath(location))).ino;
  const [from, to] = [() => joinLocation(store.root, 'a', 'x'), () => joinLocation(store.root, 'b', 'x')];
  const copy = () => store.copyAll([{ from: from(), to: to(), bytes: 4 }]);
  beforeEach(() => store.write(from(), Buffer.from('rows')));

  test('are second names of the same file, and overwrite nothing', async () => {
    await copy();
    expect(await inode(to())).toBe(await inode(from()));
    await expect(copy()).rejects.toMatchObject({ reason: 'exists' });
  });

  test.each(['EXDEV', 'EMLINK', 'EPERM'])('have their own bytes if linking fails with %s', async (code) => {
    const { link } = fs;
    fs.link = () => {
      fs.link = link;
      return Promise.reject(Object.assign(new Error(code), { code }));
    };
    await copy().finally(() => {
      fs.link = link;
    });
    expect((await store.read(to())).toString()).toBe('rows');
    expect(await inode(to())).not.toBe(await inode(from()));
    expect(await fs.readdir(path.join(base, 'root', 'b'))).toEqual(['x']);
  });
});

test('a failed flush is reported even if the last one succeeded', async () => {
  const probe = await fs.open(path.join(base, 'probe'), 'wx');
  const handles = Object.getPrototypeOf(probe) as fs.FileHandle;
  await probe.close();
  const { datasync } = handles;
  handles.datasync = () => {
    handles.datasync = datasync;
    return Promise.reject(Object.assign(new Error('the disk is broken'), { code: 'EIO' }));
  };
  const pieces = Array.from({ length: 40 }, () => Buffer.alloc(1 << 20));
  const written = store.write(joinLocation(store.root, 'a', 'x'), Readable.from(pieces));
  await expect(written).rejects.toThrow('the disk is broken');
  expect(handles.datasync).toBe(datasync);
  expect(await fs.readdir(path.join(base, 'root', 'a'))).toEqual([]);
});

test.each(['/etc/passwd', 'file:///etc/passwd', 'file://host/etc/passwd', 's3://b/k', 'etc/passwd', ''])(
  'refuses %p',
  async (location) => {
    await expect(store.read(location)).rejects.toMatchObject({ reason: 'outside' });
  },
);

test("a missing root is reported as missing by every call, and isn't created again", async () => {
  const a = joinLocation(store.root, 't', 'a');
  await store.write(a, Buffer.from('x'));
  const file = path.join(base, 'made');
  await fs.writeFile(file, 'y');
  const root = path.join(base, 'root');
  await fs.rename(root, `${root}-away`);
  const calls = [
    () => store.read(a),
    () => store.readStream(a),
    () => store.stat(a),
    () => store.localPath(a),
    () => store.remove(a),
    () => store.removePrefix(joinLocation(store.root, 't')),
    () => locationsIn(store, joinLocation(store.root, 't')),
    () => store.write(joinLocation(store.root, 't', 'b'), Buffer.from('x')),
    () => store.write(joinLocation(store.root, 't', 'b'), Readable.from([Buffer.from('x')])),
    () => store.moveInto(file, joinLocation(store.root, 't', 'b')),
    () => store.openStage(),
    () => store.sweepStages(Date.now()),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
  expect(await fs.readdir(base)).toEqual(['made', 'root-away']);
  await fs.rename(`${root}-away`, root);
  expect((await store.read(a)).toString()).toBe('x');
  expect(await store.stat(joinLocation(store.root, 't', 'b'))).toBeNull();
});

test('a disk that became read-only is reported as such', async () => {
  const { access, mkdir } = fs;
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  fs.mkdir = failing('ENOENT'); // as Node reports a read-only disk
  fs.access = failing('EROFS');
  const writing = store.write(joinLocation(store.root, 'new', 'x'), Buffer.from('rows'));
  const error = await writing.catch((refused: unknown) => refused);
  Object.assign(fs, { access, mkdir });
  expect(error).toMatchObject({ code: 'EROFS' });
  expect(store.isUnavailable(error)).toBe(true);
});

test("a folder isn't an object", async () => {
  await store.write(joinLocation(store.root, 'folder', 'f'), Buffer.from('x'));
  const folder = joinLocation(store.root, 'folder');
  await expect(store.read(folder)).rejects.toMatchObject({ reason: 'missing' });
  expect(await store.stat(folder)).toBeNull();
  await store.removePrefix(folder);
});

test('a folder that is made is there for other programs, and gone once it is swept', async () => {
  const folder = joinLocation(store.root, 'made', 'folder');
  await store.makeFolder(folder);
  expect(await fs.readdir(path.join(base, 'root', 'made'))).toEqual(['folder']);
  await store.removePrefix(joinLocation(store.root, 'made'));
  expect(await fs.readdir(path.join(base, 'root'))).toEqual([]);
});

test("a file isn't a folder", async () => {
  const file = joinLocation(store.root, 'folder', 'f');
  await store.write(file, Buffer.from('x'));
  const adopted = path.join(base, 'adopted');
  await fs.writeFile(adopted, 'y');
  for (const below of [joinLocation(file, 'x'), joinLocation(file, 'deep', 'x')]) {
    await expect(store.write(below, Buffer.from('y'))).rejects.toMatchObject({ reason: 'obstructed' });
    await expect(store.write(below, Readable.from([Buffer.from('y')]))).rejects.toMatchObject({ reason: 'obstructed' });
    await expect(store.moveInto(adopted, below)).rejects.toMatchObject({ reason: 'obstructed' });
    await expect(store.makeFolder(below)).rejects.toMatchObject({ reason: 'obstructed' });
    await expect(store.read(below)).rejects.toMatchObject({ reason: 'missing' });
    expect(await store.remove(below)).toBe(false);
  }
});

test('nothing is at a name that is longer than names are', async () => {
  for (const long of [joinLocation(store.root, 'x'.repeat(300)), `${store.root}${'/x'.repeat(3000)}`]) {
    await expect(store.read(long)).rejects.toMatchObject({ reason: 'missing' });
    expect([await store.stat(long), await store.remove(long)]).toEqual([null, false]);
    for await (const object of store.list(long)) throw new Error(object.location);
    expect(await store.removePrefix(long)).toMatchObject({ files: 0, done: true });
  }
});

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
  expect(await locationsIn(store, store.root)).toEqual([]);
  expect((await store.removePrefix(joinLocation(store.root, 'link'))).files).toBe(0);
  expect(await fs.readdir(path.join(base, 'secret'))).toEqual(['f']);
});

test('only unfinished writes are hidden and swept, whatever objects are called', async () => {
  const at = (name: string) => joinLocation(store.root, 'artifacts', name);
  const names = ['report.partial', '.partial', 'v1.2-final.partial.csv', 'x'.repeat(255)];
  for (const name of names) await store.write(at(name), Buffer.from(name));
  await store.copyAll([{ from: at(names[0]!), to: at('y'.repeat(255)), bytes: 1 }]);
  const unfinished = ['object.4711-3k9x2.partial', '.4711-3k9x2.partial'];
  for (const name of unfinished) await fs.writeFile(path.join(base, 'root', 'artifacts', name), 'cut off');
  const listed = (await locationsIn(store, joinLocation(store.root, 'artifacts'))).map((name) =>
    name.slice('artifacts/'.length),
  );
  expect(listed).toEqual([...names, 'y'.repeat(255)].sort());
  expect(await store.sweepStages(Number.MAX_SAFE_INTEGER)).toBe(2);
  for (const name of names) expect((await store.read(at(name))).toString()).toBe(name);
});

test('reads a file that an engine named without escaping its path', async () => {
  const folder = path.join(base, 'root', 't', 'city=Orl%C3%A9ans%2FLoiret');
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path.join(folder, 'x.parquet'), 'rows');
  for (const root of [store.root, store.root.replace('file:///', 'file:/')]) {
    const location = `${root}/t/city=Orl%C3%A9ans%2FLoiret/x.parquet`;
    expect((await store.read(location)).toString()).toBe('rows');
    expect(await store.stat(location)).toMatchObject({ size: 4 });
    await expect(store.read(`${root}/t/city=Orl%C3%A9ans/x.parquet`)).rejects.toMatchObject({ reason: 'missing' });
    await expect(store.read(`${root}/t/%2E%2E/x`)).rejects.toMatchObject({ reason: 'outside' });
  }
});

test('an escaped name of a folder never leads to a folder whose own name has escapes', async () => {
  const [own, other] = [joinLocation(store.root, 'two words'), joinLocation(store.root, 'two%20words')];
  await store.write(joinLocation(own, 'a'), Buffer.from('own'));
  await store.write(joinLocation(other, 'b'), Buffer.from('other'));
  await expect(store.read(`${own}/b`)).rejects.toMatchObject({ reason: 'missing' });
  expect((await store.read(`${other}/b`)).toString()).toBe('other');
});
