import { CATALOG_ENDPOINTS, type CatalogOperation } from '@svc/core/catalog';
import {
  type CatalogServer,
  type Granted,
  type LoadedTable,
  SCHEMA,
  snapshotCommit,
  startCatalogServer,
  viewBody,
} from './testing/index.ts';

let server: CatalogServer;
let table: LoadedTable;
beforeAll(async () => {
  server = await startCatalogServer();
  await server.send('POST', '/namespaces', { body: { namespace: ['s'] } });
  table = await server.makeTable('s', 't');
  await server.makeTable('s', 'other');
  await server.send('POST', '/namespaces/s/views', { body: viewBody('v') });
  await server.send('POST', '/namespaces/s/views', { body: viewBody('XviewX') });
  await server.send('POST', '/namespaces', { body: { namespace: ['XsomeX'] } });
  await server.makeTable('s', 'XtableX');
});
afterAll(() => server.stop());

const S: Granted = { environment: 'dev', namespace: 's' };
const granted = (action: string, on: Granted = S): Granted => ({ action, ...on });
const from = (name: string, to: string) => ({
  source: { namespace: ['s'], name },
  destination: { namespace: ['s'], name: to },
});
const property = { requirements: [], updates: [{ action: 'set-properties', updates: { a: '1' } }] };
const create = (name: string) => ({ name, schema: SCHEMA });

interface Case {
  path: string;
  body?: unknown;
  /** Exactly what lets it pass. */
  needs: Granted[];
  status?: number;
}

/** One request for every operation; those that end what others use come last. */
const CASES: Record<Exclude<CatalogOperation, 'getConfig' | 'getToken' | 'registerTable' | 'registerView'>, Case> = {
  listNamespaces: { path: '/namespaces', needs: [granted('READ_NAMESPACE')] },
  createNamespace: {
    path: '/namespaces',
    body: { namespace: ['s', 'n'] },
    needs: [granted('CREATE_NAMESPACE')],
  },
  loadNamespaceMetadata: { path: '/namespaces/s', needs: [granted('READ_NAMESPACE')] },
  namespaceExists: { path: '/namespaces/s', needs: [granted('READ_NAMESPACE')], status: 204 },
  updateProperties: { path: '/namespaces/s/properties', body: { updates: {} }, needs: [granted('MANAGE_NAMESPACE')] },
  listTables: { path: '/namespaces/s/tables', needs: [granted('READ_TABLE')] },
  createTable: { path: '/namespaces/s/tables', body: create('made'), needs: [granted('CREATE_TABLE')] },
  loadTable: { path: '/namespaces/s/tables/t', needs: [granted('READ_TABLE', { ...S, table: 't' })] },
  tableExists: { path: '/namespaces/s/tables/t', needs: [granted('READ_TABLE')], status: 204 },
  loadCredentials: { path: '/namespaces/s/tables/t/credentials', needs: [granted('READ_TABLE')] },
  // The warehouse is a folder here, of which there is nothing to sign: signing.test.ts.
  signRequest: {
    path: '/namespaces/s/tables/t/sign',
    body: { region: 'r', method: 'GET', uri: 'http://s3.example/lake/a', headers: {} },
    needs: [granted('READ_TABLE')],
    status: 400,
  },
  reportMetrics: {
    path: '/namespaces/s/tables/t/metrics',
    body: { 'report-type': 'x' },
    needs: [granted('READ_TABLE')],
    status: 204,
  },
  updateTable: {
    path: '/namespaces/s/tables/t',
    body: property,
    needs: [granted('WRITE_TABLE', { ...S, table: 't' })],
  },
  commitTransaction: {
    path: '/transactions/commit',
    body: { 'table-changes': [{ ...property, identifier: { namespace: ['s'], name: 't' } }] },
    needs: [granted('WRITE_TABLE')],
    status: 204,
  },
  renameTable: {
    path: '/tables/rename',
    body: from('other', 'another'),
    needs: [granted('DROP_TABLE'), granted('CREATE_TABLE')],
    status: 204,
  },
  listViews: { path: '/namespaces/s/views', needs: [granted('READ_TABLE')] },
  createView: { path: '/namespaces/s/views', body: viewBody('made_view'), needs: [granted('CREATE_TABLE')] },
  loadView: { path: '/namespaces/s/views/v', needs: [granted('READ_TABLE')] },
  viewExists: { path: '/namespaces/s/views/v', needs: [granted('READ_TABLE')], status: 204 },
  replaceView: {
    path: '/namespaces/s/views/v',
    body: { updates: [{ action: 'set-properties', updates: { a: '1' } }] },
    needs: [granted('WRITE_TABLE')],
  },
  renameView: {
    path: '/views/rename',
    body: from('v', 'v2'),
    needs: [granted('DROP_TABLE'), granted('CREATE_TABLE')],
    status: 204,
  },
  dropView: { path: '/namespaces/s/views/v2', needs: [granted('DROP_TABLE')], status: 204 },
  dropTable: { path: '/namespaces/s/tables/another', needs: [granted('DROP_TABLE')], status: 204 },
  dropNamespace: { path: '/namespaces/s%1Fn', needs: [granted('DROP_NAMESPACE')], status: 204 },
};

