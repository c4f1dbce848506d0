// The tables that every PostgreSQL client of the tests finds.
import { serviceSide } from '../checks.mjs';
import { TOKEN } from '../service.mjs';

const TABLES = '/environments/dev/namespaces/shop/tables';

const ORDERS = [
  { name: 'id', type: 'long', nullable: false, description: 'Number of the order' },
  { name: 'buyer', type: 'string', description: null },
  { name: 'amount', type: 'decimal(10,2)', description: 'In euros' },
  { name: 'placed', type: 'timestamptz' },
  { name: 'day', type: 'date' },
  { name: 'paid', type: 'boolean' },
];

const ROWS = `INSERT INTO shop.orders VALUES
  (1, 'Ann', 10.50, TIMESTAMPTZ '2026-03-01 10:00:00.123456+00', DATE '2026-03-01', TRUE),
  (2, NULL, NULL, NULL, NULL, NULL),
  (3, 'Zoë "the ø", it''s', 99999999.99, TIMESTAMPTZ '1969-12-31 23:59:59+00', DATE '1969-12-31', FALSE)`;

const KINDS = `SELECT 1::SMALLINT AS small, 2::INTEGER AS whole, 3::BIGINT AS large, 1.5::REAL AS single, 2.5::DOUBLE AS double,
  12.345::DECIMAL(20, 3) AS exact, 'text' AS words, TRUE AS flag, DATE '2026-03-01' AS day, TIME '10:11:12.5' AS hour,
  TIMESTAMP '2026-03-01 10:11:12.5' AS moment, TIMESTAMPTZ '2026-03-01 10:11:12.5+00' AS instant,
  '\\x00\\xFF'::BLOB AS bytes, UUID '12345678-1234-1234-1234-123456789abc' AS id, [1, NULL, 3]::INTEGER[] AS list,
  ['a', NULL, 'b,"c"'] AS texts, {'a': 1} AS record`;

/** @param url of the service */
export async function createTables(url) {
  const { call, query } = serviceSide(url);
  await call('POST', '/environments/dev/namespaces', { path: 'shop', description: 'The shop' });
  const orders = { name: 'orders', kind: 'managed', description: 'Orders of the shop' };
  await call('POST', TABLES, { ...orders, identifier_fields: ['id'], columns: ORDERS });
  await call('POST', TABLES, { name: 'written', kind: 'managed', columns: ORDERS });
  await query(ROWS);
  await query(KINDS, { into: 'shop.kinds', mode: 'create' });
  await query(`SELECT i::INTEGER AS id, 'row ' || i AS name FROM range(100000) t(i)`, {
    into: 'shop.numbers',
    mode: 'create',
  });
  await createView(url);
}

/** Projects create views, and so do engines through the Iceberg REST catalog. */
async function createView(url) {
  const field = (id, name, type) => ({ id, name, type, required: false });
  const body = {
    name: 'paid',
    schema: { type: 'struct', 'schema-id': 0, fields: [field(1, 'id', 'long'), field(2, 'buyer', 'string')] },
    'view-version': {
      ...{ 'version-id': 1, 'schema-id': 0, 'timestamp-ms': 1, summary: {}, 'default-namespace': ['shop'] },
      representations: [{ type: 'sql', dialect: 'duckdb', sql: 'SELECT id, buyer FROM shop.orders WHERE paid' }],
    },
    properties: {},
  };
  const response = await fetch(`${url}/catalog/v1/dev/namespaces/shop/views`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}
