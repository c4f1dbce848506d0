import fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type CatalogServer, SCHEMA, snapshotCommit, startCatalogServer, viewBody } from './testing/index.ts';

let server: CatalogServer;
beforeAll(async () => {
  server = await startCatalogServer();
  await server.send('POST', '/namespaces', {
    body: { namespace: ['s'], properties: { comment: 'sales', owner: 'x' } },
  });
});
afterAll(() => server.stop());

const KEY = '017F22E2-79B0-7CC3-98C4-DC0C0C07398F';
const refusal = (type: string, code: number) => ({ error: { type, code, message: expect.any(String) } });

describe('configuration and tokens', () => {
  test('the warehouse is an environment, and the endpoints are exactly those that are there', async () => {
    const { status, body } = await server.call('GET', '/catalog/v1/config?warehouse=dev');
    expect([status, body.overrides, body['idempotency-key-lifetime']]).toEqual([200, { prefix: 'dev' }, 'PT24H']);
    for (const endpoint of body.endpoints as string[]) {
      const [method, path] = endpoint.split(' ') as [string, string];
      const real = path
        .replace('{prefix}', 'dev')
        .replace('{namespace}', 's')
        .replaceAll(/\{\w+\}/g, 'none');
      const response = await server.call(method, `/catalog${real}`, { token: null });
      expect([endpoint, response.status]).toEqual([endpoint, 401]);
    }
    const plan = await server.send('POST', '/namespaces/s/tables/t/plan', { body: {} });
    expect([plan.status, plan.body]).toEqual([404, refusal('NotFoundException', 404)]);
  });

  test.each([
    ['', 400, 'BadRequestException'],
    ['?warehouse=', 400, 'BadRequestException'],
    ['?warehouse=none', 404, 'NoSuchWarehouseException'],
  ])('config%s is %i', async (query, code, type) => {
    expect((await server.call('GET', `/catalog/v1/config${query}`)).body).toEqual(refusal(type, code));
  });

  const form = (fields: Record<string, string>, headers = {}) =>
    server.call('POST', '/catalog/v1/oauth/tokens', {
      token: null,
      raw: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });

  test('client credentials are a principal and its token', async () => {
    const secret = { grant_type: 'client_credentials', client_secret: server.token };
    expect((await form({ ...secret, client_id: 'admin', scope: 'catalog' })).body).toMatchObject({
      access_token: server.token,
      token_type: 'bearer',
    });
    expect((await form({ ...secret })).status).toBe(200);
    const basic = { Authorization: `Basic ${btoa(`admin:${server.token}`)}` };
    expect((await form({ grant_type: 'client_credentials' }, basic)).status).toBe(200);
    const refused = [
      await form({ ...secret, client_id: 'bob' }),
      await form({ ...secret, client_secret: 'wrong' }),
      await form({ grant_type: 'client_credentials' }),
    ];
    for (const { status, body } of refused) expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect((await form({ grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
    const exchange = { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: server.token };
    expect((await form(exchange)).body.access_token).toBe(server.token);
  });
});

describe('namespaces', () => {
  test('are listed one level at a time, in pages on request', async () => {
    for (const namespace of [['p'], ['p', 'a'], ['p', 'b'], ['p', 'a', 'deep']]) {
      expect((await server.send('POST', '/namespaces', { body: { namespace, unknown: 1 } })).status).toBe(200);
    }
    const under = async (query: string) => (await server.send('GET', `/namespaces?${query}`)).body;
    expect((await under('')).namespaces).toEqual([['p'], ['s']]);
    expect(await under('parent=p')).toEqual({
      namespaces: [
        ['p', 'a'],
        ['p', 'b'],
      ],
    });
    expect((await under('parent=p%1Fa')).namespaces).toEqual([['p', 'a', 'deep']]);
    const first = await under('parent=p&pageToken=&pageSize=1');
    expect(first.namespaces).toEqual([['p', 'a']]);
    const second = await under(`parent=p&pageSize=1&pageToken=${first['next-page-token']}`);
    expect(second).toEqual({ namespaces: [['p', 'b']] });
    expect((await server.send('GET', '/namespaces?parent=none')).body).toEqual(
      refusal('NoSuchNamespaceException', 404),
    );
    const forged = (await server.send('GET', '/namespaces?pageToken=forged')).body;
    expect(forged).toEqual(refusal('BadRequestException', 400));
    expect(forged.error.message).toMatch(/^parameter pageToken: /);
    expect(forged.error.message).not.toMatch(/cursor to start/);
  });

  test('keep properties; the comment is the description', async () => {
    expect((await server.send('GET', '/namespaces/s')).body).toEqual({
      namespace: ['s'],
      properties: { location: expect.stringContaining('/tables/'), comment: 'sales', owner: 'x' },
    });
    const change = (body: object) => server.send('POST', '/namespaces/s/properties', { body });
    expect((await change({ removals: ['owner', 'none'], updates: { comment: 'more sales', a: 'b' } })).body).toEqual({
      updated: ['comment', 'a'],
      removed: ['owner'],
      missing: ['none'],
    });
    expect((await server.call('GET', '/api/v1/environments/dev/namespaces/s')).body.description).toBe('more sales');
    const both = await change({ removals: ['a'], updates: { a: 'c' } });
    expect(both.body).toEqual(refusal('UnprocessableEntityException', 422));
  });

  test.each([
    [['new.db'], 400, 'BadRequestException'],
    [['1st'], 400, 'BadRequestException'],
    [['s'], 409, 'AlreadyExistsException'],
    [['none', 'below'], 404, 'NoSuchNamespaceException'],
  ])('%j cannot be created: %i', async (namespace, code, type) => {
    expect((await server.send('POST', '/namespaces', { body: { namespace } })).body).toEqual(refusal(type, code));
  });
});

describe('tables', () => {
  test('are the same objects for engines and for the service, field docs and comment included', async () => {
    const made = await server.makeTable('s', 'both', { properties: { comment: 'of both' } });
    const { body } = await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/both');
    expect(body).toMatchObject({
      id: made.metadata['table-uuid'],
      description: 'of both',
      columns: [{ name: 'id', nullable: false, description: 'the key' }, { name: 'name' }],
      location: made.metadata.location,
    });
    await server.call('POST', '/api/v1/environments/dev/namespaces/s/tables', {
      body: { name: 'ours', columns: [{ name: 'a', type: 'int', description: 'd' }] },
    });
    const ours = (await server.send('GET', '/namespaces/s/tables/ours')).body.metadata;
    const row = (await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/ours')).body;
    expect([ours['table-uuid'], ours.schemas[0].fields[0].doc]).toEqual([row.id, 'd']);
    const described = { description: 'new text', column_descriptions: { a: 'new' } };
    await server.call('PATCH', '/api/v1/environments/dev/namespaces/s/tables/ours', { body: described });
    const after = (await server.send('GET', '/namespaces/s/tables/ours')).body.metadata;
    const current = after.schemas.find((s: { 'schema-id': number }) => s['schema-id'] === after['current-schema-id']);
    expect([after.properties.comment, current.fields[0].doc]).toEqual(['new text', 'new']);
  });

  test('are not loaded again while nothing changed', async () => {
    const path = '/namespaces/s/tables/both';
    const { headers } = await server.send('GET', path);
    const etag = headers.get('etag')!;
    const again = (query = '') => server.send('GET', `${path}${query}`, { headers: { 'If-None-Match': etag } });
    expect((await again()).status).toBe(304);
    expect((await again('?snapshots=refs')).status).toBe(200);
    const commit = { requirements: [], updates: [{ action: 'set-properties', updates: { a: '1' } }] };
    expect((await server.send('POST', path, { body: commit })).headers.get('etag')).not.toBe(etag);
    expect((await again()).status).toBe(200);
    expect((await server.send('GET', `${path}?snapshots=some`)).body).toEqual(refusal('BadRequestException', 400));
  });

  test('keep 64 bit ids', async () => {
    const table = await server.makeTable('s', 'big');
    const id = '9007199254740993123';
    const raw = JSON.stringify(snapshotCommit(table, { id })).replaceAll(`"${id}"`, id);
    const committed = await server.send('POST', '/namespaces/s/tables/big', { raw });
    expect([committed.status, committed.text.includes(`"current-snapshot-id":${id}`)]).toEqual([200, true]);
    expect((await server.send('GET', '/namespaces/s/tables/big?snapshots=refs')).text).toContain(`"snapshot-id":${id}`);
    const row = await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/big');
    expect([row.status, row.body.row_count]).toEqual([200, 3]);
  });

  test.each([
    ['unknown update', { requirements: [], updates: [{ action: 'explode' }] }, 400, 'BadRequestException'],
    ['unknown requirement', { requirements: [{ type: 'assert-moon' }], updates: [] }, 400, 'BadRequestException'],
    ['no updates', { requirements: [] }, 400, 'BadRequestException'],
    [
      'a requirement that does not hold',
      { requirements: [{ type: 'assert-current-schema-id', 'current-schema-id': 9 }], updates: [] },
      409,
      'CommitFailedException',
    ],
  ])('%s', async (_name, body, code, type) => {
    expect((await server.send('POST', '/namespaces/s/tables/both', { body })).body).toEqual(refusal(type, code));
  });

  test.each([[undefined], [null], [[]], ['x'], [{}], [{ 'snapshot-id': 1, summary: null }]])(
    'the snapshot %j is invalid',
    async (snapshot) => {
      const body = { requirements: [], updates: [{ action: 'add-snapshot', snapshot }] };
      const response = await server.send('POST', '/namespaces/s/tables/both', { body });
      expect(response.body).toEqual(refusal('BadRequestException', 400));
    },
  );

  test('a staged creation makes its folders, and writes nothing until its commit', async () => {
    const staged = await server.makeTable('s', 'staged', { 'stage-create': true });
    const folder = fileURLToPath(staged.metadata.location);
    expect((await fs.readdir(folder, { recursive: true })).sort()).toEqual(['data', 'metadata']);
    // The engine creates the folder of a location that it chose.
    const chosen = { 'stage-create': true, location: `${server.store.root}/mine/staged` };
    await server.makeTable('s', 'elsewhere', chosen);
    await expect(fs.readdir(fileURLToPath(chosen.location))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(staged['metadata-location']).toBeUndefined();
    expect((await server.send('HEAD', '/namespaces/s/tables/staged')).status).toBe(404);
    const { metadata } = staged;
    const commit = {
      requirements: [{ type: 'assert-create' }],
      updates: [
        { action: 'assign-uuid', uuid: metadata['table-uuid'] },
        { action: 'upgrade-format-version', 'format-version': 2 },
        { action: 'add-schema', schema: SCHEMA },
        { action: 'set-current-schema', 'schema-id': -1 },
        { action: 'add-spec', spec: { 'spec-id': 0, fields: [] } },
        { action: 'set-default-spec', 'spec-id': -1 },
        { action: 'add-sort-order', 'sort-order': { 'order-id': 0, fields: [] } },
        { action: 'set-default-sort-order', 'sort-order-id': -1 },
        { action: 'set-location', location: metadata.location },
      ],
    };
    const path = '/namespaces/s/tables/staged';
    expect((await server.send('POST', path, { body: commit })).status).toBe(200);
    expect((await server.send('POST', path, { body: commit })).body).toEqual(refusal('AlreadyExistsException', 409));
    expect((await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/staged')).body.id).toBe(
      metadata['table-uuid'],
    );
  });

  test('several are committed to in one transaction, or none is', async () => {
    const [a, b] = [await server.makeTable('s', 'one'), await server.makeTable('s', 'two')];
    const part = (name: string, table: typeof a, uuid = table.metadata['table-uuid']) => ({
      identifier: { namespace: ['s'], name },
      requirements: [{ type: 'assert-table-uuid', uuid }],
      updates: [{ action: 'set-properties', updates: { [`of-${name}`]: '1' } }],
    });
    const commit = (...changes: object[]) =>
      server.send('POST', '/transactions/commit', { body: { 'table-changes': changes } });
    const broken = await commit(part('one', a), part('two', b, a.metadata['table-uuid']));
    expect(broken.body).toEqual(refusal('CommitFailedException', 409));
    const properties = async (name: string) =>
      (await server.send('GET', `/namespaces/s/tables/${name}`)).body.metadata.properties;
    expect(await properties('one')).not.toHaveProperty('of-one');
    expect((await commit(part('one', a), part('two', b), part('one', a))).status).toBe(204);
    expect([await properties('one'), await properties('two')]).toMatchObject([{ 'of-one': '1' }, { 'of-two': '1' }]);
    expect((await commit(part('one', a), part('none', b))).body).toEqual(refusal('NoSuchTableException', 404));
  });

  test('no credentials are returned, metrics are accepted', async () => {
    const path = '/namespaces/s/tables/both';
    expect((await server.send('GET', `${path}/credentials`)).body).toEqual({ 'storage-credentials': [] });
    const report = { 'report-type': 'scan-report', 'table-name': 't', more: {} };
    expect((await server.send('POST', `${path}/metrics`, { body: report })).status).toBe(204);
  });
});

describe('the same request with its key', () => {
  const repeat = (path: string, body: unknown, key: string) =>
    server.send('POST', path, { body, headers: { 'Idempotency-Key': key } });

  test('acts once and shows what is there now', async () => {
    const table = await server.makeTable('s', 'keyed');
    const commit = snapshotCommit(table, { id: 5 });
    const [first, second] = [1, 2].map(() => () => repeat('/namespaces/s/tables/keyed', commit, KEY));
    const made = await first!();
    expect((await second!()).text).toBe(made.text);
    expect((await repeat('/namespaces/s/tables/keyed', { ...commit, updates: [] }, KEY)).body).toEqual(
      refusal('BadRequestException', 400),
    );
    const created = { name: 'keyed2', schema: SCHEMA };
    const uuids = [];
    for (const _ of [1, 2])
      uuids.push((await repeat('/namespaces/s/tables', created, `${KEY}x`)).body.metadata['table-uuid']);
    expect(uuids[0]).toBe(uuids[1]);
  });

  test('deletes once, and a repeated deletion succeeds, too', async () => {
    await server.makeTable('s', 'dropped_once');
    await server.send('POST', '/namespaces', { body: { namespace: ['once'] } });
    for (const path of ['/namespaces/s/tables/dropped_once', '/namespaces/once']) {
      const drop = (key: string) => server.send('DELETE', path, { headers: { 'Idempotency-Key': key } });
      expect([(await drop(`${KEY}d`)).status, (await drop(`${KEY}d`)).status]).toEqual([204, 204]);
      expect((await drop(`${KEY}e`)).status).toBe(404);
      expect((await drop(`${KEY}d`)).status).toBe(204);
    }
    await server.makeTable('s', 'dropped_once');
    const again = { headers: { 'Idempotency-Key': `${KEY}d` } };
    expect((await server.send('DELETE', '/namespaces/s/tables/dropped_once', again)).status).toBe(204);
    expect((await server.send('GET', '/namespaces/s/tables/dropped_once')).status).toBe(200);
  });

  test('meets the same refusal', async () => {
    const body = { namespace: ['s'] };
    const [one, two] = [await repeat('/namespaces', body, `${KEY}n`), await repeat('/namespaces', body, `${KEY}n`)];
    expect(one.body).toEqual(refusal('AlreadyExistsException', 409));
    expect(two.body).toEqual(one.body);
  });
});

test('views: created, replaced, renamed, dropped, registered again with the same id', async () => {
  const made = (await server.send('POST', '/namespaces/s/views', { body: viewBody('v') })).body;
  const uuid = made.metadata['view-uuid'];
  const row = await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/v');
  expect(row.body).toMatchObject({ id: uuid, kind: 'view', view_sql: 'SELECT id FROM t' });
  const version = { ...viewBody('v', 'SELECT 2')['view-version'], 'version-id': 2 };
  const replaced = await server.send('POST', '/namespaces/s/views/v', {
    body: {
      requirements: [{ type: 'assert-view-uuid', uuid }],
      updates: [
        { action: 'add-view-version', 'view-version': version },
        { action: 'set-current-view-version', 'view-version-id': -1 },
      ],
    },
  });
  expect([replaced.status, replaced.body.metadata['current-version-id']]).toEqual([200, 2]);
  const rename = { source: { namespace: ['s'], name: 'v' }, destination: { namespace: ['s'], name: 'w' } };
  expect((await server.send('POST', '/views/rename', { body: rename })).status).toBe(204);
  expect((await server.send('GET', '/namespaces/s/views')).body.identifiers).toEqual([{ namespace: ['s'], name: 'w' }]);
  expect((await server.send('GET', '/namespaces/s/tables/w')).body).toEqual(refusal('NoSuchTableException', 404));
  expect((await server.send('DELETE', '/namespaces/s/views/w')).status).toBe(204);
  expect((await server.send('GET', '/namespaces/s/views/w')).body).toEqual(refusal('NoSuchViewException', 404));
  const back = await server.send('POST', '/namespaces/s/register-view', {
    body: { name: 'back', 'metadata-location': replaced.body['metadata-location'] },
  });
  expect([back.status, back.body.metadata['view-uuid']]).toEqual([200, uuid]);
});

test.each([
  ['not JSON', '{', 400],
  ['a list too deep', '['.repeat(300) + ']'.repeat(300), 400],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
  ['too large', Buffer.alloc(32 * 1024 * 1024 + 1, 0x20), 413],
  ['many values', `[${'{},'.repeat(150_000)}{}]`, 400],
])('a body that is %s (HTTP-10)', async (_name, raw, status) => {
  const response = await server.send('POST', '/namespaces', { raw });
  expect([response.status, response.body.error.type]).toEqual([status, 'BadRequestException']);
});

test('a body of 32 MiB is read (HTTP-10)', async () => {
  const body = Buffer.alloc(32 * 1024 * 1024, 0x20);
  body.write(JSON.stringify({ namespace: ['large'], properties: { text: 'x'.repeat(20 * 1024 * 1024) } }));
  const made = await server.send('POST', '/namespaces', { raw: body });
  expect([made.status, made.body.properties.text.length]).toEqual([200, 20 * 1024 * 1024]);
});

test('a view that grows too large to be read is refused, and stays as it was', async () => {
  await server.send('POST', '/namespaces', { body: { namespace: ['grown'] } });
  await server.send('POST', '/namespaces/grown/views', { body: viewBody('v') });
  const add = (name: string) =>
    server.send('POST', '/namespaces/grown/views/v', {
      body: { requirements: [], updates: [{ action: 'set-properties', updates: { [name]: 'x'.repeat(15 << 20) } }] },
    });
  for (const name of ['a', 'b', 'c', 'd']) expect((await add(name)).status).toBe(200);
  const refused = await add('e');
  expect([refused.status, refused.body.error.message]).toEqual([
    406,
    expect.stringContaining('more than 67108864 bytes'),
  ]);
  const view = await server.send('GET', '/namespaces/grown/views/v');
  expect(Object.keys(view.body.metadata.properties)).toEqual(['a', 'b', 'c', 'd']);
});

test('unknown fields are ignored (HTTP-10)', async () => {
  const made = await server.send('POST', '/namespaces', { body: { namespace: ['lenient'], surprise: { a: 1 } } });
  expect([made.status, made.body.namespace]).toEqual([200, ['lenient']]);
  const table = { name: 't', schema: SCHEMA, surprise: 1 };
  expect((await server.send('POST', '/namespaces/lenient/tables', { body: table })).status).toBe(200);
});

describe('limits of a request', () => {
  const location = `/${'/'.repeat(100_000)}`;
  const fields = [{ id: 1, name: 'id', required: false, type: 'long' }];
  const schema = { type: 'struct', fields };
  const update = (updates: object[]) => ({ requirements: [], updates });
  const properties = Array.from({ length: 5001 }, (_, i) => ({
    action: 'set-properties',
    updates: { [`k${i}`]: 'v' },
  }));
  test.each([
    [
      'POST',
      '/namespaces/s/tables',
      { name: 'far', location, schema },
      'Field location: must be at most 2048 characters',
    ],
    ['POST', '/namespaces/s/tables', { name: 'n'.repeat(2000), schema }, 'Field name: must be at most 1024 characters'],
    ['POST', '/namespaces/s/register', { name: 'r', 'metadata-location': location }, 'must be at most 2048 characters'],
    ['POST', '/namespaces/s/tables/limited', update(properties), 'Field updates: must be at most 5000 updates'],
    [
      'POST',
      '/transactions/commit',
      {
        'table-changes': [1, 2].map((i) => ({
          identifier: { namespace: ['s'], name: `l${i}` },
          ...update(properties.slice(1)),
        })),
      },
      'must be at most 5000 updates of all tables together',
    ],
  ])('%s %s: %#', async (method, path, body, message) => {
    const response = await server.send(method, path, { body });
    expect([response.status, response.body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('a view takes no statement that is too long to be parsed', async () => {
    const version = {
      'version-id': 1,
      'schema-id': 0,
      'timestamp-ms': 1,
      summary: {},
      'default-namespace': ['s'],
      representations: [{ type: 'sql', sql: `SELECT 1 AS id -- ${'x'.repeat(300_000)}`, dialect: 'duckdb' }],
    };
    const response = await server.send('POST', '/namespaces/s/views', {
      body: { name: 'long', schema, 'view-version': version },
    });
    expect([response.status, response.body.error.message]).toEqual([
      400,
      expect.stringMatching(/has 300018 bytes, and a statement may have \d+ \(SVC_QUERY__MAX_STATEMENT_BYTES\)/),
    ]);
  });
});