/** A change records an event; a read doesn't. */
const RECORDED: Partial<Record<CatalogOperation, string>> = {
  createNamespace: 'NAMESPACE_CREATED',
  dropNamespace: 'NAMESPACE_DELETED',
  updateProperties: 'NAMESPACE_UPDATED',
  createTable: 'TABLE_CREATED',
  updateTable: 'TABLE_UPDATED',
  commitTransaction: 'TABLE_UPDATED',
  renameTable: 'TABLE_UPDATED',
  dropTable: 'TABLE_DROPPED',
  createView: 'VIEW_CREATED',
  replaceView: 'VIEW_UPDATED',
  renameView: 'VIEW_UPDATED',
  dropView: 'TABLE_DROPPED',
};

describe('every operation', () => {
  test.each(Object.entries(CASES))(
    '%s is refused without its right, done with it, and recorded (AUDIT-1, HTTP-10)',
    async (id, one) => {
      const { method } = CATALOG_ENDPOINTS[id as CatalogOperation];
      const nobody = await server.tokenOf(`nobody_${id}`, granted('SUBMIT_QUERY', { environment: 'dev' }));
      const options = one.body === undefined ? {} : { body: one.body };
      await server.newEvents();
      const refused = await server.send(method, one.path, { ...options, token: nobody });
      expect(refused.status).toBe(403);
      if (method !== 'HEAD') expect(refused.body.error.type).toBe('ForbiddenException');
      expect((await server.newEvents()).map(({ type }) => type)).toEqual(['AUTHORIZATION_DENIED']);
      if (one.needs.length > 1) {
        const half = await server.tokenOf(`half_${id}`, one.needs[0]!);
        expect((await server.send(method, one.path, { ...options, token: half })).status).toBe(403);
      }
      const some = await server.tokenOf(`some_${id}`, ...one.needs);
      await server.newEvents();
      const done = await server.send(method, one.path, { ...options, token: some });
      expect([done.status, done.text]).toEqual([one.status ?? 200, expect.any(String)]);
      const recorded = RECORDED[id as CatalogOperation];
      expect((await server.newEvents()).map(({ type }) => type)).toEqual(recorded === undefined ? [] : [recorded]);
    },
  );

  test('config requires any grant in the environment', async () => {
    const config = (token: string, warehouse = 'dev') =>
      server.call('GET', `/catalog/v1/config?warehouse=${warehouse}`, { token });
    const reader = await server.tokenOf('config_reader', granted('READ_TABLE', { ...S, table: 't' }));
    const stranger = await server.tokenOf('config_stranger');
    expect([(await config(reader)).status, (await config(stranger)).status]).toEqual([200, 403]);
    const [there, not] = [await config(stranger), await config(stranger, 'gone')];
    expect(not.text.replaceAll('gone', 'dev')).toBe(there.text);
  });
});

