import type { CatalogSession } from './index.ts';
import { INFORMATION_VIEWS } from './information-schema/index.ts';
import { PG_RELATIONS } from './relations/index.ts';
import { CatalogFixture } from './testing/catalog-fixture.ts';

const LONG = 'x'.repeat(100);
const HOSTILE = [String.raw`\u0000", "`, `a'b`, `a"b`, 'größe 表', '); DROP TABLE x --', LONG, '$1', '\\'];

let f: CatalogFixture;
let admin: CatalogSession;
let reader: CatalogSession;
let stranger: CatalogSession;
beforeAll(async () => {
  f = await CatalogFixture.start();
  for (const path of ['shop', 'hidden', 'Mixed', 'shop.eu'])
    await f.create('/api/v1/environments/prod/namespaces', { path, description: path === 'shop' ? 'The shop' : null });
  const tables = '/api/v1/environments/prod/namespaces/shop/tables';
  await f.create(tables, {
    ...{ name: 'orders', kind: 'managed', description: `It's "orders"`, identifier_fields: ['id'] },
    columns: [
      { name: 'id', type: 'long', nullable: false },
      { name: 'amount', type: 'decimal(10,2)', description: 'In euros' },
      { name: 'tags', type: 'list<string>' },
      { name: 'details', type: 'struct<a: int>' },
      ...HOSTILE.map((name) => ({ name, type: 'string' })),
    ],
  });
  const column = { name: 'x', type: 'int' };
  await f.create('/api/v1/environments/prod/namespaces/shop.eu/tables', {
    name: 'Items',
    kind: 'managed',
    columns: [column],
  });
  await f.create('/api/v1/environments/prod/namespaces/hidden/tables', {
    name: 'secret',
    kind: 'managed',
    columns: [column],
  });
  admin = await f.administrator({ searchPath: ['shop'] });
  const ann = await f.create('/api/v1/principals', { name: 'ann@example.com', type: 'person' });
  const bob = await f.create('/api/v1/principals', { name: 'bob', type: 'person' });
  const namespace = { kind: 'NAMESPACE', environment: 'prod', namespace: 'shop' };
  await f.create('/api/v1/grants', { principal: 'ann@example.com', action: 'READ_TABLE', ...namespace });
  reader = await f.session({ id: ann.id, name: 'ann@example.com' }, { searchPath: ['shop'] });
  stranger = await f.session({ id: bob.id, name: 'bob' }, { searchPath: ['shop'] });
});
afterAll(() => f.server.stop());

