// Follows deploy/images/Dockerfile without a container engine: builds from a clean copy of the committed
// tree, and starts each image's program with its account, in its own read-only root. Needs Linux,
// root, unshare and nsenter. `node --import ./scripts/typescript.mjs --conditions=@svc/source scripts/images/try-images.mjs`
import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { silent } from '../../packages/db/src/connection/index.ts';
import { startEmbedded } from '../../packages/db/src/embedded/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ACCOUNT = 10001;
const KEY = Buffer.alloc(32, 7).toString('base64');
const TOKEN = 'rehearsal-token-of-the-administrator';

/** Instructions of a stage of the Dockerfile, continued lines joined. */
function stageOf(name) {
  const lines = readFileSync(join(root, 'deploy/images/Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const from = lines.findIndex((line) => line.startsWith('FROM') && line.endsWith(` AS ${name}`));
  const to = lines.findIndex((line, i) => i > from && line.startsWith('FROM'));
  return lines.slice(from + 1, to === -1 ? undefined : to).filter((line) => line !== '' && !line.startsWith('#'));
}

const instructions = (stage, instruction) =>
  stage.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

/** The build stage, in a clean copy of the committed files. */
function build(work) {
  const source = join(work, 'src');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, source]);
  rmSync(join(source, '.git'), { recursive: true });
  for (const command of instructions(stageOf('build'), 'RUN')) {
    const here = command.replaceAll('/out', join(work, 'out'));
    execFileSync('sh', ['-ec', here], { cwd: source, stdio: ['ignore', 'inherit', 'inherit'] });
  }
}