describe('a refusal names what the body names', () => {
  const commit = (name: string, body: object = property) => ({
    'table-changes': [{ ...body, identifier: { namespace: ['s'], name } }],
  });
  const expiry = { requirements: [], updates: [{ action: 'remove-snapshots', 'snapshot-ids': [1] }] };
  const creation = { requirements: [{ type: 'assert-create' }], updates: [] };
  test.each<[string, unknown, string]>([
    ['/tables/rename', from('t', 'x'), 'DROP_TABLE on table dev/s/t:'],
    ['/tables/rename', from('none', 'x'), 'DROP_TABLE on table dev/s/none:'],
    ['/tables/rename', from('no.name', 'x'), 'DROP_TABLE on namespace dev/s:'],
    ['/tables/rename', { ...from('t', 'x'), source: { namespace: [], name: '' } }, 'DROP_TABLE on environment dev:'],
    ['/tables/rename', { source: 'nonsense' }, 'DROP_TABLE on environment dev:'],
    ['/views/rename', from('XviewX', 'x'), 'DROP_TABLE on table dev/s/XviewX:'],
    ['/transactions/commit', commit('t'), 'WRITE_TABLE on table dev/s/t:'],
    ['/transactions/commit', commit('none'), 'WRITE_TABLE on table dev/s/none:'],
    ['/transactions/commit', commit('t', expiry), 'MAINTAIN_TABLE on table dev/s/t:'],
    ['/transactions/commit', commit('new', creation), 'CREATE_TABLE on namespace dev/s:'],
    ['/transactions/commit', { 'table-changes': [] }, 'WRITE_TABLE on environment dev:'],
    ['/namespaces', { namespace: ['s', 'below'] }, 'CREATE_NAMESPACE on namespace dev/s:'],
    ['/namespaces', { namespace: ['top'] }, 'CREATE_NAMESPACE on environment dev:'],
    ['/namespaces/s/register', { name: 'r', 'metadata-location': 'x' }, 'CREATE_TABLE on namespace dev/s:'],
  ])('%s %j: %s', async (path, body, message) => {
    const eve = await server.tokenOf(`eve_${crypto.randomUUID()}`);
    const { status, body: response } = await server.send('POST', path, { token: eve, body });
    expect([status, response.error.message]).toEqual([403, expect.stringContaining(message)]);
  });

  test('also with the permission on another object, before names are validated', async () => {
    const other = granted('DROP_TABLE', { environment: 'dev', namespace: 'XsomeX' });
    const mallory = await server.tokenOf('mallory', other);
    const body = { ...from('t', 'x'), destination: { namespace: [''], name: '' } };
    const { status, body: response } = await server.send('POST', '/tables/rename', { token: mallory, body });
    expect([status, response.error.message]).toEqual([403, expect.stringContaining('DROP_TABLE on table dev/s/t:')]);
    const task = { 'table-changes': [{ ...property, identifier: { namespace: [''], name: '' } }] };
    const writer = await server.tokenOf('oscar', granted('WRITE_TABLE', { environment: 'dev', namespace: 'XsomeX' }));
    expect((await server.send('POST', '/transactions/commit', { token: writer, body: task })).status).toBe(403);
  });

  test('a large body is not read for callers without the right anywhere', async () => {
    const eve = await server.tokenOf('eve_unread');
    const raw = `{"table-changes":[${'{},'.repeat(100_000)}{}]}`;
    for (const path of ['/transactions/commit', '/tables/rename', '/namespaces']) {
      const { status, body } = await server.send('POST', path, { token: eve, raw });
      expect([status, body.error.message]).toEqual([403, expect.stringContaining('on environment dev:')]);
    }
  });

  test('a malformed or oversized body is only reported to callers with the permission somewhere', async () => {
    const eve = await server.tokenOf('eve_large');
    const raw = Buffer.alloc(32 * 1024 * 1024 + 1, 0x20);
    expect((await server.send('POST', '/tables/rename', { token: eve, raw })).status).toBe(403);
    expect((await server.send('POST', '/tables/rename', { raw })).status).toBe(413);
    expect((await server.send('POST', '/tables/rename', { token: eve, raw: '{' })).status).toBe(403);
    expect((await server.send('POST', '/tables/rename', { raw: '{' })).status).toBe(400);
  });
});

