import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadInto, rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(() => s.stop());

/** A dropped table of two loads, with one file each. */
async function droppedTable(name: string) {
  const at = { env: 'dev', table: `shop.${name}` };
  await s.client.tables.create('dev', at.table, { columns: [{ name: 'id', type: 'long' }] });
  for (const data of ['id\n1\n', 'id\n2\n']) {
    expect(await loadInto(s.client, at, { format: 'csv', mode: 'append', data })).toMatchObject({
      status: 'succeeded',
    });
  }
  const { id, location } = await s.client.tables.get('dev', at.table);
  const folder = fileURLToPath(location!);
  const row = await s.database.db.prisma.table.findUniqueOrThrow({ where: { id } });
  await s.client.tables.delete('dev', at.table);
  const files = await s.stored(folder.slice(folder.indexOf('warehouse') + 'warehouse'.length + 1));
  const data = files.filter((file) => file.endsWith('.parquet')).map((file) => file.slice(folder.length + 1));
  expect(data).toHaveLength(2);
  return { table: at.table, folder, data, metadata: row.metadata_location! };
}

const undrop = (table: string) =>
  s.client.tables.undrop('dev', table).then(
    () => null,
    (error: unknown) => error,
  );

test('a data file that is gone refuses the undrop and is named; put back, the table comes back (DROP-8)', async () => {
  const { table, folder, data } = await droppedTable('one');
  const missing = data[0]!;
  await copyFile(join(folder, missing), join(s.folder, 'backup.parquet'));
  await rm(join(folder, missing));
  const refused = await undrop(table);
  expect(refused).toMatchObject({
    status: 409,
    code: 'files-gone',
    message: expect.stringMatching(new RegExp(`^1 of 2 files of shop\\.one are missing from .*: ${missing}\\. `)),
  });
  expect((await s.client.tables.listDropped('dev', 'shop')).map(({ name }) => name)).toContain('one');
  await copyFile(join(s.folder, 'backup.parquet'), join(folder, missing));
  expect(await undrop(table)).toBeNull();
  expect(await rowsOf(s.client, 'dev', 'SELECT id FROM shop.one ORDER BY id')).toEqual([[1], [2]]);
});

test('an earlier version that is whole is named, and comes back by registering its metadata', async () => {
  const { table, folder, data } = await droppedTable('two');
  // Whichever of the two files is lost, the version before both is complete; without the second file, so is the first load's.
  const metadataFiles: string[] = [];
  for (const missing of data) {
    await copyFile(join(folder, missing), join(s.folder, 'backup.parquet'));
    await rm(join(folder, missing));
    const { message } = (await undrop(table)) as Error;
    metadataFiles.push(/register its metadata file (\S+) through/.exec(message)?.[1] ?? message);
    await copyFile(join(s.folder, 'backup.parquet'), join(folder, missing));
  }
  const [emptyFirst, firstLoad] = metadataFiles
    .map((file) => Number(/(\d+)[^/]*\.metadata\.json$/.exec(file)?.[1]))
    .sort();
  expect([emptyFirst, firstLoad]).toEqual([0, 1]);
  const file = metadataFiles.find((name) => Number(/(\d+)[^/]*\.metadata\.json$/.exec(name)?.[1]) === 1)!;
  const second = data[metadataFiles.indexOf(file)]!;
  await rm(join(folder, second));
  const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/shop/register`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'two', 'metadata-location': file }),
  });
  expect(response.status).toBe(200);
  expect(await rowsOf(s.client, 'dev', 'SELECT id FROM shop.two')).toEqual([[1]]);
});

test('a manifest that is gone is found too (DROP-8)', async () => {
  const { table, folder } = await droppedTable('three');
  const manifests = (await s.stored('.')).filter(
    (file) => file.startsWith(folder) && file.endsWith('.avro') && !/snap-|list/.test(file),
  );
  await Promise.all(manifests.map((file) => rm(file)));
  expect(await undrop(table)).toMatchObject({
    status: 409,
    code: 'files-gone',
    message: expect.stringContaining('.avro'),
  });
});
