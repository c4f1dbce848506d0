import { commitFiles, findOrphanFiles } from '../index.ts';
import { TableFixture } from '../testing/table-fixture.ts';

/** Locations as engines write them, and as the store lists the same files. */
const SAME = [
  ['s3a://lake/t1/data/a.parquet', 's3://lake/t1/data/a.parquet'],
  ['s3n://lake/t1/data/b.parquet', 's3://lake/t1/data/b.parquet'],
  ['abfs://lake@acme.dfs.core.windows.net/t1/c.parquet', 'abfss://lake@acme.dfs.core.windows.net/t1/c.parquet'],
  ['wasbs://lake@acme.blob.core.windows.net/t1/d.parquet', 'abfss://lake@acme.dfs.core.windows.net/t1/d.parquet'],
  ['file:/warehouse/t1/data/e.parquet', 'file:///warehouse/t1/data/e.parquet'],
  // Engines don't escape the path of a file.
  ['file:/warehouse/t1/city=Orl%C3%A9ans/f.parquet', 'file:///warehouse/t1/city=Orl%25C3%25A9ans/f.parquet'],
  ['file:///warehouse/t1/city=a%2Fb/g.parquet', 'file:///warehouse/t1/city=a%252Fb/g.parquet'],
  ['file:///warehouse/t1/two%20words/h.parquet', 'file:///warehouse/t1/two%20words/h.parquet'],
] as const;

test('a file in use is not taken for an orphan, whichever form its location has', async () => {
  const t = await TableFixture.create([{ name: 'id', type: 'long' }]);
  const files = await Promise.all(SAME.map(async ([named]) => ({ ...(await t.fakeFile()), file_path: named })));
  const { store, load, swap, ids } = t;
  await commitFiles({ store, load, swap, ids, files, mode: 'append', schemaId: 0, now: 2000 });
  const orphan = 's3://lake/t1/data/orphan.parquet';
  const listing = {
    ...store,
    async *list() {
      for (const location of [...SAME.map(([, listed]) => listed), orphan]) yield { location, size: 1, modifiedAt: 0 };
    },
  };
  const found: string[] = [];
  const options = { store: listing, tableLocation: 's3://lake/t1', current: t.state, olderThan: 1 };
  for await (const { location } of findOrphanFiles(options)) found.push(location);
  expect(found).toEqual([orphan]);
});
