// Trino as the engine of svc sql: its results are compared with DuckDB's over the same tables.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../testing/free-port.mjs';
import { checker, rest } from './checks.mjs';
import { startService, TOKEN } from './service.mjs';
import { runStatement } from './trino.mjs';
import { trinoAccount } from './trino-account.mjs';
import { findTrino, startTrino } from './trino-server.mjs';
import { STATEMENTS, TABLES } from './trino-statements.mjs';

const E = '/environments/dev';
const T = `${E}/namespaces/q/tables`;

/** Statements by the service's interface, with somebody's token. */
function clientOf(url, token = TOKEN) {
  const call = (method, path, body) => rest(url, method, path, body, token);
  const finish = async (sql, more = {}) => {
    const { id } = await call('POST', `${E}/queries`, { sql, ...more });
    for (;;) {
      const record = await call('GET', `${E}/queries/${id}?wait=60`);
      if (!['QUEUED', 'RUNNING'].includes(record.status)) return record;
    }
  };
  return {
    call,
    end: finish,
    /** Columns and rows, or that it failed. */
    async answer(sql) {
      const record = await finish(sql);
      if (record.status !== 'SUCCEEDED') return { failed: record.error };
      const { columns, rows } = await call('GET', `${E}/queries/${record.id}/results?format=json&limit=10000`);
      const lines = rows.map((row) => JSON.stringify(row.map(comparable)));
      return { columns, rows: /order by/i.test(sql.replaceAll(/\([^()]*\)/g, '')) ? lines : lines.toSorted() };
    },
    async write(sql, table, mode = 'create') {
      const record = await finish(sql, { into: `q.${table}`, mode });
      if (record.status !== 'SUCCEEDED') throw new Error(`${sql}\n${JSON.stringify(record.error)}`);
      return record;
    },
  };
}

/** Normalizes the order of struct fields, which differs between records and files, and drops the last digit of floats. */
function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toPrecision(14));
  if (value === null || typeof value !== 'object') return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, comparable(value[name])]));
}

const UNAVAILABLE = / isn't available while Trino is the query engine\.$/;

/** Somebody whom a row filter and a mask bind. */
async function bound(admin) {
  await admin.call('POST', '/principals', { name: 'bound', type: 'service-account' });
  const { token } = await admin.call('POST', '/principals/bound/tokens', { name: 't' });
  await admin.call('POST', '/grants', {
    kind: 'ENVIRONMENT',
    principal: 'bound',
    role: 'DATA_ENGINEER',
    environment: 'dev',
  });
  await admin.call('POST', `${T}/orders/row-filters`, {
    principal: 'bound',
    predicate: "customer IN ('c1', 'c2') AND n > 2",
  });
  await admin.call('POST', `${T}/orders/column-masks`, {
    principal: 'bound',
    column: 'amount',
    expression: 'CAST(amount - amount % 10 AS DECIMAL(10,2))',
  });
  await admin.call('POST', `${T}/orders/column-masks`, {
    principal: 'bound',
    column: 'customer',
    expression: "'***' || right(customer, 1)",
  });
  return token;
}

const BOUND = [
  'SELECT * FROM q.orders ORDER BY id',
  'SELECT customer, count(*), sum(amount) FROM q.orders GROUP BY ALL ORDER BY ALL',
  "SELECT count(*) FROM q.orders WHERE customer = 'c1'",
  'SELECT o.id FROM q.orders o JOIN q.orders p USING (id) WHERE o.amount < p.amount',
];

/** Statements for both engines, mixed with those for only one of them. */
async function everything(admin, other) {
  const statements = [
    ...STATEMENTS.map((sql) => [sql, admin, sql]),
    ...BOUND.map((sql) => [`bound: ${sql}`, other, sql]),
  ];
  const responses = {};
  const take = async () => {
    for (let next = statements.shift(); next !== undefined; next = statements.shift())
      responses[next[0]] = await next[1].answer(next[2]);
  };
  await Promise.all(Array.from({ length: 4 }, take));
  return responses;
}

