import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { makeOrders } from '../../testing/orders.ts';
import { SQL_ON } from '../../testing/postgres-client.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const isInstalled = spawnSync('psql', ['--version']).status === 0;
const withPsql = isInstalled ? test : test.skip;
if (!isInstalled) console.warn('The tests with psql are skipped, because psql is not installed.');

let s: TestService;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await makeOrders(s.client, 'dev');
  await s.client.queries.run(
    'dev',
    "INSERT INTO shop.orders (id, buyer, amount) VALUES (1, 'Ann', 1.5), (2, NULL, NULL)",
  );
});
afterAll(() => s.stop());

/** What psql prints for its input, and its errors. */
async function psql(input: string): Promise<string> {
  const env = { ...process.env, PGPASSWORD: TOKEN, PGOPTIONS: '-c search_path=shop', PSQLRC: '/dev/null' };
  const at = ['-h', '127.0.0.1', '-p', String(s.sqlPort), '-U', 'admin', '-d', 'dev'];
  const { stdin, stdout, stderr } = spawn('psql', ['-X', '-A', ...at], { env });
  stdin.end(input);
  return (await Promise.all([text(stdout), text(stderr)])).join('');
}

withPsql('psql shows rows and describes tables (POSTGRES-8)', async () => {
  expect(await psql('SELECT id, buyer FROM orders ORDER BY id;')).toBe('id|buyer\n1|Ann\n2|\n(2 rows)\n');
  expect(await psql('\\dt')).toContain('shop|orders|table|admin');
  expect(await psql('\\d shop.orders')).toBe(
    [
      'Table "shop.orders"',
      'Column|Type|Collation|Nullable|Default',
      'id|bigint||not null|',
      'buyer|text|||',
      'amount|numeric(10,2)|||',
      'day|date|||',
      '',
    ].join('\n'),
  );
  expect(await psql('\\d+ shop.orders')).toContain('Counted from 1');
  expect(await psql('SELECT id, amount FROM orders \\gdesc')).toBe(
    'Column|Type\nid|bigint\namount|numeric(10,2)\n(2 rows)\n',
  );
  for (const command of ['\\dn+', '\\l', '\\du', '\\df', '\\dv', '\\di', '\\dT', '\\dp']) {
    expect(await psql(command)).not.toContain('ERROR');
  }
});

withPsql('psql copies rows, and shows errors (POSTGRES-12)', async () => {
  expect(await psql('\\copy orders (id, buyer) from stdin csv\n7,"a,b"\n\\.\n')).toBe('COPY 1\n');
  expect(await psql('\\copy (select id, buyer from orders where id = 7) to stdout')).toBe('7\ta,b\n');
  expect(await psql('SELECT * FROM shop.nothing;')).toMatch(/^ERROR: {2}.*shop\.nothing/);
});

withPsql('psql shows plans (POSTGRES-18)', async () => {
  expect(await psql('EXPLAIN SELECT id FROM orders WHERE id > 1;')).toMatch(
    /^QUERY PLAN\n.* on orders.*\n.*\(\d+ rows\)\n$/s,
  );
  expect(await psql('EXPLAIN SELECT nothing FROM orders;')).toMatch(
    /^ERROR:.*LINE 1: EXPLAIN SELECT nothing FROM orders;\n {23}\^/s,
  );
  expect(await psql('EXPLAIN (ANALYZE) SELECT 1;')).toContain('HINT:  Leave out ANALYZE');
});
