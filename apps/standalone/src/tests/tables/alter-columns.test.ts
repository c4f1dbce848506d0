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

async function newTable(): Promise<string> {
  const table = `shop.t${++tables}`;
  const columns = [
    { name: 'id', type: 'int', nullable: false },
    { name: 'name', type: 'string' },
    { name: 'price', type: 'decimal(9,2)' },
  ];
  await s.client.tables.create('dev', table, { columns } as never);
  await s.client.queries.run('dev', `INSERT INTO ${table} VALUES (1, 'a', 1.50), (2, NULL, 2.00)`);
  return table;
}

const alter = (table: string, changes: object) => s.client.tables.alter('dev', table, changes as never);
const rows = (table: string) => rowsOf(s.client, 'dev', `SELECT * FROM ${table} ORDER BY ALL`);

test('columns are added, renamed, widened, reordered and dropped without rewriting files (TABLE-14)', async () => {
  const t = await newTable();
  const before = await s.client.tables.get('dev', t);
  await s.client.tables.update('dev', t, { column_descriptions: { name: 'what it is' } });
  const after = await alter(t, {
    rename: { NAME: 'title' },
    types: { id: 'long', price: 'decimal(12,2)' },
    optional: ['id'],
    add: [{ name: 'note', type: 'list<string>', description: 'remarks' }],
    order: ['note', 'id'],
  });
  expect(after.columns.map(({ name, type, nullable, description }) => [name, type, nullable, description])).toEqual([
    ['note', 'list<string>', true, 'remarks'],
    ['id', 'long', true, null],
    ['title', 'string', true, 'what it is'],
    ['price', 'decimal(12,2)', true, null],
  ]);
  expect(await rows(t)).toEqual([
    [null, 1, 'a', '1.50'],
    [null, 2, null, '2.00'],
  ]);
  expect(after.size_bytes).toBe(before.size_bytes);
  await s.client.queries.run('dev', `INSERT INTO ${t} VALUES (['x'], 9000000000, 'b', 1234567890.25)`);
  await s.client.queries.run('dev', `UPDATE ${t} SET note = ['y'] WHERE id = 1`);
  await alter(t, { drop: ['title'], rename: { price: 'name' } });
  expect(await rowsOf(s.client, 'dev', `SELECT * FROM ${t} ORDER BY id`)).toEqual([
    [['y'], 1, '1.50'],
    [null, 2, '2.00'],
    [['x'], 9000000000, '1234567890.25'],
  ]);
  // A new column of an old name has none of its values.
  await alter(t, { add: [{ name: 'title', type: 'string' }] });
  expect((await rowsOf(s.client, 'dev', `SELECT count(title) FROM ${t}`))[0]).toEqual([0]);
  expect((await s.events('TABLE_UPDATED')).at(-1)?.detail).toMatchObject({ changed: ['columns'] });
});

test.each([
  [{ drop: ['nope'] }, '/drop', 'the table has no column nope; its columns: id, name, price'],
  [{ drop: ['id', 'name', 'price'] }, '/drop', 'a table needs at least one column'],
  [{ rename: { id: 'Name' } }, '/rename', 'the table already has a column name'],
  [{ types: { id: 'string' } }, '/types', "column id: int can't become string"],
  [{ types: { price: 'decimal(12,3)' } }, '/types', "can't become decimal(12,3)"],
  [{ add: [{ name: 'ID', type: 'int' }] }, '/add', 'the table already has a column ID'],
  [{ add: [{ name: 'x', type: 'int', nullable: false }] }, '/add', "column x can't be required"],
  [{ add: [{ name: 'x', type: 'integer number' }] }, '/add/0/type', ''],
  [{ order: ['id', 'ID'] }, '/order', 'names a column twice'],
  [{}, '', 'name at least one of rename, types, identifier_fields, optional, drop, add, order'],
])('%j is refused (TABLE-14)', async (changes, pointer, message) => {
  const t = await newTable();
  const { columns } = await s.client.tables.get('dev', t);
  await expect(alter(t, changes)).rejects.toMatchObject({
    status: 422,
    errors: [{ pointer, message: expect.stringContaining(message) }],
  });
  expect((await s.client.tables.get('dev', t)).columns).toEqual(columns);
});

test('a column that a policy names is neither renamed nor dropped (TABLE-14)', async () => {
  const t = await newTable();
  await s.client.rowFilters.create('dev', t, { principal: 'admin', predicate: 'id < 5' });
  await s.client.columnMasks.create('dev', t, { principal: 'admin', column: 'name', expression: "'hidden'" });
  for (const changes of [{ drop: ['id'] }, { rename: { NAME: 'title' } }])
    await expect(alter(t, changes)).rejects.toMatchObject({ status: 409, code: 'in-use' });
  expect((await alter(t, { drop: ['price'] })).columns.length).toBe(2);
});

test('altering needs WRITE_TABLE, and writers that read the old columns notice (TABLE-14)', async () => {
  const t = await newTable();
  await s.client.principals.create({ name: 'rita', type: 'service-account' });
  const rita = s.clientOf((await s.client.tokens.issue('rita', 'test')).token);
  await expect(rita.tables.alter('dev', t, { drop: ['name'] })).rejects.toMatchObject({ status: 403 });
  const changes = Array.from({ length: 8 }, (_, i) => alter(t, { add: [{ name: `c${i}`, type: 'int' }] }));
  const inserts = Array.from({ length: 8 }, (_, i) =>
    s.client.queries.run('dev', `INSERT INTO ${t} (id) VALUES (${i + 10})`),
  );
  await Promise.all(changes);
  const done = await Promise.allSettled(inserts);
  const inserted = done.filter(({ status }) => status === 'fulfilled').length;
  expect((await s.client.tables.get('dev', t)).columns.length).toBe(11);
  expect((await rows(t)).length).toBe(2 + inserted);
});
