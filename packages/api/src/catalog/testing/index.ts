import { type Answer, startTestServer, type TestServer } from '../../testing/index.ts';

export { type StageOptions, stageTable } from './stage-table.ts';

/** A service with the environment `dev` and a client that behaves like an engine. */
export interface CatalogServer extends TestServer {
  /** Below `/catalog/v1/dev`. */
  send: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  /** Creates a principal with these grants and returns its token. */
  tokenOf: (name: string, ...grants: Granted[]) => Promise<string>;
  /** Audit events since the last call, oldest first. */
  newEvents: () => Promise<{ type: string; object: Record<string, unknown>; detail: Record<string, unknown> }[]>;
  /** Creates a table through the protocol and returns its metadata. */
  makeTable: (namespace: string, name: string, more?: object) => Promise<LoadedTable>;
}

export interface LoadedTable {
  'metadata-location': string;
  metadata: { 'table-uuid': string; location: string; [field: string]: unknown };
}

export interface RequestOptions {
  body?: unknown;
  raw?: string | Uint8Array;
  token?: string | null;
  headers?: Record<string, string>;
}

export type Granted = { action?: string; role?: string; environment?: string; namespace?: string; table?: string };

export const SCHEMA = {
  type: 'struct',
  'schema-id': 0,
  fields: [
    { id: 1, name: 'id', required: true, type: 'long', doc: 'the key' },
    { id: 2, name: 'name', required: false, type: 'string' },
  ],
};

const kindOf = ({ environment, namespace, table }: Granted) =>
  table ? 'TABLE' : namespace ? 'NAMESPACE' : environment ? 'ENVIRONMENT' : 'INSTANCE';

export async function startCatalogServer(options: Parameters<typeof startTestServer>[0] = {}): Promise<CatalogServer> {
  const server = await startTestServer(options);
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  let seen = new Set<string>();
  const send: CatalogServer['send'] = (method, path, options = {}) =>
    server.call(method, `/catalog/v1/dev${path}`, {
      ...options,
      headers: { ...(options.raw === undefined ? {} : { 'Content-Type': 'application/json' }), ...options.headers },
    });
  const post = (path: string, body: unknown) => server.call('POST', `/api/v1${path}`, { body });
  return {
    ...server,
    send,
    async tokenOf(name, ...grants) {
      await post('/principals', { name, type: 'person' });
      for (const grant of grants) await post('/grants', { principal: name, kind: kindOf(grant), ...grant });
      return (await post(`/principals/${name}/tokens`, { name: 't' })).body.token;
    },
    async newEvents() {
      const { body } = await server.call('GET', '/api/v1/audit-events?limit=200');
      // Viewing other people's events is an event itself.
      const shown = body.filter(({ type }: { type: string }) => type !== 'ACTIVITY_VIEWED');
      const fresh = shown.filter(({ id }: { id: string }) => !seen.has(id)).reverse();
      seen = new Set([...seen, ...body.map(({ id }: { id: string }) => id)]);
      return fresh;
    },
    async makeTable(namespace, name, more = {}) {
      const response = await send('POST', `/namespaces/${namespace}/tables`, {
        body: { name, schema: SCHEMA, ...more },
      });
      if (response.status !== 200) throw new Error(response.text);
      return response.body;
    },
  };
}

/** A commit that adds a snapshot to `main`, on top of the previous one if there is one. */
export function snapshotCommit(
  { metadata }: LoadedTable,
  { id, parent, sequence = 1, list }: { id: number | string; parent?: number; sequence?: number; list?: string },
) {
  const snapshot = {
    'snapshot-id': id,
    ...(parent === undefined ? {} : { 'parent-snapshot-id': parent }),
    'sequence-number': sequence,
    'timestamp-ms': Date.now(),
    'manifest-list': list ?? `${metadata.location}/metadata/snap-${id}.avro`,
    summary: { operation: 'append', 'added-records': '3', 'total-records': '3' },
    'schema-id': 0,
  };
  return {
    requirements: [
      { type: 'assert-table-uuid', uuid: metadata['table-uuid'] },
      { type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': parent ?? null },
    ],
    updates: [
      { action: 'add-snapshot', snapshot },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id },
    ],
  };
}

export const viewBody = (name: string, sql = 'SELECT id FROM t', dialect = 'spark') => ({
  name,
  schema: { ...SCHEMA, fields: SCHEMA.fields.slice(0, 1) },
  'view-version': {
    'version-id': 1,
    'schema-id': 0,
    'timestamp-ms': 1,
    summary: {},
    'default-namespace': ['s'],
    representations: [{ type: 'sql', dialect, sql }],
  },
  properties: {},
});
