// deploy/compose/compose.yaml as it is: two servers behind a proxy, two workers, PostgreSQL, an S3-compatible store. Servers and workers are
// killed in turn while clients append rows through the proxy. Needs port 8470.
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../bootstrap/stamp.mjs';
import { withUv } from '../bootstrap/uv.mjs';
import { withS3Program } from '../testing/s3-program.mjs';
import { Container, check, LIMITS, TOKEN } from './container.mjs';
import { createTable, nothingLost, startLoad } from './load.mjs';

const PODMAN_COMPOSE = 'podman-compose==1.6.0';
const URL_OF_PROXY = 'http://127.0.0.1:8470';
const IMAGES = {
  postgres: 'postgres:18',
  nginx: 'nginx:1',
  busybox: 'busybox:1',
  versitygw: 'versity/versitygw:latest',
};

export async function tryCompose(engine, folder) {
  const reason = (await withoutNames(engine)) ?? (await prepareImages(engine, folder));
  if (reason !== null) {
    console.log(`compose: not tried, because ${reason}.`);
    return;
  }
  const compose = await composeOf(engine, folder);
  try {
    await compose('up', '--detach', '--no-build');
    const [proxy] = await containersOf(engine, compose.project, 'proxy');
    await proxy.ready();
    await createTable(URL_OF_PROXY);
    const load = startLoad([URL_OF_PROXY]);
    const containers = await containersOf(engine, compose.project, 'worker', 'server');
    check('the containers', containers.length, 4);
    for (const container of containers) {
      await load.more(10);
      await container.kill();
      await load.more(5);
      await container.startAgain();
    }
    await load.more(10);
    console.log(`compose: ${await nothingLost(load, URL_OF_PROXY)}`);
  } finally {
    await compose('down', '--volumes');
  }
}

/** Why containers of a network can't find each other by name, or null. */
async function withoutNames(engine) {
  if (!engine.program.endsWith('podman')) return null;
  const network = `svc-trial-${randomUUID().slice(0, 8)}`;
  await engine.run('network', 'create', network);
  const hasNames = await engine.run('network', 'inspect', network, '--format', '{{.DNSEnabled}}');
  await engine.run('network', 'rm', network);
  return hasNames === 'true'
    ? null
    : 'podman has no name server for networks: install its plugin dnsname, or aardvark-dns';
}

/** Makes sure that the images are there: pulls them, or builds some of Debian's packages. @returns why that's impossible, or null */
async function prepareImages(engine, folder) {
  const context = join(folder, 'stand-ins');
  cpSync(join(root, 'scripts/containers/stand-ins'), context, { recursive: true });
  for (const [target, image] of Object.entries(IMAGES)) {
    const name = `docker.io/${image.includes('/') ? image : `library/${image}`}`;
    if (engine.has('image', 'inspect', name) || engine.has('pull', '--quiet', name)) continue;
    const store = target === 'versitygw' ? (await withS3Program({ ...process.env, CI: 'true' })).TEST_S3_SERVER : null;
    if (store) copyFileSync(store, join(context, 'versitygw'));
    if (target === 'versitygw' && !existsSync(join(context, 'versitygw'))) return 'there is no S3-compatible store';
    engine.show(['build', ...engine.buildFlags, '--network', 'host', '--target', target, '-t', name, context]);
  }
  return null;
}

/** Runs commands of Compose on a project of its own, with settings as example.env describes them. */
async function composeOf(engine, folder) {
  const values = {
    SVC_SECRETS_KEY: randomBytes(32).toString('base64'),
    SVC_BOOTSTRAP_TOKEN: TOKEN,
    POSTGRES_PASSWORD: randomBytes(16).toString('hex'),
    STORE_SECRET: randomBytes(16).toString('hex'),
  };
  const example = readFileSync(join(root, 'deploy/compose/example.env'), 'utf8');
  const settings = join(folder, 'compose.env');
  writeFileSync(
    settings,
    example.replaceAll(/^(\w+)=$/gm, (_, name) => `${name}=${values[name]}`),
  );
  const project = `svc-trial-${randomUUID().slice(0, 8)}`;
  const files = ['--project-name', project, '--env-file', settings, '--file', 'deploy/compose/compose.yaml'];
  const [program, ...flags] = await programOf(engine);
  const compose = (...args) =>
    promisify(execFile)(program, [...flags, ...files, ...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return Object.assign(compose, { project });
}

async function programOf(engine) {
  if (!engine.program.endsWith('podman')) return [engine.program, 'compose'];
  const { SVC_RUN__UV: uv = 'uv' } = await withUv({ retry: true });
  const forPodman = [`--podman-args=${engine.flags.join(' ')}`, `--podman-run-args=${LIMITS.join(' ')}`];
  return [uv, 'tool', 'run', '--from', PODMAN_COMPOSE, 'podman-compose', ...forPodman];
}

/** The containers of services of the project. */
async function containersOf(engine, project, ...services) {
  const label = 'com.docker.compose';
  const all = services.map((service) => [
    ...['--filter', `label=${label}.project=${project}`],
    ...['--filter', `label=${label}.service=${service}`],
  ]);
  const names = await Promise.all(all.map((filters) => engine.run('ps', ...filters, '--format', '{{.Names}}')));
  return names.flatMap((text) => text.split('\n')).map((name) => new Container(engine, name, URL_OF_PROXY));
}
