import type { FileStore } from '@svc/iceberg';
import { tableFolders } from './table-folders.ts';

const ROOT = 's3://lake/tables/env';

/** A bucket with objects at these locations below the root. */
const bucketOf = (...names: string[]) =>
  ({
    async *list() {
      for (const name of names) yield { location: `${ROOT}/${name}`, size: 1, modifiedAt: 0 };
    },
  }) as unknown as FileStore;

const foldersOf = async (store: FileStore, depth: number) => {
  const found: [string, number][] = [];
  for await (const batch of tableFolders(store, ROOT, depth, 2))
    for (const { location, files } of batch) found.push([location, files]);
  return found;
};

test('counts the files of each folder', async () => {
  const store = bucketOf('a/1', 'a/data/2', 'b/3', 'c/4', 'loose');
  expect(await foldersOf(store, 1)).toEqual([
    [`${ROOT}/a`, 2],
    [`${ROOT}/b`, 1],
    [`${ROOT}/c`, 1],
  ]);
});

// The removal of such a folder would remove the folder around it, because a location has no slash at its end.
test('objects in a folder without a name belong to no folder', async () => {
  const store = bucketOf('', '/', '/1', '/a/2', 'a/3', 'a//4');
  expect(await foldersOf(store, 1)).toEqual([[`${ROOT}/a`, 2]]);
  expect(await foldersOf(store, 2)).toEqual([]);
});
