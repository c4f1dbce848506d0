import { makeOrders } from './testing/orders.ts';
import { SQL_ON } from './testing/postgres-client.ts';
import { codeOf, int, message, text, WireClient } from './testing/postgres-wire.ts';
import { startTestService, type TestService } from './testing/test-service.ts';

let s: TestService;
let client: WireClient;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await makeOrders(s.client, 'dev');
  client = await WireClient.signedIn(s.sqlPort!);
});
afterAll(async () => {
  client.close();
  await s.stop();
});

/** The OIDs of a statement's parameters, or the code of its error. */
async function typesOf(sql: string): Promise<number[] | string | undefined> {
  client.send(message('P', text(''), text(sql), int(0, 2)), message('D', Buffer.from('S'), text('')), message('S'));
  const answers = await client.until('Z');
  const error = answers.find(({ type }) => type === 'E');
  if (error !== undefined) return codeOf(error);
  const { body } = answers.find(({ type }) => type === 't')!;
  return Array.from({ length: body.readInt16BE() }, (_, i) => body.readInt32BE(2 + 4 * i));
}

const [INT8, TEXT, NUMERIC, DATE, BOOL, INT4, INT8S, OIDS, INTERVAL] = [20, 25, 1700, 1082, 16, 23, 1016, 1028, 1186];

test.each<[string, number[] | string]>([
  [
    'INSERT INTO shop.orders VALUES ($1, $2, $3, $4), ($5, upper($6), NULL, NULL)',
    [INT8, TEXT, NUMERIC, DATE, INT8, TEXT],
  ],
  ['INSERT INTO shop.orders (day, "ID") VALUES ($2, $1::BIGINT + 1)', [INT8, DATE]],
  ['INSERT INTO shop.orders (id) SELECT id FROM shop.orders WHERE day > $1', [DATE]],
  ['UPDATE shop.orders SET amount = $1, buyer = buyer || $2 WHERE shop.orders.id = $3', [NUMERIC, TEXT, INT8]],
  [
    'UPDATE shop.orders o SET amount = $4 FROM shop.orders p WHERE p.id = o.id AND p.day = $1',
    [DATE, TEXT, TEXT, NUMERIC],
  ],
  ['DELETE FROM shop.orders WHERE id = ANY($1)', [INT8S]],
  ['DELETE FROM shop.orders WHERE nothing = $1', '42703'],
  ['INSERT INTO shop.nothing VALUES ($1)', '42P01'],
  ['SELECT now() + $1::INTERVAL', [INTERVAL]],
  ['SELECT id FROM shop.orders WHERE day > $1 LIMIT $2::INTEGER', [DATE, INT4]],
  ['SELECT quote_literal($1::"pg_catalog"."int4"::text)', [INT4]],
  ['SELECT pg_get_indexdef(1, 0, $1::BOOLEAN), $2::INTEGER FROM pg_class WHERE oid = ANY($3)', [BOOL, INT4, OIDS]],
])('%s has parameters of the types that it needs (POSTGRES-5)', async (sql, expected) => {
  expect(await typesOf(sql)).toEqual(expected);
});
