import { commitFiles, type DataFileRecord, dataFileRecord, scanFiles, snapshotOfRef } from '../index.ts';
import { readManifestList } from '../manifests/manifests.ts';
import { TableFixture } from '../testing/table-fixture.ts';

const COLUMNS = 100;
const statistics = { column_size_bytes: '33', num_values: '10', null_count: '0', min: '1', max: '9' };
const columns = Object.fromEntries(Array.from({ length: COLUMNS }, (_, i) => [`"c${i}"`, statistics]));

let t: TableFixture;
let fileCount: number;
beforeEach(async () => {
  t = await TableFixture.create(Array.from({ length: COLUMNS }, (_, i) => ({ name: `c${i}`, type: 'long' as const })));
  fileCount = 0;
});

async function append(count: number): Promise<void> {
  const schema = t.state.metadata.schemas[0]!;
  const file = (): DataFileRecord =>
    dataFileRecord(
      { location: `${t.state.metadata.location}/data/${fileCount++}`, rows: 10, bytes: 7, columns },
      schema,
    );
  const files = Array.from({ length: count }, file);
  const about = { store: t.store, load: t.load, swap: t.swap, ids: t.ids, schemaId: 0, now: 2000 };
  expect((await commitFiles({ ...about, mode: 'append', files })).ok).toBe(true);
}

const manifests = () => readManifestList(t.store, snapshotOfRef(t.state.metadata, 'main'));
const counts = async () =>
  (await manifests()).map((m) => (m.added_files_count ?? 0) + (m.existing_files_count ?? 0)).sort((a, b) => b - a);

test('the files of one commit are in as many manifests as can be read again', async () => {
  await append(4000);
  // An entry has ten items, and five statistics of each column.
  expect(await counts()).toEqual([1960, 1960, 80]);
  expect((await scanFiles(t.store, t.state.metadata, {})).files).toHaveLength(4000);
});

test('a merge leaves large manifests as they are', async () => {
  await append(1960);
  const [large] = await manifests();
  for (let i = 0; i < 101; i++) await append(1);
  expect(await counts()).toEqual([1960, 100, 1]);
  expect((await manifests()).map((m) => m.manifest_path)).toContain(large!.manifest_path);
  expect((await scanFiles(t.store, t.state.metadata, {})).files).toHaveLength(2061);
});
