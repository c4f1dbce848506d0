import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SvcClient } from '@svc/sdk';
import { deployFiles } from '../../testing/projects.ts';
import { makeServiceHome, type ServiceHome, startServiceProcess } from '../../testing/service-process.ts';

const ENDLESS = 'SELECT count(*) AS n FROM range(100000000000) t(i) WHERE i % 7 = 3';

let home: ServiceHome;
beforeEach(async () => {
  home = await makeServiceHome();
});
afterEach(() => home.remove());

test('cancelling queries right after the start breaks neither the start nor the process', async () => {
  const s = await startServiceProcess(home);
  const { client } = s;
  await client.environments.create('dev');
  let ready = false;
  void s.ready.then(() => {
    ready = true;
  });
  const cancelled: string[] = [];
  do {
    const queries = await Promise.all([1, 2, 3].map(() => client.queries.submit('dev', ENDLESS)));
    await Promise.all(queries.map(({ id }) => client.queries.cancel('dev', id)));
    cancelled.push(...queries.map(({ id }) => id));
  } while (!ready);
  await s.ready;
  for (const id of cancelled) expect(await client.queries.wait('dev', id)).toMatchObject({ status: 'CANCELLED' });
  await client.queries.wait('dev', (await client.queries.submit('dev', 'SELECT 1')).id);
  expect(await s.stop()).toBe(0);
}, 120_000);

test('so do runs that are cancelled or whose environment is deleted as they start', async () => {
  const first = await startServiceProcess(home);
  const files = { 'svc.yaml': 'jobs:\n  slow: { select: [slow.forever] }\n', 'assets/slow/forever.sql': ENDLESS };
  await first.client.repositories.create({ name: 'slow' });
  for (const env of ['one', 'two']) {
    await first.client.environments.create(env);
    await deployFiles(first.client, { env, repository: 'slow', folder: home.folder }, files);
  }
  expect(await first.stop()).toBe(0);

  const s = await startServiceProcess(home);
  const { client } = s;
  const isStarted = async (env: string, id: string) => (await client.runs.get(env, id)).status !== 'queued';
  const start = async (env: string) => (await client.jobs.start(env, 'slow')).run!.id;
  const [one, two] = await Promise.all([start('one'), start('two')]);
  while (!(await isStarted('one', one)) && !(await isStarted('two', two)));
  await Promise.all([client.runs.cancel('one', one), client.environments.delete('two')]);
  await s.ready;
  expect(await client.runs.wait('one', one)).toMatchObject({ status: 'cancelled' });
  expect(await s.stop()).toBe(0);
}, 120_000);

test('what is loaded at its first use is in the bundle', async () => {
  const s = await startServiceProcess(home);
  const { client } = s;
  await expect(
    client.principals.create({ name: 'ann', type: 'person', password: 'password1234' }),
  ).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('is a common password'),
  });
  await client.principals.create({ name: 'ann', type: 'person', password: 'correct horse battery' });
  const { token } = await client.access.signIn('ann', 'correct horse battery');
  const own = new SvcClient({ url: client.url.replace('127.0.0.1', 'localhost'), token });
  expect((await own.secondFactors.startSecurityKey()).options).toMatchObject({ rp: { id: 'localhost' } });
  expect(await s.stop()).toBe(0);
}, 120_000);

const readiness = (url: string): Promise<number | null> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => null,
  );

// npm doesn't pass SIGHUP on. A terminal that is closed sends it to every process.
const SIGNALS = [
  ['SIGTERM', ['npm', 'start']],
  ['SIGINT', ['npm', 'start']],
  ['SIGHUP', [process.execPath, 'scripts/bootstrap.mjs', 'start']],
] as const;

