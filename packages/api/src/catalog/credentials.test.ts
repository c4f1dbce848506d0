import { existsSync } from 'node:fs';
import { openStore } from '@svc/lake/storage';
import { type S3Server, type StsServer, startS3Server, startStsServer } from '@svc/lake/storage/testing';
import { type CatalogServer, type LoadedTable, SCHEMA, stageTable, startCatalogServer } from './testing/index.ts';

const program = process.env['TEST_S3_SERVER'];
const there = program !== undefined && existsSync(program);
if (!there) console.warn("Credentials aren't tested: TEST_S3_SERVER doesn't name a program (see CONTRIBUTING.md).");

const ROLE = 'arn:aws:iam::123456789012:role/svc-tables';
const VENDED = { 'X-Iceberg-Access-Delegation': 'vended-credentials,remote-signing' };
const ISSUED = 'TABLE_CREDENTIALS_ISSUED';
const FILES = { read: 's3:GetObject', write: 's3:PutObject', remove: 's3:DeleteObject' } as const;
const S = { environment: 'dev', namespace: 's' };

(there ? describe : describe.skip)('temporary credentials for a table', () => {
  let bucket: S3Server;
  let sts: StsServer;
  let server: CatalogServer;
  let table: LoadedTable;
  beforeAll(async () => {
    sts = await startStsServer(Date.now);
    server = await startCatalogServer({
      openStore: async (folder) => {
        bucket = await startS3Server(program!, folder);
        const options = { ...bucket.options, sts: { role: ROLE, endpoint: sts.endpoint, minutes: 20 } };
        return openStore(`s3://${bucket.bucket}/warehouse`, options);
      },
    });
    await server.send('POST', '/namespaces', { body: { namespace: ['s'] } });
    table = await server.makeTable('s', 't');
  });
  afterAll(async () => {
    await server.stop();
    await bucket.stop();
    await sts.stop();
  });
  beforeEach(async () => {
    sts.requests.length = 0;
    await server.newEvents();
  });

  const load = (name = 't', options: { token?: string; headers?: Record<string, string> } = {}) =>
    server.send('GET', `/namespaces/s/tables/${name}`, { ...options, headers: { ...VENDED, ...options.headers } });
  const policyOf = (i = 0) => JSON.parse(sts.requests[i]!.Policy);
  /** What the policy of a request allows. */
  const access = (i = 0) => {
    const [{ Action }] = policyOf(i).Statement;
    return Object.entries(FILES).flatMap(([name, action]) => (Action.includes(action) ? [name] : []));
  };
  const events = async () => (await server.newEvents()).map(({ type }) => type);

  test('an engine that requests them receives them, with their event (CREDENTIAL-1, CREDENTIAL-5)', async () => {
    const before = Date.now();
    const loaded = await load();
    const config = {
      'client.region': 'us-east-1',
      's3.region': 'us-east-1',
      's3.endpoint': bucket.options.endpoint,
      's3.path-style-access': 'true',
      's3.access-key-id': 'key-1',
      's3.secret-access-key': 'secret-1',
      's3.session-token': 'session-1',
      's3.session-token-expires-at-ms': expect.stringMatching(/^\d{13}$/),
      'client.refresh-credentials-endpoint': 'v1/dev/namespaces/s/tables/t/credentials',
    };
    expect(loaded.body.config).toEqual(config);
    expect(loaded.body['storage-credentials']).toEqual([{ prefix: table.metadata.location, config }]);
    const expiresAt = Number(loaded.body.config['s3.session-token-expires-at-ms']);
    expect(expiresAt - before).toBeGreaterThanOrEqual(20 * 60_000);
    expect(loaded.headers.get('cache-control')).toBe('no-store');
    const [{ id }] = await server.db.prisma.$queryRaw<[{ id: string }]>`SELECT created_by AS id FROM tables LIMIT 1`;
    expect(sts.requests[0]).toMatchObject({ RoleArn: ROLE, RoleSessionName: `svc-${id}`, DurationSeconds: '1200' });
    expect(access()).toEqual(['read', 'write', 'remove']);
    expect(await server.newEvents()).toEqual([
      expect.objectContaining({
        type: ISSUED,
        object: { kind: 'TABLE', environment: 'dev', namespace: 's', table: 't' },
        detail: {
          table_id: table.metadata['table-uuid'],
          location: table.metadata.location,
          access: ['read', 'write', 'remove'],
          access_key_id: 'key-1',
          expires_at: new Date(expiresAt).toISOString(),
        },
      }),
    ]);
  });

  test('an engine that does not request them receives none (CREDENTIAL-1)', async () => {
    const plain = await server.send('GET', '/namespaces/s/tables/t');
    expect([plain.body.config, plain.body['storage-credentials']]).toEqual([{}, undefined]);
    const signed = await load('t', { headers: { 'X-Iceberg-Access-Delegation': 'remote-signing' } });
    expect(signed.body.config['s3.remote-signing-enabled']).toBe('true');
    expect([sts.requests, await events()]).toEqual([[], []]);
  });

  test('a response with credentials is never reused (CREDENTIAL-5)', async () => {
    expect((await load()).headers.get('etag')).toBeNull();
    const plain = await server.send('GET', '/namespaces/s/tables/t');
    const again = await load('t', { headers: { 'If-None-Match': plain.headers.get('etag')! } });
    expect([again.status, again.body.config['s3.access-key-id']]).toEqual([200, 'key-2']);
  });

  test('the credentials endpoint refreshes them (CREDENTIAL-5)', async () => {
    const { body } = await server.send('GET', '/namespaces/s/tables/t/credentials');
    expect(body['storage-credentials']).toEqual([
      { prefix: table.metadata.location, config: expect.objectContaining({ 's3.access-key-id': 'key-1' }) },
    ]);
    expect(await events()).toEqual([ISSUED]);
    const { body: catalog } = await server.call('GET', '/catalog/v1/config?warehouse=dev');
    expect(catalog.endpoints).toContain('GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials');
  });

  test.each([
    [['READ_TABLE'], ['read']],
    [
      ['READ_TABLE', 'WRITE_TABLE'],
      ['read', 'write'],
    ],
    [
      ['READ_TABLE', 'MAINTAIN_TABLE'],
      ['read', 'remove'],
    ],
  ])('%p allows %p, in the folder of the table only (CREDENTIAL-2)', async (actions, allowed) => {
    const name = `of_${actions.join('_').toLowerCase()}`;
    const token = await server.tokenOf(name, ...actions.map((action) => ({ ...S, action })));
    await server.newEvents();
    expect((await load('t', { token })).body['storage-credentials']).toHaveLength(1);
    expect(access()).toEqual(allowed);
    const folder = table.metadata.location.replace('s3://', 'arn:aws:s3:::');
    const resources = policyOf().Statement.map(({ Resource }: { Resource: string }) => Resource);
    const metadata = allowed.length > 1 ? [`${folder}/*.metadata.json*`] : [];
    expect(resources).toEqual([`${folder}/*`, `arn:aws:s3:::${bucket.bucket}`, ...metadata]);
    expect(await events()).toEqual([ISSUED]);
  });

  test('while a legal hold keeps the files of the table, nobody may remove any (CREDENTIAL-2)', async () => {
    const legalHold = '/api/v1/environments/dev/namespaces/s/tables/t/hold';
    await server.call('PUT', legalHold, { body: { reason: 'audit' } });
    await load();
    await server.call('DELETE', legalHold);
    expect(access()).toEqual(['read', 'write']);
  });

  test('the owner of a staging table writes its folder, and for a change reads the files of the table (CREDENTIAL-6)', async () => {
    const { location } = table.metadata;
    const [owner] = await server.db.prisma.$queryRaw<[{ principalId: string; environmentId: string }]>`
      SELECT created_by AS "principalId", environment_id AS "environmentId" FROM tables LIMIT 1`;
    const stage = (isChange: boolean) =>
      stageTable(server, { ...owner, taskId: null, tableLocation: location, isChange });
    const [rows, change] = [await stage(false), await stage(true)];
    const folder = (of: string) => `${of.replace('s3://', 'arn:aws:s3:::')}/*`;
    const prefixes = [];
    for (const { path } of [rows, change]) {
      const { body } = await server.send('GET', path, { headers: VENDED });
      prefixes.push(body['storage-credentials'][0].prefix);
    }
    expect(prefixes).toEqual([rows.location, location]);
    expect([access(0), access(1)]).toEqual([
      ['read', 'write'],
      ['read', 'write'],
    ]);
    const allowed = (i: number) =>
      policyOf(i)
        .Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow')
        .map(({ Resource }: { Resource: string }) => Resource);
    const all = `arn:aws:s3:::${bucket.bucket}`;
    expect(allowed(0)).toEqual([folder(rows.location), all]);
    expect(allowed(1)).toEqual([folder(change.location), folder(location), all]);
    expect(policyOf(1).Statement[1].Action).toEqual(['s3:GetObject']);
    expect((await server.newEvents()).map(({ detail }) => [detail['location'], detail['reads']])).toEqual([
      [rows.location, undefined],
      [change.location, location],
    ]);
    const committed = await server.send('POST', rows.path, {
      body: { requirements: [], updates: [{ action: 'set-properties', updates: { a: '1' } }] },
      headers: VENDED,
    });
    expect([committed.status, committed.body['storage-credentials']]).toEqual([200, undefined]);
  });

  test('a caller without READ_TABLE, or bound by a policy, receives none (CREDENTIAL-2)', async () => {
    const nobody = await server.tokenOf('nobody', { action: 'SUBMIT_QUERY', environment: 'dev' });
    const writer = await server.tokenOf('writer', { ...S, action: 'WRITE_TABLE' });
    const bound = await server.tokenOf('bound', { ...S, action: 'READ_TABLE' }, { ...S, action: 'WRITE_TABLE' });
    await server.makeTable('s', 'filtered');
    const filter = { principal: 'bound', predicate: 'id > 1' };
    await server.call('POST', '/api/v1/environments/dev/namespaces/s/tables/filtered/row-filters', { body: filter });
    await server.newEvents();
    const path = '/namespaces/s/tables/filtered/credentials';
    for (const token of [nobody, writer, bound]) {
      for (const response of [await load('filtered', { token }), await server.send('GET', path, { token })])
        expect([response.status, response.body['storage-credentials']]).toEqual([403, undefined]);
      expect(await events()).toEqual(['AUTHORIZATION_DENIED', 'AUTHORIZATION_DENIED']);
    }
    expect(sts.requests).toEqual([]);
  });

  test('creating and registering a table return them, a commit does not (CREDENTIAL-5)', async () => {
    const body = { name: 'made', schema: SCHEMA };
    const headers = { ...VENDED, 'Idempotency-Key': '0190a000-0000-7000-8000-000000000001' };
    const made = await server.send('POST', '/namespaces/s/tables', { body, headers });
    expect(made.body.config['s3.access-key-id']).toBe('key-1');
    expect(await events()).toEqual(['TABLE_CREATED', ISSUED]);
    const again = await server.send('POST', '/namespaces/s/tables', { body, headers });
    expect(again.body.config['s3.access-key-id']).toBe('key-2');
    expect(again.body.metadata).toEqual(made.body.metadata);
    expect(await events()).toEqual([ISSUED]);
    const property = { requirements: [], updates: [{ action: 'set-properties', updates: { a: '1' } }] };
    const commit = await server.send('POST', '/namespaces/s/tables/made', { body: property, headers: VENDED });
    expect(commit.body['storage-credentials']).toBeUndefined();
    await server.send('DELETE', '/namespaces/s/tables/made');
    const register = { name: 'made', 'metadata-location': commit.body['metadata-location'] };
    const registered = await server.send('POST', '/namespaces/s/register', { body: register, headers: VENDED });
    expect(registered.body['storage-credentials']).toHaveLength(1);
    expect(sts.requests).toHaveLength(3);
  });

  test('a create transaction receives them for its own new folder, and they are not stored (CREDENTIAL-4)', async () => {
    const creator = await server.tokenOf('creator', { ...S, action: 'CREATE_TABLE' });
    const stage = (key: string, more: object = {}) =>
      server.send('POST', '/namespaces/s/tables', {
        body: { name: 'coming', schema: SCHEMA, 'stage-create': true, ...more },
        headers: { ...VENDED, 'Idempotency-Key': `0190a000-0000-7000-8000-00000000000${key}` },
        token: creator,
      });
    await server.newEvents();
    const staged = await stage('2');
    const { location } = staged.body.metadata;
    expect(staged.body['storage-credentials'][0].prefix).toBe(location);
    expect(access()).toEqual(['read', 'write']);
    expect(await events()).toEqual([ISSUED]);
    const replayed = await stage('2');
    expect([replayed.body.metadata, replayed.body.config['s3.access-key-id']]).toEqual([staged.body.metadata, 'key-2']);
    const stored = await server.db.prisma.$queryRaw<{ text: string }[]>`
      SELECT answer::text AS text FROM idempotency_keys WHERE answer IS NOT NULL`;
    expect(stored.length).toBeGreaterThan(0);
    for (const { text } of stored) expect(text).not.toContain('secret-');
    // The table exists now, with grants and policies of its own.
    await server.db.prisma.table.update({ where: { id: table.metadata['table-uuid'] }, data: { location } });
    expect((await stage('2')).body['storage-credentials']).toBeUndefined();
    const data = { location: table.metadata.location };
    await server.db.prisma.table.update({ where: { id: table.metadata['table-uuid'] }, data });
    expect(sts.requests).toHaveLength(2);
  });

  test('a folder that the engine chose needs a name that nobody can guess (CREDENTIAL-4)', async () => {
    const stage = async (location: string, key = crypto.randomUUID()) => {
      const body = { name: 'chosen', schema: SCHEMA, 'stage-create': true, location };
      const headers = { ...VENDED, 'Idempotency-Key': key };
      const response = await server.send('POST', '/namespaces/s/tables', { body, headers });
      expect([location, response.status]).toEqual([location, 200]);
      return response.body['storage-credentials'] !== undefined;
    };
    const root = `s3://${bucket.bucket}/warehouse`;
    const namespace = table.metadata.location.replace(/\/[^/]+$/, '');
    const unique = `chosen-${'0123456789abcdef'.repeat(2)}`;
    for (const location of [`${root}/mine/chosen`, `${namespace}/chosen`, `${root}/mine/${unique}`])
      expect([location, await stage(location)]).toEqual([location, false]);
    const key = crypto.randomUUID();
    const location = `${namespace}/${unique}`;
    expect(await stage(location, key)).toBe(true);
    await server.makeTable('s', 'first', { location });
    expect(await stage(location, key)).toBe(false);
    expect(sts.requests).toHaveLength(1);
  });

  test('a table around another one, or at a location that no policy can express, has its requests signed (CREDENTIAL-1)', async () => {
    const inner = await server.makeTable('s', 'inner');
    const id = inner.metadata['table-uuid'];
    const move = (location: string) => server.db.prisma.table.update({ where: { id }, data: { location } });
    await move(`${table.metadata.location}/inside`);
    for (const name of ['t', 'inner']) {
      const { config } = (await load(name)).body;
      expect([name, config['s3.remote-signing-enabled']]).toEqual([name, name === 't' ? 'true' : undefined]);
    }
    await move(`s3://${bucket.bucket}/warehouse/a*`);
    expect((await load('inner')).body.config['s3.remote-signing-enabled']).toBe('true');
    expect(sts.requests).toHaveLength(1);
    await move(inner.metadata.location);
  });

  test('a metadata file is recognized by its name (CREDENTIAL-3)', async () => {
    const id = table.metadata['table-uuid'];
    const at = `${table.metadata.location}/metadata/v1.json`;
    const { store } = server;
    await store.write(at, await store.read(table['metadata-location']));
    const register = { name: 't', 'metadata-location': at, overwrite: true };
    const refused = await server.send('POST', '/namespaces/s/register', { body: register });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('.metadata.json')]);
    // Earlier versions accepted such names.
    await server.db.prisma.table.update({ where: { id }, data: { metadata_location: at } });
    expect((await load()).status).toBe(200);
    expect(access()).toEqual(['read']);
    const data = { metadata_location: table['metadata-location'] };
    await server.db.prisma.table.update({ where: { id }, data });
  });

  test('a token service that refuses is reported, and nothing is recorded', async () => {
    sts.failWith = 'AccessDenied';
    const refused = await load();
    sts.failWith = null;
    expect([refused.status, refused.body.error.message]).toEqual([
      503,
      expect.stringContaining('its token service issued no credentials'),
    ]);
    expect(refused.body.error.message).toContain('AccessDenied');
    expect(await events()).toEqual([]);
  });

  test('in a protected environment, they only read, except with break-glass (CREDENTIAL-2)', async () => {
    await server.call('PATCH', '/api/v1/environments/dev', { body: { protected: true } });
    await load();
    await load('t', { headers: { 'Svc-Break-Glass': 'repair' } });
    expect([access(0), access(1)]).toEqual([['read'], ['read', 'write', 'remove']]);
  });
});
