import type { S3Options } from './s3-options.ts';

/** Keys of a bucket, as a secret holds them. */
export interface OwnKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** Null: the operator's. */
  readonly region: string | null;
}

/** Where the tables of one environment lie in place of the store's root. */
export interface OwnStorage {
  readonly environmentId: string;
  readonly environment: string;
  /** `s3://bucket/prefix`, without a trailing slash. */
  readonly location: string;
  /** Another one whenever the keys may be others. */
  readonly version: string;
  /** Null: the operator's. @throws Error that tells people why the keys cannot be had */
  readonly keys: () => OwnKeys | null;
}

/** What is known of environments with storage of their own: a question to the database. */
export interface OwnStorages {
  /** Null for an environment without. */
  locationOf(environmentId: string): Promise<string | null>;
  all(): Promise<readonly OwnStorage[]>;
}

/** The operator's options with an environment's keys: endpoint and path style stay. */
export function optionsWith(s3: S3Options, keys: OwnKeys | null): S3Options {
  if (keys === null) return s3;
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  return { ...s3, region: keys.region ?? s3.region, credentials };
}

/** What a bucket's refusal says, for people; null for an error that is none. */
export function bucketRefusal(error: unknown): string | null {
  const { $metadata, name, code, message } = (error ?? {}) as {
    $metadata?: { httpStatusCode?: number };
    name?: string;
    code?: string;
    message?: string;
  };
  if ($metadata === undefined) return name === 'CredentialsProviderError' ? 'no keys for it can be found' : null;
  const status = $metadata.httpStatusCode;
  // An answer without a body has no name of its own.
  const named = name === undefined || name === 'Error' || /^\d+$|^Unknown/.test(name) ? null : name;
  if (status === 401 || status === 403) return `it refuses the keys (${named ?? status})`;
  // The client adds lines for programmers.
  const [line] = (message ?? '').split('\n', 1);
  const why = (status === undefined ? code : named) ?? named ?? (/^$|^Unknown/.test(line!) ? null : line);
  return `it ${status === undefined ? 'does not answer' : `answers ${status}`}${why === null ? '' : ` (${why})`}`;
}
