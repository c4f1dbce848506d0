import { tablesOf } from './statement-tables.ts';

test.each([
  ['select * from sales.orders', [{ table: 'sales.orders', alias: 'orders' }]],
  ['select o. from sales.eu.orders as o where', [{ table: 'sales.eu.orders', alias: 'o' }]],
  [
    'SELECT * FROM a.b x JOIN c.d ON true',
    [
      { table: 'a.b', alias: 'x' },
      { table: 'c.d', alias: 'd' },
    ],
  ],
  ['insert into "Sales"."or""ders" select', [{ table: 'Sales.or"ders', alias: 'or"ders' }]],
  ['select 1 from t', []],
  ['', []],
])('%s', (sql, tables) => expect(tablesOf(sql)).toEqual(tables));
