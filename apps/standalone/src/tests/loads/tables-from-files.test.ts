import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(() => s.stop());

const types = async (format: 'csv' | 'ndjson' | 'parquet', body: string | Uint8Array) =>
  Object.fromEntries(
    (await s.client.tables.infer('dev', 'shop', body, { format })).columns.map(({ name, type }) => [name, type]),
  );

test('the columns of a file are inferred from its start, or from the end of Parquet (TABLE-13)', async () => {
  const csv =
    'id,name,price,day,at,flag,none\n1,a,1.5,2026-01-02,2026-01-02 03:04:05,true,\n2,"b;c",2,2026-01-03,,false,\n';
  expect(await types('csv', csv)).toEqual({
    ...{ id: 'long', name: 'string', price: 'double', day: 'date', at: 'timestamp', flag: 'boolean', none: 'string' },
  });
  expect(await types('csv', '\ufeffid\n1\n')).toEqual({ id: 'long' });
  const ndjson = '{"id": 1, "tags": ["a"], "more": {"x": 1.5}}\n{"id": 2, "late": "2026-01-02"}\n';
  expect(await types('ndjson', ndjson)).toEqual({
    ...{ id: 'long', tags: 'list<string>', more: 'struct<x: double>', late: 'date' },
  });
  const { id } = (
    await s.client.queries.run('dev', 'SELECT i::INTEGER AS i, 1.5::DECIMAL(9,2) AS d FROM range(5000) t(i)')
  ).query;
  const pieces: Uint8Array[] = [];
  for await (const piece of await s.client.queries.download('dev', id, 'parquet')) pieces.push(piece);
  const parquet = Buffer.concat(pieces);
  expect(await types('parquet', parquet)).toEqual({ i: 'int', d: 'decimal(9,2)' });
  expect(await types('parquet', parquet.subarray(-1000))).toEqual({ i: 'int', d: 'decimal(9,2)' });
  expect(await s.stored('staged')).toEqual([]);
});

test.each([
  ['csv', ''],
  ['csv', 'a,b\n"1,2\n'],
  ['ndjson', '{"a": '],
  ['parquet', 'not a file'],
] as const)('a %s file that cannot be read is refused (TABLE-13): %j', async (format, body) => {
  await expect(types(format, body)).rejects.toMatchObject({ status: 422 });
  expect(await s.stored('staged')).toEqual([]);
});

test('inferring needs CREATE_TABLE in the namespace (TABLE-13)', async () => {
  await s.client.principals.create({ name: 'rita', type: 'service-account' });
  const rita = s.clientOf((await s.client.tokens.issue('rita', 'test')).token);
  await expect(rita.tables.infer('dev', 'shop', 'a\n1\n', { format: 'csv' })).rejects.toMatchObject({ status: 403 });
});
