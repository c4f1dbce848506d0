import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { silent } from '../connection/log.ts';
import { type EmbeddedServer, EmbeddedServerError, startEmbedded } from './index.ts';
import { serverAlive } from './postmaster.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
let home: string;
let started: EmbeddedServer[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  // Under root the server runs as another account, which must be able to enter this folder.
  chmodSync(home, 0o755);
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  rmSync(home, { recursive: true, force: true });
});

async function start(durable = false): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir: join(home, 'database'), log: silent, durable });
  started.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

test('a new server is PostgreSQL 18 in UTF-8 and code point order, with a password on every connection', async () => {
  const { url } = await start();
  expect(await query(url, 'SHOW server_version')).toEqual([expect.stringMatching(/^18\./)]);
  expect(await query(url, `SELECT x FROM unnest(ARRAY['a','B','ä']) x ORDER BY x`)).toEqual(['B', 'a', 'ä']);
  expect(await query(url, `SELECT upper('ä'), current_database(), current_setting('timezone')`)).toEqual([
    'Ä',
    'svc',
    'UTC',
  ]);
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  expect(statSync(join(home, 'database/cluster/password')).mode & 0o777).toBe(0o600);
});

test('data survive a stop and a start', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(serverAlive(first.pid)).toBe(false);
  const second = await start();
  expect(second.attached).toBe(false);
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
});

test('two concurrent starts in an empty folder share one server, and the last to stop shuts it down', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect(one.pid).toBe(two.pid);
  expect(one.url).toBe(two.url);
  await one.stop();
  expect(await query(two.url, 'SELECT 1')).toEqual([1]);
  await two.stop();
  expect(serverAlive(two.pid)).toBe(false);
});

test('a program killed with SIGKILL leaves the server running, and the next one attaches and can shut it down', async () => {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
    const log = { info() {}, warn() {} };
    const { url, pid } = await startEmbedded({ dataDir: process.argv[1], log, durable: false });
    process.stdout.write(JSON.stringify({ url, pid }) + '\\n');
    setInterval(() => {}, 1000);`;
  const args = ['--import', join(root, 'scripts/typescript.mjs'), '--input-type=module', '-e', script];
  const parent = spawn(process.execPath, [...args, join(home, 'database')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const first = JSON.parse(String(line));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const second = await start();
  expect(second).toMatchObject({ attached: true, pid: first.pid, url: first.url });
  await second.stop();
  expect(serverAlive(first.pid)).toBe(false);
});

test('after a kill -9 of PostgreSQL the next start recovers committed data', async () => {
  const first = await start(true);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(first.pid, 'SIGKILL');
  const second = await start(true);
  expect(second.pid).not.toBe(first.pid);
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
  await first.stop();
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
});

test('PostgreSQL killed under a program restarts on the same port, and the last program to leave shuts it down', async () => {
  const server = await start(true);
  await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(server.pid, 'SIGKILL');
  while (serverAlive(server.pid));
  const answer = async () => query(server.url, 'SELECT answer FROM kept').catch(() => null);
  let found: unknown[] | null = null;
  while (found === null) found = await answer();
  expect(found).toEqual([42]);
  const again = await start(true);
  expect(again).toMatchObject({ attached: true, url: server.url });
  expect(again.pid).not.toBe(server.pid);
  await again.stop();
  await server.stop();
  expect(serverAlive(again.pid)).toBe(false);
}, 60_000);

test('why a killed PostgreSQL cannot be started again is logged once, and it starts when that is fixed', async () => {
  const logged: { err?: Error; message: string }[] = [];
  const warn = (fields: { err?: Error }, message: string) => void logged.push({ ...fields, message });
  const server = await startEmbedded({ dataDir: join(home, 'database'), log: { info() {}, warn }, durable: false });
  started.push(server);
  const configuration = join(home, 'database/cluster/data/postgresql.conf');
  const content = readFileSync(configuration, 'utf8');
  writeFileSync(configuration, `${content}\nwork_mem = much\n`);
  const logFile = join(home, 'database/postgresql.log');
  process.kill(server.pid, 'SIGKILL');
  const attempts = () => readFileSync(logFile, 'utf8').split('configuration file').length - 1;
  while (attempts() < 2) await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(configuration, content);
  const answer = async () => query(server.url, 'SELECT 1').catch(() => null);
  while ((await answer()) === null);
  expect(logged).toEqual([
    { err: expect.any(EmbeddedServerError), message: expect.stringContaining("can't be started again") },
    expect.objectContaining({ message: expect.stringContaining('was started again') }),
  ]);
  expect(logged[0]!.err!.message).toContain('work_mem');
}, 60_000);

test("a pid file whose process id now belongs to another program doesn't prevent the start", async () => {
  const first = await start();
  const pidFile = join(home, 'database/cluster/data/postmaster.pid');
  const content = readFileSync(pidFile, 'utf8');
  await first.stop();
  writeFileSync(pidFile, content.replace(/^\d+/, String(process.pid)));
  expect(await query((await start()).url, 'SELECT 1')).toEqual([1]);
});

test('a start removes what an interrupted start left behind', async () => {
  const leftover = join(home, 'database/initializing-2147483646-0000');
  mkdirSync(leftover, { recursive: true });
  await start();
  expect(existsSync(leftover)).toBe(false);
});

test('data of another major version are rejected with a remedy', async () => {
  await (await start()).stop();
  writeFileSync(join(home, 'database/cluster/data/PG_VERSION'), '16\n');
  await expect(start()).rejects.toThrow(EmbeddedServerError);
  await expect(start()).rejects.toThrow(/was written by PostgreSQL 16.*includes 18.*backup/);
});

test("a server that can't start reports why, with the location of its log", async () => {
  await (await start()).stop();
  writeFileSync(join(home, 'database/cluster/data/postgresql.conf'), 'no_such_setting = 1\n');
  await expect(start()).rejects.toThrow(/no_such_setting.*postgresql\.log.*SVC_DATABASE_URL/s);
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot('a folder that the server account may not enter is replaced by one it may, and found again', async () => {
  chmodSync(home, 0o700);
  const first = await start();
  const location = readFileSync(join(home, 'database/location'), 'utf8').trim();
  try {
    expect(location).toMatch(/^\/var\/lib\/svc\/[0-9a-f]{12}$/);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(await query((await start()).url, 'SELECT answer FROM kept')).toEqual([42]);
  } finally {
    for (const server of started) await server.stop();
    rmSync(location, { recursive: true, force: true });
  }
});
