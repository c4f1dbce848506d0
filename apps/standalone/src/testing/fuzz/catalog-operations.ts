import { CATALOG_ENDPOINTS } from '@svc/core/catalog';
import type { Operation } from './document.ts';

type Parameter = Operation['parameters'][number];

const query = (name: string, values?: readonly string[]): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string', ...(values === undefined ? {} : { enum: [...values] }) },
});

const PAGES = [query('pageToken'), query('pageSize', ['1', '2', '0', '-1', '1e9', 'x'])];

/** Parameters of the protocol's document. */
const QUERIES: Readonly<Record<string, readonly Parameter[]>> = {
  getConfig: [{ ...query('warehouse'), required: true }],
  listNamespaces: [...PAGES, query('parent', ['raw', 'raw\u001ffuzz', 'raw.fuzz', 'nothing', ''])],
  listTables: PAGES,
  listViews: PAGES,
  loadTable: [query('snapshots', ['all', 'refs', 'none'])],
  dropTable: [query('purgeRequested', ['true', 'false', 'TRUE', 'x'])],
  loadCredentials: [query('planId', ['1'])],
};

/** The operations below `/catalog`, from which requests are made. */
export function catalogOperations(): Operation[] {
  return Object.values(CATALOG_ENDPOINTS).map(({ id, method, path }) => ({
    id,
    method,
    path: `/catalog${path}`,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(
        ([, name]): Parameter => ({ name: name!, in: 'path', required: true, schema: { type: 'string' } }),
      ),
      ...(QUERIES[id] ?? []),
    ],
    bodies: method !== 'POST' ? {} : { [id === 'getToken' ? FORM : 'application/json']: {} },
    statuses: null,
  }));
}

const FORM = 'application/x-www-form-urlencoded';
