/** The database can't be used. The message is for the operator and never contains the password. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}

/** Converts a failed connection attempt into an error that names the server, the reason and the remedy. */
export function connectionFailure(url: string, cause: unknown): DatabaseUnreachableError {
  const { code, message } = describe(cause);
  return new DatabaseUnreachableError(`${hostOf(url)} cannot be used: ${message}. ${remedy(code)}`, { cause });
}

function describe(cause: unknown): { code: string; message: string } {
  // Node reports a host with several addresses as one AggregateError with an empty message.
  const error = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  return { code, message: error.message || code };
}

function hostOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `The database "${decodeURIComponent(pathname.slice(1))}" at ${hostname}:${port || 5432}`;
  } catch {
    return 'The database';
  }
}

function remedy(code: string): string {
  if (code === '28P01' || code === '28000') return 'Correct the user name and password in SVC_DATABASE_URL.';
  if (code === '3D000') return 'Create the database, or correct its name in SVC_DATABASE_URL.';
  if (code === '53300') return 'Raise max_connections of the server, or lower the number of processes that use it.';
  if (code === '57P03') return 'The server is starting or stopping: try again in a moment.';
  return 'Check that the server runs and that SVC_DATABASE_URL names it.';
}
