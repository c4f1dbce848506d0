import { AZURE } from './azure-options.ts';
import { GOOGLE, type GoogleKey } from './google-options.ts';
import type { StorageOptions } from './storage-options.ts';

/** The access keys of a bucket of S3, as stored in a secret. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** Null: the operator's region. */
  readonly region: string | null;
}

/** The key for a bucket, as stored in a secret: of S3, of a service account of Google, or of an account of Azure. */
export type OwnKeys = S3Keys | { readonly googleKey: GoogleKey } | { readonly azureAccountKey: string };

/** The location of one environment's tables, instead of the store's root. */
export interface OwnStorage {
  readonly environmentId: string;
  readonly environment: string;
  /** The location of a bucket, without a trailing slash. */
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
 * The operator's options with an environment's keys; endpoints and path style stay the same. Such keys issue no
 * temporary credentials.
 */
export function optionsWith(options: StorageOptions, keys: OwnKeys | null): StorageOptions {
  if (keys === null) return options;
  if ('googleKey' in keys)
    return { ...options, google: { ...(options.google ?? GOOGLE), key: keys.googleKey, tokens: false } };
  if ('azureAccountKey' in keys)
    return { ...options, azure: { ...(options.azure ?? AZURE), accountKey: keys.azureAccountKey, sasMinutes: null } };
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  return { ...options, region: keys.region ?? options.region, credentials, sts: null };
}
