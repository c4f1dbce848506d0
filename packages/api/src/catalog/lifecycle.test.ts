import { type CatalogServer, type LoadedTable, SCHEMA, snapshotCommit, startCatalogServer } from './testing/index.ts';

let server: CatalogServer;
beforeAll(async () => {
  server = await startCatalogServer();
  for (const namespace of [['s'], ['other']]) await server.send('POST', '/namespaces', { body: { namespace } });
});
afterAll(() => server.stop());

const refusal = (type: string, code: number) => ({ error: { type, code, message: expect.any(String) } });
const S = { environment: 'dev', namespace: 's' };
const rest = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/environments/dev/namespaces/s${path}`, body === undefined ? {} : { body });
const drop = (name: string, purge = false) =>
  server.send('DELETE', `/namespaces/s/tables/${name}${purge ? '?purgeRequested=true' : ''}`);
const register = (name: string, { 'metadata-location': location }: LoadedTable, more: object = {}, token?: string) =>
  server.send('POST', '/namespaces/s/register', {
    body: { name, 'metadata-location': location, ...more },
    ...(token === undefined ? {} : { token }),
  });
const dropped = async (name: string) =>
  (await rest('GET', '/dropped-tables')).body.find((entry: { name: string }) => entry.name === name);

describe('dropping', () => {
  test('keeps the files for the undo period; with purge they are due at once, except for a table on legal hold (DROP-12, DROP-14, DROP-15)', async () => {
    await server.makeTable('s', 'd1');
    await server.makeTable('s', 'd2');
    await rest('PUT', '/tables/d2/hold', { reason: 'audit' });
    expect((await drop('d2', true)).body).toEqual(refusal('ForbiddenException', 403));
    await rest('DELETE', '/tables/d2/hold');
    await server.newEvents();
    expect([(await drop('d1')).status, (await drop('d2', true)).status]).toEqual([204, 204]);
    const reasons = (await server.newEvents()).map(({ type, detail }) => [type, detail['reason']]);
    expect(reasons).toEqual([
      ['TABLE_DROPPED', 'user'],
      ['TABLE_DROPPED', 'purge'],
    ]);
    expect([await dropped('d1'), await dropped('d2')]).toMatchObject([{ restorable: true }, { restorable: false }]);
    expect((await rest('POST', '/tables/d1/undrop')).status).toBe(200);
    expect((await server.send('HEAD', '/namespaces/s/tables/d1')).status).toBe(204);
  });
});

test('a table with missing files is reported, and a folder is not metadata', async () => {
  const table = await server.makeTable('s', 'hollow');
  const commit = await server.send('POST', '/namespaces/s/tables/hollow', { body: snapshotCommit(table, { id: 7 }) });
  expect(commit.status).toBe(200);
  const health = await rest('GET', '/tables/hollow/health');
  expect([health.status, health.body.code]).toEqual([409, 'files-gone']);
  const folder = await register('folder', { ...table, 'metadata-location': table.metadata.location });
  expect(folder.body).toEqual(refusal('NotFoundException', 404));
  const updates = [{ action: 'add-spec', spec: { fields: [{ 'source-id': 1, name: 'b', transform: 'bucket[0]' }] } }];
  const none = await server.send('POST', '/namespaces/s/tables/hollow', { body: { requirements: [], updates } });
  expect(none.body).toEqual(refusal('BadRequestException', 400));
});

describe('registering the metadata of a dropped table', () => {
  test('undoes the drop: same id, policies back, under the requested name (DROP-13)', async () => {
    const table = await server.makeTable('s', 'r1');
    const id = table.metadata['table-uuid'];
    await server.tokenOf('reader', { ...S, table: 'r1', action: 'READ_TABLE' });
    await drop('r1');
    await server.newEvents();
    const back = await register('r1_back', table);
    expect([back.status, back.body.metadata['table-uuid']]).toEqual([200, id]);
    const events = await server.newEvents();
    expect(events).toMatchObject([
      { type: 'TABLE_UNDROPPED', detail: { table_id: id, name: 'r1_back', dropped_name: 'r1' } },
    ]);
    expect(events[0]!.detail['restored_policies']).toHaveLength(1);
    expect((await register('twice', table)).body).toEqual(refusal('AlreadyExistsException', 409));
  });

  test("takes an undrop's rights (DROP-13)", async () => {
    const table = await server.makeTable('s', 'r2');
    await drop('r2');
    const creator = await server.tokenOf('creator', { ...S, action: 'CREATE_TABLE' });
    expect((await register('r2', table, {}, creator)).body).toEqual(refusal('ForbiddenException', 403));
    const both = await server.tokenOf('both', { ...S, action: 'CREATE_TABLE' }, { ...S, action: 'DROP_TABLE' });
    expect((await register('r2', table, {}, both)).status).toBe(200);
  });

  test('is a conflict once it was purged (DROP-13)', async () => {
    const table = await server.makeTable('s', 'r3');
    await drop('r3', true);
    expect((await register('r3', table)).body).toEqual(refusal('AlreadyExistsException', 409));
  });

  test('in another environment is refused alike, living, dropped or purged, without its name', async () => {
    await server.call('POST', '/api/v1/environments', { body: { name: 'apart' } });
    await server.call('POST', '/api/v1/environments/apart/namespaces', { body: { path: 's' } });
    const table = await server.makeTable('s', 'secret_name');
    const body = { name: 'taken', 'metadata-location': table['metadata-location'] };
    const there = () => server.call('POST', '/catalog/v1/apart/namespaces/s/register', { body });
    const living = await there();
    expect(living.body).toEqual(refusal('AlreadyExistsException', 409));
    expect(living.body.error.message).toContain('belongs to a table of another environment');
    expect(living.text).not.toContain('secret_name');
    await drop('secret_name');
    expect((await there()).text).toBe(living.text);
    await register('secret_name', table);
    await drop('secret_name', true);
    expect((await there()).text).toBe(living.text);
  });

  test('of an older state puts the table back there', async () => {
    const table = await server.makeTable('s', 'r4');
    await server.send('POST', '/namespaces/s/tables/r4', { body: snapshotCommit(table, { id: 9 }) });
    const grants = ['CREATE_TABLE', 'WRITE_TABLE', 'READ_TABLE'].map((action) => ({ environment: 'dev', action }));
    const token = await server.tokenOf('writes', ...grants);
    await server.newEvents();
    const body = { name: 'r4', 'metadata-location': table['metadata-location'], overwrite: true };
    // The snapshots since then would be removed, as if they were expired.
    expect((await server.send('POST', '/namespaces/s/register', { body, token })).status).toBe(403);
    expect(await server.newEvents()).toMatchObject([
      { type: 'AUTHORIZATION_DENIED', detail: { action: 'MAINTAIN_TABLE' } },
    ]);
    const older = await register('r4', table, { overwrite: true });
    expect([older.status, older.body['metadata-location']]).toEqual([200, table['metadata-location']]);
    expect((await rest('GET', '/tables/r4')).body.row_count).toBe(0);
    expect((await register('r4', table)).body).toEqual(refusal('AlreadyExistsException', 409));
  });
});

describe('registering files that no table names', () => {
  const locationOf = (name: string) => `${server.store.root}/mine/${name}`;
  const put = async (name: string, change: (metadata: Record<string, unknown>) => Record<string, unknown>) => {
    const location = `${locationOf(name)}/metadata/v1.metadata.json`;
    const { metadata } = await server.makeTable('s', `template_${name}`);
    const own = { ...metadata, 'table-uuid': crypto.randomUUID(), location: locationOf(name) };
    await server.store.write(location, Buffer.from(JSON.stringify(change(own))));
    return { 'metadata-location': location } as LoadedTable;
  };

  test('makes a table whose id is that of its metadata', async () => {
    const file = await put('fresh', (m) => m);
    const made = await register('fresh', file);
    expect(made.status).toBe(200);
    expect((await rest('GET', '/tables/fresh')).body).toMatchObject({
      id: made.body.metadata['table-uuid'],
      location: locationOf('fresh'),
    });
  });

  test.each([
    ['metadata that names another folder', 'a1', (m: object) => ({ ...m, location: locationOf('elsewhere') })],
    [
      'an id that another object has',
      'a2',
      (m: object) => ({ ...m, 'table-uuid': '00000000-0000-0000-0000-000000000000' }),
    ],
    [
      "a snapshot of another table's files",
      'a3',
      (m: object) => ({
        ...m,
        snapshots: [
          {
            'snapshot-id': 1,
            'sequence-number': 1,
            'timestamp-ms': 1,
            'manifest-list': `${locationOf('fresh')}/m.avro`,
            summary: { operation: 'append' },
          },
        ],
      }),
    ],
    ['a text where a number must be', 'a4', (m: object) => ({ ...m, 'last-sequence-number': "1; ATTACH 'svc'" })],
  ])('%s is refused', async (_name, name, change) => {
    const response = await register(name, await put(name, change as never));
    expect([response.status, response.body.error.code]).toEqual([response.status, response.status]);
    expect([400, 409]).toContain(response.status);
  });

  test('a drop of a table revokes no grant on a service account: no table has the id of one (ACCESS-45)', async () => {
    const { body: account } = await server.call('POST', '/api/v1/principals', {
      body: { name: 'robot', type: 'service-account' },
    });
    await server.tokenOf('actor');
    const granted = { principal: 'actor', kind: 'SERVICE_ACCOUNT', action: 'ACT_AS', service_account: 'robot' };
    const { body: grant } = await server.call('POST', '/api/v1/grants', { body: granted });
    await register('a5', await put('a5', (m) => ({ ...m, 'table-uuid': account.id })));
    await drop('a5');
    const { body: grants } = await server.call('GET', '/api/v1/grants?principal_name=actor');
    expect(grants.map(({ id }: { id: string }) => id)).toEqual([grant.id]);
  });

  test('a file of a name longer than names are is not there', async () => {
    const location = `${server.store.root}/x/${'y'.repeat(300)}.metadata.json`;
    const response = await register('too_long', { 'metadata-location': location } as LoadedTable);
    expect(response.body).toEqual(refusal('NotFoundException', 404));
  });

  test.each(['file:///etc/passwd', 'file:///etc/x.metadata.json', 's3://bucket/x.json', '../../x', 'relative'])(
    '%s lies outside',
    async (location) => {
      const response = await register('outside', { 'metadata-location': location } as LoadedTable);
      expect(response.body).toEqual(refusal('BadRequestException', 400));
    },
  );
});

describe('locations', () => {
  const at = (name: string, location: string, token?: string) =>
    server.send('POST', '/namespaces/s/tables', {
      body: { name, location, schema: { type: 'struct', fields: [] } },
      ...(token === undefined ? {} : { token }),
    });

  test.each([
    ['outside the warehouse', () => 'file:///etc/t'],
    ['the warehouse itself', () => server.store.root],
    ['what people loaded', () => `${server.store.root}/staged/x`],
    ['results of queries', () => `${server.store.root}/results`],
    ['hidden folders', () => `${server.store.root}/.stages/x`],
    ['all tables', () => `${server.store.root}/tables`],
    ['a climb out', () => `${server.store.root}/mine/../staged/x`],
    ['an encoded climb', () => `${server.store.root}/mine/%2e%2e/staged/x`],
    ['a name that is too long for a file system', () => `${server.store.root}/${'x'.repeat(256)}`],
    ['a name that is as long decoded', () => `${server.store.root}/${'%C3%A9'.repeat(128)}`],
    ['a path that is too long', () => `${server.store.root}${'/x'.repeat(260)}`],
    ['half a character', () => `${server.store.root}/a\ud800`],
  ])('no table lies at %s', async (_name, location) => {
    expect((await at('nowhere', location())).body).toEqual(refusal('BadRequestException', 400));
  });

  test('an empty one is reported', async () => {
    const refused = [await at('nowhere', ''), await register('r', { 'metadata-location': '' } as LoadedTable)];
    for (const { body } of refused) {
      expect(body).toEqual(refusal('BadRequestException', 400));
      expect(body.error.message).toContain('is empty');
    }
  });

  test('a file cannot be the location', async () => {
    const file = `${server.store.root}/lake/file`;
    await server.store.write(file, Buffer.from('no folder'));
    for (const location of [file, `${file}/below`])
      expect((await at('inside_a_file', location)).body).toEqual(refusal('BadRequestException', 400));
  });

  test('a name may be as long as the file system allows', async () => {
    expect((await at('long', `${server.store.root}/${'%C3%A9'.repeat(80)}`)).status).toBe(200);
  });

  test('a location belongs to one table until its files are gone (TABLE-10)', async () => {
    const location = `${server.store.root}/lake/one`;
    expect((await at('one', location)).status).toBe(200);
    expect((await at('one_again', `${location}/`)).body).toEqual(refusal('AlreadyExistsException', 409));
    expect((await at('one_file', location.replace('file:///', 'file:/'))).status).toBe(409);
    await drop('one');
    expect((await at('one_again', location)).status).toBe(409);
    expect((await at('around', `${server.store.root}/lake`)).body).toEqual(refusal('BadRequestException', 400));
  });

  test('a location inside another table needs WRITE_TABLE on that table, which stays unnamed (TABLE-10)', async () => {
    const outer = await server.makeTable('s', 'outer');
    const inner = `${outer.metadata.location}/inner`;
    const creator = await server.tokenOf('nester', { ...S, action: 'CREATE_TABLE' });
    const writer = await server.tokenOf(
      'nesting_writer',
      { ...S, action: 'CREATE_TABLE' },
      { ...S, table: 'outer', action: 'WRITE_TABLE' },
    );
    await server.newEvents();
    const refused = (await at('inner', inner, creator)).body;
    expect(refused).toEqual(refusal('ForbiddenException', 403));
    expect(refused.error.message).not.toContain('s.outer');
    expect(await server.newEvents()).toMatchObject([
      { type: 'AUTHORIZATION_DENIED', detail: { action: 'WRITE_TABLE', object: { namespace: 's', table: 'outer' } } },
    ]);
    // A creation that fails leaves nothing there.
    expect((await at('outer', inner, writer)).body).toEqual(refusal('AlreadyExistsException', 409));
    expect((await at('inner', inner, writer)).status).toBe(200);
    expect((await at('inner_again', inner, writer)).body).toEqual(refusal('AlreadyExistsException', 409));
    await drop('outer');
    expect((await at('third', `${outer.metadata.location}/third`)).body).toEqual(
      refusal('AlreadyExistsException', 409),
    );
  });

  test('a folder inside another table must not have files of that table, or get them later (TABLE-10)', async () => {
    const { metadata } = await server.makeTable('s', 'whole');
    // The drop of the new table would delete them.
    await server.store.write(`${metadata.location}/part=1/a.parquet`, Buffer.from('rows'));
    for (const folder of ['data', 'data/x', 'Data', 'metadata', 'part=1', 'part=1/x', 'part=1/a.parquet/x']) {
      const { body } = await at('in_whole', `${metadata.location}/${folder}`);
      expect([folder, body]).toEqual([folder, refusal('AlreadyExistsException', 409)]);
    }
    // The metadata of a table of its own that somebody put there, to be registered.
    const inner = `${metadata.location}/second`;
    const own = { ...metadata, location: inner, 'table-uuid': crypto.randomUUID() };
    const file = `${inner}/metadata/00000-own.metadata.json`;
    await server.store.write(file, Buffer.from(JSON.stringify(own)));
    const registered = await register('r_inner', { 'metadata-location': file } as LoadedTable);
    expect(registered.body).toEqual(refusal('AlreadyExistsException', 409));
    // What an engine writes before it commits a new table can't be distinguished from files of the outer one.
    const staged = { name: 'staged', schema: SCHEMA, location: `${metadata.location}/staged`, 'stage-create': true };
    const { body } = await server.send('POST', '/namespaces/s/tables', { body: staged });
    expect(body).toEqual(refusal('AlreadyExistsException', 409));
  });

  test('if two tables request one location at once, one gets it (TABLE-10)', async () => {
    const location = `${server.store.root}/lake/raced`;
    const token = await server.tokenOf('racer', { ...S, action: 'CREATE_TABLE' });
    const responses = await Promise.all(
      [0, 1, 2, 3].map((i) => at(`raced${i}`, i % 2 ? location : `${location}/below`, token)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

let mine: LoadedTable;
let theirs: LoadedTable;

describe('a commit names files of its own table alone', () => {
  test.each([
    ['manifest list', (path: string) => snapshotCommit(mine, { id: 3, list: `${path}/metadata/x.avro` })],
    [
      'statistics',
      (path: string) => ({
        requirements: [],
        updates: [{ action: 'set-statistics', statistics: { 'snapshot-id': 1, 'statistics-path': `${path}/s` } }],
      }),
    ],
    [
      'data path',
      (path: string) => ({ updates: [{ action: 'set-properties', updates: { 'write.data.path': path } }] }),
    ],
    ['location', (path: string) => ({ updates: [{ action: 'set-location', location: path }] })],
  ])('%s', async (_name, commit) => {
    for (const path of [theirs.metadata.location, 'file:///etc', `${mine.metadata.location}/../x`]) {
      const response = await server.send('POST', '/namespaces/s/tables/mine', { body: commit(path) });
      expect([path, response.body]).toEqual([path, refusal('BadRequestException', 400)]);
    }
  });
  beforeAll(async () => {
    mine = await server.makeTable('s', 'mine');
    theirs = await server.makeTable('s', 'theirs');
  });
});

describe('renaming', () => {
  const rename = (from: string, namespace: string, to: string) =>
    server.send('POST', '/tables/rename', {
      body: { source: { namespace: ['s'], name: from }, destination: { namespace: [namespace], name: to } },
    });

  test('keeps id and grants, also across namespaces', async () => {
    const table = await server.makeTable('s', 'moving');
    const reader = await server.tokenOf('moving_reader', { ...S, table: 'moving', action: 'READ_TABLE' });
    await server.newEvents();
    expect((await rename('moving', 'other', 'moved')).status).toBe(204);
    expect(await server.newEvents()).toMatchObject([
      { type: 'TABLE_UPDATED', object: { namespace: 'other', table: 'moved' }, detail: { previous_name: 's.moving' } },
    ]);
    const loaded = await server.send('GET', '/namespaces/other/tables/moved', { token: reader });
    expect([loaded.status, loaded.body.metadata['table-uuid']]).toEqual([200, table.metadata['table-uuid']]);
    const grants = (await server.call('GET', '/api/v1/grants?principal_name=moving_reader')).body;
    expect(grants).toMatchObject([{ namespace: 'other', table: 'moved' }]);
  });

  test.each([
    ['none', 'other', 'x', 404, 'NoSuchTableException'],
    ['', 'other', 'x', 400, 'BadRequestException'],
    ['mine', '', 'x', 400, 'BadRequestException'],
    ['mine', 's', '', 400, 'BadRequestException'],
    ['mine', 'none', 'x', 404, 'NoSuchNamespaceException'],
    ['mine', 's', 'theirs', 409, 'AlreadyExistsException'],
    ['mine', 's', 'no.name', 400, 'BadRequestException'],
  ])('%s to %s.%s is %i', async (from, namespace, to, code, type) => {
    expect((await rename(from, namespace, to)).body).toEqual(refusal(type, code));
  });
});

test('twenty commits at once: those whose requirement still holds are all made', async () => {
  const table = await server.makeTable('s', 'busy');
  const path = '/namespaces/s/tables/busy';
  const free = Array.from({ length: 10 }, (_, i) =>
    server.send('POST', path, { body: { updates: [{ action: 'set-properties', updates: { [`p${i}`]: '1' } }] } }),
  );
  const exclusive = Array.from({ length: 10 }, (_, i) =>
    server.send('POST', path, { body: snapshotCommit(table, { id: 100 + i }) }),
  );
  expect((await Promise.all(free)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  const statuses = (await Promise.all(exclusive)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(9).fill(409)]);
  const { metadata } = (await server.send('GET', path)).body;
  expect([
    metadata.snapshots.length,
    Object.keys(metadata.properties).filter((p: string) => /^p\d$/.test(p)).length,
  ]).toEqual([1, 10]);
});

test.each(['logs', 'logs/web', 'audit', 'audit/web', 'views/web', 'instance-id'])(
  'no table can be created in %s, where the service stores files of its own',
  async (folder) => {
    const body = { name: 'reserved', schema: SCHEMA, location: `${server.store.root}/${folder}` };
    const created = await server.send('POST', '/namespaces/s/tables', { body });
    expect(created.body).toEqual(refusal('BadRequestException', 400));
    expect(created.body.error.message).toContain('reserved for the service');
  },
);
