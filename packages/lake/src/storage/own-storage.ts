import type { S3Options } from './s3-options.ts';

/** A bucket's access keys, as stored in a secret. */
export interface OwnKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** Null: the operator's region. */
  readonly region: string | null;
}

/** The location of one environment's tables, instead of the store's root. */
export interface OwnStorage {
  readonly environmentId: string;
  readonly environment: string;
  /** `s3://bucket/prefix`, without a trailing slash. */
  readonly location: string;
  /** Changes whenever the keys may have changed. */
  readonly version: string;
  /** Null: the operator's keys. @throws Error with a user-facing reason why the keys are unavailable */
  readonly keys: () => OwnKeys | null;
}

/** Looks up the environments with their own storage in the database. */
export interface OwnStorages {
  /** Null for an environment without its own storage. */
  locationOf(environmentId: string): Promise<string | null>;
  all(): Promise<readonly OwnStorage[]>;
}

/**
 * The operator's options with an environment's keys; endpoint and path style stay the same. Such keys can't assume the
 * operator's role.
 */
export function optionsWith(s3: S3Options, keys: OwnKeys | null): S3Options {
  if (keys === null) return s3;
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  return { ...s3, region: keys.region ?? s3.region, credentials, sts: null };
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
