import fs from 'node:fs/promises';
import path from 'node:path';
import {
  applyUpdates,
  type ClonedFiles,
  cloneMetadata,
  currentSchema,
  fileLocation,
  filesToClone,
  joinLocation,
  prepareSnapshot,
  type TableMetadata,
  UnsupportedTableError,
  writeLayout,
} from '@svc/iceberg';
import { countingIds } from '@svc/iceberg/testing';
import { runQuery } from './index.ts';
import { CompactionFixture } from './testing/compaction-fixture.ts';

let fixture: CompactionFixture;
let clones = 0;
beforeAll(async () => {
  fixture = await CompactionFixture.open();
});
afterAll(() => fixture.close());

/** The rows of a table, however many they are. */
const read = (metadata: TableMetadata) =>
  fixture.read(metadata, "SELECT count(*), md5(string_agg(t::VARCHAR, '|' ORDER BY t::VARCHAR)) FROM t");

async function clone(source: TableMetadata): Promise<{ metadata: TableMetadata; plan: ClonedFiles }> {
  const { store, sandbox } = fixture;
  const plan = await filesToClone(store, source, []);
  const location = joinLocation(store.root, 'clones', String(++clones));
  const empty = cloneMetadata(source, { uuid: `uuid-${clones}`, location, now: 1 });
  const copies = await Promise.all(
    plan.whole.map(async ({ file_path }, i) => ({
      from: fileLocation(await store.localPath(file_path)),
      to: joinLocation(location, 'data', `${i}.parquet`),
      bytes: 0,
    })),
  );
  await store.copyAll(copies);
  const files = plan.whole.map((file, i) => ({ ...file, file_path: copies[i]!.to }));
  const { fields } = currentSchema(source);
  if (plan.reduced.length > 0) {
    const outcome = await runQuery(sandbox, {
      sql: 'FROM t',
      resolve: async () => [{ kind: 'managed', fields, files: plan.reduced, ...plan.reading }],
      owner: 'test',
      output: { kind: 'data-files', tableLocation: location, fields, layout: writeLayout(empty, fields) },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    files.push(...(outcome.files as typeof files));
  }
  const write = { store, metadata: empty, files, mode: 'append', now: 1, ids: countingIds(clones * 1000) } as const;
  const { requirements, updates } = await prepareSnapshot(write);
  const applied = applyUpdates(empty, requirements, updates, 1);
  if (!applied.ok) throw new Error(applied.message);
  return { metadata: applied.metadata, plan };
}

const WHOLE = [
  'version1',
  'evolved',
  'nested',
  'types',
  'buckets',
  'truncated',
  'dates',
  'identities',
  'specs',
  'defaults',
];
const REDUCED = ['position_deletes', 'equality_deletes', 'partitioned_equality', 'dropped_keys', 'vectors'];

test.each([...WHOLE, ...REDUCED])(
  'a clone of the table %s reads like its source (TABLE-22, TABLE-23)',
  async (name) => {
    const source = await fixture.metadataOf(name);
    const { metadata, plan } = await clone(source);
    expect(await read(metadata)).toEqual(await read(source));
    expect(plan.reduced.length > 0).toBe(REDUCED.includes(name));
    expect([metadata.schemas, metadata['partition-specs'], metadata['last-column-id']]).toEqual([
      source.schemas,
      source['partition-specs'],
      source['last-column-id'],
    ]);
    const again = await clone(metadata);
    expect(again.plan.reduced).toEqual([]);
    expect(await read(again.metadata)).toEqual(await read(source));
  },
);

test("files that svc doesn't read are refused", async () => {
  const source = await fixture.metadataOf('avro_files');
  await expect(clone(source)).rejects.toThrow(UnsupportedTableError);
});

test('a clone still reads after the folder of its source is removed', async () => {
  const source = await fixture.metadataOf('nested');
  const expected = await read(source);
  const { metadata } = await clone(source);
  await fs.rm(path.join(fixture.dir, 'tables', 'nested'), { recursive: true });
  expect(await read(metadata)).toEqual(expected);
});
