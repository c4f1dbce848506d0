import { examineValues } from '../secrets/index.ts';
import { googleKey, storageKeys, storageLocation, storageSecretError, storageSecretKeys } from './storage.ts';

const KEY = { type: 'service_account', client_email: 'svc@acme.iam.gserviceaccount.com', private_key: 'key' };
const GS = 'gs://lake/svc';
const ABFSS = 'abfss://lake@acme.dfs.core.windows.net/svc';

test.each([
  's3://lake',
  's3://lake/a/b=c/',
  GS,
  'gs://lake.example.com',
  ABFSS,
  'abfss://my-lake@acme1.dfs.core.windows.net',
])('accepts %p', (location) => expect(storageLocation.safeParse(location).success).toBe(true));

test.each([
  'lake',
  'gs://',
  'gs://lake/../x',
  'gcs://lake',
  'abfs://lake@acme.dfs.core.windows.net',
  'abfss://lake@acme.blob.core.windows.net',
  'abfss://lake@acme.dfs.core.windows.net.example.com',
  'abfss://lake@evil.example.com/x',
  'abfss://lake@acme.example@acme.dfs.core.windows.net',
  'abfss://-lake@acme.dfs.core.windows.net',
  'abfss://acme.dfs.core.windows.net/lake',
])('rejects %p', (location) => expect(storageLocation.safeParse(location).success).toBe(false));

test('only the key of a service account is read from Google’s JSON', () => {
  const { client_email, private_key } = KEY;
  const more = { ...KEY, token_uri: 'http://169.254.169.254/', universe_domain: 'example.com' };
  expect(googleKey(JSON.stringify(more))).toEqual({ client_email, private_key });
  const program = { type: 'external_account', credential_source: { executable: { command: 'id' } } };
  for (const other of [JSON.stringify(program), JSON.stringify({ ...KEY, private_key: '' }), '[]', 'null', '{', ''])
    expect(googleKey(other)).toBeNull();
});

test('a secret has the keys of its provider', () => {
  const { client_email, private_key } = KEY;
  expect(storageKeys(GS, { service_account_key: JSON.stringify(KEY) })).toEqual({
    googleKey: { client_email, private_key },
  });
  expect(storageKeys(GS, { service_account_key: 'no JSON' })).toBeNull();
  expect(storageKeys(ABFSS, { account_key: 'key' })).toEqual({ azureAccountKey: 'key' });
  expect([storageKeys(ABFSS, {}), storageKeys('s3://lake', { access_key_id: 'x' })]).toEqual([null, null]);
  const facts = examineValues({ access_key_id: 'x', secret_access_key: 'y' });
  expect(['s3://lake', GS, ABFSS].map((location) => storageSecretError(location, facts))).toEqual([
    null,
    'it has no service_account_key',
    'it has no account_key',
  ]);
  expect([storageSecretKeys(GS), storageSecretKeys('s3://lake')]).toEqual([
    'service_account_key',
    'access_key_id and secret_access_key, and where needed session_token and region',
  ]);
});
