import type { Relation } from './index.ts';
import { type Execute, inSandbox, prepare } from './prepare-query.ts';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;

beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable('s.small', [{ name: 'n', type: 'int', nullable: false }], 'SELECT 1::INT AS n');
});
afterAll(() => f.close());

/** Threads of the engine that a statement is ready to run in. */
const threadsFor = (sql: string) =>
  inSandbox(f.sandbox, { owner: 'ann' }, async (lease) => {
    const execute: Execute<readonly (readonly (string | null)[])[]> = (_, { child }) =>
      child.send({ op: 'texts', sql: "SELECT current_setting('threads')" });
    const { result } = await prepare(f.sandbox, lease, { sql, resolve: f.resolve }, { stage: null, execute });
    return Number(result[0]![0]);
  });

test('an engine has the threads of its limits, and one where it reads little', async () => {
  const small = f.relations.get('s.small') as Extract<Relation, { kind: 'managed' }>;
  const having = (more: object): Relation => ({ ...small, files: small.files.map((file) => ({ ...file, ...more })) });
  f.relations.set('s.half', having({ rows: 70_000 }));
  f.relations.set('s.long', having({ rows: 122_881 }));
  f.relations.set('s.wide', having({ bytes: 17 * 2 ** 20 }));
  const columns = [{ name: 'n', type: 'int', nullable: false }];
  f.relations.set('s.external', { kind: 'external', format: 'parquet', locations: [], columns });
  f.relations.set('s.shown', { kind: 'view', sql: 'SELECT n FROM s.long' });
  const requests = [
    'SELECT n FROM s.small',
    'SELECT n FROM s.half',
    'SELECT a.n FROM s.half a, s.small b',
    'SELECT a.n FROM s.half a, s.half b',
    'SELECT a.n FROM s.half a, s.long b',
    'SELECT n FROM s.long',
    'SELECT n FROM s.wide',
    'SELECT n FROM s.shown',
    'SELECT n FROM s.external',
    'SELECT count(*) FROM range(10)',
  ];
  const threads: unknown[] = [];
  for (const sql of requests) threads.push(await threadsFor(sql));
  expect(threads).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
});
