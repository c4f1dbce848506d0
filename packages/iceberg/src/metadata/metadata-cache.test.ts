import type { FileStore } from '../files/file-store.ts';

import { commitTable, readMetadataFile, readTableMetadata, readTableScan } from '../index.ts';
import { memoryStore, ROOT } from '../testing/memory-store.ts';
import { TableFixture } from '../testing/table-fixture.ts';

let t: TableFixture;
beforeEach(async () => {
  t = await TableFixture.create([{ name: 'id', type: 'long' }]);
});

/** The store of another process, and what is read from it. */
function otherStore(): { store: FileStore; read: string[] } {
  const store = memoryStore(t.files);
  const read: string[] = [];
  const { read: take } = store;
  store.read = (location) => {
    read.push(location);
    return take.call(store, location);
  };
  return { store, read };
}

async function commit(store: FileStore, swap = t.swap) {
  const current = t.state;
  const update = { action: 'set-properties', updates: { revision: t.ids.uuid() } } as const;
  const parts = { requirements: [], updates: [update], now: 2000, ids: t.ids };
  return commitTable({ store, current, ...parts, swap: (next) => swap(next, current) });
}

/** Commits so often; returns the locations of all versions, the active one last. */
async function commits(store: FileStore, times: number): Promise<string[]> {
  const locations = [t.state.metadataLocation];
  for (let i = 0; i < times; i++) {
    await commit(store);
    locations.push(t.state.metadataLocation);
  }
  return locations;
}

test('caches only the current version of a table with commits', async () => {
  const { store, read } = otherStore();
  await readTableMetadata(store, t.state.metadataLocation);
  const locations = await commits(store, 20);
  read.length = 0;
  expect(await readTableMetadata(store, locations.at(-1)!)).toBe(t.state.metadata);
  expect(read).toEqual([]);
  for (const previous of locations.slice(0, -1)) await readTableMetadata(store, previous);
  expect(read).toEqual(locations.slice(0, -1));
});

test('of a table that others commit to, the version read last is remembered and none before', async () => {
  const { store, read } = otherStore();
  const first = t.state.metadataLocation;
  await readTableScan(store, first);
  const [, , , last] = (await commits(t.store, 3)) as [string, string, string, string];
  await readTableScan(store, last);
  expect(read).toEqual([first, last]);
  await readTableScan(store, last);
  await readTableMetadata(store, last);
  expect(read).toEqual([first, last]);
  await readTableScan(store, first);
  expect(read).toEqual([first, last, first]);
});

test('the version that a commit replaces is remembered until it has', async () => {
  const { store, read } = otherStore();
  const before = t.state.metadataLocation;
  await readTableMetadata(store, before);
  read.length = 0;
  await commit(store, async (next, previous) => {
    await readTableMetadata(store, before);
    return t.swap(next, previous);
  });
  expect(read).toEqual([]);
});

test('what lost the race is not remembered', async () => {
  let lost = '';
  const result = await commit(t.store, async (next) => {
    lost = next.metadataLocation;
    return false;
  });
  expect(result).toMatchObject({ ok: false, kind: 'conflict' });
  await expect(readTableMetadata(t.store, lost)).rejects.toThrow();
});

test.each([[5], [{ a: 1 }], [[null, 7, { 'metadata-file': 3 }]]])(
  'an invalid log of versions is rejected: %j',
  async (log) => {
    const metadata = { ...t.state.metadata, 'metadata-log': log };
    const location = `${ROOT}/t1/metadata/of-others.metadata.json`;
    await t.store.write(location, Buffer.from(JSON.stringify(metadata)));
    await expect(readMetadataFile(t.store, location)).rejects.toThrow('"metadata-log');
  },
);
