import { useEffect, useRef, useSyncExternalStore } from 'react';
import { connected, follow, type LivePosition } from './live.ts';

function onVisibilityChange(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** Keeps the pages of an environment up to date while the tab is visible. */
export function useLive(env: string): void {
  const isVisible = useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible');
  const position = useRef<LivePosition & { env: string }>({ env, lastEventId: undefined });
  useEffect(() => {
    if (!isVisible) return;
    if (position.current.env !== env) position.current = { env, lastEventId: undefined };
    const stop = new AbortController();
    void follow(env, position.current, stop.signal);
    return () => {
      stop.abort();
      connected(false);
    };
  }, [env, isVisible]);
}
