import * as z from 'zod';
import type { SecretFacts } from '../secrets/index.ts';

const PREFIX = '(?:/[A-Za-z0-9_][A-Za-z0-9_.=+@-]*)*/?';

/** What names the bucket in a location, by its scheme, as the source of a regular expression. */
export const BUCKETS = {
  s3: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
  gs: '[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]',
  abfss: '[a-z0-9](?:-?[a-z0-9]){2,62}@[a-z0-9]{3,24}\\.dfs\\.core\\.windows\\.net',
} as const;

const BUCKET = Object.entries(BUCKETS).map(([scheme, name]) => `${scheme}://${name}`);
// bounded: the repetitions that overlap have at most 220 characters.
const LOCATION = new RegExp(`^(?:${BUCKET.join('|')})${PREFIX}$`);

/** The keys of the secret for a bucket, by the scheme of its location. */
const PROVIDERS = {
  s3: { required: ['access_key_id', 'secret_access_key'], optional: ['session_token', 'region'] },
  gs: { required: ['service_account_key'], optional: [] },
  abfss: { required: ['account_key'], optional: [] },
} as const;

type Scheme = keyof typeof PROVIDERS;

/** Where an environment's tables are stored, if not in the instance's storage. */
export const storageLocation = z
  .string()
  .max(512, 'must be at most 512 characters')
  .regex(
    LOCATION,
    'must be s3://bucket/prefix, gs://bucket/prefix or abfss://container@account.dfs.core.windows.net/prefix, with a prefix of letters, digits, slashes and _ . = + @ -',
  );

const providerOf = (location: string) => PROVIDERS[location.split(':', 1)[0] as Scheme] ?? PROVIDERS.s3;

/** For the error messages about the values that `svc secret create` reads. */
export function storageSecretKeys(location: string): string {
  const { required, optional } = providerOf(location);
  return `${required.join(' and ')}${optional.length === 0 ? '' : `, and where needed ${optional.join(' and ')}`}`;
}

/** Why a secret can't open the bucket of a location; null if it can. */
export function storageSecretError(location: string, facts: SecretFacts): string | null {
  const { required, optional } = providerOf(location);
  const absent = required.find((key) => !facts.keys.includes(key) || facts.empty.includes(key));
  if (absent !== undefined) return `it has no ${absent}`;
  const invalid = [...required, ...optional].find((key) => facts.nul.includes(key) || facts.surrogate.includes(key));
  return invalid === undefined ? null : `its ${invalid} is not plain text`;
}

/** The keys for the bucket of a location in a secret's values; null if a required one is missing or invalid. */
export function storageKeys(location: string, values: Readonly<Record<string, string>>) {
  if (location.startsWith('gs:')) {
    const key = googleKey(values['service_account_key'] ?? '');
    return key === null ? null : { googleKey: key };
  }
  if (location.startsWith('abfss:')) {
    const azureAccountKey = values['account_key'];
    return azureAccountKey ? { azureAccountKey } : null;
  }
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

const serviceAccount = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
});

/**
 * The key in the JSON of a service account; null for anything else. Other credentials of Google name addresses and
 * programs that a client would use to obtain a token, so only the key itself is read.
 */
export function googleKey(text: string): { client_email: string; private_key: string } | null {
  try {
    const { client_email, private_key } = serviceAccount.parse(JSON.parse(text));
    return { client_email, private_key };
  } catch {
    return null;
  }
}
