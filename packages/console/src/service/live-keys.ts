import type { LiveEvent } from '@svc/sdk/browser';
import type { QueryKey } from '@tanstack/react-query';

type ChangeKind = Exclude<LiveEvent['kind'], 'ready' | 'reset'>;
type Named = Pick<LiveEvent, 'id' | 'name'>;

const namespaceOf = (table: string): string => table.slice(0, table.lastIndexOf('.'));

/** Any object may have appeared in the results of a search, or disappeared from them. */
const searchOf = (env: string): QueryKey => ['catalog', env, 'search'];

/** What pages have loaded of the things that a message names. */
const KEYS: Record<ChangeKind, (env: string, changed: Named) => QueryKey[]> = {
  run: (env, { id }) => [
    ['runs', env],
    ['run', env, id],
    ['timeline', env],
    ['failures', env],
    ['summary', env],
    ['jobs', env],
  ],
  job: (env) => [['jobs', env]],
  deploy: (env) => [['projects', env], ['jobs', env], searchOf(env)],
  table: (env, { name }) => {
    const table = name ?? '';
    const lists = ['tables', 'dropped'].map((list) => ['catalog', env, list, namespaceOf(table)]);
    return [...lists, ['catalog', env, 'table', table], searchOf(env), ['lineage', env], ['summary', env]];
  },
  namespace: (env) => [['catalog', env, 'namespaces'], searchOf(env), ['summary', env]],
  query: (env) => [['queries', env]],
  environment: (env) => [['environments'], ['settings', env], ['summary', env]],
  access: () => [['access'], ['environments']],
};

/** The keys of the queries to load again after some messages; null for everything. */
export function staleKeys(env: string, events: readonly LiveEvent[]): QueryKey[] | null {
  const keys = new Map<string, QueryKey>();
  for (const { kind, ...changed } of events) {
    if (kind === 'reset') return null;
    // A newer service may report kinds that this page doesn't know.
    if (kind === 'ready' || !Object.hasOwn(KEYS, kind)) continue;
    for (const key of KEYS[kind](env, changed)) keys.set(JSON.stringify(key), key);
  }
  return [...keys.values()];
}
