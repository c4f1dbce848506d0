import type { Relation } from '../index.ts';
import { QueryFixture } from '../testing/query-fixture.ts';
import { explainQuery } from './explain-query.ts';
import { MAX_NODES, planNodes } from './plan-nodes.ts';

const COLUMNS = [
  { name: 'id', type: 'long' },
  { name: 'team', type: 'string' },
  { name: 'salary', type: 'string' },
];
let f: QueryFixture;
let people: Extract<Relation, { kind: 'managed' }>;

beforeAll(async () => {
  f = await QueryFixture.create();
  await f.addTable(
    'hr.people',
    COLUMNS,
    "SELECT i AS id, 'team' || i % 3 AS team, 'secret-' || i AS salary FROM range(1000) t(i)",
  );
  await f.addTable('hr.teams', COLUMNS.slice(0, 2), "SELECT i AS id, 'team' || i AS team FROM range(3) t(i)");
  people = f.relations.get('hr.people') as typeof people;
  f.relations.set('hr.few', {
    kind: 'view',
    sql: "SELECT id, salary AS paid FROM hr.people WHERE salary = 'secret-7'",
  });
});
afterAll(() => f.close());
afterEach(() => f.relations.set('hr.people', people));

const explain = async (sql: string, params: Record<string, string> | null = null) =>
  explainQuery(f.sandbox, { sql, params, resolve: f.resolve, owner: 'tester' });
const nodesOf = async (sql: string) => {
  const outcome = await explain(sql);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.nodes;
};
const JOIN = 'SELECT t.team, count(*) FROM hr.people p JOIN hr.teams t ON t.team = p.team WHERE p.id > 5 GROUP BY 1';

test('a plan has operators with what they do and estimates, and no files (QUERY-19)', async () => {
  const nodes = await nodesOf(JOIN);
  expect(nodes[0]).toMatchObject({ depth: 0, table: null });
  const join = nodes.find(({ operator }) => operator === 'HASH_JOIN')!;
  expect(join.details).toMatch(/Join Type: INNER\nConditions: .*team/);
  expect(join.estimatedRows).toBeGreaterThan(0);
  expect(nodes.some(({ details }) => details?.includes('id>5'))).toBe(true);
  const [scan] = (await nodesOf('SELECT id FROM hr.people')).filter(({ operator }) => /SCAN|PARQUET/.test(operator));
  expect(scan).toMatchObject({ table: 'hr.people', estimatedRows: 1000 });
  expect(JSON.stringify(nodes)).not.toMatch(/\.parquet|file:|\/data\//);
  // Parameters are values.
  expect(await explain('SELECT id FROM hr.people WHERE salary = $who', { who: "x' OR 1=1" })).toMatchObject({
    ok: true,
  });
});

test('nothing of a policy, its table or its hidden rows is in a plan (QUERY-19)', async () => {
  f.relations.set('hr.people', {
    ...people,
    rowFilters: [{ predicate: "team = 'team0' AND salary <> 'secret-hidden'" }],
    masks: [{ column: 'salary', expression: "'masked-' || left(salary, 1)" }],
  });
  const nodes = await nodesOf(`${JOIN} HAVING max(p.salary) <> 'x'`);
  const text = JSON.stringify(nodes);
  expect(text).not.toMatch(/team0|hidden|masked|secret|PARQUET.*PARQUET/);
  expect(nodes.filter(({ table }) => table === 'hr.people')).toHaveLength(1);
  expect(nodes.map(({ estimatedRows }) => estimatedRows)).toEqual(nodes.map(() => null));
  // The number of rows doesn't change the plan.
  f.relations.set('hr.people', { ...people, rowFilters: [{ predicate: 'false' }] });
  expect(await nodesOf(`${JOIN} HAVING max(p.salary) <> 'x'`)).toEqual(nodes);
  expect(
    (await nodesOf("SELECT * FROM hr.people WHERE salary = 'guess'")).map(({ operator }) => operator),
  ).not.toContain('EMPTY_RESULT');
});

test('a view is one table, whatever it reads (QUERY-19)', async () => {
  const nodes = await nodesOf('SELECT paid FROM hr.few WHERE id = 3');
  expect(JSON.stringify(nodes)).not.toMatch(/people|salary|secret-7/);
  expect(nodes.filter(({ table }) => table !== null).map(({ table }) => table)).toEqual(['hr.few']);
  expect(nodes.every(({ estimatedRows }) => estimatedRows === null)).toBe(true);
});

test.each([
  ['ANALYZE SELECT 1', 'syntax error'],
  ['SELECT * FROM hr.absent', "doesn't exist"],
  ["SELECT * FROM read_csv('/etc/passwd')", ''],
  ['EXPLAIN SELECT 1', ''],
  ['DROP TABLE hr.people', ''],
  ['SELECT 1; SELECT 2', ''],
  ['SELECT nope FROM hr.people', 'nope'],
])('%s is refused as a query is', async (sql, reason) => {
  expect(await explain(sql)).toMatchObject({ ok: false, error: { message: expect.stringContaining(reason) } });
});

test('only what is known to be harmless is shown, and not too much', () => {
  const node = (children: unknown[] = []) => ({
    name: 'SCAN ',
    children,
    extra_info: { Filename: '/secret/file', Filters: ['a', 'b'], 'Estimated Cardinality': '12', New: 'secret' },
  });
  const shown = { tableOf: () => null, withEstimates: true };
  expect(planNodes(JSON.stringify([node()]), shown)).toEqual([
    { depth: 0, operator: 'SCAN', table: null, details: 'Filters: a, b', estimatedRows: 12 },
  ]);
  expect(planNodes(JSON.stringify([node(Array(5000).fill(node()))]), shown)).toHaveLength(MAX_NODES);
});