/** The contents of the base image, and the account that its stage creates. */
function prepareRoot(folder) {
  for (const name of ['app', 'data', 'dev', 'proc', 'tmp', 'usr', 'etc', 'var/lib/svc'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\nsvc:x:${ACCOUNT}:${ACCOUNT}::/var/lib/svc:/bin/sh\n`,
  );
  writeFileSync(join(folder, 'etc/group'), `root:x:0:\nsvc:x:${ACCOUNT}:\n`);
  for (const file of ['hosts', 'resolv.conf', 'nsswitch.conf', 'ld.so.cache'])
    if (existsSync(`/etc/${file}`)) cpSync(realpathSync(`/etc/${file}`), join(folder, 'etc', file));
}

/** Starts a program as the Dockerfile's target does; it stops with its namespace. */
function start(work, name, env) {
  const folder = join(work, `root-${name}`);
  prepareRoot(folder);
  const [entry] = instructions(stageOf(name), 'ENTRYPOINT');
  const node = dirname(dirname(realpathSync(process.execPath)));
  const mounts = [
    `mount --bind '${folder}' '${folder}'`,
    `mount -t tmpfs none '${folder}/tmp'`,
    `mount -t tmpfs -o uid=${ACCOUNT},gid=${ACCOUNT},mode=0700 none '${folder}/var/lib/svc'`,
    `mount --rbind /usr '${folder}/usr'`,
    ...['bin', 'lib', 'lib64', 'opt'].map(
      (top) =>
        `if [ -e /${top} ]; then if [ -L /${top} ]; then cp -af /${top} '${folder}/'; else mkdir -p '${folder}/${top}' && mount --rbind /${top} '${folder}/${top}'; fi; fi`,
    ),
    `mkdir -p '${folder}${node}' && (mountpoint -q '${folder}${node}' || mount --rbind '${node}' '${folder}${node}')`,
    `mount --rbind /dev '${folder}/dev'`,
    `mount -t proc none '${folder}/proc'`,
    `mount --bind '${work}/out/${name}' '${folder}/app' && mount -o remount,ro,bind '${folder}/app'`,
    `mount --bind '${work}/data' '${folder}/data'`,
    // Last, because what is mounted below keeps its own mode.
    `mount -o remount,ro,bind '${folder}'`,
  ];
  const command = JSON.parse(entry).map((word) => (word === 'node' ? process.execPath : word));
  const set = Object.entries({
    PATH: `${node}/bin:/usr/local/bin:/usr/bin:/bin`,
    HOME: '/var/lib/svc',
    NODE_ENV: 'production',
    SVC_HOME: '/var/lib/svc',
    ...env,
  });
  const script = `${mounts.join('\n')}\nexec chroot --userspec=${ACCOUNT}:${ACCOUNT} '${folder}' /usr/bin/env -i ${set.map(([key, value]) => `'${key}=${value}'`).join(' ')} ${command.join(' ')}`;
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', 'sh', '-euc', script],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exited = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  const inner = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0];
  return { name, child, exited, inner, node: process.execPath };
}

/** A command in the namespaces, root and account of a running program. */
const inside = ({ inner }, ...args) =>
  execFileSync(
    'nsenter',
    ['-t', inner(), '-m', '-p', '-r', '-w', '-S', String(ACCOUNT), '-G', String(ACCOUNT), ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  ).toString();

async function until(what, test) {
  for (let attempt = 0; attempt < 120; attempt++) {
    if (await test().catch(() => false)) return;
    await pause(500);
  }
  throw new Error(`${what} did not come about within a minute`);
}

const ready = async (url) => (await fetch(`${url}/readyz`)).ok;

/** Its HEALTHCHECK passes, its root is read-only, and it stops on request. */
async function verify(program) {
  const [check] = instructions(stageOf(program.name), 'HEALTHCHECK');
  const command = JSON.parse(check.slice(check.indexOf('CMD') + 3)).map((word) =>
    word === 'node' ? program.node : word,
  );
  inside(program, ...command);
  for (const path of ['/x', '/etc/x', '/app/x', '/app/dist/bundle/main.js']) {
    let written = true;
    try {
      inside(program, '/bin/sh', '-c', `echo x >> ${path}`);
    } catch {
      written = false;
    }
    if (written) throw new Error(`${program.name} can write to ${path}`);
  }
  if (inside(program, '/usr/bin/id', '-u').trim() !== String(ACCOUNT)) throw new Error('it runs as another account');
}

async function stopped(program) {
  process.kill(Number(program.inner()), 'SIGTERM');
  const code = await program.exited;
  if (code !== 0) throw new Error(`${program.name} exited with ${code} when it was stopped`);
}

/** A query uses server, worker and files. */
async function query(url) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const call = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  await call('POST', '/environments', { name: 'dev' });
  await call('POST', '/environments/dev/namespaces', { path: 'shop' });
  const { id } = await call('POST', '/environments/dev/queries', {
    sql: 'SELECT 42 AS answer',
    into: 'shop.answers',
    mode: 'create',
  });
  const record = await call('GET', `/environments/dev/queries/${id}?wait=60`);
  if (record.status !== 'SUCCEEDED')
    throw new Error(`the query finished as ${record.status}: ${JSON.stringify(record.error)}`);
}

const sizeOf = (folder) => Number(execFileSync('du', ['-sm', folder]).toString().split('\t')[0]);

async function tryStandalone(work) {
  const url = 'http://127.0.0.1:8470';
  const program = start(work, 'standalone', {
    SVC_LISTEN: '127.0.0.1:8470',
    SVC_BOOTSTRAP_TOKEN: TOKEN,
    SVC_LOG__LEVEL: 'warn',
  });
  try {
    await until('the standalone service', () => ready(url));
    await query(url);
    if (!(await fetch(`${url}/docs`)).ok) throw new Error('the guides are not served');
    await verify(program);
    await stopped(program);
  } finally {
    program.child.kill('SIGKILL');
  }
}

async function trySeveral(work) {
  const database = await startEmbedded({ dataDir: join(work, 'postgres'), log: silent });
  const shared = {
    SVC_DATABASE_URL: database.url,
    SVC_SECRETS__KEY: KEY,
    SVC_STORAGE__LOCATION: '/data',
    SVC_LOG__LEVEL: 'warn',
  };
  // The address of the image's own health check.
  const url = 'http://127.0.0.1:8470';
  const programs = [];
  try {
    const server = start(work, 'server', { ...shared, SVC_LISTEN: '127.0.0.1:8470', SVC_BOOTSTRAP_TOKEN: TOKEN });
    programs.push(server);
    await until('the server', () => ready(url));
    const worker = start(work, 'worker', { ...shared, SVC_PUBLIC_URL: url });
    programs.push(worker);
    await query(url);
    await verify(server);
    await verify(worker);
    await stopped(worker);
    await stopped(server);
  } finally {
    for (const { child } of programs) child.kill('SIGKILL');
    await database.stop();
  }
}

const work = process.env.SVC_REHEARSAL ?? mkdtempSync(join(tmpdir(), 'svc-images-'));
try {
  if (!existsSync(join(work, 'out'))) build(work);
  mkdirSync(join(work, 'data'), { recursive: true });
  chownSync(join(work, 'data'), ACCOUNT, ACCOUNT);
  for (const name of ['server', 'worker', 'standalone'])
    console.log(`${name}: ${sizeOf(join(work, 'out', name))} MB in /app`);
  await trySeveral(work);
  console.log('server and worker: ready, a query, healthy, not root, /app read-only, stopped');
  await tryStandalone(work);
  console.log('standalone: the same');
} finally {
  if (process.env.SVC_REHEARSAL === undefined) rmSync(work, { recursive: true, force: true });
}
