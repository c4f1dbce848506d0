import type { SearchResult, SvcClient } from '@svc/sdk';
import { makeOrders } from '../../testing/orders.ts';
import { deployFiles } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const PROJECT = {
  'svc.yaml': 'name: shop\njobs:\n  Orders nightly:\n    select: ["*"]\n',
  'assets/marts/orders.sql': '/* svc\ndescription: Orders that count\n*/\nSELECT 1 AS id',
};
let s: TestService;
const clients: Record<string, SvcClient> = {};

const GRANTS: Record<string, Parameters<SvcClient['grants']['create']>[0] | null> = {
  reader: { kind: 'ENVIRONMENT', principal: 'reader', action: 'READ_TABLE', environment: 'dev' },
  operator: { kind: 'ENVIRONMENT', principal: 'operator', action: 'READ_ENVIRONMENT', environment: 'dev' },
  namespace: {
    ...{ kind: 'NAMESPACE', principal: 'namespace', role: 'DATA_ENGINEER' },
    ...{ environment: 'dev', namespace: 'hr' },
  },
  table: {
    ...{ kind: 'TABLE', principal: 'table', action: 'READ_TABLE' },
    ...{ environment: 'dev', namespace: 'shop', table: 'orders' },
  },
  writer: {
    ...{ kind: 'TABLE', principal: 'writer', action: 'WRITE_TABLE' },
    ...{ environment: 'dev', namespace: 'shop', table: 'orders' },
  },
  outsider: { kind: 'ENVIRONMENT', principal: 'outsider', role: 'ADMIN', environment: 'other' },
  nobody: null,
};

beforeAll(async () => {
  s = await startTestService();
  clients['admin'] = s.client;
  await makeOrders(s.client, 'dev');
  await makeOrders(s.client, 'other', 'shop.orders_abroad');
  for (const path of ['hr', 'hr.orders', 'orders_old']) await s.client.namespaces.create('dev', path);
  const column = { name: 'id', type: 'int', nullable: true, description: null };
  const tables: Record<string, { description?: string; columns?: object[] }> = {
    'hr.pay': {
      description: 'Ärger with 100% of orders',
      columns: [{ ...column, name: 'Net_Amount', description: 'Café money' }],
    },
    'hr.orders.a': {},
    'shop.reorders': { description: String.raw`back\slash and "quotes" and 'more'` },
    'shop.dropped_orders': {},
  };
  for (const [name, table] of Object.entries(tables))
    await s.client.tables.create('dev', name, { columns: [column], ...table } as never);
  await s.client.tables.delete('dev', 'shop.dropped_orders');
  await s.client.repositories.create({ name: 'shop' });
  const deploy = await deployFiles(s.client, { env: 'dev', repository: 'shop', folder: s.folder }, PROJECT);
  expect(deploy.error).toBeNull();
  for (const [name, grant] of Object.entries(GRANTS)) {
    await s.client.principals.create({ name, type: 'person' });
    clients[name] = s.clientOf((await s.client.tokens.issue(name, 'test')).token);
    if (grant !== null) await s.client.grants.create(grant);
  }
});
afterAll(() => s.stop());

const text = ({ kind, name }: SearchResult) => `${kind} ${name}`;

/** All results, read in pages of one and of the usual size, which must agree. */
async function find(q: string, as = 'admin', kind?: SearchResult['kind'][]): Promise<string[]> {
  const whole = (await clients[as]!.search.find('dev', q, { kind })).map(text);
  const paged: string[] = [];
  for await (const one of clients[as]!.search.iter('dev', q, { kind, limit: 1 })) paged.push(text(one));
  expect(paged).toEqual(whole);
  return whole;
}

test('finds objects of each kind and says where they are, in the order of relevance (SEARCH-1, SEARCH-3)', async () => {
  expect(await s.client.search.find('dev', 'ORDERS', { kind: ['namespace', 'table', 'asset', 'job'] })).toEqual([
    { kind: 'namespace', name: 'hr.orders', description: null, table: null, repository: null },
    { kind: 'asset', name: 'marts.orders', description: 'Orders that count', table: null, repository: 'shop' },
    { kind: 'table', name: 'shop.orders', description: 'Orders of a shop', table: null, repository: null },
    { kind: 'job', name: 'Orders nightly', description: null, table: null, repository: 'shop' },
    { kind: 'namespace', name: 'orders_old', description: null, table: null, repository: null },
    { kind: 'table', name: 'hr.orders.a', description: null, table: null, repository: null },
    expect.objectContaining({ name: 'shop.reorders' }),
    expect.objectContaining({ name: 'hr.pay' }),
  ]);
  expect(await s.client.search.find('dev', 'net_am')).toEqual([
    {
      kind: 'column',
      name: 'hr.pay.Net_Amount',
      description: 'Café money',
      table: 'hr.pay',
      repository: null,
    },
  ]);
});

