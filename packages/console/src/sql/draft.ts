const KEY = 'svc-draft-';

/** The statement that is being written, until the tab is closed or the caller signs out. */
export function readDraft(env: string): string {
  try {
    return sessionStorage.getItem(KEY + env) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(env: string, sql: string): void {
  try {
    sessionStorage.setItem(KEY + env, sql);
  } catch {
    // Without storage, a reload forgets the statement.
  }
}
