import fs from 'node:fs/promises';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable(
    'sales.orders',
    [
      { name: 'id', type: 'long' },
      { name: 'customer', type: 'string' },
      { name: 'amount', type: 'decimal(10,2)' },
    ],
    `SELECT i::BIGINT AS id, 'c' || (i % 3) AS customer, (i * 1.5)::DECIMAL(10,2) AS amount FROM range(10) t(i)`,
  );
});
afterAll(() => f.close());

test('a small query', async () => {
  const outcome = await f.query('select id, amount from sales.orders where id < 2 order by id desc');
  expect(outcome).toMatchObject({
    ok: true,
    columns: [
      { name: 'id', type: 'long' },
      { name: 'amount', type: 'decimal(10,2)' },
    ],
    rowCount: 2,
    rows: [
      [1, '1.50'],
      [0, '0.00'],
    ],
    tables: [['sales', 'orders']],
  });
  expect(await fs.readdir(`${f.dir}/tmp`)).not.toContain('missing');
});
