import * as z from 'zod';
import type { SecretFacts } from '../secrets/index.ts';

const BUCKET = '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]';
const SEGMENT = '[A-Za-z0-9_][A-Za-z0-9_.=+@-]*';
const LOCATION = new RegExp(`^s3://${BUCKET}(/${SEGMENT})*/?$`);

/** Where an environment's tables are stored, if not in the instance's storage. */
export const storageLocation = z
  .string()
  .max(512, 'must be at most 512 characters')
  .regex(
    LOCATION,
    'must be s3://bucket/prefix: a bucket of an S3-compatible store, and a prefix of letters, digits, slashes and _ . = + @ -',
  );

/** Required keys of a storage secret. */
const REQUIRED_KEYS = ['access_key_id', 'secret_access_key'] as const;
const ALL = [...REQUIRED_KEYS, 'session_token', 'region'] as const;
/** For the error messages about the values that `svc secret create` reads. */
export const STORAGE_SECRET_KEYS = 'access_key_id and secret_access_key, and where needed region and session_token';

/** Why a secret can't open a bucket; null if it can. */
export function storageSecretError(facts: SecretFacts): string | null {
  const absent = REQUIRED_KEYS.find((key) => !facts.keys.includes(key) || facts.empty.includes(key));
  if (absent !== undefined) return `it has no ${absent}`;
  const invalid = ALL.find((key) => facts.nul.includes(key) || facts.surrogate.includes(key));
  return invalid === undefined ? null : `its ${invalid} is not plain text`;
}

/** The bucket keys in a secret's values; null if a required one is missing. */
export function storageKeys(values: Readonly<Record<string, string>>) {
  const accessKeyId = values['access_key_id'];
  const secretAccessKey = values['secret_access_key'];
  if (!accessKeyId || !secretAccessKey) return null;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: values['session_token'] || null,
    region: values['region'] || null,
  };
}
