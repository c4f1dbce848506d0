import { randomUUID } from 'node:crypto';
import { SEARCH_KINDS } from '@svc/core/search';
import { jsonText } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { findObjects, type Search } from './index.ts';

let test_: TestDatabase;
let env: string;
let namespace: string;
const now = new Date(Date.UTC(2026, 0, 1));
const EVERYTHING: Search['scope'] = { namespaces: 'all', tables: 'all', projects: true };

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());
beforeEach(async () => {
  [env, namespace] = [randomUUID(), randomUUID()];
  const { prisma } = test_.db;
  await prisma.environment.create({ data: { id: env, name: `e-${env}`, created_at: now } });
  await prisma.namespace.create({
    data: { id: namespace, environment_id: env, path: 'Shop', path_key: 'shop', created_at: now },
  });
});

const COLUMNS = [
  { name: 'Amount', type: 'int', nullable: true, description: 'In Euro' },
  { name: 'day', type: 'date', nullable: true, description: null },
];

/** Creates tables with the names `t1`, `t2` and so on; returns their ids. */
async function createTables(count: number): Promise<string[]> {
  const rows = await test_.db.prisma.$queryRaw<{ id: string }[]>`
    INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, description, columns, created_at, updated_at)
    SELECT gen_random_uuid(), ${env}::uuid, ${namespace}::uuid, 'T' || i, 't' || i, 'view', 'Number ' || i,
      ${jsonText(COLUMNS)}::jsonb, ${now}, ${now}
    FROM generate_series(1, ${count}::int) i RETURNING id`;
  return rows.map(({ id }) => id);
}

const search = (text: string, limit = 10): Search => {
  return { environmentId: env, text, kinds: SEARCH_KINDS, scope: EVERYTHING, after: null, limit };
};

/** The stored text of a table and the version of its row. */
async function storedText(id: string) {
  const rows = await test_.db.prisma.$queryRaw<{ text: string; version: string }[]>`
    SELECT text, xmin::text AS version FROM table_search_texts WHERE table_id = ${id}::uuid`;
  return rows[0];
}

test('the search text follows the table, and commits that change no name or description leave it alone (SEARCH-1)', async () => {
  const { prisma } = test_.db;
  const [id] = (await createTables(1)) as [string];
  const first = (await storedText(id))!;
  expect(first.text).toBe('shop.t1\nnumber 1\namount\nin euro\nday');
  await prisma.table.update({
    where: { id },
    data: { columns: COLUMNS, metadata_location: 'x', updated_at: new Date() },
  });
  expect(await storedText(id)).toEqual(first);
  await prisma.table.update({ where: { id }, data: { name: 'u', description: null, columns: COLUMNS.slice(1) } });
  expect((await storedText(id))!.text).toBe('shop.u\nday');
  const drop = { dropped_at: now, drop_id: randomUUID(), drop_reason: 'user' };
  await prisma.table.update({ where: { id }, data: drop });
  expect(await storedText(id)).toBeUndefined();
  await prisma.table.update({ where: { id }, data: { dropped_at: null, drop_id: null, drop_reason: null } });
  expect((await storedText(id))!.text).toBe('shop.u\nday');
});

test('a search that matches few tables reads the others only as search texts', async () => {
  await createTables(5_000);
  await test_.db.prisma.$executeRaw`ANALYZE tables, table_search_texts`;
  const { items } = await findObjects(test_.db.prisma, search('number 4321'));
  expect(items.map(({ name }) => name)).toEqual(['Shop.T4321']);
  const plans: string[] = [];
  const explaining = {
    async $queryRaw(parts: TemplateStringsArray, ...values: unknown[]) {
      const statement = Prisma.sql`EXPLAIN ${Prisma.sql(parts, ...values)}`;
      const lines = await test_.db.prisma.$queryRaw<Record<string, string>[]>(statement);
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      return [];
    },
  };
  await findObjects(explaining as never, search('number 4321'));
  expect(plans[0]).toContain('Index Scan using tables_pkey on tables');
  expect(plans[0]).not.toMatch(/Seq Scan on tables\b/);
});

test('objects whose names differ only in letter case have one order, and pages neither skip nor repeat any (HTTP-8)', async () => {
  const { prisma } = test_.db;
  const names = ['a', 'A', 'b', 'B'].flatMap((repository) =>
    ['Job', 'JOB', 'job', 'a job'].map((job) => [repository, job]),
  );
  for (const repository of new Set(names.map(([name]) => name!))) {
    const id = randomUUID();
    await prisma.repository.create({ data: { id, name: `${repository}-${env}`, created_at: now, updated_at: now } });
    const owner = { environment_id: env, repository_id: id };
    await prisma.deployment.create({
      data: { id: randomUUID(), ...owner, project_version_id: id, created_at: now, updated_at: now, created_by: id },
    });
    for (const [of, name] of names)
      if (of === repository)
        await prisma.job.create({
          data: { id: randomUUID(), ...owner, name: name!, definition: {}, created_at: now, updated_at: now },
        });
  }
  const whole = (await findObjects(prisma, search('job', 100))).items;
  expect(whole.map(({ name, repository }) => `${name} ${repository![0]}`)).toEqual([
    ...['JOB A', 'JOB B', 'JOB a', 'JOB b', 'Job A', 'Job B', 'Job a', 'Job b', 'job A', 'job B', 'job a', 'job b'],
    ...['a job A', 'a job B', 'a job a', 'a job b'],
  ]);
  const walked: typeof whole = [];
  let after: Search['after'] = null;
  do {
    const page: Awaited<ReturnType<typeof findObjects>> = await findObjects(prisma, { ...search('job', 3), after });
    walked.push(...page.items);
    after = page.next;
  } while (after !== null);
  expect(walked).toEqual(whole);
});
