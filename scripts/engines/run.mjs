// npm run test:engines [pyiceberg] [signed] [vended] [duckdb] [spark] [trino] [queries] [builds] [vended-builds] [spark-builds] [kit] [postgres]: other engines and clients against the service. What cannot be fetched or run here says so and is left out.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withS3Program } from '../testing/s3-program.mjs';
import { withSeaweedFS } from '../testing/seaweedfs.mjs';
import { compatibilityKit } from './kit.mjs';
import { postgres } from './postgres/index.mjs';
import { startService, TOKEN } from './service.mjs';
import { spark } from './spark.mjs';
import { sparkBuilds } from './spark-builds.mjs';
import { trino } from './trino.mjs';
import { trinoBuilds } from './trino-builds.mjs';
import { trinoQueries } from './trino-queries.mjs';
import { trinoVended } from './trino-vended.mjs';

const uv = process.env.SVC_RUN__UV ?? 'uv';

/** A service whose warehouse is a bucket of a server of its own; null where that cannot be had. */
async function startServiceInBucket(settings = {}) {
  const program = (await withS3Program({ ...process.env, CI: 'true' })).TEST_S3_SERVER;
  const { startS3Server } = await import('../../packages/lake/src/storage/testing/index.ts');
  return startIn(await openBucket(program, startS3Server), settings);
}

/** A bucket on a server that issues temporary credentials; null where that cannot be had. */
async function bucketWithCredentials() {
  const program = (await withSeaweedFS(process.env)).TEST_SEAWEEDFS;
  const { startSeaweedFS } = await import('../../packages/lake/src/storage/testing/index.ts');
  return openBucket(program, startSeaweedFS);
}

const startServiceWithCredentials = async (settings = {}) => startIn(await bucketWithCredentials(), settings);

/** A bucket on a server of its own, and the settings of a service that uses it. */
async function openBucket(program, startServer) {
  if (program === undefined || !existsSync(program)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'svc-engines-bucket-'));
  const bucket = await startServer(program, folder);
  const { endpoint, region, pathStyle, credentials, sts } = bucket.options;
  return {
    endpoint,
    settings: {
      SVC_STORAGE__LOCATION: `s3://${bucket.bucket}/warehouse`,
      SVC_STORAGE__S3_ENDPOINT: endpoint,
      SVC_STORAGE__S3_REGION: region,
      SVC_STORAGE__S3_PATH_STYLE: String(pathStyle),
      SVC_STORAGE__S3_ACCESS_KEY_ID: credentials.accessKeyId,
      SVC_STORAGE__S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...(sts && { SVC_STORAGE__S3_STS_ROLE: sts.role }),
    },
    async stop() {
      await bucket.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startIn(bucket, settings) {
  if (bucket === null) return null;
  const service = await startService({ ...settings, ...bucket.settings });
  return {
    ...service,
    endpoint: bucket.endpoint,
    async stop() {
      await service.stop();
      await bucket.stop();
    },
  };
}

/** A Python program that needs these packages and receives the service's URL and a token. */
const inPython =
  (name, program, packages, start = startService) =>
  async () => {
    const base = ['run', '--quiet', '--no-project', ...packages.flatMap((one) => ['--with', one]), 'python'];
    const there = spawnSync(uv, [...base, '-c', ''], { encoding: 'utf8' });
    if (there.status !== 0) {
      console.log(`${name} did not run: ${(there.error?.message ?? there.stderr.trim()).split('\n')[0]}`);
      return 0;
    }
    const service = await start();
    if (service === null) {
      console.log(`${name} did not run: it needs an S3-compatible server, which Go builds.`);
      return 0;
    }
    try {
      const file = fileURLToPath(new URL(`./${program}`, import.meta.url));
      return spawnSync(uv, [...base, file, service.url, TOKEN], { stdio: 'inherit' }).status ?? 1;
    } finally {
      await service.stop();
    }
  };

const pyiceberg = inPython('PyIceberg', 'pyiceberg_engine.py', ['pyiceberg[pyarrow,pyiceberg-core]==0.12.0']);
const signed = inPython(
  'PyIceberg without a key',
  'pyiceberg_signed.py',
  ['pyiceberg[pyarrow,pyiceberg-core,s3fs]==0.12.0'],
  startServiceInBucket,
);
const pyicebergVended = inPython(
  'PyIceberg with temporary credentials',
  'pyiceberg_vended.py',
  ['pyiceberg[pyarrow,pyiceberg-core]==0.12.0'],
  startServiceWithCredentials,
);
/** Its extensions as packages of PyPI bring them, which are others for each version. */
const duckdbOf = (version, extension, start) =>
  inPython(
    `DuckDB ${version}`,
    'duckdb_engine.py',
    [`duckdb==${version}`, ...['iceberg', 'avro', 'httpfs'].map(extension)],
    start,
  );
const newestDuckdb = (start) => duckdbOf('1.5.5', (name) => `duckdb-extension-${name}==1.5.5`, start);

/** Runs one after the other. */
const allOf = (engines) => async () => {
  let failed = 0;
  for (const one of engines) failed += await one();
  return failed;
};

const duckdb = allOf([duckdbOf('1.4.4', (name) => `duckdb-ext-${name}==1.4.4.20260205`), newestDuckdb()]);
/** Engines that receive temporary credentials for the bucket. */
const vended = allOf([
  pyicebergVended,
  newestDuckdb(startServiceWithCredentials),
  () => trinoVended(startServiceWithCredentials),
]);

const ENGINES = {
  pyiceberg,
  signed,
  vended,
  duckdb,
  spark,
  trino,
  queries: trinoQueries,
  builds: trinoBuilds,
  'vended-builds': async () => {
    const bucket = await bucketWithCredentials();
    return bucket === null ? 0 : trinoBuilds(bucket).finally(bucket.stop);
  },
  'spark-builds': () =>
    sparkBuilds({ 'signed requests': startServiceInBucket, 'temporary credentials': startServiceWithCredentials }),
  kit: compatibilityKit,
  postgres,
};
const selected = process.argv.slice(2);
let failed = 0;
for (const name of selected.length === 0 ? Object.keys(ENGINES) : selected) failed += await ENGINES[name]();
process.exitCode = failed === 0 ? 0 : 1;
