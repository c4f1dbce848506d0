import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stagingId } from '@svc/core/catalog';
import { commitToStaging, findStaging, removeExpiredStaging } from '@svc/db/staging';
import {
  commitTable,
  createTableMetadata,
  type DataFileRecord,
  dataFileRecord,
  type PreparedCommit,
  prepareSnapshot,
  readTableMetadata,
  type TableMetadata,
  type TableUpdate,
  tableIds,
} from '@svc/iceberg';
import { manifestListSchema, writeAvro } from '@svc/iceberg/testing';
import type { RowStaging } from '@svc/lake/engines';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { World } from '../jobs/testing/world.ts';
import { stagingTables } from './staging-tables.ts';

let world: World;
let folder: string;
let store: ObjectStore;
beforeAll(async () => {
  world = await World.open();
  folder = await mkdtemp(join(tmpdir(), 'svc-staging-'));
  store = await openLocalStore(join(folder, 'store'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const COLUMNS = [{ name: 'id', type: 'long', nullable: true, description: null }];

test('its folder is inside that of the table, however the metadata spells it, and a change also reads the table', async () => {
  const p = await world.deploy('staging', {});
  const owner = { principalId: p.account, taskId: null };
  const tables = stagingTables({ ...world.deps, store }, async () => owner);
  const tableLocation = `${store.root}/tables/t`;
  const target = createTableMetadata({ uuid: world.newId(), location: tableLocation, columns: COLUMNS, now: 1000 });
  const environment = { id: p.environmentId, name: 'staging' };
  const fields = target.schemas[0]!.fields;
  const changeOf = (location: string) =>
    tables.forChange({ environment, target: { ...target, location }, timeoutMs: 1000 });
  const rowsFor = (location: string) =>
    tables.forRows({ environment, tableLocation: location, fields, target, timeoutMs: 1000 });
  const stagings = [
    { staging: await rowsFor(tableLocation), reads: null },
    { staging: await rowsFor(tableLocation.replace('file:///', 'file:/')), reads: null },
    { staging: await changeOf(tableLocation), reads: tableLocation },
    { staging: await changeOf(`${tableLocation.replace('file:///', 'file:/')}/`), reads: tableLocation },
  ];
  for (const { staging, reads } of stagings) {
    const id = stagingId(staging.name)!;
    const stored = await findStaging(world.prisma, { ...owner, id, environmentId: p.environmentId });
    expect(stored).toMatchObject({ location: `${tableLocation}/staged/${id}`, baseLocation: reads });
    expect(await staging.written()).toMatchObject({ snapshotId: null, files: [] });
    await staging.close();
    expect(await findStaging(world.prisma, { ...owner, id, environmentId: p.environmentId })).toBeNull();
  }
});

const random = (n: number) => crypto.getRandomValues(new Uint8Array(n));

/** A staging table for the rows of a table, and how an engine commits to it. */
async function stageRows(name: string) {
  const p = await world.deploy(name, {});
  const owner = { principalId: p.account, taskId: null };
  const deps = { ...world.deps, store, random };
  const tableLocation = `${store.root}/tables/${name}`;
  const target = createTableMetadata({ uuid: world.newId(), location: tableLocation, columns: COLUMNS, now: 1000 });
  const { fields } = target.schemas[0]!;
  const request: RowStaging = {
    ...{ environment: { id: p.environmentId, name }, tableLocation, fields, target, timeoutMs: 1000 },
  };
  const staging = await stagingTables(deps, async () => owner).forRows(request);
  const id = stagingId(staging.name)!;
  const location = `${tableLocation}/staged/${id}`;
  const ids = tableIds(deps);

  /** Commits a snapshot with these files; `change` may replace what it consists of. */
  async function commit(
    files: readonly DataFileRecord[],
    change: (metadata: TableMetadata, prepared: PreparedCommit) => Promise<readonly TableUpdate[]>,
  ): Promise<void> {
    const { metadataLocation } = (await findStaging(world.prisma, { ...owner, id, environmentId: p.environmentId }))!;
    const metadata = await readTableMetadata(store, metadataLocation);
    const prepared = await prepareSnapshot({ store, metadata, files, mode: 'append', now: 2000, ids });
    const updates = await change(metadata, prepared);
    const current = { metadata, metadataLocation };
    const swap = (next: { metadataLocation: string }) =>
      commitToStaging(world.prisma, { id, metadataLocation: next.metadataLocation });
    expect(await commitTable({ store, current, requirements: [], updates, now: 2000, ids, swap })).toMatchObject({
      ok: true,
    });
  }

  const file = async (): Promise<DataFileRecord> => {
    const written = `${location}/data/${world.newId()}.parquet`;
    await store.write(written, Buffer.from('parquet'));
    return dataFileRecord({ location: written, rows: 3, bytes: 7, columns: {} }, target.schemas[0]!);
  };
  return { staging, location, target, commit, file };
}

async function locationsIn(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const object of store.list(prefix)) found.push(object.location);
  return found;
}

test('closing it removes its own metadata alone, whatever files an engine has named in it', async () => {
  const { staging, location, commit, file } = await stageRows('foreign');
  const other = `${store.root}/tables/other/data/rows.parquet`;
  await store.write(other, Buffer.from('rows of another table'));
  const rows = await file();
  await commit([rows], async (_metadata, { updates }) => {
    const list = `${location}/metadata/forged.avro`;
    const manifest = {
      ...{ manifest_path: other, manifest_length: 7n, partition_spec_id: 0, content: 0, sequence_number: 1n },
      ...{ min_sequence_number: 1n, added_snapshot_id: 7n, added_files_count: 1, existing_files_count: 0 },
      ...{ deleted_files_count: 0, added_rows_count: 1n, existing_rows_count: 0n, deleted_rows_count: 0n },
      ...{ partitions: null, key_metadata: null },
    };
    await store.write(list, await writeAvro(manifestListSchema(2), {}, [manifest], Buffer.alloc(16)));
    return updates.map((update) =>
      update.action === 'add-snapshot'
        ? { ...update, snapshot: { ...(update['snapshot'] as object), 'manifest-list': list } }
        : update,
    );
  });
  await expect(staging.written()).rejects.toThrow('outside its own folder');
  await staging.close();
  expect(await store.stat(other)).not.toBeNull();
  expect(await locationsIn(location)).toEqual([rows.file_path]);
});

test('only the snapshots of an engine count, not its columns and partition specs', async () => {
  const { staging, target, commit, file } = await stageRows('forged');
  const rows = await file();
  const fields = [{ id: 1, name: 'other', type: 'string', required: false }];
  await commit([rows], async (_metadata, { updates }) => [
    { action: 'add-schema', schema: { type: 'struct', 'schema-id': 1, fields } },
    { action: 'set-current-schema', 'schema-id': -1 },
    ...updates,
  ]);
  const { files } = await staging.written();
  expect(files).toMatchObject([{ file_path: rows.file_path, spec_id: 0 }]);
  await staging.close();
  const partitioned = await stageRows('partitioned');
  const stray = await partitioned.file();
  await partitioned.commit([{ ...stray, spec_id: 1, partition: { p: 5n } }], async (_metadata, { updates }) => [
    {
      action: 'add-spec',
      spec: { 'spec-id': 1, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'p', transform: 'identity' }] },
    },
    { action: 'set-default-spec', 'spec-id': -1 },
    ...updates,
  ]);
  await expect(partitioned.staging.written()).rejects.toThrow('partition spec');
  expect(target['partition-specs']).toHaveLength(1);
});

test('it stays while what was written is checked, however long that takes', async () => {
  const { staging, commit, file } = await stageRows('checked');
  const later = (ms: number) => ({ now: new Date(world.now.getTime() + ms), limit: 10 });
  await commit([await file()], async (_metadata, { updates }) => updates);
  await staging.written();
  expect(await removeExpiredStaging(world.prisma, later(7 * 86_400_000))).toBe(0);
  await staging.close();
  const unread = await stageRows('unread');
  expect(await removeExpiredStaging(world.prisma, later(7_200_000))).toBe(1);
  await expect(unread.staging.written()).rejects.toThrow('expired');
});
