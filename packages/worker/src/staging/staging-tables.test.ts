import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stagingId } from '@svc/core/catalog';
import { findStaging } from '@svc/db/staging';
import { createTableMetadata } from '@svc/iceberg';
import { openLocalStore } from '@svc/lake/storage';
import { World } from '../jobs/testing/world.ts';
import { stagingTables } from './staging-tables.ts';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await World.open();
  folder = await mkdtemp(join(tmpdir(), 'svc-staging-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const COLUMNS = [{ name: 'id', type: 'long', nullable: true, description: null }];

test('its folder is inside that of the table, however the metadata spells it, and a change also reads the table', async () => {
  const p = await world.deploy('staging', {});
  const store = await openLocalStore(join(folder, 'store'));
  const owner = { principalId: p.account, taskId: null };
  const tables = stagingTables({ ...world.deps, store }, async () => owner);
  const tableLocation = `${store.root}/tables/t`;
  const target = createTableMetadata({ uuid: world.newId(), location: tableLocation, columns: COLUMNS, now: 1000 });
  const environment = { id: p.environmentId, name: 'staging' };
  const fields = target.schemas[0]!.fields;
  const changeOf = (location: string) =>
    tables.forChange({ environment, target: { ...target, location }, timeoutMs: 1000 });
  const stagings = [
    { staging: await tables.forRows({ environment, tableLocation, fields, target, timeoutMs: 1000 }), reads: null },
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
