// Starts the built service in a new folder and uses it through the built command line: environment, table, load, query.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../bootstrap/stamp.mjs';

const READY_MS = 120_000;
const TOKEN = 'smoke-test-administrator-token';

const folder = mkdtempSync(join(tmpdir(), 'svc-smoke-'));
// When run by root, the database runs as another account.
chmodSync(folder, 0o755);
const env = {
  ...process.env,
  SVC_LOG__LEVEL: 'warn',
  SVC_HOME: join(folder, 'home'),
  SVC_LISTEN: '127.0.0.1:0',
  SVC_SQL__LISTEN: '',
  SVC_BOOTSTRAP_TOKEN: TOKEN,
};
const main = join(root, 'apps/standalone/dist/bundle/main.js');
const service = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
const exited = once(service, 'exit');
try {
  const url = await readyAt();
  const client = { ...process.env, SVC_URL: url, SVC_TOKEN: TOKEN, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const program = join(root, 'packages/cli/bin/run.cjs');
  const svc = (...args) =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, env: client, encoding: 'utf8' });
  writeFileSync(join(folder, 'orders.csv'), 'id,amount\n1,9.50\n2,3\n');
  svc('env', 'create', 'smoke');
  svc('ns', 'create', 'sales', '--env', 'smoke');
  svc('table', 'create', 'sales.orders', '--env', 'smoke', '--column', 'id:long', '--column', 'amount:decimal(10,2)');
  svc('table', 'load', 'sales.orders', 'orders.csv', '--env', 'smoke');
  const rows = svc('sql', 'SELECT sum(amount) AS total FROM sales.orders', '--env', 'smoke', '--format', 'csv');
  if (!rows.includes('12.50')) throw new Error(`The query returned ${JSON.stringify(rows)} instead of 12.50.`);
  console.log(`Node ${process.versions.node}: a service was started, loaded and queried`);
} finally {
  service.kill('SIGTERM');
  const [code] = await exited;
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) process.exitCode = 1;
}

/** The URL that the service reports when it is ready. */
async function readyAt() {
  const late = setTimeout(() => service.kill('SIGKILL'), READY_MS);
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      const url = /^svc is ready at (\S+)/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
  } finally {
    clearTimeout(late);
  }
  throw new Error('The service exited before it was ready.');
}
