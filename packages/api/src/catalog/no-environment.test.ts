import { randomUUID } from 'node:crypto';
import { CATALOG_ENDPOINTS, type CatalogOperation } from '@svc/core/catalog';
import { type CatalogServer, type LoadedTable, SCHEMA, startCatalogServer, viewBody } from './testing/index.ts';

let server: CatalogServer;
let staged: LoadedTable;
let file: string;
beforeAll(async () => {
  server = await startCatalogServer();
  await server.send('POST', '/namespaces', { body: { namespace: ['s'] } });
  file = (await server.makeTable('s', 't'))['metadata-location'];
  staged = await server.makeTable('s', 'staged', { 'stage-create': true });
  await server.send('POST', '/namespaces/s/views', { body: viewBody('v') });
  await server.call('DELETE', '/api/v1/environments/dev');
});
afterAll(() => server.stop());

const moved = (name: string) => ({
  source: { namespace: ['s'], name },
  destination: { namespace: ['s'], name: 'moved' },
});
const creation = () => ({
  requirements: [{ type: 'assert-create' }],
  updates: [
    { action: 'assign-uuid', uuid: staged.metadata['table-uuid'] },
    { action: 'upgrade-format-version', 'format-version': 2 },
    { action: 'add-schema', schema: SCHEMA },
    { action: 'set-current-schema', 'schema-id': -1 },
    { action: 'add-spec', spec: { 'spec-id': 0, fields: [] } },
    { action: 'set-default-spec', 'spec-id': -1 },
    { action: 'add-sort-order', 'sort-order': { 'order-id': 0, fields: [] } },
    { action: 'set-default-sort-order', 'sort-order-id': -1 },
    { action: 'set-location', location: staged.metadata.location },
  ],
});
const property = { updates: [{ action: 'set-properties', updates: { a: '1' } }] };
const identifier = { namespace: ['s'], name: 't' };
const fresh = { namespace: ['s'], name: 'staged' };

/** Bodies by the operation; more than one where it does different things. */
const BODIES: Partial<Record<CatalogOperation, () => [what: string, body: unknown, table?: string][]>> = {
  createNamespace: () => [['', { namespace: ['n'] }]],
  updateProperties: () => [['', { updates: {} }]],
  createTable: () => [['', { name: 'made', schema: SCHEMA }]],
  registerTable: () => [['', { name: 'made', 'metadata-location': file }]],
  signRequest: () => {
    const request = { region: 'r', method: 'PUT', uri: 'http://s3.example/lake/a', headers: {} };
    return [
      ['of a table', request],
      ['of one that is started', request, 'staged'],
    ];
  },
  reportMetrics: () => [['', { 'report-type': 'x' }]],
  updateTable: () => [
    ['of a table', property],
    ['that creates', creation(), 'staged'],
  ],
  commitTransaction: () => [
    ['of a table', { 'table-changes': [{ ...property, identifier }] }],
    ['that creates', { 'table-changes': [{ ...creation(), identifier: fresh }] }],
  ],
  renameTable: () => [['', moved('t')]],
  createView: () => [['', viewBody('made')]],
  replaceView: () => [['', property]],
  renameView: () => [['', moved('v')]],
  registerView: () => [['', { name: 'made', 'metadata-location': file }]],
};

const OPERATIONS = Object.values(CATALOG_ENDPOINTS).filter(({ needs }) => needs.kind !== 'public');

describe.each([
  ['deleted', 'dev'],
  ['unknown', 'none'],
  ['impossible', '2026-03-29T02%3A30%3A00'],
])('in an environment that is %s', (_, environment) => {
  test.each(OPERATIONS.map(({ id, ...endpoint }) => [id, endpoint] as const))(
    '%s finds nothing',
    async (id, { method, path }) => {
      for (const [what, body, table = 't'] of BODIES[id as CatalogOperation]?.() ?? [['', undefined]]) {
        const real = path
          .replace('{prefix}', environment)
          .replace('{namespace}', 's')
          .replace('{table}', table)
          .replace('{view}', 'v');
        const query = id === 'getConfig' ? `?warehouse=${environment}` : '';
        const sent = body === undefined ? {} : { body };
        for (const headers of method === 'POST' ? [{}, { 'Idempotency-Key': randomUUID() }] : [{}]) {
          const response = await server.call(method, `/catalog${real}${query}`, { ...sent, headers });
          expect([what, response.status, response.text]).toEqual([what, 404, expect.any(String)]);
        }
      }
    },
  );
});
