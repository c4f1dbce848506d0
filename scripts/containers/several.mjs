// Two servers and two workers on one PostgreSQL and one bucket: each is killed in turn while clients append rows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { silent } from '../../packages/db/src/connection/index.ts';
import { startEmbedded } from '../../packages/db/src/embedded/index.ts';
import { startS3Server } from '../../packages/lake/src/storage/testing/index.ts';
import { withS3Program } from '../testing/s3-program.mjs';
import { Container, freeAddress, TOKEN } from './container.mjs';
import { createTable, nothingLost, startLoad } from './load.mjs';

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
    await createTable(servers[0].url);
    const load = startLoad(servers.map(({ url }) => url));
    for (const container of [...workers, ...servers]) {
      await load.more(10);
      await container.kill();
      await load.more(5);
      await container.startAgain();
      if (container.url !== null) await container.ready();
    }
    console.log(`several: ${await nothingLost(load, servers[1].url)}`);
    for (const container of containers) await container.stop();
  } finally {
    for (const container of containers) await container.remove();
    await bucket.stop();
    await database.stop();
  }
}
