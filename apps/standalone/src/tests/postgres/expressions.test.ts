import { readFileSync } from 'node:fs';
import pg from 'pg';
import { connectPostgres, SQL_ON } from '../../testing/postgres-client.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

// PostgreSQL itself says what the values are.
const { expressions, queries } = JSON.parse(
  readFileSync(new URL('../../testing/postgres-expressions.json', import.meta.url), 'utf8'),
) as { expressions: string[]; queries: string[] };

let s: TestService;
let clients: [expected: pg.Client, actual: pg.Client];
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await s.client.environments.create('dev');
  const expected = new pg.Client({ connectionString: s.database.url });
  await expected.connect();
  await expected.query("SET TimeZone = 'UTC'");
  clients = [expected, await connectPostgres(s)];
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await s.stop();
});

/** The rows as the texts that the protocol has. */
const rowsOf = async (client: pg.Client, text: string): Promise<unknown[][]> =>
  (await client.query({ text, rowMode: 'array', types: { getTypeParser: () => String } })).rows;

const AT_ONCE = 25;
const batches = Array.from({ length: Math.ceil(expressions.length / AT_ONCE) }, (_, i) =>
  expressions.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
);

test.each(batches.map((batch) => [batch[0]!, batch]))(
  '%s and the following expressions have the values of PostgreSQL (POSTGRES-17)',
  async (_, batch) => {
    const select = `SELECT ${batch.map((expression, i) => `${expression} AS c${i}`).join(', ')}`;
    const [expected, actual] = await Promise.all(
      clients.map(async (client) => {
        const [values] = await rowsOf(client, select);
        return batch.map((expression, i) => [expression, values![i]]);
      }),
    );
    expect(actual).toEqual(expected);
  },
);

test('queries have the rows of PostgreSQL (POSTGRES-17)', async () => {
  const [expected, actual] = await Promise.all(
    clients.map(async (client) => {
      const found: [string, unknown[][]][] = [];
      for (const query of queries) found.push([query, await rowsOf(client, query)]);
      return found;
    }),
  );
  expect(actual).toEqual(expected);
});
