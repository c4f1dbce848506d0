import fs from 'node:fs/promises';
import path from 'node:path';
import { planQuery } from './plan-query.ts';
import { describe as describeStatement, inSandbox } from './prepare-query.ts';
import { QueryRejectedError } from './query-errors.ts';
import { castQuery } from './results/result-columns.ts';
import { REFUSED, RUNAWAY } from './testing/attacks.ts';
import { ORDINARY } from './testing/ordinary-queries.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
beforeAll(async () => {
  f = await QueryFixture.create();
  const orders = [
    { name: 'id', type: 'long' },
    { name: 'customer', type: 'string' },
    { name: 'amount', type: 'decimal(10,2)' },
    { name: 'placed', type: 'timestamp' },
    { name: 'tags', type: 'list<string>' },
  ];
  await f.addTable(
    'sales.orders',
    orders,
    `SELECT i::BIGINT AS id, 'c' || (i % 3) AS customer, (i * 1.5)::DECIMAL(10,2) AS amount,
      TIMESTAMP '2020-01-01' + i * INTERVAL 1 HOUR AS placed, ['a', 'b'] AS tags FROM range(10) t(i)`,
  );
  await f.addTable('a.b.t', [{ name: 'x', type: 'int' }], 'SELECT 1 AS x');
  await f.addTable('plain', [{ name: 'n', type: 'int' }], 'SELECT 2 AS n');
});
afterAll(() => f.close());

test('the corpus is large', () => {
  expect(new Set([...REFUSED, ...RUNAWAY]).size).toBeGreaterThanOrEqual(200);
});

const CODES = ['parse-error', 'not-a-select', 'function-not-allowed', 'not-supported', 'table-not-found'];

test('every attack is rejected before it runs, with an error that reveals nothing', async () => {
  const results: string[] = [];
  const access = {
    localPath: (l: string) => f.store.localPath(l),
    layouts: f.sandbox.layouts,
    syntax: f.sandbox.syntax,
  };
  await f.sandbox.withChild(async (child) => {
    for (const sql of REFUSED) {
      const outcome = await planQuery(child, sql, f.resolve, access)
        .then((plan) => plan.sql)
        .catch((e: unknown) => e);
      const error = outcome instanceof QueryRejectedError ? outcome.error : null;
      if (!error || !CODES.includes(error.code)) results.push(`${error?.code ?? 'would run'}: ${sql}`);
      if (error?.message.includes(f.dir)) results.push(`path shown: ${sql}`);
    }
  });
  expect(results).toEqual([]);
}, 300_000);

test('every ordinary query runs', async () => {
  const results: string[] = [];
  for (const sql of ORDINARY) {
    const outcome = await inSandbox(f.sandbox, { owner: 'ann' }, async (lease) => {
      const plan = await describeStatement(f.sandbox, lease, { sql, resolve: f.resolve }, { stage: null });
      const child = await lease.child();
      await child.send({ op: 'texts', sql: castQuery(plan.sql, plan.columns).text });
      return { ok: true } as const;
    });
    if (!outcome.ok) results.push(`${outcome.error.message}: ${sql}`);
  }
  expect(results).toEqual([]);
  for (const sql of ORDINARY.slice(0, 15)) await f.rows(sql);
}, 300_000);

test.each(RUNAWAY)('%s is stopped by a limit', async (sql) => {
  const limits = { timeoutMs: 2000, memoryLimit: 400 * 1024 * 1024, tempLimit: 50 * 1024 * 1024 };
  const outcome = await f.query(sql, { limits });
  expect(outcome).toMatchObject({ ok: false });
  expect(['timeout', 'out-of-memory', 'disk-full', 'execution-error', 'binder-error']).toContain(
    !outcome.ok && outcome.error.code,
  );
  expect(await f.rows('select 1')).toEqual([[1]]);
});

test('nothing is left behind', async () => {
  await f.sandbox.close();
  expect(await fs.readdir(path.join(f.dir, 'tmp'))).toEqual([]);
  expect(await fs.readdir(path.join(f.warehouse, '.stages'))).toEqual([]);
});
