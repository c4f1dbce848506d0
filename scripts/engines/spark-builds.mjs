// Python assets that work with Spark: Spark Connect reads the tables of the environment and writes the data files itself.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../bootstrap/stamp.mjs';
import { checker, rest, serviceSide } from './checks.mjs';
import { startService, TOKEN } from './service.mjs';
import { sparkConnectClassPath, startSparkConnect } from './spark-connect.mjs';

const E = '/environments/dev';
const run = promisify(execFile);
const uv = process.env.SVC_RUN__UV ?? 'uv';

const PYPROJECT = `[project]
name = "sparks"
version = "1.0.0"
requires-python = ">=3.10,<3.14"
dependencies = ["pyspark-client==4.0.1"]

[tool.uv]
package = false
find-links = ["wheelhouse"]
`;
/** Its package has no wheel, and svc installs nothing else. */
const WHEEL = ['pip', 'wheel', '--quiet', '--no-deps', '-w', 'wheelhouse', 'pyspark-client==4.0.1'];
const BUILDERS = ['pip', 'setuptools', 'wheel'].flatMap((name) => ['--with', name]);

/** Functions that return a DataFrame of Spark, by asset; \`%t\` is the asset's own name. */
const ASSETS = {
  'built.replaced': [
    'checks=[{"unique": ["id"]}]',
    'ctx.spark.table("q.orders").selectExpr("id", "customer", "amount", "n", "CAST(id AS TIMESTAMP) AS moment", "array(n) AS ns", "named_struct(\'a\', id) AS s")',
  ],
  'built.added': [
    'mode="append", watermark="id"',
    'ctx.spark.table("q.orders").where("id < 100" if ctx.watermark is None else f"id > {ctx.watermark}").select("id", "customer")',
  ],
  'built.merged': [
    'mode="merge", key=["customer"], delete_when="n > 4", checks=[{"unique": ["customer"]}]',
    'ctx.spark.sql("SELECT customer, max(n) AS n, count(*) AS orders FROM q.orders WHERE customer IS NOT NULL GROUP BY customer")',
  ],
  'built.none': ['', 'ctx.spark.table("q.orders").where("id < 0")'],
  'built.small': ['', '[{"n": ctx.spark.table("q.orders").count()}]'],
};

const source = (name, [declared, body]) => `@svc.asset(table="${name}", engine="spark"${declared && `, ${declared}`})
def ${name.replace('.', '_')}(ctx):
${body.includes('\n') ? body : `    return ${body}`}
`;

/** Runs `svc`; returns what it printed. */
function svcAt(url) {
  const env = { ...process.env, SVC_URL: url, SVC_TOKEN: TOKEN, SVC_ENV: 'dev' };
  return async (...args) => {
    const { stdout } = await run(process.execPath, ['packages/cli/bin/run.cjs', ...args], { cwd: root, env });
    return stdout;
  };
}

function writeProject(folder, assets) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('svc.yaml', 'name: sparks\n');
  const functions = Object.entries(assets).map(([name, asset]) => source(name, asset));
  write('assets.py', ['import svc', ...functions].join('\n'));
}

/** Locks the project's packages; false, after a plain message, where that isn't possible. */
function lock(folder) {
  mkdirSync(join(folder, 'wheelhouse'), { recursive: true });
  writeFileSync(join(folder, 'pyproject.toml'), PYPROJECT);
  for (const args of [
    ['run', '--quiet', '--no-project', ...BUILDERS, 'python', '-m', ...WHEEL],
    ['lock', '--quiet'],
  ]) {
    const { status, error, stderr } = spawnSync(uv, args, { cwd: folder, encoding: 'utf8' });
    if (status === 0) continue;
    console.log(`Builds with Spark did not run: ${(error?.message ?? stderr.trim()).split('\n')[0]}`);
    return false;
  }
  return true;
}

const count = (side, table) => side.sql(`SELECT count(*) FROM ${table}`).then(([[n]]) => Number(n));

/** Each mode, in a first build and in one that continues it. */
async function modes(check, side, svc) {
  await svc('run', '--repo', 'sparks');
  await check.equal(
    'replaced',
    () => side.sql('SELECT count(*), sum(id), min(moment), sum(s.a), sum(ns[1]) FROM built.replaced'),
    side.sql("SELECT count(*), sum(id), TIMESTAMPTZ '1970-01-01 00:00:00+00', sum(id), sum(n) FROM q.orders"),
  );
  await check.equal('appended first', () => count(side, 'built.added'), 100);
  await check.equal('merged first', () => count(side, 'built.merged'), await mergedCustomers(side));
  await check.equal('an empty DataFrame', () => count(side, 'built.none'), 0);
  await check.equal('rows without Spark', () => side.sql('SELECT n FROM built.small'), [['200']]);
  await side.record("UPDATE q.orders SET n = 1 WHERE customer = 'c1'");
  await svc('run', '--repo', 'sparks');
  await check.equal(
    'replaced again',
    () => side.sql('SELECT count(*), sum(id) FROM built.replaced'),
    side.sql('SELECT count(*), sum(id) FROM q.orders'),
  );
  await check.equal('appended again', () => count(side, 'built.added'), 200);
  await check.equal('merged again', () => side.sql("SELECT n FROM built.merged WHERE customer = 'c1'"), [['1']]);
  const writes = await side.call('GET', '/audit-events?event_type=TABLE_WRITE&limit=100');
  await check.equal(
    'events of one build',
    async () => writes.filter(({ object }) => object.table === 'replaced').length,
    2,
  );
}

