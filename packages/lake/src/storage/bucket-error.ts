/**
 * An error response of a bucket, or no response if there is no status: in the form in which the client of AWS throws its
 * own, so that all of them are recognized in the same way.
 */
export class BucketError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };

  /** @param facts `name`: the provider's name of the error */
  constructor(facts: { status?: number | undefined; name?: string | undefined; message: string }, cause: unknown) {
    super(facts.message, { cause });
    this.name = facts.name ?? 'Error';
    this.$metadata = facts.status === undefined ? {} : { httpStatusCode: facts.status };
  }
}

/** A client found no credentials for a bucket. */
export class NoCredentialsError extends Error {
  /** As the client of AWS names it. */
  override readonly name = 'CredentialsProviderError';
}

/** Whether the store responded with one of these status codes. */
export function isCode(error: unknown, ...statuses: readonly number[]): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
  return status !== undefined && statuses.includes(status);
}

/** A user-facing message for a bucket's error response, or null for any other error. */
export function bucketError(error: unknown): string | null {
  const { $metadata, name, code, message } = (error ?? {}) as {
    $metadata?: { httpStatusCode?: number };
    name?: string;
    code?: string;
    message?: string;
  };
  if ($metadata === undefined) return name === 'CredentialsProviderError' ? 'no access keys were found for it' : null;
  const status = $metadata.httpStatusCode;
  // The client can't name an error if the response has no body.
  const named = name === undefined || name === 'Error' || /^\d+$|^Unknown/.test(name) ? null : name;
  if (status === 401 || status === 403) return `it rejects the access keys (${named ?? status})`;
  // The client appends lines for developers.
  const [line] = (message ?? '').split('\n', 1);
  const why = (status === undefined ? code : named) ?? named ?? (/^$|^Unknown/.test(line!) ? null : line);
  return `it ${status === undefined ? "doesn't respond" : `returned status ${status}`}${why === null ? '' : ` (${why})`}`;
}