const SESSION_FUNCTIONS: readonly (readonly [string, unknown])[] = [
  ['version()', 'PostgreSQL 16.4 (svc 1.2.3)'],
  ['current_schema()', 'shop'],
  ['current_schema', 'shop'],
  ['current_schemas(false)', ['shop']],
  ['current_schemas(true)', ['pg_catalog', 'shop']],
  ['current_database()', 'prod'],
  ['pg_catalog.current_database()', 'prod'],
  ['current_catalog', 'prod'],
  ['current_user', 'ann@example.com'],
  ['session_user', 'ann@example.com'],
  ['user', 'ann@example.com'],
  [`current_setting('server_version')`, '16.4 (svc 1.2.3)'],
  [`current_setting('TIMEZONE')`, 'UTC'],
  [`current_setting('no.such', true)`, null],
  [`current_setting('search_path')`, 'shop'],
  [`set_config('application_name', 'x', false)`, 'x'],
  ['pg_backend_pid()', 4711],
  ['inet_client_addr()', '192.0.2.7'],
  ['pg_is_in_recovery()', false],
  ['pg_postmaster_start_time() <= now()', true],
  ['txid_current() > 0', true],
  ['format_type(1700, 655366)', 'numeric(10,2)'],
  ['format_type(25, NULL)', 'text'],
  ['pg_catalog.format_type(1009, -1)', 'text[]'],
  ['pg_encoding_to_char(6)', 'UTF8'],
  [`pg_char_to_encoding('UTF8')`, 6],
  [`pg_get_userbyid('ann@example.com'::regrole)`, 'ann@example.com'],
  [`'int4'::regtype::oid`, 23],
  [`23::regtype`, 'integer'],
  [`23::regtype::text`, 'integer'],
  [`'pg_class'::regclass::oid`, 1259],
  [`to_regclass('shop.nothing')`, null],
  [`'orders'::regclass = 'shop.orders'::regclass`, true],
  [`'ORDERS'::regclass = '"shop"."orders"'::regclass`, true],
  [`'"shop" . "orders" '::regclass = 'orders'::regclass`, true],
  [`'prod.shop.orders'::regclass = 'orders'::regclass`, true],
  [`'orders'::regclass::text`, 'orders'],
  [`(SELECT oid::text = 'orders'::regclass::oid::text FROM pg_class WHERE relname = 'orders')`, true],
  [`(SELECT quote_ident('order') || quote_ident(relname) FROM pg_class WHERE relname = 'orders')`, '"order"orders'],
  [`(SELECT oid::regclass FROM pg_class WHERE relname = 'Items')`, '"shop.eu"."Items"'],
  [`(SELECT 'shop.eu.items'::regclass = oid FROM pg_class WHERE relname = 'Items')`, true],
  [`pg_table_is_visible('orders'::regclass)`, true],
  [`pg_table_is_visible('shop.eu.items'::regclass)`, false],
  [`obj_description('orders'::regclass, 'pg_class')`, `It's "orders"`],
  [`col_description('orders'::regclass, 2)`, 'In euros'],
  [`has_table_privilege('orders', 'SELECT')`, true],
  [`has_table_privilege('shop.orders', 'INSERT')`, false],
  [`has_table_privilege('ann@example.com', 'shop.orders', 'insert, select')`, true],
  [`has_table_privilege('hidden.secret', 'SELECT')`, false],
  [`has_schema_privilege('shop', 'USAGE')`, true],
  [`has_schema_privilege('hidden', 'USAGE')`, false],
  [`has_database_privilege('prod', 'CONNECT')`, true],
  [`has_column_privilege('orders', 'id', 'SELECT')`, true],
  [`pg_get_constraintdef((SELECT oid FROM pg_constraint))`, 'PRIMARY KEY (id)'],
  [
    `pg_get_indexdef((SELECT indexrelid FROM pg_index))`,
    'CREATE UNIQUE INDEX orders_pkey ON shop.orders USING btree (id)',
  ],
  [`pg_relation_size('orders'::regclass) >= 0`, true],
  [`(SELECT max(relpages) FROM pg_class WHERE relkind = 'r')`, 0],
  // Clients recognize relations that have columns by it.
  [`(SELECT bool_and(reltype > 0 AND reltype <> oid) FROM pg_class WHERE relkind IN ('r', 'v'))`, true],
  [`(SELECT count(*) > 50 FROM pg_get_keywords())`, true],
  [`(SELECT (information_schema._pg_expandarray(indkey)).n FROM pg_index)`, 1],
  [`(SELECT indkey[0] FROM pg_index)`, 1],
  [`(SELECT list(s) FROM (SELECT generate_subscripts(indkey, 1) AS s FROM pg_index))`, [0]],
  [`(SELECT list(s) FROM pg_index i, generate_subscripts(i.indkey, 1) AS s)`, [0]],
  [`(SELECT list(s) FROM (SELECT generate_subscripts(conkey, 1) AS s FROM pg_constraint))`, [1]],
  [`(SELECT count(*) FROM pg_index WHERE indrelid::regclass = 'orders'::regclass)`, 1],
  [`(SELECT count(*) FROM pg_index WHERE indrelid::regclass <> 'shop.orders'::regclass)`, 0],
  [`(SELECT max(proargtypes::regtype[]::text) FROM pg_proc)`, '[2275]'],
  [`(SELECT typelem::regtype::text FROM pg_type WHERE typname = 'int2vector')`, 'smallint'],
  [`(SELECT tableoid::regclass::text FROM pg_namespace LIMIT 1)`, 'pg_namespace'],
];

test.each(SESSION_FUNCTIONS)('SELECT %s', async (expression, value) => {
  expect(await f.rows(reader, `SELECT ${expression}`)).toEqual([[value]]);
});

test('a statement that names another relation, or nothing of the catalog, is not one about the catalog', async () => {
  for (const sql of [
    ...['SELECT 1', 'SELECT * FROM shop.orders', 'SELECT 1 AS version', 'SELECT pg_class FROM shop.orders', 'SELECT ('],
    ...['SELECT * FROM pg_class c JOIN shop.orders o ON true', 'SELECT * FROM information_schema.tables, shop.orders'],
    ...['SELECT * FROM other.pg_catalog.pg_class', 'SELECT * FROM pg_nothing', 'INSERT INTO pg_class SELECT 1'],
    ...['DELETE FROM pg_catalog.pg_class', 'SHOW search_path', 'SELECT * FROM shop.pg_class'],
  ]) {
    expect([sql, await f.answer(reader, sql)]).toEqual([sql, { kind: 'not-catalog' }]);
    expect([sql, await f.describe(reader, sql)]).toEqual([sql, { kind: 'not-catalog' }]);
  }
});