const mergedCustomers = async (side) =>
  Number(
    (
      await side.sql(
        'SELECT count(*) FROM (SELECT max(n) AS n FROM q.orders WHERE customer IS NOT NULL GROUP BY customer) WHERE n <= 4',
      )
    )[0][0],
  );

/** What makes a build fail, and what its error says. */
const FAILING = [
  [
    'a failed check',
    'fails.checked',
    [
      'checks=[{"name": "few", "sql": "SELECT * FROM fails.checked WHERE id > 190"}]',
      'ctx.spark.table("q.orders").select("id")',
    ],
    /few \(9 rows\)/,
  ],
  ['a table with a row filter', 'fails.filtered', ['', 'ctx.spark.table("q.filtered")'], /row filter or column mask/],
  [
    'a table that the principal cannot read',
    'fails.denied',
    ['', 'ctx.spark.table("hidden.orders")'],
    /READ_TABLE|not authorized|Forbidden/,
  ],
  [
    'a drop by Spark itself',
    'fails.dropped',
    ['', '    ctx.spark.sql("DROP TABLE q.orders")\n    return []'],
    /DROP_TABLE/,
  ],
  [
    'an error while Spark writes',
    'fails.broken',
    ['', 'ctx.spark.sql("SELECT id, CAST(raise_error(\'no \' || id) AS STRING) AS e FROM q.orders")'],
    /no \d/,
  ],
  [
    'a type that no table has',
    'fails.typed',
    ['', 'ctx.spark.sql("SELECT NULL AS nothing")'],
    /no table has a type for column nothing/,
  ],
];

/** The build fails with this text, and leaves neither rows nor staging tables. */
async function failures(check, side, svc, { folder, home }) {
  for (const [what, name, asset, text] of FAILING) {
    writeProject(folder, { [name]: asset });
    await svc('deploy', folder, '--repo', 'sparks');
    const printed = await svc('run', '--repo', 'sparks').catch((error) => error.stdout + error.stderr);
    await check.equal(what, async () => text.test(printed) || printed, true);
    await check.equal(`${what}: staging is empty`, async () => stagedMetadata(home), []);
  }
  await check.equal('the checked table is empty', () => count(side, 'fails.checked'), 0);
}

const STAGED = /\/staged\/([^/]+)\/metadata$/;

const stagedFiles = (home) =>
  readdirSync(home, { recursive: true, withFileTypes: true }).filter(({ parentPath }) => STAGED.test(parentPath));

/** Metadata files of staging tables in the local warehouse. */
const stagedMetadata = (home) =>
  stagedFiles(home)
    .map(({ name }) => name)
    .filter((name) => name.includes('.metadata.json'));

