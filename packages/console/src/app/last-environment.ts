const KEY = 'svc-environment';

/** The environment that this browser showed last. */
export function lastEnvironment(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberEnvironment(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage, the first page shows the first environment.
  }
}
