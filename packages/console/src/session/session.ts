import { SvcError } from '@svc/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { setCsrfToken, svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';

export interface Session {
  readonly principal: { readonly id: string; readonly name: string; readonly type: string };
  readonly csrf_token: string;
  readonly expires_at: string;
}

const PATH = '/api/v1/session';

async function send(method: 'GET' | 'POST' | 'DELETE', body?: object, signal?: AbortSignal): Promise<Session | null> {
  const request = { method, path: PATH, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of (await svc.requestPath(request)).body) text += decoder.decode(piece, { stream: true });
  return text === '' ? null : (JSON.parse(text) as Session);
}

/** The session of this browser; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return remember(await send('GET', undefined, signal));
    } catch (error) {
      if (error instanceof SvcError && error.status === 401) return remember(null);
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});

export async function signIn(name: string, password: string): Promise<void> {
  const session = remember(await send('POST', { name, password }));
  // Nothing of an earlier caller stays.
  cache.clear();
  cache.setQueryData(sessionQuery.queryKey, session);
}

export async function signOut(): Promise<void> {
  try {
    await send('DELETE');
  } catch (error) {
    if (!(error instanceof SvcError && error.status === 401)) throw error;
  }
  forgetSession();
}

/** The session has ended, here or at the service. */
export function forgetSession(): void {
  cache.clear();
  try {
    sessionStorage.clear();
  } catch {
    // There is no storage.
  }
  cache.setQueryData(sessionQuery.queryKey, remember(null));
}

function remember(session: Session | null): Session | null {
  setCsrfToken(session?.csrf_token);
  return session;
}