async function tables(admin, base, check) {
  await admin.call('POST', `${E}/namespaces`, { path: 'q' });
  for (const [name, sql] of Object.entries(TABLES)) await admin.write(sql, name);
  await admin.write('SELECT 1 AS id, 2 AS n', 'history');
  const [{ snapshot_id: id }] = await admin.call('GET', `${T}/history/snapshots`);
  await admin.write('SELECT id + 1 AS id, n * 10 AS n FROM q.history', 'history', 'append');
  await check.equal(
    'append through Trino',
    () => admin.answer('SELECT * FROM q.history ORDER BY id').then((a) => a.rows),
    ['[1,2]', '[2,20]'],
  );
  await check.equal(
    'a version through Trino',
    () => admin.answer(`SELECT * FROM q.history AT (VERSION => ${id})`).then((a) => a.rows),
    ['[1,2]'],
  );
  await runStatement(base, 'ALTER TABLE svc.q.history ADD COLUMN late VARCHAR');
  await runStatement(base, 'ALTER TABLE svc.q.history RENAME COLUMN n TO number');
  await runStatement(base, 'ALTER TABLE svc.q.history ALTER COLUMN number SET DATA TYPE BIGINT');
  const changed = () => admin.answer('SELECT id, number, late FROM q.history ORDER BY id').then((a) => a.rows);
  await check.equal('columns changed since the last write', changed, ['[1,2,null]', '[2,20,null]']);
  await check.equal(
    'a version before',
    () => admin.answer(`SELECT n FROM q.history AT (VERSION => ${id})`).then((a) => a.rows),
    ['[2]'],
  );
  await admin.write("SELECT 3 AS id, 30 AS number, 'x' AS late", 'history', 'replace');
  await check.equal('replace through Trino', changed, ['[3,30,"x"]']);
  await runStatement(base, 'CREATE VIEW svc.q.few AS SELECT id, customer FROM svc.q.orders WHERE id < 5');
  await check.equal('a view', () => admin.answer('SELECT count(*), max(customer) FROM q.few').then((a) => a.rows), [
    '[5,"c4"]',
  ]);
}

/** A cancelled statement stops in Trino too, and a failed one has an error message of the service. */
async function expectFailures(admin, base, check) {
  const long = 'SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range * 7 = b.range % 11';
  const { id } = await admin.call('POST', `${E}/queries`, { sql: long });
  const mine = () =>
    runStatement(
      base,
      "SELECT state, error_code FROM system.runtime.queries WHERE source = 'svc' ORDER BY created DESC LIMIT 1",
    );
  while ((await mine())[0]?.[0] !== 'RUNNING') await new Promise((resolve) => setTimeout(resolve, 200));
  await check.equal(
    'it is reported as running',
    async () => (await admin.call('GET', `${E}/queries/${id}`)).status,
    'RUNNING',
  );
  await admin.call('POST', `${E}/queries/${id}/cancel`);
  await check.equal(
    'cancelled here',
    async () => (await admin.call('GET', `${E}/queries/${id}?wait=60`)).status,
    'CANCELLED',
  );
  await check.equal('and there', async () => (await mine())[0], ['FAILED', 'USER_CANCELED']);
  const failed = await admin.answer('SELECT customer::INTEGER FROM q.orders');
  await check.equal(
    'a failure names no value',
    () => failed.failed.detail,
    "A value can't be converted to the type in the query, or is out of range.",
  );
  const [event] = await admin.call('GET', '/audit-events?event_type=QUERY_COMPLETED&limit=1');
  await check.equal('it has its event', () => event.detail.status, 'FAILED');
}

function compare(check, there, here) {
  let [refused, same] = [0, 0];
  const run = async () => {
    for (const [sql, found] of Object.entries(there)) {
      const expected = here[sql];
      if (UNAVAILABLE.test(found.failed?.detail ?? '')) {
        refused += 1;
        continue;
      }
      const alike = found.failed && expected.failed ? true : JSON.stringify(found) === JSON.stringify(expected);
      if (alike) same += 1;
      else await check.equal(sql, () => found, expected);
    }
  };
  return run().then(() =>
    console.log(
      `  ${same} statements returned the same result on both engines, ${refused} are rejected by name on Trino`,
    ),
  );
}

/** How many checks failed. */
export async function trinoQueries() {
  const installed = await findTrino();
  if (installed === null) return 0;
  const check = checker('Trino as the engine');
  const home = mkdtempSync(join(tmpdir(), 'svc-engines-'));
  const port = await freePort();
  const settings = {
    SVC_QUERY__ENGINE: 'trino',
    SVC_QUERY__TRINO_URL: `http://127.0.0.1:${port}`,
    SVC_QUERY__TRINO_CATALOG: 'svc',
  };
  try {
    let service = await startService(settings, home);
    // It changes tables too.
    const account = await trinoAccount(service.url, 'DATA_ENGINEER');
    const engine = await startTrino(installed, { url: service.url, catalog: 'svc', port, token: account });
    let [there, token] = [];
    try {
      const admin = clientOf(service.url);
      await tables(admin, engine.base, check);
      token = await bound(admin);
      there = await everything(admin, clientOf(service.url, token));
      await expectFailures(admin, engine.base, check);
    } finally {
      await engine.stop();
      await service.stop();
    }
    service = await startService({}, home);
    try {
      await compare(check, there, await everything(clientOf(service.url), clientOf(service.url, token)));
    } finally {
      await service.stop();
    }
    return check.end();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
