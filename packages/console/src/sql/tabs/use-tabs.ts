import { useEffect, useSyncExternalStore } from 'react';
import { cache } from '../../service/queries.ts';
import { sessionQuery } from '../../session/session.ts';
import { TabStore, type TabsState } from './tab-store.ts';

/** Stores by environment. They outlive the page, so that leaving it loses nothing. */
const stores = new Map<string, TabStore>();
let owner: string | undefined;

function storeOf(env: string): TabStore {
  const principal = cache.getQueryData(sessionQuery.queryKey)?.principal.id ?? '';
  // Nothing of an earlier caller stays.
  if (principal !== owner) stores.clear();
  owner = principal;
  const store = stores.get(env) ?? new TabStore(env, principal);
  stores.set(env, store);
  return store;
}

/** The caller's tabs in an environment. They are loaded again when the window is looked at again. */
export function useTabs(env: string): { readonly store: TabStore; readonly state: TabsState } {
  const store = storeOf(env);
  const state = useSyncExternalStore(store.subscribe, store.state);
  useEffect(() => {
    void store.load();
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') store.flush();
      else void store.load();
    };
    const retry = () => store.retry();
    document.addEventListener('visibilitychange', onVisibility);
    // Leaving the editor saves what was written in it.
    document.addEventListener('focusout', store.flush);
    window.addEventListener('focus', onVisibility);
    window.addEventListener('online', retry);
    return () => {
      store.flush();
      document.removeEventListener('visibilitychange', onVisibility);
      document.removeEventListener('focusout', store.flush);
      window.removeEventListener('focus', onVisibility);
      window.removeEventListener('online', retry);
    };
  }, [store]);
  return { store, state };
}
