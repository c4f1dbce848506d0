import type { Query } from '@svc/sdk/browser';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { cache } from '../../service/queries.ts';
import { queryQuery } from '../queries.ts';
import { searchOf, shownBy } from './address.ts';
import type { OpenTab } from './open-tabs.ts';
import type { TabStore, TabsState } from './tab-store.ts';
import { ofQuery, useLink } from './use-link.ts';
import { useTabs } from './use-tabs.ts';

interface ActiveTab {
  readonly store: TabStore;
  readonly state: TabsState;
  /** Undefined while it is loaded. */
  readonly active: OpenTab | undefined;
}

/**
 * The tab that the address names, which is the tab of a link after it has been opened. The address and the tab agree on what is
 * shown of the tab: whichever changes, the other follows.
 */
export function useActiveTab(env: string): ActiveTab {
  const { store, state } = useTabs(env);
  const search = useSearch({ from: '/signed-in/$env/sql' });
  const navigate = useNavigate({ from: '/$env/sql' });
  const { open, query, saved, table, sql, tab, chart, x, y } = search;
  const active = state.tabs.find(({ id }) => id === open);
  const isReady = state.isLoaded || state.loadError !== null;
  const isOpen = active !== undefined && table === undefined && sql === undefined;
  const link = useLink(env, search, !isOpen);
  const hasLink = [sql, table, query, saved].some((part) => part !== undefined);

  useEffect(() => {
    if (!isReady || isOpen || link === undefined) return;
    const id =
      link === null ? store.last() : store.openLink({ ...link, chart: shownBy({ tab, chart, x, y }, link).chart });
    const content = store.find(id)?.content;
    if (content === undefined) return;
    // A link that can't be read shows why; its tab is the last one.
    void navigate({
      search: (now) =>
        hasLink
          ? { ...now, open: id, sql: undefined, table: undefined }
          : { ...now, ...searchOf(id, content), tab: now.tab ?? searchOf(id, content).tab },
      replace: true,
    });
  });

  const id = isOpen ? active.id : undefined;
  useEffect(() => {
    const before = store.find(id)?.content;
    if (id === undefined || before === undefined) return;
    store.show(id);
    followQuery(store, env, id, { from: before.query, to: query ?? null });
    store.edit(id, shownBy({ query, saved, tab, chart, x, y }, before));
  }, [store, env, id, query, saved, tab, chart, x, y]);

  const content = active?.content;
  useEffect(() => {
    // What the effect before this one has changed is in the store.
    const now = store.find(id)?.content;
    if (id === undefined || now === undefined) return;
    if (now.query === (query ?? null) && now.saved === (saved ?? null)) return;
    void navigate({ search: (before) => ({ ...before, ...searchOf(id, now) }), replace: true });
  }, [store, id, content?.query, content?.saved]);

  return { store, state, active: isOpen ? active : undefined };
}

/** Back and forward lead to another query: its statement replaces the one of the query before, unless that was changed. */
function followQuery(
  store: TabStore,
  env: string,
  id: string,
  { from, to }: { from: string | null; to: string | null },
): void {
  if (from === null || to === null || from === to) return;
  const textOf = (query: string) => {
    const known = cache.getQueryData<Query>(queryQuery(env, query).queryKey);
    return known === undefined ? null : ofQuery(known);
  };
  const before = textOf(from);
  if (before === null || before.sql !== store.find(id)?.content.sql) return;
  void cache.fetchQuery(queryQuery(env, to)).then(
    (query) => {
      const after = ofQuery(query);
      if (after !== null && store.find(id)?.content.sql === before.sql)
        store.edit(id, { sql: after.sql, inputs: after.inputs });
    },
    // The result shows why the query can't be read.
    () => {},
  );
}
