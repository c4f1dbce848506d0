import type { Action } from '../access/index.ts';
import { decided, type Need, needs } from '../contract/index.ts';
import type { CatalogNoun } from './catalog-error.ts';

/** One endpoint of the Apache Iceberg REST catalog protocol, with its path as in the protocol's OpenAPI document. */
export interface CatalogEndpoint {
  /** Operation id in the protocol's OpenAPI document. */
  id: string;
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  path: string;
  needs: Need;
  /** The kind of object that a 404 reports as missing. */
  noun: CatalogNoun;
  /** A commit whose result may be unknown after a failure (500 `CommitStateUnknownException`). */
  commits?: boolean;
}

const NS = '/v1/{prefix}/namespaces/{namespace}';
const TABLE = `${NS}/tables/{table}`;
const VIEW = `${NS}/views/{view}`;

const one = (
  id: string,
  route: `${CatalogEndpoint['method']} ${string}`,
  noun: CatalogNoun,
  need: Need,
  commits = false,
): CatalogEndpoint => {
  const [method, path] = route.split(' ') as [CatalogEndpoint['method'], string];
  return { id, method, path, noun, needs: need, commits };
};
const either = (rule: string, ...actions: Action[]): Need => decided(rule, ...actions);

const LISTED = 'READ_TABLE on at least one table; lists only the tables it covers';
const RENAME_RULE = 'DROP_TABLE on the table and CREATE_TABLE on the target namespace';
const REGISTERED = 'CREATE_TABLE on the namespace; also DROP_TABLE if it undoes a drop or replaces another table';

/** Every endpoint below `/catalog`, in the order of the protocol's OpenAPI document. */
export const CATALOG_ENDPOINTS = {
  getConfig: one(
    'getConfig',
    'GET /v1/config',
    'warehouse',
    either('any grant on the environment, or on something that contains it or is inside it', 'READ_ENVIRONMENT'),
  ),
  getToken: one('getToken', 'POST /v1/oauth/tokens', 'warehouse', { kind: 'public' }),
  listNamespaces: one(
    'listNamespaces',
    'GET /v1/{prefix}/namespaces',
    'namespace',
    either('READ_NAMESPACE on at least one namespace; lists only the namespaces it covers', 'READ_NAMESPACE'),
  ),
  createNamespace: one(
    'createNamespace',
    'POST /v1/{prefix}/namespaces',
    'namespace',
    either(
      'CREATE_NAMESPACE on the parent namespace, or on the environment for a top-level namespace',
      'CREATE_NAMESPACE',
    ),
  ),
  loadNamespaceMetadata: one('loadNamespaceMetadata', `GET ${NS}`, 'namespace', needs('READ_NAMESPACE', 'NAMESPACE')),
  namespaceExists: one('namespaceExists', `HEAD ${NS}`, 'namespace', needs('READ_NAMESPACE', 'NAMESPACE')),
  dropNamespace: one('dropNamespace', `DELETE ${NS}`, 'namespace', needs('DROP_NAMESPACE', 'NAMESPACE')),
  updateProperties: one(
    'updateProperties',
    `POST ${NS}/properties`,
    'namespace',
    needs('MANAGE_NAMESPACE', 'NAMESPACE'),
  ),
  listTables: one('listTables', `GET ${NS}/tables`, 'namespace', either(LISTED, 'READ_TABLE')),
  createTable: one('createTable', `POST ${NS}/tables`, 'namespace', needs('CREATE_TABLE', 'NAMESPACE')),
  registerTable: one(
    'registerTable',
    `POST ${NS}/register`,
    'namespace',
    either(REGISTERED, 'CREATE_TABLE', 'DROP_TABLE', 'WRITE_TABLE'),
  ),
  loadTable: one('loadTable', `GET ${TABLE}`, 'table', needs('READ_TABLE', 'TABLE')),
  updateTable: one(
    'updateTable',
    `POST ${TABLE}`,
    'table',
    either(
      'WRITE_TABLE; MAINTAIN_TABLE to remove snapshots or if the commit is only maintenance; CREATE_TABLE to create the table',
      'WRITE_TABLE',
      'MAINTAIN_TABLE',
      'CREATE_TABLE',
    ),
    true,
  ),
  dropTable: one('dropTable', `DELETE ${TABLE}`, 'table', needs('DROP_TABLE', 'TABLE')),
  tableExists: one('tableExists', `HEAD ${TABLE}`, 'table', needs('READ_TABLE', 'TABLE')),
  loadCredentials: one('loadCredentials', `GET ${TABLE}/credentials`, 'table', needs('READ_TABLE', 'TABLE')),
  signRequest: one(
    'signRequest',
    `POST ${TABLE}/sign`,
    'table',
    either(
      'READ_TABLE to read a file, WRITE_TABLE to add one, MAINTAIN_TABLE to remove one; CREATE_TABLE while the table is being created',
      'READ_TABLE',
      'WRITE_TABLE',
      'MAINTAIN_TABLE',
      'CREATE_TABLE',
    ),
  ),
  renameTable: one(
    'renameTable',
    'POST /v1/{prefix}/tables/rename',
    'table',
    either(RENAME_RULE, 'DROP_TABLE', 'CREATE_TABLE'),
  ),
  reportMetrics: one('reportMetrics', `POST ${TABLE}/metrics`, 'table', needs('READ_TABLE', 'TABLE')),
  commitTransaction: one(
    'commitTransaction',
    'POST /v1/{prefix}/transactions/commit',
    'table',
    either(
      'for each table, the permissions that its own commit needs',
      'WRITE_TABLE',
      'MAINTAIN_TABLE',
      'CREATE_TABLE',
    ),
    true,
  ),
  listViews: one('listViews', `GET ${NS}/views`, 'namespace', either(LISTED, 'READ_TABLE')),
  createView: one('createView', `POST ${NS}/views`, 'namespace', needs('CREATE_TABLE', 'NAMESPACE')),
  loadView: one('loadView', `GET ${VIEW}`, 'view', needs('READ_TABLE', 'TABLE')),
  replaceView: one('replaceView', `POST ${VIEW}`, 'view', needs('WRITE_TABLE', 'TABLE'), true),
  dropView: one('dropView', `DELETE ${VIEW}`, 'view', needs('DROP_TABLE', 'TABLE')),
  viewExists: one('viewExists', `HEAD ${VIEW}`, 'view', needs('READ_TABLE', 'TABLE')),
  renameView: one(
    'renameView',
    'POST /v1/{prefix}/views/rename',
    'view',
    either(RENAME_RULE, 'DROP_TABLE', 'CREATE_TABLE'),
  ),
  registerView: one('registerView', `POST ${NS}/register-view`, 'namespace', needs('CREATE_TABLE', 'NAMESPACE')),
} as const satisfies Record<string, CatalogEndpoint>;

export type CatalogOperation = keyof typeof CATALOG_ENDPOINTS;

/** The endpoints below a prefix, which `GET /v1/config` lists. */
export const ADVERTISED: readonly string[] = Object.values(CATALOG_ENDPOINTS)
  .filter(({ path }) => path.includes('{prefix}'))
  .map(({ method, path }) => `${method} ${path}`);