/** Waits until Spark writes to a staging table other than those known, and returns one of its files. */
async function writing(home, known = []) {
  for (;;) {
    const file = stagedFiles(home).find(({ parentPath }) => !known.includes(parentPath));
    if (file !== undefined) return file;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Rows that take Spark a while, two at a time. */
const slowRows = (rows, ms) =>
  `ctx.spark.sql("SELECT id, reflect('java.lang.Thread', 'sleep', ${ms}L) AS s FROM range(0, ${rows}, 1, ${rows})")`;

/** While Spark writes: the token of its principal doesn't see the staging table, and a cancelled run leaves nothing. */
async function cancelled(check, side, svc, { url, folder, home, token }) {
  writeProject(folder, {
    'slow.rows': ['', slowRows(1, 600_000)],
  });
  await svc('deploy', folder, '--repo', 'sparks');
  const { id } = await side.call('POST', `${E}/runs`, { repository: 'sparks' });
  const staged = await writing(home);
  const folderId = STAGED.exec(staged.parentPath)[1];
  const path = `${url}/catalog/v1/dev/namespaces/svc_staging/tables/s_${folderId.replaceAll('-', '')}`;
  const as = (bearer) => fetch(path, { headers: { Authorization: `Bearer ${bearer}` } }).then(({ status }) => status);
  await check.equal('an administrator does not see the staging table', () => as(TOKEN), 404);
  await check.equal(
    'another token of the principal does not see it',
    async () => [403, 404].includes(await as(token)),
    true,
  );
  await side.call('POST', `${E}/runs/${id}/cancel`);
  const { status } = await side.call('GET', `${E}/runs/${id}?wait=60`);
  await check.equal('the run is cancelled', async () => status, 'cancelled');
  await check.equal('nothing stays in staging', async () => stagedMetadata(home), []);
}

/**
 * The service is killed while Spark writes. The task runs once more, and only the rows of that attempt are added, although Spark
 * finishes the first one too.
 */
async function killed(check, service, { folder, home, start }) {
  writeProject(folder, { 'slow.added': ['mode="append"', slowRows(2, 12_000)] });
  const before = serviceSide(service.url);
  await svcAt(service.url)('deploy', folder, '--repo', 'sparks');
  const known = stagedFiles(home).map(({ parentPath }) => parentPath);
  const { id } = await before.call('POST', `${E}/runs`, { repository: 'sparks' });
  await writing(home, known);
  await service.stop('SIGKILL');
  const restarted = await start({ SVC_WORKER__LEASE_SECONDS: '5' });
  const side = serviceSide(restarted.url);
  const finished = async () => {
    for (;;) {
      const run = await side.call('GET', `${E}/runs/${id}?wait=60`);
      if (run.ended_at !== null) return run;
    }
  };
  await check.equal('the run of a killed worker succeeds', async () => (await finished()).status, 'succeeded');
  await check.equal(
    'its first attempt is lost',
    async () => (await finished()).tasks.flatMap(({ attempts }) => attempts.map(({ status }) => status)),
    ['lost', 'succeeded'],
  );
  await check.equal('its rows are there once', () => count(side, 'slow.added'), 2);
  await svcAt(restarted.url)('run', '--repo', 'sparks');
  await check.equal('the next run adds its own', () => count(side, 'slow.added'), 4);
  const writes = await side.call('GET', '/audit-events?event_type=TABLE_WRITE&limit=100');
  await check.equal(
    'one event for each',
    async () => writes.filter(({ object }) => object.table === 'added').length,
    4,
  );
  return restarted;
}

async function prepare(side, url) {
  for (const path of ['q', 'hidden']) await side.call('POST', `${E}/namespaces`, { path });
  const orders = `SELECT i AS id, 'c' || i % 7 AS customer, (i * 3 / 2)::DECIMAL(12, 2) AS amount, (i % 6)::INTEGER AS n FROM range(200) t(i)`;
  for (const name of ['q.orders', 'q.filtered', 'hidden.orders'])
    await side.query(orders, { into: name, mode: 'create' });
  await rest(url, 'POST', '/principals', { name: 'builder', type: 'service-account' });
  const { token } = await rest(url, 'POST', '/principals/builder/tokens', { name: 'own' });
  for (const namespace of ['q', 'built', 'fails', 'slow']) {
    if (namespace !== 'q') await side.call('POST', `${E}/namespaces`, { path: namespace });
    await rest(url, 'POST', '/grants', {
      ...{ kind: 'NAMESPACE', principal: 'builder', role: 'DATA_ENGINEER', environment: 'dev', namespace },
    });
  }
  await side.call('POST', `${E}/namespaces/q/tables/filtered/row-filters`, {
    principal: 'builder',
    predicate: 'n = 1',
  });
  return token;
}

/** Builds in a bucket to which Spark has no key of its own. */
async function bucketBuilds(check, engine, folder, buckets) {
  writeProject(folder, { 'built.replaced': ASSETS['built.replaced'], 'built.merged': ASSETS['built.merged'] });
  for (const [what, start] of Object.entries(buckets)) {
    const service = await start({ SVC_RUN__SPARK_CONNECT: engine.url });
    if (service === null) {
      console.log(`Builds with ${what} did not run: they need an S3-compatible server, which Go builds.`);
      continue;
    }
    try {
      const side = serviceSide(service.url);
      const svc = svcAt(service.url);
      await prepare(side, service.url);
      await deploy(svc, folder);
      await svc('run', '--repo', 'sparks').catch((error) => console.log(error.stdout + error.stderr));
      await check.equal(`${what}: replaced`, () => count(side, 'built.replaced'), 200);
      await check.equal(`${what}: merged`, () => count(side, 'built.merged'), await mergedCustomers(side));
    } finally {
      await service.stop();
    }
  }
}

async function deploy(svc, folder) {
  await svc('repository', 'add', 'sparks');
  await svc('deploy', folder, '--repo', 'sparks');
  await svc('deployments', 'set-run-as', 'sparks', '--env', 'dev', '--principal', 'builder');
}

/**
 * How many checks failed.
 * @param buckets functions that start a service in a bucket, by how Spark reaches the files there
 */
export async function sparkBuilds(buckets) {
  const classPath = await sparkConnectClassPath();
  if (classPath === null) return 0;
  const home = mkdtempSync(join(tmpdir(), 'svc-engines-'));
  const folder = join(home, 'project');
  if (!lock(folder)) return 0;
  const check = checker('Builds with Spark');
  const engine = await startSparkConnect(classPath);
  let service;
  const start = (settings = {}) => startService({ SVC_RUN__SPARK_CONNECT: engine.url, ...settings }, home);
  try {
    service = await start();
    const { url } = service;
    const side = serviceSide(url);
    const svc = svcAt(url);
    const token = await prepare(side, url);
    writeProject(folder, ASSETS);
    await deploy(svc, folder);
    await modes(check, side, svc);
    await failures(check, side, svc, { folder, home });
    await cancelled(check, side, svc, { url, folder, home, token });
    service = await killed(check, service, { folder, home, start });
    await bucketBuilds(check, engine, folder, buckets);
    return check.end();
  } finally {
    await service?.stop();
    await engine.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
