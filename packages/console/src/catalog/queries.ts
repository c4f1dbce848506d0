import type { Namespace, Table } from '@svc/sdk/browser';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { svc } from '../service/client.ts';
import { cache, PAGED } from '../service/queries.ts';

/** Namespaces that the console shows at most; the search finds the others. */
export const MAX_NAMESPACES = 5000;

const PAGE = 200;

export const searchQuery = (env: string, q: string, kind: readonly string[]) =>
  queryOptions({
    queryKey: ['catalog', env, 'search', q, kind],
    queryFn: ({ signal }) => svc.search.find(env, q, { kind, limit: 50, signal }),
  });

export const namespacesQuery = (env: string) =>
  queryOptions({
    queryKey: ['catalog', env, 'namespaces'],
    queryFn: async ({ signal }) => {
      const found: Namespace[] = [];
      for await (const namespace of svc.namespaces.iter(env, { limit: PAGE, signal })) {
        found.push(namespace);
        if (found.length === MAX_NAMESPACES) break;
      }
      return found;
    },
  });

export const tablesQuery = (env: string, namespace: string) =>
  infiniteQueryOptions({
    queryKey: ['catalog', env, 'tables', namespace],
    queryFn: ({ pageParam, signal }) => svc.tables.listPage(env, namespace, { limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

export const droppedQuery = (env: string, namespace: string) =>
  infiniteQueryOptions({
    queryKey: ['catalog', env, 'dropped', namespace],
    queryFn: ({ pageParam, signal }) =>
      svc.tables.listDroppedPage(env, namespace, { limit: PAGE, cursor: pageParam, signal }),
    ...PAGED,
  });

/** `table` is the full name, as in the commands. */
export const tableQuery = (env: string, table: string) =>
  queryOptions({
    queryKey: ['catalog', env, 'table', table],
    queryFn: ({ signal }) => svc.tables.get(env, table, { signal }),
  });

export const snapshotsQuery = (env: string, table: string) =>
  queryOptions({
    queryKey: ['catalog', env, 'table', table, 'snapshots'],
    queryFn: ({ signal }) => svc.tables.snapshots(env, table, { signal }),
  });

export const healthQuery = (env: string, table: string) =>
  queryOptions({
    queryKey: ['catalog', env, 'table', table, 'health'],
    queryFn: ({ signal }) => svc.tables.health(env, table, { signal }),
  });

export const retentionQuery = (env: string, table: string) =>
  queryOptions({
    queryKey: ['catalog', env, 'table', table, 'retention'],
    queryFn: ({ signal }) => svc.tables.retention(env, table, { signal }),
  });

/** Loads everything of the catalog again that is shown, after a change. */
export const refreshCatalog = (env: string): Promise<void> => cache.invalidateQueries({ queryKey: ['catalog', env] });

/** Shows a changed table at once, and loads again what else shows it. */
export function storeTable(env: string, table: Table): void {
  cache.setQueryData<Table>(tableQuery(env, `${table.namespace}.${table.name}`).queryKey, table);
  void refreshCatalog(env);
}