test.each(SIGNALS)(
  '%s to npm start lets the service finish, and stops all its processes (SERVICE-1, SERVICE-6)',
  async (signal, command) => {
    const s = await startServiceProcess(home, {}, command);
    const { queries, environments } = s.client;
    await s.ready;
    const pid = Number.parseInt(readFileSync(join(home.folder, 'home', 'pid'), 'utf8'), 10);
    await environments.create('dev');
    const { id } = await queries.submit('dev', ENDLESS);
    while ((await queries.get('dev', id)).status !== 'RUNNING');
    const waiting = queries.get('dev', id, { wait: 60 });
    process.kill(s.pid, signal);
    while ((await readiness(s.url)) === 200);
    expect(await readiness(s.url)).toBe(503);
    await queries.cancel('dev', id);
    expect(await waiting).toMatchObject({ status: 'CANCELLED' });
    expect(await s.exited).toBe(0);
    expect(await readiness(s.url)).toBeNull();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
  120_000,
);

test('it runs on, and stops cleanly, although nobody reads its output any more', async () => {
  const piped = `{ ${process.execPath} apps/standalone/dist/bundle/main.js; echo "exited with $?" >&2; } | true`;
  const s = await startServiceProcess(home, {}, ['sh', '-c', piped]);
  const pidFile = join(home.folder, 'home', 'pid');
  while ((await readiness(s.url)) !== 200);
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGTERM');
  while (!s.output().includes('exited with')) await readiness(s.url);
  expect(s.output()).toContain('exited with 0');
}, 60_000);

/** What `npm run stop` prints. */
async function stopped(folder: string): Promise<string> {
  const stop = spawn('npm', ['run', '--silent', 'stop'], {
    cwd: fileURLToPath(new URL('../../../../../', import.meta.url)),
    env: { ...process.env, SVC_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const piece of stop.stdout) output += String(piece);
  return output;
}

test.each([
  ['that its program started', [process.execPath, 'apps/standalone/dist/bundle/main.js'], true],
  ['that npm start started', ['npm', 'start'], true],
  ['before it is ready', [process.execPath, 'apps/standalone/dist/bundle/main.js'], false],
])(
  'npm run stop stops a service %s',
  async (_, command, isReady) => {
    const s = await startServiceProcess(home, {}, command);
    if (isReady) await s.ready;
    expect(existsSync(join(home.folder, 'home', 'pid'))).toBe(true);
    expect(await stopped(join(home.folder, 'home'))).toContain('The service has stopped. Its data remains.');
    expect(await s.exited).toBe(0);
  },
  60_000,
);

test('npm run stop stops the first of two services on one home folder', async () => {
  const first = await startServiceProcess(home);
  const second = await startServiceProcess(home);
  await Promise.all([first.ready, second.ready]);
  const folder = join(home.folder, 'home');
  expect(Number.parseInt(readFileSync(join(folder, 'pid'), 'utf8'), 10)).toBe(first.pid);
  expect(await second.stop()).toBe(0);
  expect(await stopped(folder)).toContain('The service has stopped.');
  expect(await first.exited).toBe(0);
}, 60_000);

test.each([
  ['the id alone', ''],
  ['the id and another start', ' 1'],
])(
  'npm run stop leaves a program alone that now has the id of a service that was killed: %s',
  async (_, start) => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(other, 'spawn');
    const folder = join(home.folder, 'home');
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), `${other.pid}${start}\n`);
    expect(await stopped(folder)).toContain(`No service is running in ${folder}.`);
    expect(other.signalCode).toBeNull();
    other.kill();
  },
  60_000,
);

/** Runs a command on a terminal of its own, and copies what it prints. */
const ON_A_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

test('on a terminal it prints lines for people, and the log goes to a file in the home folder (SERVICE-7)', async () => {
  const main = ['apps/standalone/dist/bundle/main.js'];
  const child = spawn('python3', ['-c', ON_A_TERMINAL, process.execPath, ...main], {
    cwd: fileURLToPath(new URL('../../../../../', import.meta.url)),
    env: {
      ...process.env,
      SVC_LISTEN: '127.0.0.1:0',
      SVC_SQL__LISTEN: '127.0.0.1:0',
      SVC_HOME: join(home.folder, 'home'),
      SVC_DATABASE_URL: home.database.url,
      SVC_LOG__LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const exited = once(child, 'exit');
  for await (const piece of child.stdout) {
    output += String(piece).replaceAll('\r', '');
    if (!output.includes('Ctrl-C') || output.includes('Stop')) continue;
    process.kill(Number.parseInt(readFileSync(join(home.folder, 'home', 'pid'), 'utf8'), 10), 'SIGINT');
    output += 'Stop';
  }
  expect((await exited)[0]).toBe(0);
  const file = join(home.folder, 'home', 'service.log');
  const lines = output
    .replace('Stop', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  note:'));
  const url = /svc is ready at (\S+)/.exec(output)?.[1];
  expect(lines).toEqual([
    expect.stringMatching(/^Starting svc \d/),
    `svc is ready at ${url}`,
    `  console                ${url}/console`,
    `  guides and reference   ${url}/docs`,
    expect.stringMatching(/^ {2}PostgreSQL clients {5}127\.0\.0\.1:\d+ \(how to connect: svc sql connect\)$/),
    expect.stringContaining("administrator's token  "),
    `  log                    ${file}`,
    '  stop it with Ctrl-C',
    expect.stringContaining('Stopping: '),
    'Stopped.',
  ]);
  const log = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(log).toEqual(expect.arrayContaining(['the API listens', 'stopping']));
}, 60_000);

test('without a terminal it writes the log to standard error, and no file (SERVICE-7)', async () => {
  const s = await startServiceProcess(home);
  await s.ready;
  expect(s.output()).not.toMatch(/Starting svc|^ {2}(?:log|PostgreSQL clients) /m);
  expect(await s.stop()).toBe(0);
  expect(s.output()).toMatch(/"msg":"stopping"/);
  expect(existsSync(join(home.folder, 'home', 'service.log'))).toBe(false);
}, 60_000);
