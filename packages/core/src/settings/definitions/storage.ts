import * as z from 'zod';
import { BUCKETS } from '../../environments/storage.ts';
import { urlPrefixes } from '../parsers/addresses.ts';
import { bool, localFolders, optionalWhole, text, whole } from '../parsers/basic.ts';
import { serviceAccountKey } from '../parsers/service-account-key.ts';
import { bytes } from '../parsers/sizes.ts';
import type { Setting } from '../setting.ts';

const BUCKET = Object.entries(BUCKETS).map(([scheme, bucket]) => `${scheme}://${bucket}`);
// bounded: the repetitions that overlap have at most 220 characters.
const IN_BUCKET = new RegExp(`^(?:${BUCKET.join('|')})(?:/|$)`);

/** A folder, its `file://` URL, or a bucket with an optional prefix. */
const location = z
  .string()
  .min(1, 'must not be empty')
  .refine(
    (value) => !/^[a-z0-9+.-]+:\/\//i.test(value) || value.startsWith('file://') || IN_BUCKET.test(value),
    'must be a folder, s3://bucket/prefix, gs://bucket/prefix or abfss://container@account.dfs.core.windows.net/prefix',
  )
  .refine((value) => !/[*?[\]{}]/.test(value), 'must not contain * ? [ ] { }');

/** Where the files of tables are stored. */
export const storageSettings = {
  storageLocation: {
    name: 'SVC_STORAGE__LOCATION',
    read: location.optional(),
    meaning:
      'Where table files are stored: a folder, s3://bucket/prefix, gs://bucket/prefix, or abfss://container@account.dfs.core.windows.net/prefix',
    byDefault: '$SVC_HOME/warehouse',
  },
  s3Endpoint: {
    name: 'SVC_STORAGE__S3_ENDPOINT',
    read: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    meaning: 'URL of an S3-compatible store',
    byDefault: 'AWS endpoint of the region',
  },
  s3Region: {
    name: 'SVC_STORAGE__S3_REGION',
    read: z.string().min(1, 'must not be empty').default('us-east-1'),
    meaning: 'Region of the bucket',
    byDefault: 'us-east-1',
  },
  s3PathStyle: {
    name: 'SVC_STORAGE__S3_PATH_STYLE',
    read: bool(false),
    meaning: 'Put the bucket in the path instead of the host name, as most stores other than AWS require',
    byDefault: 'false',
  },
  s3AccessKeyId: {
    name: 'SVC_STORAGE__S3_ACCESS_KEY_ID',
    read: text(),
    meaning: 'Access key id for the bucket; set it together with the secret access key',
    byDefault: 'AWS credentials of the machine (variables, profile or role)',
  },
  s3SecretAccessKey: {
    name: 'SVC_STORAGE__S3_SECRET_ACCESS_KEY',
    read: text(),
    meaning: 'Secret access key for the bucket',
    byDefault: 'as for the access key id',
    secret: true,
  },
  s3StsRole: {
    name: 'SVC_STORAGE__S3_STS_ROLE',
    read: z
      .string()
      .regex(/^arn:\S{16,}$/, 'must be the ARN of a role')
      .optional(),
    meaning: 'ARN of the role that svc assumes to issue temporary credentials for tables to engines',
    byDefault: 'none: svc issues no credentials',
  },
  s3StsEndpoint: {
    name: 'SVC_STORAGE__S3_STS_ENDPOINT',
    read: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    meaning: 'URL of the token service (STS) that issues them',
    byDefault: 'SVC_STORAGE__S3_ENDPOINT, or the AWS endpoint of the region',
  },
  s3StsMinutes: {
    name: 'SVC_STORAGE__S3_STS_MINUTES',
    read: whole(15, 720, 15),
    meaning: 'Minutes for which they are valid',
    byDefault: '15',
  },
  googleEndpoint: {
    name: 'SVC_STORAGE__GOOGLE_ENDPOINT',
    read: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    meaning: 'URL of an emulator of Google Cloud Storage',
    byDefault: "Google's own",
  },
  googleKey: {
    name: 'SVC_STORAGE__GOOGLE_KEY',
    read: serviceAccountKey,
    meaning: 'Key of a service account for the bucket: the content of its JSON file',
    byDefault: 'Google credentials of the machine (GOOGLE_APPLICATION_CREDENTIALS or its service account)',
    secret: true,
  },
  googleTokens: {
    name: 'SVC_STORAGE__GOOGLE_TOKENS',
    read: bool(false),
    meaning: 'Issue access tokens that are restricted to one table to engines',
    byDefault: 'false',
  },
  azureEndpoint: {
    name: 'SVC_STORAGE__AZURE_ENDPOINT',
    read: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    meaning: 'URL of an emulator of Azure Blob Storage, without the account',
    byDefault: "Azure's own",
  },
  azureAccountKey: {
    name: 'SVC_STORAGE__AZURE_ACCOUNT_KEY',
    read: text(),
    meaning: 'Key of the storage account',
    byDefault: 'Azure identity of the machine (AZURE_CLIENT_ID and others, or its managed identity)',
    secret: true,
  },
  azureSasMinutes: {
    name: 'SVC_STORAGE__AZURE_SAS_MINUTES',
    read: optionalWhole(5, 1440),
    meaning: 'Minutes for which the read-only signatures (SAS) for tables that svc issues to engines are valid',
    byDefault: 'none: svc issues no signatures',
  },
  storageCacheLimit: {
    name: 'SVC_STORAGE__CACHE_LIMIT',
    read: bytes('20GB'),
    meaning: 'Maximum size of the cache of bucket files in $SVC_HOME/cache',
    byDefault: '20GB',
  },
  externalLocations: {
    name: 'SVC_STORAGE__EXTERNAL_LOCATIONS',
    read: localFolders,
    meaning: 'Folders that may contain external tables, separated by commas',
    byDefault: 'none',
  },
  loadUrls: {
    name: 'SVC_LOADS__URLS',
    read: urlPrefixes,
    meaning:
      'Starts of the URLs that loads may read from, separated by commas, such as https://data.example.com/exports/',
    byDefault: 'none',
  },
} as const satisfies Record<string, Setting>;
