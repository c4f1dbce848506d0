import {
  commitFiles,
  commitTable,
  expireSnapshots,
  findOrphanFiles,
  listSnapshots,
  parseMetadata,
  prepareRewrite,
  rollbackTo,
  scanFiles,
  snapshotOfRef,
  tableTotals,
} from '../index.ts';
import { manifestListSchema } from '../manifests/manifest-schemas.ts';
import { readManifestList } from '../manifests/manifests.ts';
import { writeAvro } from '../manifests/write-avro.ts';
import { TableFixture } from '../testing/table-fixture.ts';

let t: TableFixture;
beforeEach(async () => {
  t = await TableFixture.create([{ name: 'id', type: 'long' }]);
});

const write = (mode: 'append' | 'replace', files: Parameters<typeof commitFiles>[0]['files'], more = {}) =>
  commitFiles({ store: t.store, load: t.load, swap: t.swap, schemaId: 0, mode, files, now: 2000, ids: t.ids, ...more });

const scanned = async (at = {}) => (await scanFiles(t.store, t.state.metadata, at)).files.map((f) => f.location);

test('appends and replaces, with history and totals', async () => {
  const [a, b, c] = [await t.fakeFile(1), await t.fakeFile(2), await t.fakeFile(4)];
  const first = await write('append', [a]);
  await write('append', [b]);
  expect(await scanned()).toEqual([b.file_path, a.file_path]);
  expect(tableTotals(t.state.metadata)).toEqual({ rows: 3, bytes: 14, files: 2 });
  await write('replace', [c]);
  expect(await scanned()).toEqual([c.file_path]);
  expect(tableTotals(t.state.metadata)).toEqual({ rows: 4, bytes: 7, files: 1 });
  expect(listSnapshots(t.state.metadata).map((s) => [s.operation, s.current])).toEqual([
    ['overwrite', true],
    ['append', false],
    ['append', false],
  ]);
  const firstId = first.ok ? first.snapshotId : 0;
  expect(await scanned({ snapshotId: firstId })).toEqual([a.file_path]);
  const back = rollbackTo(t.state.metadata, firstId)!;
  const current = t.state;
  await commitTable({ store: t.store, current, ...back, now: 3000, ids: t.ids, swap: (n) => t.swap(n, current) });
  expect(await scanned()).toEqual([a.file_path]);
  expect(parseMetadata(await t.store.read(t.state.metadataLocation))).toEqual(t.state.metadata);
});

test('an append that loses the race is rebuilt on the winner', async () => {
  const [a, b] = [await t.fakeFile(), await t.fakeFile()];
  let raced = false;
  const swap: typeof t.swap = async (next, previous) => {
    if (!raced) {
      raced = true;
      await write('append', [b]);
    }
    return t.swap(next, previous);
  };
  expect(await write('append', [a], { swap })).toMatchObject({ ok: true });
  expect((await scanned()).sort()).toEqual([a.file_path, b.file_path].sort());
  const orphans = [];
  const all = { store: t.store, tableLocation: t.state.metadata.location, current: t.state, olderThan: Infinity };
  for await (const o of findOrphanFiles(all)) orphans.push(o);
  expect(orphans).toEqual([]);
});

test('a commit that fails for good leaves no file', async () => {
  await write('append', [await t.fakeFile()]);
  const before = await t.locations();
  const refused = await write('append', [await t.fakeFile()], { swap: async () => false, attempts: 3 });
  expect(refused).toMatchObject({ ok: false, kind: 'conflict' });
  expect(await write('append', [await t.fakeFile()], { schemaId: 7 })).toMatchObject({ ok: false, kind: 'conflict' });
  expect(await write('append', [await t.fakeFile()], { load: async () => null })).toMatchObject({ ok: false });
  expect(await t.locations()).toEqual(before);
});

test('files of a partition spec that the table has removed since are a conflict', async () => {
  const file = { ...(await t.fakeFile()), spec_id: 7 };
  expect(await write('append', [file])).toMatchObject({ ok: false, kind: 'conflict' });
  expect(await t.store.stat(file.file_path)).toBeNull();
  const { store, ids, state } = t;
  const rewrite = {
    store,
    ids,
    metadata: state.metadata,
    base: null,
    removed: new Set<string>(),
    now: 3000,
    mergeAt: 9,
  };
  expect(await prepareRewrite({ ...rewrite, files: [file], changesRows: true })).toBeNull();
});