test.each([
  ['shop.orders.amount', ['column shop.orders.amount']],
  ['orders.am', ['column shop.orders.amount']],
  ['  amount   SHOP ', ['column shop.orders.amount']],
  ['counted orders', ['column shop.orders.id']],
  ['count marts', ['asset marts.orders']],
  ['orders nightly', ['job Orders nightly']],
  ['dropped', []],
  ['abroad', []],
  ['amount nightly', []],
])('every word of %p is in the qualified name or the description (SEARCH-1)', async (q, found) => {
  expect(await find(q)).toEqual(found);
});

test.each([
  ['%', ['table hr.pay']],
  ['100%', ['table hr.pay']],
  ['_', ['column hr.pay.Net_Amount', 'namespace orders_old']],
  ['net%amount', []],
  ['n_t', []],
  ['\\', ['table shop.reorders']],
  ['"quotes"', ['table shop.reorders']],
  ["'more'", ['table shop.reorders']],
  ["'; DROP TABLE tables; --", []],
  ['ÄRGER', ['table hr.pay']],
  ['CAFÉ', ['column hr.pay.Net_Amount']],
  ['😀', []],
  ['\ud800', []],
  ['..', []],
  [`orders ${'z '.repeat(90)}`, []],
  ['é'.repeat(200), []],
])('characters of %p match only themselves (SEARCH-1)', async (q, found) => {
  expect(await find(q)).toEqual(found);
});

test('a search follows changes of names and descriptions, drops and restores (SEARCH-1)', async () => {
  await s.client.tables.create('dev', 'shop.fresh', { columns: [{ name: 'x', type: 'int' }] } as never);
  const update = { description: 'Zebra', column_descriptions: { x: 'Giraffe' } };
  await s.client.tables.update('dev', 'shop.fresh', update);
  expect([await find('zebra'), await find('giraffe')]).toEqual([['table shop.fresh'], ['column shop.fresh.x']]);
  await s.client.tables.delete('dev', 'shop.fresh');
  expect([await find('zebra'), await find('fresh')]).toEqual([[], []]);
  await s.client.tables.undrop('dev', 'shop.fresh', { newName: 'again' } as never);
  expect([await find('zebra'), await find('fresh')]).toEqual([['table shop.again'], []]);
  await s.client.tables.delete('dev', 'shop.again');
});