describe('callers without permission learn nothing', () => {
  const unknown: [CatalogOperation, string, unknown][] = [
    ['loadTable', '/namespaces/s/tables/NAME', null],
    ['tableExists', '/namespaces/s/tables/NAME', null],
    ['updateTable', '/namespaces/s/tables/NAME', property],
    ['dropTable', '/namespaces/s/tables/NAME', null],
    ['loadView', '/namespaces/s/views/NAME', null],
    ['loadNamespaceMetadata', '/namespaces/NAME', null],
    ['listTables', '/namespaces/NAME/tables', null],
    ['createTable', '/namespaces/NAME/tables', create('x')],
    ['renameTable', '/tables/rename', from('NAME', 'q')],
  ];
  test.each(unknown)('%s %s', async (id, path, body) => {
    const eve = await server.tokenOf(`eve_${id}`, granted('SUBMIT_QUERY', { environment: 'dev' }));
    const { method } = CATALOG_ENDPOINTS[id];
    const send = async (name: string) => {
      const sent = body === null ? {} : { body: JSON.parse(JSON.stringify(body).replaceAll('NAME', name)) };
      const response = await server.send(method, path.replaceAll('NAME', name), { ...sent, token: eve });
      return [response.status, response.text.replaceAll(name, 'NAME')];
    };
    const grants = path.includes('spaces/NAME') ? 'XsomeX' : id === 'loadView' ? 'XviewX' : 'XtableX';
    expect(await send(grants)).toEqual(await send('XnoneX'));
  });

  test('a deleted environment is not found, whatever it contained', async () => {
    await server.call('POST', '/api/v1/environments', { body: { name: 'gone' } });
    await server.call('DELETE', '/api/v1/environments/gone');
    const response = await server.call('GET', '/catalog/v1/gone/namespaces/s/tables/t');
    expect([response.status, response.body.error.type]).toEqual([404, 'NoSuchTableException']);
    expect((await server.call('GET', '/catalog/v1/config?warehouse=gone')).body.error.type).toBe(
      'NoSuchWarehouseException',
    );
  });
});

test('lists show what the caller may read', async () => {
  const one = await server.tokenOf('reads_one', granted('READ_TABLE', { ...S, table: 't' }));
  const listed = await server.send('GET', '/namespaces/s/tables', { token: one });
  expect(listed.body.identifiers).toEqual([{ namespace: ['s'], name: 't' }]);
});

