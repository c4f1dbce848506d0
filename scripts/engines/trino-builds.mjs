// Projects that Trino builds: it writes the data files itself. The same projects built on DuckDB have the same rows.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../bootstrap/stamp.mjs';
import { checker, serviceSide } from './checks.mjs';
import { freePort, startService, TOKEN } from './service.mjs';
import { trinoAccount } from './trino-account.mjs';
import { findTrino, startTrino } from './trino-server.mjs';
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

/** The rows of a table on both engines are the same, whatever order they are in. */
async function sameRows(check, side, what) {
  for (const name of Object.keys(assetsOf('trino'))) {
    const rows = (engine) => side.sql(`SELECT * FROM ${engine}.${name} ORDER BY ALL`);
    await check.equal(`${what}: ${name}`, () => rows('trino'), rows('duckdb'));
  }
}

/** How many checks failed. */
export async function trinoBuilds() {
  const installed = await findTrino();
  if (installed === null) return 0;
  const check = checker('Builds on Trino');
  const home = mkdtempSync(join(tmpdir(), 'svc-engines-'));
  const folder = join(home, 'project');
  const port = await freePort();
  const settings = { SVC_QUERY__TRINO_URL: `http://127.0.0.1:${port}`, SVC_QUERY__TRINO_CATALOG: 'svc' };
  const service = await startService(settings, home);
  let engine;
  try {
    engine = await startTrino(installed, {
      url: service.url,
      catalog: 'svc',
      port,
      token: await trinoAccount(service.url),
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
    return check.end();
  } finally {
    await engine?.stop();
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
