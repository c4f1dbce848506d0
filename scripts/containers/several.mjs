// Two servers and two workers on one PostgreSQL and one bucket: each is killed in turn while clients append rows.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { silent } from '../../packages/db/src/connection/index.ts';
import { startEmbedded } from '../../packages/db/src/embedded/index.ts';
import { startS3Server } from '../../packages/lake/src/storage/testing/index.ts';
import { withS3Program } from '../testing/s3-program.mjs';
import { Container, check, freeAddress, svc, TOKEN } from './container.mjs';

const CLIENTS = 4;

export async function trySeveral(engine, folder) {
  const program = (await withS3Program({ ...process.env, CI: 'true' })).TEST_S3_SERVER;
  if (!program || !existsSync(program)) {
    console.log('several: not tried, because there is no S3-compatible server.');
    return;
  }
  const database = await startEmbedded({ dataDir: join(folder, 'postgres'), log: silent });
  const bucket = await startS3Server(program, join(folder, 'store'));
  const shared = {
    SVC_DATABASE_URL: database.url,
    SVC_SECRETS__KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_STORAGE__LOCATION: `s3://${bucket.bucket}/warehouse`,
    SVC_STORAGE__S3_ENDPOINT: bucket.options.endpoint,
    SVC_STORAGE__S3_REGION: bucket.options.region,
    SVC_STORAGE__S3_PATH_STYLE: 'true',
    SVC_STORAGE__S3_ACCESS_KEY_ID: bucket.options.credentials.accessKeyId,
    SVC_STORAGE__S3_SECRET_ACCESS_KEY: bucket.options.credentials.secretAccessKey,
  };
  const containers = [];
  try {
    const servers = [];
    for (let i = 0; i < 2; i++) {
      const { address, url } = await freeAddress();
      const env = {
        ...shared,
        SVC_LISTEN: address,
        SVC_SQL__LISTEN: '',
        SVC_BOOTSTRAP_TOKEN: TOKEN,
        SVC_PUBLIC_URL: url,
      };
      const server = await Container.start(engine, 'svc-server', { env, url });
      containers.push(server);
      await server.ready();
      servers.push(server);
    }
    const workers = [];
    for (let i = 0; i < 2; i++) {
      const worker = await Container.start(engine, 'svc-worker', {
        env: { ...shared, SVC_PUBLIC_URL: servers[0].url },
      });
      containers.push(worker);
      workers.push(worker);
    }
    await svc(servers[0].url, 'env', 'create', 'dev');
    await svc(servers[0].url, 'ns', 'create', 'shop');
    await svc(servers[0].url, 'table', 'create', 'shop.numbers', '--column', 'n:long');
    const load = startLoad(servers.map(({ url }) => url));
    for (const container of [...workers, ...servers]) {
      await load.more(10);
      await container.kill();
      await load.more(5);
      await container.startAgain();
      if (container.url !== null) await container.ready();
    }
    const { succeeded, failed } = await load.stop();
    const sql = 'SELECT n FROM shop.numbers ORDER BY n';
    const rows = await svc(servers[1].url, 'sql', sql, '-o', 'ndjson');
    check(
      'the rows',
      rows.split('\n').map((row) => JSON.parse(row).n),
      succeeded.toSorted((a, b) => a - b),
    );
    console.log(
      `several: ${succeeded.length} appends, each there once, while two servers and two workers were killed; ${failed.length} failed`,
    );
    for (const container of containers) await container.stop();
  } finally {
    for (const container of containers) await container.remove();
    await bucket.stop();
    await database.stop();
  }
}

/** Clients that append one number after another through any server that responds. */
function startLoad(urls) {
  const succeeded = [];
  const failed = [];
  let next = 1;
  let isStopping = false;
  const call = async (method, path, { body, key } = {}) => {
    for (let attempt = 0; ; attempt++) {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      };
      const answer = await fetch(`${urls[attempt % urls.length]}/api/v1/environments/dev${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
        .then(async (response) => ({ status: response.status, body: await response.json() }))
        .catch(() => null);
      if (answer !== null && answer.status < 500 && answer.status !== 429) {
        if (answer.status >= 400 && answer.status !== 409)
          throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
        if (answer.status < 400) return answer.body;
      }
      await pause(100);
    }
  };
  const append = async () => {
    const n = next++;
    const body = { sql: `SELECT ${n}::BIGINT AS n`, into: 'shop.numbers', mode: 'append' };
    const { id } = await call('POST', '/queries', { body, key: randomUUID() });
    let query;
    do query = await call('GET', `/queries/${id}?wait=10`);
    while (!['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(query.status));
    (query.status === 'SUCCEEDED' ? succeeded : failed).push(n);
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isStopping) await append();
  });
  const all = Promise.all(clients);
  all.catch(() => undefined);
  return {
    /** Waits for so many more appends. */
    async more(count) {
      const target = succeeded.length + failed.length + count;
      while (succeeded.length + failed.length < target) await Promise.race([pause(50), all]);
    },
    async stop() {
      isStopping = true;
      await all;
      return { succeeded, failed };
    },
  };
}