describe('maintenance', () => {
  let fresh: LoadedTable;
  beforeAll(async () => {
    fresh = await server.makeTable('s', 'kept');
    const path = '/namespaces/s/tables/kept';
    await server.send('POST', path, { body: snapshotCommit(fresh, { id: 1 }) });
    await server.send('POST', path, { body: snapshotCommit(fresh, { id: 2, parent: 1, sequence: 2 }) });
  });
  const commit = (token: string, ...updates: object[]) =>
    server.send('POST', '/namespaces/s/tables/kept', { token, body: { requirements: [], updates } });

  test('expiring snapshots takes MAINTAIN_TABLE, and taking rows away a write', async () => {
    const maintainer = await server.tokenOf('maintainer', granted('MAINTAIN_TABLE'));
    const writer = await server.tokenOf('writer', granted('WRITE_TABLE'));
    const [old, current] = [1, 2].map((id) => ({ action: 'remove-snapshots', 'snapshot-ids': [id] }));
    expect((await commit(writer, old!)).status).toBe(403);
    expect((await commit(maintainer, current!)).status).toBe(403);
    expect((await commit(maintainer, { action: 'remove-snapshot-ref', 'ref-name': 'main' })).status).toBe(403);
    expect((await commit(maintainer, { action: 'set-properties', updates: { a: '1' } })).status).toBe(403);
    expect((await commit(maintainer, old!)).status).toBe(200);
  });

  test('no snapshot of a table under a legal hold is removed, because its files would be (DROP-15)', async () => {
    const table = await server.makeTable('s', 'held');
    const path = '/namespaces/s/tables/held';
    await server.send('POST', path, { body: snapshotCommit(table, { id: 1 }) });
    const second = await server.send('POST', path, { body: snapshotCommit(table, { id: 2, parent: 1, sequence: 2 }) });
    const legalHold = '/api/v1/environments/dev/namespaces/s/tables/held/hold';
    await server.call('PUT', legalHold, { body: { reason: 'audit' } });
    const expiry = { requirements: [], updates: [{ action: 'remove-snapshots', 'snapshot-ids': [1] }] };
    const older = { name: 'held', 'metadata-location': table['metadata-location'], overwrite: true };
    for (const [to, body] of [
      [path, expiry],
      ['/namespaces/s/register', older],
    ] as const)
      expect((await server.send('POST', to, { body })).body.error).toMatchObject({
        type: 'ForbiddenException',
        message: expect.stringContaining('under a legal hold'),
      });
    const current = (await server.send('GET', path)).body['metadata-location'];
    expect(current).toBe(second.body['metadata-location']);
    await server.call('DELETE', legalHold);
    expect((await server.send('POST', path, { body: expiry })).status).toBe(200);
  });
});

describe('row filters and column masks', () => {
  test('an engine would pass them by: who they bind may neither load nor commit', async () => {
    await server.makeTable('s', 'filtered');
    const bound = await server.tokenOf('bound', granted('READ_TABLE'), granted('WRITE_TABLE'));
    const free = await server.tokenOf('free', granted('READ_TABLE'));
    const path = '/namespaces/s/tables/filtered';
    await server.call('POST', '/api/v1/environments/dev/namespaces/s/tables/filtered/row-filters', {
      body: { principal: 'bound', predicate: 'id > 1' },
    });
    await server.newEvents();
    const transaction = { 'table-changes': [{ ...property, identifier: { namespace: ['s'], name: 'filtered' } }] };
    const refused = [
      await server.send('GET', path, { token: bound }),
      await server.send('GET', `${path}/credentials`, { token: bound }),
      await server.send('POST', path, { token: bound, body: property }),
      await server.send('POST', '/transactions/commit', { token: bound, body: transaction }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error]).toMatchObject([403, { type: 'ForbiddenException' }]);
      expect(body.error.message).toContain('svc sql');
    }
    const events = await server.newEvents();
    expect(events.map(({ type, detail }) => [type, detail['reason']])).toEqual(
      Array(4).fill(['AUTHORIZATION_DENIED', 'a row filter or column mask on the table binds the caller']),
    );
    expect((await server.send('GET', path, { token: free })).status).toBe(200);
  });

  test('who they bind may neither roll the table back nor truncate it', async () => {
    const table = await server.makeTable('s', 'restored');
    await server.send('POST', '/namespaces/s/tables/restored', { body: snapshotCommit(table, { id: 1 }) });
    const rest = '/api/v1/environments/dev/namespaces/s/tables/restored';
    const free = await server.tokenOf('free-writer', granted('READ_TABLE'), granted('WRITE_TABLE'));
    const bound = await server.tokenOf('bound-writer', granted('READ_TABLE'), granted('WRITE_TABLE'));
    await server.call('POST', `${rest}/row-filters`, { body: { principal: 'bound-writer', predicate: 'id > 1' } });
    const body = { snapshot_id: 1 };
    for (const [token, status] of [
      [bound, 403],
      [free, 200],
    ] as const)
      expect((await server.call('POST', `${rest}/rollback`, { token, body })).status).toBe(status);
    expect((await server.call('POST', `${rest}/truncate`, { token: bound })).status).toBe(403);
  });
});

