import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { rowsOf } from '../../testing/orders.ts';
import { errorOf, SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await s.client.environments.create('dev');
  await s.client.namespaces.create('dev', 'shop');
  await s.client.queries.run(
    'dev',
    "SELECT i::INT AS id, CASE WHEN i % 2 = 0 THEN 'it''s; ' || i END AS note FROM range(3000) t(i)",
    {
      into: 'shop.notes',
    },
  );
  await s.client.tables.create('dev', 'shop.loaded', {
    kind: 'managed',
    columns: [
      { name: 'id', type: 'int' },
      { name: 'note', type: 'string' },
      { name: 'day', type: 'date' },
    ],
  });
});
afterAll(() => s.stop());

async function copied(client: pg.Client, sql: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of client.query(copyTo(sql))) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

const load = (client: pg.Client, sql: string, data: string | Iterable<string>) =>
  pipeline(Readable.from(typeof data === 'string' ? [data] : data), client.query(copyFrom(sql)));

test('COPY TO returns a table or a query as text and CSV (POSTGRES-12)', async () => {
  await withPostgres(s, async (client) => {
    const text = await copied(client, 'COPY (SELECT * FROM shop.notes ORDER BY id LIMIT 2) TO STDOUT');
    expect(text).toBe("0\tit's; 0\n1\t\\N\n");
    const csv = await copied(
      client,
      'COPY (SELECT * FROM shop.notes ORDER BY id LIMIT 2) TO STDOUT WITH (FORMAT csv, HEADER)',
    );
    expect(csv).toBe("id,note\n0,it's; 0\n1,\n");
    expect((await copied(client, 'COPY shop.notes (id) TO STDOUT')).split('\n')).toHaveLength(3001);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await errorOf(copied(client, 'COPY shop.nothing TO STDOUT'))).toMatchObject({ code: '42P01' });
    expect(await errorOf(copied(client, "COPY shop.notes TO '/tmp/x'"))).toMatchObject({ code: '42501' });
  });
});

test('COPY FROM is a load of all rows, or of none (POSTGRES-12)', async () => {
  await withPostgres(s, async (client) => {
    await load(client, 'COPY shop.loaded FROM STDIN', '1\tone\\ttab\t2026-03-01\n2\t\\N\t\\N\n');
    await load(client, 'COPY shop.loaded (note, id) FROM STDIN WITH (FORMAT csv)', ['"a,b', '",3\n"",', '4\n']);
    const rows = () => rowsOf(s.client, 'dev', 'SELECT id, note, day::VARCHAR FROM shop.loaded ORDER BY id');
    const loaded = [
      [1, 'one\ttab', '2026-03-01'],
      [2, null, null],
      [3, 'a,b', null],
      [4, '', null],
    ];
    expect(await rows()).toEqual(loaded);
    expect(
      await errorOf(load(client, 'COPY shop.loaded FROM STDIN', '5\tx\t2026-03-01\nfive\tx\t\\N\n')),
    ).toMatchObject({
      code: /^22/,
    });
    expect(await errorOf(load(client, 'COPY shop.loaded FROM STDIN', '5\n'))).toMatchObject({ code: '22P04' });
    expect(await rows()).toEqual(loaded);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.query('BEGIN');
    expect(await errorOf(load(client, 'COPY shop.loaded FROM STDIN', '6\tx\t\\N\n'))).toMatchObject({ code: '25006' });
    await client.query('ROLLBACK');
  });
  expect((await s.events('TABLE_WRITE')).at(-1)).toBeDefined();
});

test('COPY FROM needs WRITE_TABLE, and the denial is recorded (POSTGRES-12)', async () => {
  await s.client.principals.create({ name: 'reader', type: 'person' });
  for (const action of ['SUBMIT_QUERY', 'READ_TABLE'] as const)
    await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'reader', action, environment: 'dev' });
  const { token: password } = await s.client.tokens.issue('reader', 'tool');
  await withPostgres(
    s,
    async (client) => {
      const before = (await s.events('AUTHORIZATION_DENIED')).length;
      expect(await errorOf(load(client, 'COPY shop.loaded FROM STDIN', '7\tx\t\\N\n'))).toMatchObject({
        code: '42501',
      });
      expect((await s.events('AUTHORIZATION_DENIED')).length).toBe(before + 1);
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    },
    { user: 'reader', password },
  );
});
