import { cache } from '../service/queries.ts';
import { sessionQuery } from '../session/session.ts';

/** Each caller has drafts of their own. */
const keyOf = (env: string): string => `svc-draft-${cache.getQueryData(sessionQuery.queryKey)?.principal.id}-${env}`;

/** The statement that is being written, until the tab is closed or the caller signs out. */
export function readDraft(env: string): string {
  try {
    return sessionStorage.getItem(keyOf(env)) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(env: string, sql: string): void {
  try {
    sessionStorage.setItem(keyOf(env), sql);
  } catch {
    // Without storage, a reload forgets the statement.
  }
}