describe('a protected environment', () => {
  const glass = { headers: { 'Svc-Break-Glass': 'incident%2042' } };
  beforeAll(async () => {
    await server.call('POST', '/api/v1/environments', { body: { name: 'prod' } });
    await server.call('POST', '/api/v1/environments/prod/namespaces', { body: { path: 'p' } });
    const body = { name: 't', columns: [{ name: 'a', type: 'int' }] };
    await server.call('POST', '/api/v1/environments/prod/namespaces/p/tables', { body });
    await server.call('PATCH', '/api/v1/environments/prod', { body: { protected: true } });
  });

  test.each([
    ['POST', '/namespaces', { namespace: ['q'] }],
    ['POST', '/namespaces/p/properties', { updates: {} }],
    ['DELETE', '/namespaces/p', undefined],
    ['POST', '/namespaces/p/tables', create('u')],
    ['POST', '/namespaces/p/tables/t', property],
    ['POST', '/namespaces/p/register', { name: 'r', 'metadata-location': 'x' }],
    ['POST', '/namespaces/p/views', viewBody('v')],
    [
      'POST',
      '/tables/rename',
      { source: { namespace: ['p'], name: 't' }, destination: { namespace: ['p'], name: 'u' } },
    ],
    ['DELETE', '/namespaces/p/tables/t', undefined],
  ])('%s %s is refused outside a run, with the remedy (ENV-5)', async (method, path, body) => {
    await server.newEvents();
    const response = await server.call(method, `/catalog/v1/prod${path}`, body === undefined ? {} : { body });
    expect([response.status, response.body.error.type]).toEqual([403, 'ForbiddenException']);
    expect(response.body.error.message).toContain('--break-glass');
    expect((await server.newEvents()).map(({ type }) => type)).toEqual(['AUTHORIZATION_DENIED']);
  });

  test('is changed with the glass broken, which is recorded, and read as any other (ENV-5)', async () => {
    expect((await server.call('GET', '/catalog/v1/prod/namespaces/p/tables/t')).status).toBe(200);
    await server.newEvents();
    const done = await server.call('POST', '/catalog/v1/prod/namespaces/p/tables/t', { body: property, ...glass });
    expect(done.status).toBe(200);
    expect((await server.newEvents())[0]!.detail).toMatchObject({ break_glass: { reason: 'incident 42' } });
  });
});

test('a read through the catalog interface is not recorded (RETAIN-3)', async () => {
  expect((await server.send('GET', '/namespaces/s/tables/t')).status).toBe(200);
  expect(await server.db.prisma.tableRead.count()).toBe(0);
  const where = { last_read_at: { not: null } };
  expect(await server.db.prisma.table.count({ where })).toBe(0);
});

test('a commit is recorded as a write with its rows, and counts as activity (RETAIN-3)', async () => {
  await server.call('PATCH', '/api/v1/environments/dev/namespaces/s/tables/t', { body: { description: 'x' } });
  const before = (await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/t')).body;
  await server.newEvents();
  await server.send('POST', '/namespaces/s/tables/t', { body: snapshotCommit(table, { id: 77 }) });
  const events = await server.newEvents();
  expect(events).toMatchObject([
    {
      type: 'TABLE_WRITE',
      object: { namespace: 's', table: 't' },
      detail: { mode: 'append', rows: 3, snapshot_id: 77 },
    },
  ]);
  const after = (await server.call('GET', '/api/v1/environments/dev/namespaces/s/tables/t')).body;
  expect([after.row_count, after.updated_at > before.updated_at]).toEqual([3, true]);
  const row = await server.db.prisma.table.findUniqueOrThrow({ where: { id: table.metadata['table-uuid'] } });
  expect([row.last_read_at, row.last_write_at?.toISOString()]).toEqual([null, after.updated_at]);
});
