// Projects that Trino builds: it writes the data files itself. The same projects built on DuckDB have the same rows.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../bootstrap/stamp.mjs';
import { freePort } from '../testing/free-port.mjs';
import { checker, serviceSide } from './checks.mjs';
import { startService, TOKEN } from './service.mjs';
import { runStatement } from './trino.mjs';
import { trinoAccount } from './trino-account.mjs';
import { credentialsFor, findTrino, startTrino } from './trino-server.mjs';
import { TABLES } from './trino-statements.mjs';

const E = '/environments/dev';

const run = promisify(execFile);

/** Runs `svc`; returns what it printed, or throws with it. */
function svcAt(url) {
  const env = { ...process.env, SVC_URL: url, SVC_TOKEN: TOKEN, SVC_ENV: 'dev' };
  return async (...args) => {
    const { stdout } = await run(process.execPath, ['packages/cli/bin/run.cjs', ...args], { cwd: root, env });
    return stdout;
  };
}

/** The assets of one engine, in a namespace of its own. */
const assetsOf = (engine) => ({
  kinds: [`engine: ${engine}`, 'SELECT * FROM q.kinds'],
  days: [
    `engine: ${engine}\nchecks:\n  - unique: [day]\n  - not_null: [day, orders]`,
    'SELECT day, count(*) AS orders, sum(amount) AS amount, max(placed) AS last FROM q.orders GROUP BY day',
  ],
  ranked: [
    `engine: ${engine}`,
    `SELECT o.id, c.name, rank() OVER (PARTITION BY c.customer ORDER BY amount DESC, id) AS place FROM q.orders o JOIN q.customers c ON o.customer = c.customer WHERE o.id IN (SELECT id FROM q.orders WHERE n > 2)`,
  ],
  totals: [`kind: view\nengine: ${engine}`, `SELECT sum(amount) AS amount FROM ${engine}.days`],
  grand: [`engine: ${engine}`, `SELECT amount * 2 AS twice FROM ${engine}.totals`],
  grown: [
    `engine: ${engine}\nmode: append\nwatermark: id\nchecks:\n  - unique: [id]`,
    `SELECT id, customer, amount FROM q.growing WHERE \${watermark} IS NULL OR id > \${watermark}`,
  ],
  merged: [
    `engine: ${engine}\nmode: merge\nkey: [customer]\ndelete_when: n > 8\nchecks:\n  - unique: [customer]`,
    'SELECT customer, max(n) AS n, sum(amount) AS amount FROM q.growing WHERE customer IS NOT NULL AND id >= (SELECT max(id) - 99 FROM q.growing) GROUP BY customer',
  ],
  none: [`engine: ${engine}`, 'SELECT * FROM q.orders WHERE id < 0'],
});

