import { spawnSync } from 'node:child_process';
import { makeOrders } from './testing/orders.ts';
import { SQL_ON } from './testing/postgres-client.ts';
import { startTestService, type TestService, TOKEN } from './testing/test-service.ts';

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
function psql(input: string): string {
  const env = { ...process.env, PGPASSWORD: TOKEN, PGOPTIONS: '-c search_path=shop', PSQLRC: '/dev/null' };
  const at = ['-h', '127.0.0.1', '-p', String(s.sqlPort), '-U', 'admin', '-d', 'dev'];
  const { stdout, stderr } = spawnSync('psql', ['-X', '-A', ...at], { env, input, encoding: 'utf8' });
  return stdout + stderr;
}

withPsql('psql shows rows and describes tables (POSTGRES-8)', () => {
  expect(psql('SELECT id, buyer FROM orders ORDER BY id;')).toBe('id|buyer\n1|Ann\n2|\n(2 rows)\n');
  expect(psql('\\dt')).toContain('shop|orders|table|admin');
  expect(psql('\\d shop.orders')).toBe(
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
  expect(psql('\\d+ shop.orders')).toContain('Counted from 1');
  expect(psql('SELECT id, amount FROM orders \\gdesc')).toBe(
    'Column|Type\nid|bigint\namount|numeric(10,2)\n(2 rows)\n',
  );
  for (const command of ['\\dn+', '\\l', '\\du', '\\df', '\\dv', '\\di', '\\dT', '\\dp']) {
    expect(psql(command)).not.toContain('ERROR');
  }
});

withPsql('psql copies rows, and shows errors (POSTGRES-12)', () => {
  expect(psql('\\copy orders (id, buyer) from stdin csv\n7,"a,b"\n\\.\n')).toBe('COPY 1\n');
  expect(psql('\\copy (select id, buyer from orders where id = 7) to stdout')).toBe('7\ta,b\n');
  expect(psql('SELECT * FROM shop.nothing;')).toMatch(/^ERROR: {2}There is no table shop\.nothing/);
});
