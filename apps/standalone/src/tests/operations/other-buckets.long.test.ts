import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { startAzurite, startGoogleEmulator } from '@svc/lake/storage/testing';
import { sendFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

interface Provider {
  readonly name: string;
  readonly program: string | undefined;
  readonly start: (program: string) => Promise<{ settings: Record<string, string>; own: string; stop: () => unknown }>;
}

const PROVIDERS: Provider[] = [
  {
    name: 'Google Cloud Storage',
    program: process.env['TEST_GOOGLE_EMULATOR'],
    async start(program) {
      const { bucket, endpoint, addBucket, stop } = await startGoogleEmulator(program);
      await addBucket('acme');
      const settings = {
        SVC_STORAGE__LOCATION: `gs://${bucket}/svc`,
        SVC_STORAGE__GOOGLE_ENDPOINT: endpoint,
      };
      return { settings, own: 'gs://acme/tables', stop };
    },
  },
  {
    name: 'Azure Blob Storage',
    program: process.env['TEST_AZURITE'],
    async start(program) {
      const { url, endpoint, accountKey, stop } = await startAzurite(program);
      const settings = {
        SVC_STORAGE__LOCATION: `${url}/svc`,
        SVC_STORAGE__AZURE_ENDPOINT: endpoint,
        SVC_STORAGE__AZURE_ACCOUNT_KEY: accountKey,
      };
      return { settings, own: `${url}/acme`, stop };
    },
  },
];

describe.each(PROVIDERS)('a service whose files are in $name', ({ name, program, start }) => {
  const there = program !== undefined && existsSync(program);
  if (!there) console.warn(`A service with ${name} isn't tested: its emulator is missing (see CONTRIBUTING.md).`);
  let dir: string;
  let database: TestDatabase;
  let emulator: Awaited<ReturnType<Provider['start']>>;
  let service: TestService;
  let starts = 0;
  const restart = async () => {
    await service?.stop();
    // Another home folder has no copies of objects.
    service = await startTestService({
      ...emulator.settings,
      SVC_HOME: join(dir, `home-${starts++}`),
      SVC_DATABASE_URL: database.url,
      SVC_SECRETS__KEY: KEY,
      SVC_RUN__SWEEP_INTERVAL: '1',
    });
  };
  beforeAll(async () => {
    if (!there) return;
    dir = await mkdtemp(join(tmpdir(), 'svc-other-buckets-'));
    database = await createTestDatabase({ poolSize: 2 });
    emulator = await start(program);
    await restart();
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    await emulator?.stop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  });

  const load = async (env: string, table: string, csv: string) => {
    const { id } = await service.client.tables.load(env, table, csv, { format: 'csv' });
    await service.client.writes.wait(env, id);
  };
  const sum = async (env: string, table: string) =>
    (await service.client.queries.run(env, `SELECT sum(n)::INTEGER AS n FROM ${table}`)).rows[0]?.['n'];
  const run = async () => {
    const { body } = await service.call('POST', '/environments/dev/jobs/all/runs?repository=shop', { body: {} });
    const ran = await service.call('GET', `/environments/dev/runs/${body.id}?wait=60`);
    expect(ran.body).toMatchObject({ status: 'succeeded' });
  };

  (there ? test : test.skip)(
    'deploys, runs, loads, undrops and maintains, and loses nothing in a restart',
    async () => {
      const { client } = service;
      expect((await fetch(`${service.url}/readyz/storage`)).status).toBe(200);
      await client.environments.create('dev');
      await client.namespaces.create('dev', 'shop');
      await client.tables.create('dev', 'shop.orders', { columns: [{ name: 'n', type: 'long' }] });
      await load('dev', 'shop.orders', 'n\n1\n2\n');
      await client.repositories.create({ name: 'shop' });
      const bundle_id = await sendFiles(
        client,
        { env: 'dev', folder: service.folder },
        {
          'svc.yaml': 'name: shop\njobs:\n  all:\n    select: ["*"]\n',
          'assets/shop/doubled.sql': 'SELECT 2 * n AS n FROM shop.orders',
        },
      );
      const { body: deploy } = await service.call('POST', '/environments/dev/deploys', {
        body: { repository: 'shop', bundle_id },
      });
      const deployed = await service.call('GET', `/environments/dev/deploys/${deploy.id}?wait=60`);
      expect(deployed.body).toMatchObject({ status: 'succeeded' });
      await run();
      await load('dev', 'shop.orders', 'n\n3\n');
      await client.queries.run('dev', 'UPDATE shop.orders SET n = 30 WHERE n = 3');
      expect([await sum('dev', 'shop.orders'), await sum('dev', 'shop.doubled')]).toEqual([33, 6]);

      await client.tables.delete('dev', 'shop.doubled');
      await client.tables.undrop('dev', 'shop.doubled');
      const { id } = await client.tables.maintain('dev', 'shop.orders', {
        compact: true,
        expireSnapshotsOlderThanDays: 0,
      });
      expect(await client.maintenance.wait('dev', id)).toMatchObject({ status: 'succeeded' });
      await restart();
      expect([await sum('dev', 'shop.orders'), await sum('dev', 'shop.doubled')]).toEqual([33, 6]);
      await run();
      expect(await sum('dev', 'shop.doubled')).toBe(66);
      expect((await service.client.audit.verify()).intact).toBe(true);
    },
    120_000,
  );

  (there ? test : test.skip)(
    "an environment's own bucket has its tables, and only while it can be used",
    async () => {
      const { client } = service;
      await client.environments.create('acme');
      const absent = emulator.own.replace('acme', 'nothing-here').replace('lake@', 'nothing-here@');
      const refused = await service.call('PATCH', '/environments/acme', { body: { storage_location: absent } });
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('cannot be used')]);
      const set = await service.call('PATCH', '/environments/acme', { body: { storage_location: emulator.own } });
      expect([set.status, set.body.storage_location]).toEqual([200, emulator.own]);
      await client.namespaces.create('acme', 'shop');
      await client.tables.create('acme', 'shop.t', { columns: [{ name: 'n', type: 'long' }] });
      await load('acme', 'shop.t', 'n\n4\n5\n');
      await restart();
      expect(await sum('acme', 'shop.t')).toBe(9);
      const url = `${service.url}/catalog/v1/acme/namespaces/shop/tables/t`;
      const headers = { Authorization: 'Bearer test-administrator-token' };
      const loaded = (await (await fetch(url, { headers })).json()) as { metadata: { location: string } };
      expect(loaded.metadata.location.startsWith(`${emulator.own}/`)).toBe(true);
    },
    60_000,
  );
});
