import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownStorages } from '@svc/db/environments';
import { sealingKeys } from '@svc/db/secrets';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openStore, routedStore } from '@svc/lake/storage';
import { type S3Server, startS3Server } from '@svc/lake/storage/testing';
import type { SvcClient } from '@svc/sdk';
import { verifyBackup } from '../../backup/contents.ts';
import { makeBackup } from '../../backup/make-backup.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const program = process.env['TEST_S3_SERVER'];
const KEY = Buffer.alloc(32, 7).toString('base64');
const there = program !== undefined && existsSync(program);

(there ? describe : describe.skip)('two environments with a bucket and a key each', () => {
  let dir: string;
  let server: S3Server;
  let service: TestService;
  let client: SvcClient;
  let first: TestDatabase;
  let second: TestDatabase;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-own-storage-'));
    server = await startS3Server(program!, dir);
    for (const name of ['red', 'blue']) await server.addAccount(name, `secret-of-${name}`, `bucket-${name}`);
    [first, second] = [await createTestDatabase({ poolSize: 2 }), await createTestDatabase({ poolSize: 2 })];
    await serviceOn(first);
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await first?.drop();
    await second?.drop();
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const serviceOn = async ({ url }: TestDatabase) => {
    service = await startTestService({
      SVC_HOME: join(dir, 'home'),
      SVC_DATABASE_URL: url,
      SVC_SECRETS__KEY: KEY,
      SVC_STORAGE__S3_ENDPOINT: server.options.endpoint!,
      SVC_STORAGE__S3_PATH_STYLE: 'true',
      SVC_RUN__SWEEP_INTERVAL: '1',
      SVC_LOG__LEVEL: 'fatal',
    });
    ({ client } = service);
  };
  const keysOf = (name: string, secret = `secret-of-${name}`) => ({ access_key_id: name, secret_access_key: secret });
  const put = (env: string, body: object) => service.call('PATCH', `/environments/${env}`, { body });
  const inBucket = async (name: string, below = 'lake'): Promise<string[]> => {
    const at = join(dir, 's3', `bucket-${name}`, below);
    const entries = await readdir(at, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  const load = async (env: string, text: string) => {
    const { id } = await client.tables.load(env, 'shop.t', text, { format: 'csv' });
    return client.writes.wait(env, id);
  };
  const sum = async (env: string) => (await client.queries.run(env, 'SELECT sum(n)::INTEGER AS n FROM shop.t')).rows;

  test('what cannot be is refused, and nothing is stored', async () => {
    await client.environments.create('red');
    await client.environments.create('plain');
    const location = 's3://bucket-red/lake';
    const early = await service.call('POST', '/environments', { body: { name: 'x', storage_secret: 'keys' } });
    expect([early.status, early.body.remedy]).toEqual([
      422,
      expect.stringContaining('svc env update x --storage-location'),
    ]);
    expect((await put('red', { storage_location: '/folder' })).body.errors[0].message).toContain('s3://bucket/prefix');
    expect((await put('red', { storage_secret: 'keys' })).status).toBe(422);
    const unknown = await put('red', { storage_location: location, storage_secret: 'keys' });
    expect([unknown.status, unknown.body.remedy]).toEqual([404, expect.stringContaining('svc secret create keys')]);
    await client.secrets.create('red', 'half', { access_key_id: 'red' });
    const half = await put('red', { storage_location: location, storage_secret: 'half' });
    expect([half.status, half.body.detail]).toEqual([422, expect.stringContaining('it has no secret_access_key')]);
    await client.secrets.create('red', 'wrong', keysOf('blue'));
    const wrong = await put('red', { storage_location: location, storage_secret: 'wrong' });
    expect([wrong.status, wrong.body.detail]).toEqual([
      422,
      expect.stringContaining('it rejects the access keys (AccessDenied)'),
    ]);
    expect(await client.environments.get('red')).toMatchObject({ storage_location: null, storage_secret: null });
    expect(await client.secrets.list('red')).toMatchObject([{ use: null }, { use: null }]);
    expect(await inBucket('red', '')).toEqual([]);
  });

  test('each has its own, and nobody else may have it', async () => {
    await client.environments.create('blue');
    for (const name of ['red', 'blue']) {
      await client.secrets.create(name, 'keys', keysOf(name));
      const set = await put(name, { storage_location: `s3://bucket-${name}/lake/`, storage_secret: 'keys' });
      expect([set.status, set.body]).toMatchObject([
        200,
        { storage_location: `s3://bucket-${name}/lake`, storage_secret: 'keys' },
      ]);
      expect(await inBucket(name, '')).toEqual([]);
    }
    const [bound] = (await client.secrets.list('red')).filter(({ name }) => name === 'keys');
    expect(bound).toMatchObject({ use: 'environment' });
    const event = (await service.events('ENVIRONMENT_UPDATED')).at(-1)!;
    expect(event.detail['changed']).toEqual(['storage_location', 'storage_secret']);
    for (const location of ['s3://bucket-red', 's3://bucket-red/lake', 's3://bucket-red/lake/inner']) {
      const taken = await put('plain', { storage_location: location });
      expect([taken.status, taken.body.detail]).toEqual([
        409,
        expect.stringContaining('the storage of environment red'),
      ]);
    }
    const revoked = await service.call('DELETE', '/environments/red/secrets/keys');
    expect([revoked.status, revoked.body.code]).toEqual([409, 'in-use']);
    const manager = await client.principals.create({
      name: 'manager',
      type: 'person',
      password: 'a long enough password',
    });
    await client.grants.create({ principal: manager.name, kind: 'ENVIRONMENT', environment: 'red', role: 'ADMIN' });
    const { token } = await client.tokens.issue('manager', 't');
    const denied = await service.call('PATCH', '/environments/red', { body: { storage_location: null }, token });
    expect(denied.status).toBe(403);
  });

  test('tables lie there, are read and written, dropped and deleted there', async () => {
    for (const env of ['red', 'blue', 'plain']) {
      await client.namespaces.create(env, 'shop');
      await client.tables.create(env, 'shop.t', { columns: [{ name: 'n', type: 'long' }] });
      expect(await load(env, 'n\n1\n2\n')).toMatchObject({ status: 'succeeded', rows: 2 });
      const made = await client.queries.run(env, 'SELECT n * 10 AS n FROM shop.t', {
        into: 'shop.made',
        mode: 'create',
      });
      expect(made.query.row_count).toBe(2);
      expect(await sum(env)).toEqual([{ n: 3 }]);
    }
    const { location } = await client.tables.get('red', 'shop.made');
    expect(location).toMatch(/^s3:\/\/bucket-red\/lake\/tables\//);
    expect((await inBucket('red')).some((file) => file.endsWith('.parquet'))).toBe(true);
    const moved = await put('red', { storage_location: null });
    expect([moved.status, moved.body.code]).toEqual([409, 'in-use']);
    expect(moved.body.remedy).toBe('svc table delete shop.made --env red --purge');
    const files = await inBucket('blue');
    await client.tables.delete('red', 'shop.made', { purge: true });
    for (;;) {
      const { items } = await client.tables.purgesPage('red', 'shop');
      if (items[0]?.state === 'deleted') break;
    }
    expect((await inBucket('red')).filter((file) => file.includes(location!.split('/').at(-1)!))).toEqual([]);
    expect(await inBucket('blue')).toEqual(files);
    expect(await client.environments.listOrphaned('red')).toEqual([]);
  });

  test('a clone lies there, and outlives its source (TABLE-22)', async () => {
    await client.queries.run('red', 'SELECT range AS n FROM range(10)', { into: 'shop.cloned', mode: 'create' });
    expect(await client.tables.clone('red', 'shop.cloned', 'shop.copy')).toMatchObject({ row_count: 10 });
    const purge = async (table: string) => {
      const { location } = await client.tables.get('red', table);
      const left = async () => (await inBucket('red')).some((file) => file.includes(location!.split('/').at(-1)!));
      expect(await left()).toBe(true);
      await client.tables.delete('red', table, { purge: true });
      while (await left());
    };
    await purge('shop.cloned');
    const { rows } = await client.queries.run('red', 'SELECT sum(n)::INTEGER AS n FROM shop.copy');
    expect(rows).toEqual([{ n: 45 }]);
    await purge('shop.copy');
  });

  test('engines get its location and may choose a folder inside, maintenance works there', async () => {
    const catalog = async (path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
      const sent = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(`${service.url}/catalog/v1/red/namespaces/shop${path}`, sent);
      return { status: response.status, body: (await response.json()) as Record<string, Record<string, unknown>> };
    };
    const { id } = await client.environments.get('red');
    expect((await catalog('')).body['properties']!['location']).toBe(`s3://bucket-red/lake/tables/${id}`);
    const schema = { type: 'struct', fields: [{ id: 1, name: 'n', type: 'long', required: false }] };
    const made = await catalog('/tables', { name: 'own', location: 's3://bucket-red/lake/mine/own', schema });
    expect([made.status, made.body['metadata-location']]).toEqual([
      200,
      expect.stringMatching(/^s3:\/\/bucket-red\/lake\/mine\/own\/metadata\//),
    ]);
    for (const location of [
      's3://bucket-blue/lake/x',
      `file://${dir}/home/warehouse/x`,
      's3://bucket-red/lake/views/x',
    ])
      expect((await catalog('/tables', { name: 'other', location, schema })).status).toBe(400);
    // Their requests are signed with the environment's own key.
    const uri = `${server.options.endpoint}/bucket-red/lake/mine/own/data/a`;
    const request = { method: 'PUT', region: 'us-east-1', uri, headers: {} };
    const signed = await catalog('/tables/own/sign', request);
    const added = Object.entries(signed.body['headers'] as Record<string, string[]>);
    const headers = added.map(([name, [value]]) => [name, value!] as [string, string]);
    expect((await fetch(uri, { method: 'PUT', body: 'rows', headers })).status).toBe(200);
    expect((await catalog('/tables/own/sign', { ...request, uri: uri.replaceAll('red', 'blue') })).status).toBe(400);
    await load('red', 'n\n5\n');
    const maintained = await client.tables.maintain('red', 'shop.t', { compact: true });
    expect(await client.maintenance.wait('red', maintained.id)).toMatchObject({
      status: 'succeeded',
      result: { compacted_files: 2, new_files: 1 },
    });
    expect(await sum('red')).toEqual([{ n: 8 }]);
  });

  test('an expired key is reported, affects nobody else, and its successor needs no restart', async () => {
    await server.setSecret('red', 'another');
    const refused = await load('red', 'n\n4\n');
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'storage-unavailable' } });
    expect(refused.error!.detail).toMatch(
      /s3:\/\/bucket-red\/lake of environment red can.t be used: it rejects the access keys/,
    );
    const created = await service.call('POST', '/environments/red/namespaces/shop/tables', {
      body: { name: 'more', columns: [{ name: 'n', type: 'long' }] },
    });
    expect([created.status, created.body.code]).toEqual([503, 'storage-unavailable']);
    expect(await load('blue', 'n\n4\n')).toMatchObject({ status: 'succeeded' });
    const halved = service.call('PUT', '/environments/red/secrets/keys/values', { body: { values: { a: 'b' } } });
    expect((await halved).status).toBe(422);
    await client.secrets.rotate('red', 'keys', keysOf('red', 'another'));
    expect(await load('red', 'n\n4\n')).toMatchObject({ status: 'succeeded' });
    expect(await sum('red')).toEqual([{ n: 12 }]);
    const other = await client.secrets.create('red', 'fresh', keysOf('red', 'another'));
    expect((await put('red', { storage_secret: other.name })).status).toBe(200);
    expect((await service.call('DELETE', '/environments/red/secrets/keys')).status).toBe(204);
    expect(await sum('red')).toEqual([{ n: 12 }]);
  });

  test('once nothing lies there the location is cleared, and new tables lie with the instance', async () => {
    await client.tables.delete('blue', 'shop.t', { purge: true });
    await client.tables.delete('blue', 'shop.made', { purge: true });
    while ((await put('blue', { storage_location: null })).status !== 200);
    expect(await inBucket('blue')).toEqual([]);
    const table = await client.tables.create('blue', 'shop.t', { columns: [{ name: 'n', type: 'long' }] });
    expect(table.location).toMatch(/^file:/);
    expect((await service.call('DELETE', '/environments/blue/secrets/keys')).status).toBe(204);
  });

  test('a backup contains the files of own storage, and a restore writes them back with the keys of the backup', async () => {
    const s3 = { ...server.options, cacheDir: join(dir, 'backup-cache'), credentials: null };
    const warehouse = join(dir, 'home', 'warehouse');
    const [folder, url] = [join(dir, 'backup'), first.url];
    const store = routedStore(await openStore(warehouse, s3), s3, ownStorages(first.db, sealingKeys(KEY)));
    const made = { url, store, folder, key: KEY, service: '0.1.0', now: () => new Date() };
    const manifest = await makeBackup(made);
    expect(manifest).toMatchObject({ format: 2, storages: [{ location: 's3://bucket-red/lake' }] });
    expect(await verifyBackup(folder)).toEqual(manifest);
    await service.stop();
    await rm(join(dir, 'home'), { recursive: true });
    for (const below of ['tables', 'mine']) while (!(await store.removePrefix(`s3://bucket-red/lake/${below}`)).done);
    expect(await inBucket('red')).toEqual([]);
    const empty = await openStore(warehouse, s3);
    await restoreBackup({ url: second.url, store: empty, storage: s3, folder, keys: [KEY] });
    await serviceOn(second);
    expect([await sum('red'), await sum('plain')]).toEqual([[{ n: 12 }], [{ n: 3 }]]);
  });
});