test('columns and parameters have their types without values (POSTGRES-8)', async () => {
  const sql = `SELECT c.oid, c.relname, c.relkind, i.indkey, c.reltuples, c.relhasindex FROM pg_class c
    LEFT JOIN pg_index i ON i.indrelid = c.oid WHERE c.oid = $1::regclass AND c.relname LIKE $2 LIMIT $3`;
  expect(await f.describe(reader, sql)).toEqual({
    kind: 'described',
    parameterTypes: ['VARCHAR', 'VARCHAR', 'BIGINT'],
    columns: [
      { name: 'oid', type: 'long' },
      { name: 'relname', type: 'string' },
      { name: 'relkind', type: 'string' },
      { name: 'indkey', type: 'list<int>' },
      { name: 'reltuples', type: 'float' },
      { name: 'relhasindex', type: 'boolean' },
    ],
  });
  expect(await f.rows(reader, sql, ['shop.orders', 'ord%', '1'])).toMatchObject([
    [expect.any(Number), 'orders', 'r', [1], 0, true],
  ]);
});

test('columns appear with their names and types, whatever the names are', async () => {
  const sql = `SELECT attname, atttypid, atttypmod FROM pg_attribute WHERE attrelid = 'orders'::regclass ORDER BY attnum`;
  expect(await f.rows(reader, sql)).toEqual([
    ['id', 20, -1],
    ['amount', 1700, 655_366],
    ['tags', 1009, -1],
    ['details', 114, -1],
    ...HOSTILE.map((name) => [name, 25, -1]),
  ]);
  const typed = `SELECT column_name, data_type, udt_name, numeric_precision, numeric_scale FROM information_schema.columns
    WHERE table_name = 'orders' AND ordinal_position <= 4 ORDER BY ordinal_position`;
  expect(await f.rows(reader, typed)).toEqual([
    ['id', 'bigint', 'int8', 64, 0],
    ['amount', 'numeric', 'numeric', 10, 2],
    ['tags', 'ARRAY', '_text', null, null],
    ['details', 'json', 'json', null, null],
  ]);
  for (const name of HOSTILE)
    expect(await f.rows(reader, 'SELECT attnum > 0 FROM pg_attribute WHERE attname = $1', [name])).toEqual([[true]]);
});

test('OIDs are the same for every principal and session', async () => {
  const sql = `SELECT oid, relname FROM pg_class WHERE relname IN ('orders', 'orders_pkey') ORDER BY relname`;
  const rows = await f.rows(admin, sql);
  expect(rows).toHaveLength(2);
  expect(await f.rows(reader, sql)).toEqual(rows);
});

const everything = [
  ...[...PG_RELATIONS.keys()].map((name) => `pg_catalog.${name}`),
  ...[...INFORMATION_VIEWS.keys()].map((name) => `information_schema.${name}`),
];

test('every relation shows a caller without permissions nothing of the environment, and a reader only what it may read', async () => {
  for (const name of everything) {
    const seen = JSON.stringify(await f.rows(stranger, `SELECT * FROM ${name}`));
    expect([name, /orders|secret|hidden|shop|Items|Mixed|admin|ann@/.exec(seen.replaceAll('"shop"', ''))]).toEqual([
      name,
      null,
    ]);
    const read = JSON.stringify(await f.rows(reader, `SELECT * FROM ${name}`));
    expect([name, /secret|hidden|Mixed|admin|bob/.exec(read)]).toEqual([name, null]);
  }
}, 300_000);

test.each([
  `to_regclass('shop.orders')`,
  `'hidden.secret'::regclass`,
  `'hidden'::regnamespace`,
  `'admin'::regrole`,
  `obj_description((SELECT max(oid) FROM pg_class))`,
  `pg_get_viewdef('shop.orders')`,
])('%s is null for a caller without permissions', async (expression) => {
  expect(await f.rows(stranger, `SELECT ${expression}`)).toEqual([[null]]);
});

test.each([`has_table_privilege('shop.orders', 'SELECT')`, `has_schema_privilege('shop', 'USAGE')`])(
  '%s is false for a caller without permissions',
  async (expression) => {
    expect(await f.rows(stranger, `SELECT ${expression}`)).toEqual([[false]]);
  },
);

test('statements about the catalog are as isolated as queries', async () => {
  for (const sql of [
    `SELECT version(), * FROM read_csv('/etc/passwd')`,
    `SELECT current_user, getenv('HOME')`,
    `SELECT pg_read_file('/etc/passwd') FROM pg_class`,
    `SELECT * FROM pg_class, duckdb_settings()`,
    `SELECT current_user; SELECT 1`,
    'SELECT * FROM pg_class FOR UPDATE',
  ])
    expect([sql, await f.answer(reader, sql)]).toMatchObject([sql, { kind: 'failed' }]);
});

test('more than 1000 rows are in a file', async () => {
  const outcome = await f.answer(reader, 'SELECT a.oid FROM pg_type a, pg_type b');
  expect(outcome).toMatchObject({ kind: 'rows', rows: null, location: expect.stringContaining('/results/catalog-') });
});
