import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { canonicalLocation, joinLocation } from '@svc/iceberg';
import type { ObjectStore } from '../object-store.ts';

const ODD_NAMES = [
  'a+b',
  'a b',
  ' a',
  'a ',
  'a&amp;b<c>"d\'',
  'é',
  'e\u0301',
  'a%2Bb',
  'a=1,b',
  '1',
  '1.0',
  '0x10',
  'true',
  'a\nb',
  '~',
];
/** Unescaped in a key. */
const RAW_NAMES = [
  'x+y',
  'x y',
  ' x',
  'x ',
  'x&amp;y<z>"d\'',
  'ä',
  'a\u0308',
  'k=1,2',
  '007',
  '1e3',
  'false',
  '😀',
  'x\ny',
  'x\ty',
  '&amp;',
];

/** Locations below a prefix, relative to the root. */
export async function locationsIn(store: ObjectStore, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const o of store.list(prefix)) found.push(o.location.slice(store.root.length + 1));
  return found.sort();
}

/** What every store does; `open` returns an empty one for a test. */
export function storeContract(open: () => ObjectStore): void {
  let store: ObjectStore;
  beforeEach(() => {
    store = open();
  });
  const all = (prefix: string) => locationsIn(store, prefix);

  test('writes once, reads, lists and removes', async () => {
    const one = joinLocation(store.root, 'a', 'one');
    expect(await store.write(one, Buffer.from('1'))).toMatchObject({ location: one, size: 1 });
    await store.write(
      joinLocation(store.root, 'a', 'b', 'two words%'),
      Readable.from([Buffer.from('x'), Buffer.from('yz')]),
    );
    await expect(store.write(one, Buffer.from('2'))).rejects.toMatchObject({ reason: 'exists' });
    expect((await store.read(one)).toString()).toBe('1');
    expect(await all(store.root)).toEqual(['a/b/two%20words%25', 'a/one']);
    expect(await store.stat(joinLocation(store.root, 'a'))).toBeNull();
    expect(await store.remove(one)).toBe(true);
    expect(await store.remove(one)).toBe(false);
    await expect(store.read(one)).rejects.toMatchObject({ reason: 'missing' });
    expect(await all(joinLocation(store.root, 'missing'))).toEqual([]);
  });

  test('a new folder is empty, accepts objects, and is removed with its contents', async () => {
    const folder = joinLocation(store.root, 'made', 'folder');
    for (const _ of [1, 2]) await store.makeFolder(folder);
    expect([await all(store.root), await store.stat(folder)]).toEqual([[], null]);
    await store.write(joinLocation(folder, 'one'), Buffer.from('1'));
    const made = joinLocation(store.root, 'made');
    expect(await store.removePrefix(made)).toEqual({ files: 1, bytes: 1, done: true });
    await store.makeFolder(folder);
    expect(await store.removePrefix(made)).toEqual({ files: 0, bytes: 0, done: true });
    await expect(store.makeFolder('file:///elsewhere/x')).rejects.toMatchObject({ reason: 'outside' });
  });

  test('reads a stream, and a part of an object', async () => {
    const location = joinLocation(store.root, 'a', 'digits');
    await store.write(location, Buffer.from('0123456789'));
    const text = async (range?: { start: number; end?: number }) => {
      const chunks: Buffer[] = [];
      for await (const chunk of await store.readStream(location, range)) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    };
    expect([await text(), await text({ start: 2, end: 4 }), await text({ start: 7 })]).toEqual([
      '0123456789',
      '234',
      '789',
    ]);
    expect(await fs.readFile(await store.localPath(location), 'utf8')).toBe('0123456789');
  });

  test('an empty object is whole', async () => {
    const at = (name: string) => joinLocation(store.root, 'empty', name);
    expect(await store.write(at('bytes'), Buffer.alloc(0))).toMatchObject({ size: 0 });
    expect(await store.write(at('stream'), Readable.from([]))).toMatchObject({ size: 0 });
    await store.copyAll([{ from: at('stream'), to: at('copy'), bytes: 0 }]);
    const { dir, close } = await store.openStage();
    await fs.writeFile(path.join(dir, 'x'), '');
    await store.moveInto(path.join(dir, 'x'), at('moved'));
    await close();
    for (const name of ['bytes', 'stream', 'copy', 'moved']) {
      expect((await store.read(at(name))).length).toBe(0);
      expect(await (await store.readStream(at(name))).toArray()).toEqual([]);
      expect((await fs.stat(await store.localPath(at(name)))).size).toBe(0);
    }
    expect(await store.removePrefix(joinLocation(store.root, 'empty'))).toEqual({ files: 4, bytes: 0, done: true });
  });

  test('a copy stays when its source is removed, and the other way around', async () => {
    const at = (...names: string[]) => joinLocation(store.root, ...names);
    const names = Array.from({ length: 40 }, (_, i) => `no ${i}%`);
    for (const name of names) await store.write(at('from', name), Buffer.from(name));
    const copies = names.map((name) => ({ from: at('from', name), to: at('to', 'data', name), bytes: name.length }));
    await store.copyAll(copies);
    expect((await all(at('to'))).length).toBe(40);
    await store.removePrefix(at('from'));
    for (const name of names) expect((await store.read(at('to', 'data', name))).toString()).toBe(name);
    await store.copyAll([{ from: at('to', 'data', names[0]!), to: at('again'), bytes: 4 }]);
    await store.removePrefix(at('to'));
    expect((await store.read(at('again'))).toString()).toBe(names[0]);
    await store.copyAll([]);
    const gone = { from: at('to', 'data', names[0]!), to: at('third'), bytes: 4 };
    await store.makeFolder(at('folder'));
    for (const none of [gone, { ...gone, from: at('folder') }])
      await expect(store.copyAll([none])).rejects.toMatchObject({ reason: 'missing' });
    for (const outside of [
      { ...gone, from: 'file:///etc/passwd' },
      { ...gone, from: at('again'), to: '/tmp/third' },
    ])
      await expect(store.copyAll([outside])).rejects.toMatchObject({ reason: 'outside' });
    expect(await all(store.root)).toEqual(['again']);
  });

  test('a stream that breaks leaves no object', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('cut');
      })(),
    );
    await expect(store.write(joinLocation(store.root, 'a', 'x'), broken)).rejects.toThrow('cut');
    expect(await all(store.root)).toEqual([]);
  });

  test('two writers of one location: one has it, whole', async () => {
    const location = joinLocation(store.root, 'a', 'raced');
    const texts = ['one', 'two'];
    const outcomes = await Promise.allSettled(texts.map((text) => store.write(location, Buffer.from(text))));
    const won = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [texts[i]] : []));
    expect(won).toEqual([(await store.read(location)).toString()]);
  });

  test('removes a prefix in batches, with what is nested', async () => {
    for (let i = 0; i < 5; i++) await store.write(joinLocation(store.root, 't', `f${i}`), Buffer.from('ab'));
    await store.write(joinLocation(store.root, 't', 'inner', 'f'), Buffer.from('k'));
    await store.write(joinLocation(store.root, 'tt'), Buffer.from('k'));
    const prefix = joinLocation(store.root, 't');
    const removed = [
      await store.removePrefix(prefix, { limit: 4 }),
      await store.removePrefix(prefix, { limit: 4 }),
      await store.removePrefix(prefix),
    ];
    expect(removed.map(({ files, done }) => [files, done])).toEqual([
      [4, false],
      [2, true],
      [0, true],
    ]);
    expect(removed[0]!.bytes + removed[1]!.bytes).toBe(11);
    expect(await all(store.root)).toEqual(['tt']);
  });

  test.each(['/../outside', '/%2e%2e/outside', '/a/..%2f..%2foutside', '/./a', '/a%00b', '', '?x', '#x'])(
    'refuses root + %p',
    async (suffix) => {
      await expect(store.write(`${store.root}${suffix}`, Buffer.from('x'))).rejects.toMatchObject({
        reason: 'outside',
      });
      await expect(store.removePrefix(`${store.root}${suffix}`)).rejects.toMatchObject({ reason: 'outside' });
    },
  );

  test('names of any characters are listed, copied and removed as they were written', async () => {
    const at = (...names: string[]) => joinLocation(store.root, ...names);
    // Engines write some of these unescaped: a location is compared as text.
    const raw = store.root.startsWith('file:') ? [] : RAW_NAMES.map((name) => `${at('odd')}/${name}`);
    const locations = [...ODD_NAMES.map((name) => at('odd', name)), ...raw];
    for (const location of locations) await store.write(location, Buffer.from(location));
    await store.write(at('odd2'), Buffer.from('x'));
    const listed = (await all(at('odd'))).map((name) => `${store.root}/${name}`);
    expect(listed).toEqual(locations.map((location) => canonicalLocation(store, location)).sort());
    for (const location of locations) expect((await store.read(location)).toString()).toBe(location);
    await store.copyAll(locations.map((from, i) => ({ from, to: at('copied', `${i}`), bytes: 1 })));
    expect((await all(at('copied'))).length).toBe(locations.length);
    expect(await store.remove(locations[0]!)).toBe(true);
    expect(await store.removePrefix(at('odd'))).toMatchObject({ files: locations.length - 1, done: true });
    expect(await all(at('odd'))).toEqual([]);
    expect(await store.stat(at('odd2'))).toMatchObject({ size: 1 });
  });

  test('a stage is adopted file by file, closed, swept and never listed', async () => {
    const stage = await store.openStage();
    await fs.writeFile(path.join(stage.dir, 'x'), 'abc');
    await fs.writeFile(path.join(stage.dir, 'y'), 'left');
    const location = joinLocation(store.root, 'a', 'x');
    expect(await store.moveInto(path.join(stage.dir, 'x'), location)).toMatchObject({ size: 3 });
    expect(await all(store.root)).toEqual(['a/x']);
    await stage.close();
    await expect(fs.stat(stage.dir)).rejects.toThrow();
    const left = await store.openStage();
    expect(await store.sweepStages(0)).toBe(0);
    expect(await store.sweepStages(Number.MAX_SAFE_INTEGER)).toBe(1);
    await expect(fs.stat(left.dir)).rejects.toThrow();
  });
}
