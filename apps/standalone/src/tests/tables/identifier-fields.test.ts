import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
let tables = 0;
beforeAll(async () => {
  s = await startTestService();
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
});
afterAll(() => s.stop());

const COLUMNS = [
  { name: 'id', type: 'int', nullable: false },
  { name: 'day', type: 'date', nullable: false },
  { name: 'price', type: 'double', nullable: false },
  { name: 'tags', type: 'list<string>', nullable: false },
  { name: 'note', type: 'string' },
];

async function newTable(identifier?: string[]): Promise<string> {
  const table = `shop.t${++tables}`;
  await s.client.tables.create('dev', table, { columns: COLUMNS, identifier_fields: identifier } as never);
  return table;
}

const alter = (table: string, changes: object) => s.client.tables.alter('dev', table, changes as never);
const identifiers = async (table: string) => (await s.client.tables.get('dev', table)).identifier_fields;

test('are set at creation, changed with the columns, and follow a rename (TABLE-20)', async () => {
  const t = await newTable(['ID', 'day']);
  expect(await identifiers(t)).toEqual(['id', 'day']);
  expect((await alter(t, { rename: { id: 'number' }, types: { number: 'long' } })).identifier_fields).toEqual([
    'number',
    'day',
  ]);
  expect((await alter(t, { identifier_fields: ['number'], optional: ['day'] })).identifier_fields).toEqual(['number']);
  await s.client.tables.update('dev', t, { column_descriptions: { number: 'Number' } });
  await s.client.queries.run('dev', `INSERT INTO ${t} (number, price, tags) VALUES (1, 1.0, [])`);
  expect(await identifiers(t)).toEqual(['number']);
  expect((await s.client.tables.list('dev', 'shop')).find(({ name }) => t.endsWith(name))?.identifier_fields).toEqual([
    'number',
  ]);
  expect((await alter(t, { identifier_fields: [], drop: ['number'] })).identifier_fields).toEqual([]);
});

test.each([
  [['nope'], 'the table has no column nope; its columns: id, day, price, tags, note'],
  [['note'], 'column note may be null; only required columns can identify a row'],
  [['price'], "column price can't identify a row: its type must be primitive, and neither float nor double"],
  [['tags'], "column tags can't identify a row: its type must be primitive, and neither float nor double"],
  [['id', 'ID'], 'names a column twice'],
])('%j are refused, at creation and later (TABLE-20)', async (fields, message) => {
  const refused = { status: 422, errors: [{ pointer: '/identifier_fields', message }] };
  await expect(newTable(fields)).rejects.toMatchObject(refused);
  const t = await newTable(['id']);
  await expect(alter(t, { identifier_fields: fields })).rejects.toMatchObject(refused);
  for (const change of ['optional', 'drop'])
    await expect(alter(t, { [change]: ['id'] })).rejects.toMatchObject({
      errors: [{ pointer: `/${change}`, message: 'id identifies the rows of the table' }],
    });
  expect(await identifiers(t)).toEqual(['id']);
});

test('are the default key of loads with mode merge (TABLE-12, TABLE-20)', async () => {
  const t = await newTable(['id', 'day']);
  const load = async (rows: object[], key?: string[]) => {
    const body = rows.map((row) => JSON.stringify(row)).join('\n');
    const { id } = await s.client.tables.load('dev', t, body, { format: 'ndjson', mode: 'merge', key });
    return s.client.writes.wait('dev', id);
  };
  const row = (id: number, day: string, price: number) => ({ id, day, price, tags: [] });
  await load([row(1, '2026-01-01', 1), row(1, '2026-01-02', 2)]);
  expect(await load([row(1, '2026-01-02', 20), row(2, '2026-01-02', 3)])).toMatchObject({
    status: 'succeeded',
    rows: 2,
  });
  expect(await rowsOf(s.client, 'dev', `SELECT id, day, price FROM ${t} ORDER BY ALL`)).toEqual([
    [1, '2026-01-01', 1],
    [1, '2026-01-02', 20],
    [2, '2026-01-02', 3],
  ]);
  // A key of the request comes first.
  expect(await load([row(2, '2026-05-05', 4)], ['id'])).toMatchObject({ status: 'succeeded' });
  expect(await rowsOf(s.client, 'dev', `SELECT count(*) FROM ${t} WHERE id = 2`)).toEqual([[1]]);
  expect(await load([{ id: 2, price: 5, tags: [] }])).toMatchObject({ error: { code: 'null-not-allowed' } });
});
