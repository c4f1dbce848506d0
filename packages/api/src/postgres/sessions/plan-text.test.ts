import { planLines } from './plan-text.ts';

test('a plan is written as PostgreSQL writes one (POSTGRES-18)', () => {
  const lines = planLines([
    [0, 'PROJECTION', null, null, 10],
    [1, 'HASH_JOIN', null, 'Join Type: INNER\nConditions: id = id', '9007199254740993'],
    [2, 'SCAN', 'sales.orders', 'Filters: id > 5', 1],
    [2, 'SCAN', 'sales.eu.items', null, null],
  ]);
  expect(`${lines.join('\n')}\n`).toBe(`PROJECTION  (rows=10)
  ->  HASH_JOIN  (rows=9007199254740993)
        Join Type: INNER
        Conditions: id = id
        ->  SCAN on sales.orders  (rows=1)
              Filters: id > 5
        ->  SCAN on sales.eu.items
`);
});