function writeProject(folder, assets) {
  rmSync(folder, { recursive: true, force: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('svc.yaml', 'name: built\n');
  for (const [name, [header, sql]] of Object.entries(assets))
    write(`assets/${name.replace('.', '/')}.sql`, `/* svc\n${header}\n*/\n${sql}\n`);
}

const both = () =>
  Object.fromEntries(
    ['trino', 'duckdb'].flatMap((engine) =>
      Object.entries(assetsOf(engine)).map(([name, asset]) => [`${engine}.${name}`, asset]),
    ),
  );

/** The rows of a query, in a fixed order. */
async function rowsOf(side, sql) {
  const rows = await side.sql(sql);
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** The rows of a table on both engines are the same, whatever order they are in. */
async function sameRows(check, side, what) {
  for (const name of Object.keys(assetsOf('trino'))) {
    const rows = (engine) => rowsOf(side, `SELECT * FROM ${engine}.${name}`);
    await check.equal(`${what}: ${name}`, () => rows('trino'), await rows('duckdb'));
  }
}

/** Statements that change rows on Trino, each on a table of its own for both engines. */
const ON_TRINO = [
  "DELETE FROM %t WHERE customer = 'c1' OR amount > 200",
  'DELETE FROM %t',
  "UPDATE %t SET amount = amount / 2, customer = coalesce(customer, '?') WHERE n % 2 = 0",
  'UPDATE %t SET n = NULL',
  'UPDATE %t t SET customer = c.name, n = c.n FROM q.customers c WHERE c.customer = t.customer AND c.n > 1',
  "MERGE INTO %t t USING (SELECT id + 150 AS id, customer, n FROM q.orders) s ON t.id = s.id WHEN MATCHED AND s.n = 3 THEN DELETE WHEN MATCHED AND t.n = 4 THEN DO NOTHING WHEN MATCHED THEN UPDATE SET customer = s.customer || '!', n = t.n + s.n WHEN NOT MATCHED AND s.n < 5 THEN INSERT (id, customer) VALUES (s.id, s.customer)",
  'DELETE FROM %t WHERE customer IN (SELECT customer FROM q.customers WHERE n > 2)',
  'DELETE FROM %t WHERE customer NOT IN (SELECT customer FROM q.customers)',
  'DELETE FROM %t WHERE id = (SELECT max(id) FROM %t) OR EXISTS (SELECT 1 FROM q.customers WHERE n > 99)',
  'UPDATE %t SET n = (SELECT max(n) FROM q.customers) WHERE id < 5 AND n <= ALL (SELECT n FROM q.orders WHERE id > 190 AND n IS NOT NULL)',
];

const CHANGES = [
  ...ON_TRINO,
  // Trino can't run these, so DuckDB does.
  'UPDATE %t t SET n = (SELECT max(n) FROM q.customers c WHERE c.customer = t.customer) WHERE id < 5',
  'DELETE FROM %t t USING q.orders o WHERE o.customer = t.customer AND o.n = 3',
  'INSERT INTO %t (id, n) SELECT id, len(list_sort(tags)) FROM q.orders WHERE id < 7',
  'INSERT INTO %t (id, customer, n) SELECT id + 1000, upper(customer), n FROM q.orders WHERE id < 7',
];

/** A deploy names what Trino can't run. */
async function warnings(check, svc, folder) {
  writeProject(folder, {
    'warned.listed': ['description: sorts lists', 'SELECT id FROM q.orders ORDER BY tags'],
    'warned.fine': ['engine: duckdb', 'SELECT id FROM q.orders ORDER BY tags'],
  });
  const printed = await svc('deploy', folder, '--repo', 'built', '--dry-run', '--json');
  const about = JSON.parse(printed).warnings.filter((line) => line.includes("can't run on Trino"));
  await check.equal('what Trino cannot run', () => about.map((line) => line.slice(0, 78)), [
    "assets/warned/listed.sql:4: asset warned.listed can't run on Trino: Sorting by",
  ]);
}

/** Compaction on the cluster keeps the rows, in fewer files and without deletes. */
async function compaction(check, side, svc) {
  const table = `${E}/namespaces/q/tables/small`;
  await side.query('SELECT * FROM q.orders WHERE id < 0', { into: 'q.small', mode: 'create' });
  for (let i = 0; i < 4; i++)
    await side.query(`SELECT * FROM q.orders WHERE id % 4 = ${i}`, { into: 'q.small', mode: 'append' });
  await side.record('DELETE FROM q.small WHERE id IN (3, 77, 150)');
  const before = await rowsOf(side, 'SELECT * FROM q.small');
  const files = async () => (await side.call('GET', `${table}/health`)).file_count;
  await check.equal('files before compaction', async () => (await files()) > 3, true);
  await svc('table', 'maintain', 'q.small', '--compact');
  await check.equal('files after compaction', files, 1);
  await check.equal('rows after compaction', () => rowsOf(side, 'SELECT * FROM q.small'), before);
  const by = await side.call('GET', '/audit-events?event_type=TABLE_MAINTAINED&limit=1');
  await check.equal('its event', () => by[0].detail.new_files, 1);
}

/** What the statements do with the engine of the service. */
async function changes(side) {
  const columns = 'id, customer, amount, n, day';
  const results = [];
  for (const statement of CHANGES) {
    await side.query(`SELECT ${columns} FROM q.orders`, { into: 'q.changing', mode: 'create' });
    const sql = statement.replaceAll('%t', 'q.changing');
    const counted = await side.record(sql, { dry_run: true });
    const { affected } = await side.record(sql);
    const rows = await rowsOf(side, `SELECT ${columns} FROM q.changing`);
    results.push({ statement, counted: counted.affected, affected, rows });
    await side.call('DELETE', `${E}/namespaces/q/tables/changing`);
  }
  return results;
}

const FAILING = {
  'failing.checked': [
    'engine: trino\nchecks:\n  - name: few ids\n    sql: SELECT * FROM failing.checked WHERE id >= 190',
    'SELECT * FROM q.orders',
  ],
};

/** What DuckDB and Trino refuse in the same way. */
const REFUSED = [
  ['UPDATE q.orders o SET n = c.n FROM (SELECT 1 AS n UNION ALL SELECT 2) c WHERE o.id = 3', 'ambiguous-change'],
  ['UPDATE q.orders SET nothing = 1', 'column-mismatch'],
];

/** Rows that fail a check stay on a branch, and the table unchanged. */
async function failingCheck(check, side, svc, folder) {
  writeProject(folder, FAILING);
  await svc('deploy', folder, '--repo', 'built');
  await check.equal(
    'a check fails',
    () => svc('run', '--repo', 'built').then(String, (error) => /few ids .10 rows/.test(error.stdout + error.stderr)),
    true,
  );
  await check.equal('the table is empty', () => side.sql('SELECT count(*) FROM failing.checked'), [['0']]);
  const rejected = () => side.sql("SELECT count(*) FROM failing.checked AT (VERSION => 'failed_check')");
  await check.equal('the rows are on the branch', rejected, [['200']]);
}

/** How many checks failed. @param bucket where the tables are, whose key Trino doesn't have (default: a folder) */
export async function trinoBuilds(bucket = null) {
  const installed = await findTrino();
  if (installed === null) return 0;
  const check = checker(bucket === null ? 'Builds on Trino' : 'Builds on Trino with temporary credentials');
  const home = mkdtempSync(join(tmpdir(), 'svc-engines-'));
  const folder = join(home, 'project');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    SVC_QUERY__ENGINE: 'trino',
    SVC_QUERY__TRINO_URL: url,
    SVC_QUERY__TRINO_CATALOG: 'svc',
    SVC_RUN__TRINO_ENVIRONMENTS: 'dev',
    ...bucket?.settings,
  };
  let service = await startService(settings, home);
  let engine;
  try {
    const account = await trinoAccount(service.url);
    engine = await startTrino(installed, {
      ...{ url: service.url, catalog: 'svc', port, token: account },
      ...(bucket && { files: credentialsFor(bucket.endpoint) }),
    });
    const svc = svcAt(service.url);
    const side = serviceSide(service.url);
    await side.call('POST', `${E}/namespaces`, { path: 'q' });
    for (const [name, sql] of Object.entries(TABLES)) await side.query(sql, { into: `q.${name}`, mode: 'create' });
    await side.query('SELECT * FROM q.orders WHERE id < 100', { into: 'q.growing', mode: 'create' });
    writeProject(folder, both());
    await svc('repository', 'add', 'built');
    await svc('deploy', folder, '--repo', 'built');
    await svc('run', '--repo', 'built');
    await sameRows(check, side, 'first build');
    await side.query('SELECT * FROM q.orders WHERE id >= 100', { into: 'q.growing', mode: 'append' });
    await svc('run', '--repo', 'built');
    await sameRows(check, side, 'second build');
    await failingCheck(check, side, svc, folder);
    await warnings(check, svc, folder);
    await compaction(check, side, svc);
    for (const [sql, code] of REFUSED) {
      const failed = side.record(sql).then(String, (error) => JSON.parse(error.message.split('\n')[1]).code);
      await check.equal(`refused: ${sql}`, () => failed, code);
    }
    const ran =
      "SELECT count(*) FROM system.runtime.queries WHERE source = 'svc' AND state = 'FINISHED' AND regexp_like(query, '^(DELETE|UPDATE|MERGE)')";
    const finished = async () => (await runStatement(engine.base, ran))[0][0];
    const before = Number(await finished());
    const there = await changes(side);
    // Each ran as a dry run, too.
    await check.equal('changes on Trino', async () => Number(await finished()) - before, 2 * ON_TRINO.length);
    await engine.stop();
    engine = undefined;
    await service.stop();
    service = await startService({ ...bucket?.settings }, home);
    const here = await changes(serviceSide(service.url));
    for (const [i, expected] of here.entries()) await check.equal(expected.statement, () => there[i], expected);
    return check.end();
  } finally {
    await engine?.stop();
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
