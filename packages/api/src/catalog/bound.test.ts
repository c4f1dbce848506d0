import {
  type CatalogServer,
  type Granted,
  type LoadedTable,
  SCHEMA,
  startCatalogServer,
  viewBody,
} from './testing/index.ts';

/** No operation returns metadata of a table to a principal that a policy applies to. */

let server: CatalogServer;
let bound: string;
beforeAll(async () => {
  server = await startCatalogServer();
  await server.send('POST', '/namespaces', { body: { namespace: ['s'] } });
  bound = await server.tokenOf('bound', { environment: 'dev', role: 'DATA_ENGINEER' });
});
afterAll(() => server.stop());

const KEY = '017F22E2-79B0-7CC3-98C4-DC0C0C07398F';
const rest = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/environments/dev/namespaces/s${path}`, body === undefined ? {} : { body });
const bind = (name: string) =>
  rest('POST', `/tables/${name}/column-masks`, { principal: 'bound', column: 'name', expression: "'x'" });
const drop = (name: string) => server.send('DELETE', `/namespaces/s/tables/${name}`, { token: bound });
const keyed = (token: string, path: string, body: unknown, key: string) =>
  server.send('POST', path, { token, body, headers: { 'Idempotency-Key': `${KEY}${key}` } });
const registration = (name: string, table: LoadedTable, more = {}) => ({
  name,
  'metadata-location': table['metadata-location'],
  ...more,
});
const property = { requirements: [], updates: [{ action: 'set-properties', updates: { a: '1' } }] };

function expectRefused({ status, text, body }: Awaited<ReturnType<CatalogServer['send']>>) {
  expect([status, body.error?.type]).toEqual([403, 'ForbiddenException']);
  expect(body.error.message).toContain('binds you');
  expect(text).not.toContain('table-uuid');
}

describe('registering the metadata of a dropped table', () => {
  test.each([
    ['under its name', 'u1', 'u1'],
    ['under another', 'u2', 'u2_back'],
  ])('%s brings nothing back for whom it would bind', async (_name, name, wanted) => {
    const table = await server.makeTable('s', name);
    await bind(name);
    expect((await drop(name)).status).toBe(204);
    await server.newEvents();
    const path = '/namespaces/s/register';
    const refused = await server.send('POST', path, { token: bound, body: registration(wanted, table) });
    expectRefused(refused);
    expect(refused.body.error.message).toContain(`s.${wanted} has`);
    expect((await server.newEvents()).map(({ type }) => type)).toEqual(['AUTHORIZATION_DENIED']);
    expect((await server.send('HEAD', `/namespaces/s/tables/${wanted}`)).status).toBe(404);
    expect((await rest('GET', '/dropped-tables')).body).toContainEqual(expect.objectContaining({ name }));
    expect((await server.send('POST', path, { body: registration(wanted, table) })).status).toBe(200);
    expectRefused(await server.send('GET', `/namespaces/s/tables/${wanted}`, { token: bound }));
  });

  test('nor an older state of it, nor at the location of another table', async () => {
    const table = await server.makeTable('s', 'u3');
    await server.send('POST', '/namespaces/s/tables/u3', { body: property });
    await server.makeTable('s', 'u3_other');
    await bind('u3');
    await drop('u3');
    const body = registration('u3_other', table, { overwrite: true });
    expectRefused(await server.send('POST', '/namespaces/s/register', { token: bound, body }));
    expect((await server.send('HEAD', '/namespaces/s/tables/u3_other')).status).toBe(204);
  });
});

describe('a repetition with the same key', () => {
  const register = async () => {
    const table = await server.makeTable('s', 'k_register');
    await drop('k_register');
    return ['/namespaces/s/register', registration('k_register', table)] as const;
  };
  const commit = async () => {
    await server.makeTable('s', 'k_commit');
    return ['/namespaces/s/tables/k_commit', property] as const;
  };
  const create = async () => ['/namespaces/s/tables', { name: 'k_create', schema: SCHEMA }] as const;

  test.each([
    ['register', register],
    ['commit', commit],
    ['create', create],
  ])('of a %s is answered by the policies of now', async (what, make) => {
    const [path, body] = await make();
    expect((await keyed(bound, path, body, what)).status).toBe(200);
    expect((await keyed(bound, path, body, what)).status).toBe(200);
    await bind(`k_${what}`);
    expectRefused(await keyed(bound, path, body, what));
  });

  test.each<[string, string, () => Promise<readonly [string, object]>, Granted[]]>([
    ['registration', 'CREATE_TABLE', register, [{ action: 'DROP_TABLE' }]],
    ['commit', 'WRITE_TABLE', commit, [{ action: 'CREATE_TABLE' }]],
  ])('of a %s needs its right still', async (what, action, make, others) => {
    await server.send('POST', '/namespaces', { body: { namespace: ['elsewhere'] } });
    const name = `lost_${what}`;
    const on = { environment: 'dev', namespace: 's' };
    const token = await server.tokenOf(name, { ...on, action }, ...others.map((other) => ({ ...on, ...other })), {
      environment: 'dev',
      namespace: 'elsewhere',
      action,
    });
    await server.send('DELETE', `/namespaces/s/tables/${what === 'commit' ? 'k_commit' : 'k_register'}`);
    const [path, body] = await make();
    expect((await keyed(token, path, body, name)).status).toBe(200);
    const { body: grants } = await server.call('GET', `/api/v1/grants?principal_name=${name}&action=${action}`);
    const grant = grants.find(({ namespace }: { namespace: string }) => namespace === 's');
    await server.call('DELETE', `/api/v1/grants/${grant.id}`);
    const refused = await keyed(token, path, body, name);
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining(action)]);
  });

  test('shows no other table or view that has the name now', async () => {
    const table = { name: 'k_name', schema: SCHEMA };
    const view = viewBody('k_view');
    expect((await keyed(bound, '/namespaces/s/tables', table, 'name')).status).toBe(200);
    expect((await keyed(bound, '/namespaces/s/views', view, 'view')).status).toBe(200);
    await drop('k_name');
    await server.send('DELETE', '/namespaces/s/views/k_view');
    await server.makeTable('s', 'k_name');
    await server.send('POST', '/namespaces/s/views', { body: view });
    expect((await keyed(bound, '/namespaces/s/tables', table, 'name')).body.error.code).toBe(400);
    expect((await keyed(bound, '/namespaces/s/views', view, 'view')).body.error.code).toBe(404);
  });
});
