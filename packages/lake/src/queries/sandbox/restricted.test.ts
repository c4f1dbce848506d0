import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { QueryFixture } from '../testing/query-fixture.ts';
import { restricted, unrestrictedBecause } from './restricted.ts';

const isAvailable = restricted({ read: [], write: [] }) !== null;
if (!isAvailable) console.warn("The restrictions of query processes aren't tested: they need Linux and Python.");
const restrictedTest = isAvailable ? test : test.skip;

/** Tries what the process mustn't be able to do, and prints the code of each error, or `done`. */
const TRY = `
const [fs, net, { spawnSync }, { Worker }, { once }] = ['fs', 'net', 'child_process', 'worker_threads', 'events'].map(require);
const { closed, read, write, parent, port } = JSON.parse(process.argv[1]);
const of = async (attempt) => { try { await attempt(); return 'done'; } catch (error) { return error.code ?? String(error); } };
const connected = async (options) => { const socket = net.connect(options); await once(socket, 'connect'); socket.destroy(); };
const started = (file) => { const { error } = spawnSync(file); if (error) throw error; };
const attempts = {
  ownFile: () => fs.writeFileSync(write + '/own', fs.readFileSync(read + '/data')),
  thread: () => once(new Worker('1', { eval: true }), 'exit'),
  memory: () => process.memoryUsage().rss,
  closedFile: () => fs.readFileSync(closed + '/secret'),
  passwords: () => fs.readFileSync('/etc/passwd'),
  root: () => fs.readdirSync('/'),
  readFolder: () => fs.writeFileSync(read + '/new', ''),
  emptied: () => fs.truncateSync(read + '/data'),
  removed: () => fs.rmSync(read + '/data'),
  environment: () => fs.readFileSync('/proc/' + parent + '/environ'),
  permissions: () => fs.chmodSync(write + '/own', 0o777),
  times: () => fs.utimesSync(write + '/own', 0, 0),
  signal: () => process.kill(parent, 0),
  program: () => started('/bin/true'),
  tcp: () => connected({ host: '127.0.0.1', port }),
  unix: () => connected({ path: write + '/socket' }),
  listening: async () => { const server = net.createServer().listen(0, '127.0.0.1'); await once(server, 'listening'); server.close(); },
};
(async () => {
  const found = {};
  for (const [name, attempt] of Object.entries(attempts)) found[name] = await of(attempt);
  console.log(JSON.stringify(found));
})();
`;

restrictedTest('a query process reaches its own files, and nothing else of the machine', async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'svc-restricted-'));
  const folder = async (name: string, file: string) => {
    await fs.mkdir(path.join(dir, name));
    await fs.writeFile(path.join(dir, name, file), 'content');
    return path.join(dir, name);
  };
  const [closed, read, write] = [
    await folder('closed', 'secret'),
    await folder('read', 'data'),
    await folder('write', 'x'),
  ];
  const tcp = createServer().listen(0, '127.0.0.1');
  const unix = createServer().listen(path.join(write, 'socket'));
  await Promise.all([tcp, unix].map((server) => new Promise((done) => server.once('listening', done))));
  const { port } = tcp.address() as { port: number };
  const [command, ...args] = restricted({ read: [read], write: [write] })!;
  const input = JSON.stringify({ closed, read, write, parent: process.pid, port });
  const node = [process.execPath, '-e', TRY, input];
  const { stdout } = await promisify(execFile)(command, [...args, ...node], { cwd: write });
  expect(JSON.parse(stdout)).toEqual({
    ownFile: 'done',
    thread: 'done',
    memory: 'done',
    closedFile: 'EACCES',
    passwords: 'EACCES',
    root: 'EACCES',
    readFolder: 'EACCES',
    emptied: 'EACCES',
    removed: 'EACCES',
    environment: 'EACCES',
    permissions: 'EPERM',
    times: 'EPERM',
    signal: 'EPERM',
    program: 'EPERM',
    tcp: 'EAFNOSUPPORT',
    unix: 'EAFNOSUPPORT',
    listening: 'EAFNOSUPPORT',
  });
  await Promise.all([tcp, unix].map((server) => new Promise((done) => server.close(done))));
  await fs.rm(dir, { recursive: true });
});

restrictedTest('the reason why files are open is reported only where they are', () => {
  expect(unrestrictedBecause()).toBeNull();
});

restrictedTest('the processes of queries are restricted', async () => {
  const f = await QueryFixture.create();
  const [status, score] = await f.sandbox.withChild(async (child) => {
    await child.ready;
    return Promise.all(['status', 'oom_score_adj'].map((name) => fs.readFile(`/proc/${child.pid}/${name}`, 'utf8')));
  });
  expect(score).toBe('1000\n');
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^Seccomp:\t2$/m);
  await f.close();
});

restrictedTest('a query process enters a cgroup of its own, where the kernel limits its memory', async () => {
  const f = await QueryFixture.create();
  // A plain folder: a delegated one needs systemd. What is written to it can be read.
  const base = await fs.mkdtemp(path.join(os.tmpdir(), 'svc-cgroup-'));
  await fs.mkdir(path.join(base, 'svc-query-999999999'));
  await f.sandbox.useCgroups(base);
  expect(await fs.readdir(base)).toEqual([]);
  const failed = f.sandbox.withChild(async (child) => {
    await child.ready;
    const file = (name: string) => path.join(base, `svc-query-${child.pid}`, name);
    expect(await fs.readFile(file('cgroup.procs'), 'utf8')).toBe(String(child.pid));
    child.watch({ memoryLimit: 1e9, timeoutMs: 60_000 });
    await waitFor(() => fs.readFile(file('memory.max'), 'utf8').then(Number, () => 0));
    expect(Number(await fs.readFile(file('memory.max'), 'utf8'))).toBe(1e9 + 256 * 2 ** 20);
    // The kernel kills it.
    await fs.writeFile(file('memory.events'), 'low 0\noom 1\noom_kill 1\n');
    const answer = child.send({ op: 'read', sql: 'select 1' });
    process.kill(child.pid!, 'SIGKILL');
    return answer;
  });
  await expect(failed).rejects.toMatchObject({ reason: 'out-of-memory' });
  await f.close();
  await fs.rm(base, { recursive: true });
});

async function waitFor(condition: () => Promise<number>): Promise<void> {
  while ((await condition()) === 0) await new Promise((resolve) => setImmediate(resolve));
}
