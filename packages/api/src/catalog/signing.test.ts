import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openStore } from '@svc/lake/storage';
import { type S3Server, startS3Server } from '@svc/lake/storage/testing';
import { type CatalogServer, type LoadedTable, SCHEMA, stageTable, startCatalogServer } from './testing/index.ts';

const program = process.env['TEST_S3_SERVER'];
const there = program !== undefined && existsSync(program);
if (!there) console.warn('Signed requests are not tried: TEST_S3_SERVER names no program (CONTRIBUTING.md).');

const SIGNING = { 'X-Iceberg-Access-Delegation': 'vended-credentials, remote-signing' };
const GONE = 'NoSuchTableException';

(there ? describe : describe.skip)('an engine without a key of the bucket', () => {
  let bucket: S3Server;
  let server: CatalogServer;
  let table: LoadedTable;
  beforeAll(async () => {
    server = await startCatalogServer({
      openStore: async (folder) => {
        bucket = await startS3Server(program!, folder);
        return openStore(`s3://${bucket.bucket}/warehouse`, bucket.options);
      },
    });
    await server.send('POST', '/namespaces', { body: { namespace: ['s'] } });
    table = await server.makeTable('s', 't');
  });
  afterAll(async () => {
    await server.stop();
    await bucket.stop();
  });

  const uriOf = (location: string) => location.replace('s3://', `${bucket.options.endpoint}/`);
  const file = (name: string, of = table) => `${of.metadata.location}/${name}`;

  interface SendOptions {
    method?: string;
    token?: string;
    body?: string;
    name?: string;
    headers?: Record<string, string[]>;
  }
  const sign = (uri: string, { method = 'GET', token, body, name = 't', headers = {} }: SendOptions = {}) =>
    server.send('POST', `/namespaces/s/tables/${name}/sign`, {
      body: { region: 'us-east-1', method, uri, headers, ...(body === undefined ? {} : { body }) },
      ...(token === undefined ? {} : { token }),
    });
  /** Has the request signed, sends it and returns the status. */
  const send = async (uri: string, options: SendOptions = {}, content?: string) => {
    const { status, body, text } = await sign(uri, options);
    if (status !== 200) throw new Error(text);
    const added = Object.entries<string[]>(body.headers).map(([name, values]) => [name, values.join(',')] as const);
    const value = Object.entries(options.headers ?? {}).map(([name, values]) => [name, values.join(',')] as const);
    const sent = content ?? options.body;
    return fetch(body.uri, {
      method: options.method ?? 'GET',
      headers: [...value, ...added] as [string, string][],
      ...(sent === undefined ? {} : { body: sent }),
    });
  };

  test('names the bucket as the service does', async () => {
    const location = `s3a://${bucket.bucket}/warehouse/mine`;
    const response = await server.send('POST', '/namespaces/s/tables', {
      body: { name: 'a', schema: SCHEMA, location },
    });
    expect([response.status, response.body.error.message]).toEqual([
      400,
      expect.stringContaining('Write s3:// before'),
    ]);
  });

  test('requests signing and receives the configuration', async () => {
    const plain = await server.send('GET', '/namespaces/s/tables/t');
    expect(plain.body.config).toEqual({});
    const loaded = await server.send('GET', '/namespaces/s/tables/t', { headers: SIGNING });
    const endpoint = 'v1/dev/namespaces/s/tables/t/sign';
    expect(loaded.body.config).toEqual({
      'client.region': 'us-east-1',
      's3.region': 'us-east-1',
      's3.endpoint': bucket.options.endpoint,
      's3.path-style-access': 'true',
      's3.remote-signing-enabled': 'true',
      'signer.endpoint': endpoint,
      's3.signer.endpoint': endpoint,
      's3.signer': 'S3V4RestSigner',
      'py-io-impl': 'pyiceberg.io.fsspec.FsspecFileIO',
    });
    expect(loaded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const { body } = await server.call('GET', '/catalog/v1/config?warehouse=dev');
    expect(body.endpoints).toContain('POST /v1/{prefix}/namespaces/{namespace}/tables/{table}/sign');
  });

  test('a signature for a new file copies no other file', async () => {
    const uri = uriOf(file('data/copied.parquet'));
    const { body } = await sign(uri, { method: 'PUT' });
    const headers = Object.entries<string[]>(body.headers).map(([name, [value]]) => [name, value!] as [string, string]);
    const source = table['metadata-location'].replace('s3://', '/');
    const copied = await fetch(body.uri, { method: 'PUT', headers: [...headers, ['x-amz-copy-source', source]] });
    expect(copied.status).toBe(403);
    expect((await send(uri)).status).toBe(404);
  });

  test('writes files once, reads and lists them, and removes with the right to maintain', async () => {
    const uri = uriOf(file('data/day=1/ä b.parquet'));
    const escaped = encodeURI(uri).replaceAll('=', '%3D');
    expect((await send(escaped, { method: 'PUT' }, 'rows')).status).toBe(200);
    expect((await send(escaped, { method: 'PUT' }, 'other')).status).toBe(412);
    const response = await sign(escaped);
    expect(response.headers.get('cache-control')).toBe('private');
    expect(await (await send(escaped)).text()).toBe('rows');
    expect((await send(escaped, { method: 'HEAD' })).status).toBe(200);
    // A part of it, by the same signature.
    const { body } = response;
    const headers = Object.entries<string[]>(body.headers).map(([name, [value]]) => [name, value!] as [string, string]);
    expect(await (await fetch(body.uri, { headers: [...headers, ['Range', 'bytes=1-2']] })).text()).toBe('ow');
    const folder = file('').replace(`s3://${bucket.bucket}/`, '');
    const list = `${bucket.options.endpoint}/${bucket.bucket}?list-type=2&prefix=${encodeURIComponent(folder)}`;
    expect(await (await send(list)).text()).toContain('day=1/ä b.parquet');
    const key = decodeURIComponent(escaped).split(`/${bucket.bucket}/`)[1];
    const removal = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>${key}</Key></Object></Delete>`;
    const several = `${bucket.options.endpoint}/${bucket.bucket}?delete=`;
    // Not the body that was validated.
    const swapped = await send(
      several,
      { method: 'POST', body: removal },
      removal.replace(key!, 'x'.repeat(key!.length)),
    );
    expect(swapped.status).toBeGreaterThanOrEqual(400);
    expect((await send(escaped, { method: 'HEAD' })).status).toBe(200);
    // The store wants it, whatever is signed.
    const md5 = { 'Content-MD5': [createHash('md5').update(removal).digest('base64')] };
    const legalHold = '/api/v1/environments/dev/namespaces/s/tables/t/hold';
    await server.call('PUT', legalHold, { body: { reason: 'audit' } });
    for (const denied of [
      await sign(several, { method: 'POST', body: removal, headers: md5 }),
      await sign(escaped, { method: 'DELETE' }),
    ])
      expect([denied.status, denied.body.error.message]).toEqual([403, expect.stringContaining('a legal hold keeps')]);
    await server.call('DELETE', legalHold);
    expect((await send(several, { method: 'POST', body: removal, headers: md5 })).status).toBe(200);
    expect((await send(escaped, { method: 'HEAD' })).status).toBe(404);
  });

  test('reads the files of a table that it changes in a staging table, and writes only those of the staging table', async () => {
    const [owner] = await server.db.prisma.$queryRaw<[{ principalId: string; environmentId: string }]>`
      SELECT created_by AS "principalId", environment_id AS "environmentId" FROM tables LIMIT 1`;
    const stage = (isChange: boolean) =>
      stageTable(server, { ...owner, taskId: null, tableLocation: table.metadata.location, isChange });
    const signedAt = async (path: string, method: string, location: string) =>
      (
        await server.send('POST', `${path}/sign`, {
          body: { region: 'us-east-1', method, uri: uriOf(location), headers: {} },
        })
      ).status;
    const [rows, change] = [await stage(false), await stage(true)];
    for (const { path, location } of [rows, change])
      expect([await signedAt(path, 'PUT', `${location}/data/a`), await signedAt(path, 'GET', `${location}/a`)]).toEqual(
        [200, 200],
      );
    const other = file('data/a');
    expect([await signedAt(rows.path, 'GET', other), await signedAt(change.path, 'GET', other)]).toEqual([403, 200]);
    expect([await signedAt(change.path, 'PUT', other), await signedAt(change.path, 'DELETE', other)]).toEqual([
      403, 403,
    ]);
  });

  test('gets no further than its rights and the table', async () => {
    const reader = await server.tokenOf('reader', { action: 'READ_TABLE', environment: 'dev', namespace: 's' });
    const writer = await server.tokenOf('writer', { action: 'WRITE_TABLE', environment: 'dev', namespace: 's' });
    const nobody = await server.tokenOf('nobody', { action: 'SUBMIT_QUERY', environment: 'dev' });
    const other = await server.makeTable('s', 'other');
    const uri = uriOf(file('data/a'));
    const cases: [token: string | undefined, method: string, uri: string, status: number][] = [
      [reader, 'GET', uri, 200],
      [reader, 'PUT', uri, 403],
      [reader, 'DELETE', uri, 403],
      [writer, 'PUT', uri, 200],
      [writer, 'GET', uri, 403],
      [writer, 'DELETE', uri, 403],
      [nobody, 'GET', uri, 403],
      // Not even an administrator can have a request of one table signed for the files of another.
      [undefined, 'GET', uriOf(file('data/a', other)), 403],
      [undefined, 'GET', uriOf(`${table.metadata.location}more/a`), 403],
      [undefined, 'GET', `${bucket.options.endpoint}/${bucket.bucket}/warehouse/results/x`, 403],
      [undefined, 'GET', uriOf(file('../x')), 400],
      [undefined, 'GET', 'http://169.254.169.254/lake/a', 400],
    ];
    for (const [token, method, address, status] of cases) {
      await server.newEvents();
      const response = await sign(address, { method, ...(token === undefined ? {} : { token }) });
      expect([method, address, response.status]).toEqual([method, address, status]);
      const denied = status === 403 ? ['AUTHORIZATION_DENIED'] : [];
      expect((await server.newEvents()).map(({ type }) => type)).toEqual(denied);
    }
    for (const path of ['/namespaces/gone/tables/t/sign', '/namespaces/s/tables/gone/sign']) {
      const missing = await server.send('POST', path, { body: { region: 'r', method: 'GET', uri, headers: {} } });
      expect([path, missing.status]).toEqual([path, path.startsWith('/namespaces/gone/') ? 404 : 403]);
    }
    const unknown = await sign(uri, { name: 'unknown', token: reader });
    expect([unknown.status, unknown.body.error.type]).toEqual([404, GONE]);
  });

  test('whom a row filter binds has nothing signed, nor what lies in a table inside', async () => {
    const inner = await server.makeTable('s', 'inner');
    // In a bucket, older versions let an engine choose such a location.
    const id = inner.metadata['table-uuid'];
    await server.db.prisma.table.update({ where: { id }, data: { location: file('inside') } });
    expect((await sign(uriOf(file('inside/data/a')), { name: 'inner' })).status).toBe(200);
    expect((await sign(uriOf(file('inside/data/a')))).status).toBe(403);
    const bound = await server.tokenOf('bound', { action: 'READ_TABLE', environment: 'dev', namespace: 's' });
    const filter = { principal: 'bound', predicate: 'id > 1' };
    await server.call('POST', '/api/v1/environments/dev/namespaces/s/tables/t/row-filters', { body: filter });
    const refused = await sign(uriOf(file('data/a')), { token: bound });
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('row filter')]);
  });

  test('callers with CREATE_TABLE write files before the table is committed', async () => {
    const staged = await server.send('POST', '/namespaces/s/tables', {
      body: { name: 'coming', schema: SCHEMA, 'stage-create': true },
      headers: SIGNING,
    });
    expect(staged.body.config['signer.endpoint']).toBe('v1/dev/namespaces/s/tables/coming/sign');
    const uri = uriOf(`${staged.body.metadata.location}/data/a`);
    expect((await send(uri, { method: 'PUT', name: 'coming' }, 'rows')).status).toBe(200);
    const reader = await server.tokenOf('reader2', { action: 'READ_TABLE', environment: 'dev', namespace: 's' });
    expect((await sign(uri, { name: 'coming', token: reader })).status).toBe(404);
    // The folder of another table, and one that no create transaction started.
    expect((await sign(uriOf(file('data/a')), { name: 'coming' })).status).toBe(403);
    const guessed = staged.body.metadata.location.replace(/[^/]+$/, crypto.randomUUID());
    expect((await sign(uriOf(`${guessed}/a`), { name: 'coming' })).status).toBe(403);
  });

  test('a protected environment lets it read', async () => {
    await server.call('PATCH', '/api/v1/environments/dev', { body: { protected: true } });
    const uri = uriOf(file('data/a'));
    expect((await sign(uri)).status).toBe(200);
    expect((await sign(uri, { method: 'PUT' })).status).toBe(403);
    expect((await sign(uri, { method: 'DELETE' })).status).toBe(403);
  });
});