test('a branch keeps refused data beside the table', async () => {
  const [good, bad] = [await t.fakeFile(1), await t.fakeFile(2)];
  await write('append', [good]);
  await write('replace', [bad], { branch: 'failed_check' });
  expect(await scanned()).toEqual([good.file_path]);
  expect(await scanned({ ref: 'failed_check' })).toEqual([bad.file_path]);
  expect(snapshotOfRef(t.state.metadata, 'failed_check')?.summary.operation).toBe('overwrite');
  await expect(scanFiles(t.store, t.state.metadata, { ref: 'nowhere' })).rejects.toThrow("doesn't exist");
});

test('manifests are merged at a hundred', async () => {
  for (let i = 0; i < 101; i++) await write('append', [await t.fakeFile(1)]);
  const manifests = await readManifestList(t.store, snapshotOfRef(t.state.metadata, 'main'));
  expect(manifests.map((m) => [m.added_files_count, m.existing_files_count])).toEqual([
    [1, 0],
    [0, 100],
  ]);
  expect((await scanned()).length).toBe(101);
  expect(tableTotals(t.state.metadata).rows).toBe(101);
  const change = expireSnapshots(t.state.metadata, 5000, 5000)!;
  const current = t.state;
  await commitTable({ store: t.store, current, ...change, now: 6000, ids: t.ids, swap: (n) => t.swap(n, current) });
  expect(t.state.metadata.snapshots.length).toBe(1);
  let removed = 0;
  const options = { store: t.store, tableLocation: t.state.metadata.location, current: t.state, olderThan: Infinity };
  for await (const o of findOrphanFiles(options)) removed += Number(await t.store.remove(o.location));
  expect(removed).toBeGreaterThan(190);
  expect((await scanned()).length).toBe(101);
  for (const location of await scanned()) expect(await t.store.stat(location)).not.toBeNull();
});

test('files keep the schema they were written with, through merges', async () => {
  await write('append', [await t.fakeFile()]);
  const same = async () => (await scanFiles(t.store, t.state.metadata)).files.map((f) => f.sameColumns);
  expect(await same()).toEqual([true]);
  const schema = {
    type: 'struct',
    'schema-id': 1,
    fields: [{ id: 1, name: 'renamed', required: false, type: 'long' }],
  };
  const updates = [
    { action: 'add-schema', schema },
    { action: 'set-current-schema', 'schema-id': -1 },
  ];
  const current = t.state;
  const options = { store: t.store, current, requirements: [], updates, now: 3000, ids: t.ids };
  await commitTable({ ...options, swap: (n) => t.swap(n, current) });
  expect(await same()).toEqual([false]);
  for (let i = 0; i < 100; i++) await write('append', [await t.fakeFile()], { schemaId: 1 });
  const merged = await readManifestList(t.store, snapshotOfRef(t.state.metadata, 'main'));
  expect(merged.length).toBeLessThanOrEqual(3);
  expect((await same()).filter((s) => !s).length).toBe(1);
});

test.each<['append' | 'replace', number]>([
  ['replace', 1],
  ['append', 101],
])('%s copies nothing from manifests of another table that an engine has named', async (mode, left) => {
  await write('append', [await t.fakeFile()]);
  const [snapshot] = t.state.metadata.snapshots;
  const [own] = await readManifestList(t.store, snapshot!);
  const manifest_path = `${t.state.metadata.location}-other/metadata/m.avro`;
  await t.store.write(manifest_path, await t.store.read(own!.manifest_path));
  const named = Array.from({ length: 100 }, () => ({ ...own!, manifest_path }));
  await t.store.remove(snapshot!['manifest-list']!);
  const list = await writeAvro(manifestListSchema(2), {}, named, Buffer.alloc(16));
  await t.store.write(snapshot!['manifest-list']!, list);
  expect(await write(mode, [await t.fakeFile()])).toMatchObject({ ok: true });
  const manifests = await readManifestList(t.store, snapshotOfRef(t.state.metadata, 'main'));
  expect(manifests).toHaveLength(left);
});

test('metadata that could not be read again is refused', async () => {
  const current = t.state;
  const set = (updates: Record<string, string>) =>
    commitTable({
      ...{ store: t.store, current, requirements: [], now: 3000, ids: t.ids },
      ...{ updates: [{ action: 'set-properties', updates }], swap: (next) => t.swap(next, current) },
    });
  const texts = Array.from({ length: 16 }, (_, i) => [`text${i}`, 'x'.repeat(16 << 20)]);
  expect(await set(Object.fromEntries(texts))).toEqual({
    ...{ ok: false, kind: 'invalid' },
    message: expect.stringContaining('would have more than 268435456 bytes. Expire snapshots'),
  });
  expect(t.state).toBe(current);
  expect((await set({ text: 'x' })).ok).toBe(true);
});
