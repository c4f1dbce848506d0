import { type BrowserSession, SvcError } from '@svc/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { setCsrfToken, svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';

/** The session of this browser; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<BrowserSession | null> => {
    try {
      return remember(await svc.access.session({ signal }));
    } catch (error) {
      if (error instanceof SvcError && error.status === 401) return remember(null);
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});

/** The identity providers that the sign-in page offers. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => svc.access.signInOptions({ signal }),
});

export type SecondFactorAnswer = { code: string } | { recovery_code: string } | { assertion: Record<string, unknown> };

/** @throws SvcError with `secondFactor` for a person with one */
export async function signIn(name: string, password: string): Promise<void> {
  start(await svc.access.openSession(name, password));
}

export async function completeSignIn(challenge: string, answer: SecondFactorAnswer): Promise<void> {
  start(await svc.access.completeSession(challenge, answer));
}

function start(opened: BrowserSession): void {
  const session = remember(opened);
  // Nothing of an earlier caller stays.
  cache.clear();
  cache.setQueryData(sessionQuery.queryKey, session);
}

export async function signOut(): Promise<void> {
  try {
    await svc.access.closeSession();
  } catch (error) {
    if (!(error instanceof SvcError && error.status === 401)) throw error;
  }
  forgetSession();
}

/** Nothing of the caller stays in the browser. */
function forgetSession(): void {
  cache.clear();
  try {
    sessionStorage.clear();
  } catch {
    // There is no storage.
  }
  cache.setQueryData(sessionQuery.queryKey, remember(null));
}

let otherTabs: BroadcastChannel | undefined;

/** Calls `changed` if another tab of the browser learns that someone else has signed in, or nobody: the tabs share the cookie. */
export function followOtherTabs(changed: () => void): void {
  otherTabs = new BroadcastChannel('svc-session');
  otherTabs.onmessage = ({ data }) => {
    const known = cache.getQueryData(sessionQuery.queryKey);
    if (known !== undefined && data !== (known?.principal.id ?? null)) changed();
  };
}

/**
 * Reads the session again after the service has rejected it: it may have expired or become limited, or another tab may have signed in.
 * What an earlier caller loaded is forgotten; drafts stay, because a session also ends while someone writes. Returns whether the page
 * may still show something of an earlier caller to another one.
 */
export async function recheckSession(): Promise<boolean> {
  const before = cache.getQueryData(sessionQuery.queryKey) ?? null;
  const session = await cache.fetchQuery({ ...sessionQuery, staleTime: 0 });
  if (session?.principal.id === before?.principal.id) return false;
  cache.clear();
  cache.setQueryData(sessionQuery.queryKey, session);
  return session !== null && before !== null;
}

/** Reads the session again after it may do more than before. */
export async function refreshSession(): Promise<void> {
  cache.setQueryData(sessionQuery.queryKey, await cache.fetchQuery({ ...sessionQuery, staleTime: 0 }));
}

function remember(session: BrowserSession | null): BrowserSession | null {
  setCsrfToken(session?.csrf_token);
  otherTabs?.postMessage(session?.principal.id ?? null);
  return session;
}