describe('a caller finds what the lists show (SEARCH-2)', () => {
  const FOUND: Record<string, string[]> = {
    reader: [
      'table shop.orders',
      'table hr.orders.a',
      'column hr.orders.a.id',
      'column shop.orders.amount',
      'column shop.orders.buyer',
      'column shop.orders.day',
      'column shop.orders.id',
      'table shop.reorders',
      'column shop.reorders.id',
      'table hr.pay',
    ],
    operator: ['asset marts.orders', 'job Orders nightly'],
    namespace: ['namespace hr.orders', 'table hr.orders.a', 'column hr.orders.a.id', 'table hr.pay'],
    table: [
      'table shop.orders',
      'column shop.orders.amount',
      'column shop.orders.buyer',
      'column shop.orders.day',
      'column shop.orders.id',
    ],
  };

  test.each(Object.entries(FOUND))('%s', async (name, found) => {
    expect(await find('orders', name)).toEqual(found);
    const kinds = new Set(found.map((one) => one.split(' ')[0]));
    for (const kind of ['namespace', 'table', 'column', 'asset', 'job'] as const)
      expect((await find('orders', name, [kind])).length > 0).toBe(kinds.has(kind));
  });

  test('the administrator finds all of it', async () => {
    const all = await find('orders');
    for (const found of Object.values(FOUND)) expect(all).toEqual(expect.arrayContaining(found));
  });

  test('a page of a caller contains nothing of what others see', async () => {
    const page = await clients['table']!.search.findPage('dev', 'orders', { limit: 1 });
    expect(page.items.map(text)).toEqual(['table shop.orders']);
    const [body] = page.next_cursor!.split('.');
    expect(JSON.parse(Buffer.from(body!, 'base64url').toString())[3]).toEqual([0, 'shop.orders', 1, 'shop.orders', '']);
    const last = await clients['table']!.search.findPage('dev', 'orders', { limit: 5 });
    expect(last.next_cursor).toBeNull();
  });

  test('a column mask hides neither a name nor a description', async () => {
    const mask = { principal: 'table', column: 'buyer', expression: "'hidden'" };
    await s.client.columnMasks.create('dev', 'shop.orders', mask);
    expect(await find('buyer', 'table')).toEqual(['column shop.orders.buyer']);
  });

  test('a task token finds what its principal does, only in its environment', async () => {
    const { token } = (await s.call('POST', '/task-tokens', { body: { environment: 'dev' } })).body;
    const search = (env: string) => s.call('GET', `/environments/${env}/search?q=net_amount`, { token });
    expect((await search('dev')).body.map(text)).toEqual(['column hr.pay.Net_Amount']);
    expect((await search('other')).status).toBe(403);
  });

  test.each(['nobody', 'outsider', 'writer'])('%s is denied, whatever the query', async (name) => {
    const { token } = await s.client.tokens.issue(name, 'denied');
    const denied = [];
    for (const query of ['q=orders', 'q=', 'q=orders&kind=nothing', 'q=orders&cursor=x']) {
      const { status, body } = await s.call('GET', `/environments/dev/search?${query}`, { token });
      denied.push([status, body.code, body.detail]);
    }
    expect(new Set(denied.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(denied[0]!.slice(0, 2)).toEqual([403, 'forbidden']);
    const unknown = await s.call('GET', '/environments/nope/search?q=orders', { token });
    expect(unknown.body.detail.replaceAll('nope', 'dev')).toBe(denied[0]![2]);
    expect(await s.events('AUTHORIZATION_DENIED')).toContainEqual(
      expect.objectContaining({ principal: name, detail: expect.objectContaining({ action: 'READ_ENVIRONMENT' }) }),
    );
  });
});

test.each([
  ['', 'parameter q: is required'],
  ['?q=', 'parameter q: must not be blank'],
  ['?q=%20%09%20', 'parameter q: must not be blank'],
  [`?q=${'a'.repeat(201)}`, 'parameter q: must be at most 200 characters'],
  ['?q=a&q=b', 'parameter q'],
  ['?q=a%00b', 'parameter q'],
  ['?q=a&kind=views', 'parameter kind: "views" is not allowed: must be one of namespace, table, column, asset, job'],
  ['?q=a&limit=0', 'parameter limit'],
  ['?q=a&kinds=table', 'parameter kinds: unknown parameter'],
  ['?q=a&cursor=x', 'parameter cursor'],
])('search%s is refused with a message (SEARCH-4)', async (query, message) => {
  const { status, body } = await s.call('GET', `/environments/dev/search${query}`);
  expect([status, body.detail]).toEqual([422, expect.stringContaining(message)]);
});

test('200 characters of any kind and spaces around them are accepted, and a cursor of another text is not (SEARCH-4)', async () => {
  const long = encodeURIComponent(`  ${'😀'.repeat(200)}  `);
  expect((await s.call('GET', `/environments/dev/search?q=${long}`)).body).toEqual([]);
  const { next_cursor } = await s.client.search.findPage('dev', 'orders', { limit: 1 });
  await expect(s.client.search.findPage('dev', 'amount', { limit: 1, cursor: next_cursor! })).rejects.toThrow(
    'other filters',
  );
  const same = await s.client.search.findPage('dev', ' orders ', { limit: 1, cursor: next_cursor! });
  expect(same.items).toHaveLength(1);
});

test('a search leaves no event (SEARCH-5)', async () => {
  const newest = async () => (await s.client.audit.list({ limit: 1 }))[0]!.id;
  await newest(); // The administrator's own read of the log may be recorded.
  const before = await newest();
  await find('orders');
  await find('orders', 'table');
  expect(await newest()).toBe(before);
});
