import * as z from 'zod';
import { SECOND_FACTOR_MODES } from '../../second-factors/limits.ts';
import { hostAndPort, url } from '../parsers/addresses.ts';
import { bool, countOrNone, list } from '../parsers/basic.ts';
import type { Setting } from '../setting.ts';

const listen = z.string().default('127.0.0.1:8470').pipe(hostAndPort);

const key32 = z
  .string()
  .refine((value) => /^[A-Za-z0-9+/]{43}=$/.test(value.trim()), 'must be 32 bytes in base64 (44 characters)')
  .transform((value) => value.trim())
  .optional();

const keys32 = list().refine(
  (keys) => keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)),
  'must be keys of 32 bytes in base64 (44 characters), separated by commas',
);

const bootstrapToken = z
  .string()
  .transform((value) => value.trim())
  .refine((value) => value.length >= 16 && /^[\x21-\x7e]+$/.test(value), 'must be at least 16 printable characters')
  .optional();

/** Address, database, keys and first administrator of the service. */
export const serviceSettings = {
  listen: { name: 'SVC_LISTEN', read: listen, meaning: 'Address the API listens on', byDefault: '127.0.0.1:8470' },
  publicUrl: {
    name: 'SVC_PUBLIC_URL',
    read: url('http', 'https'),
    meaning: 'URL that people and tasks use to reach the service',
    byDefault: 'http://<SVC_LISTEN>',
  },
  consoleEnabled: {
    name: 'SVC_CONSOLE__ENABLED',
    read: bool(true),
    meaning: 'Whether the service serves the web console at /console',
    byDefault: 'true',
  },
  passwords: {
    name: 'SVC_SIGN_IN__PASSWORDS',
    read: bool(true),
    meaning: 'Whether people can sign in with passwords; otherwise only with identity providers and tokens',
    byDefault: 'true',
  },
  tokenMaxDaysPerson: {
    name: 'SVC_TOKENS__MAX_DAYS_PERSON',
    read: countOrNone(3650, 90),
    meaning: 'Maximum days until a new token of a person expires, and the default; 0: no limit',
    byDefault: '90',
  },
  tokenMaxDaysServiceAccount: {
    name: 'SVC_TOKENS__MAX_DAYS_SERVICE_ACCOUNT',
    read: countOrNone(3650, 0),
    meaning: 'Maximum days until a new token of a service account expires, and the default; 0: no limit',
    byDefault: '0',
  },
  secondFactor: {
    name: 'SVC_SIGN_IN__SECOND_FACTOR',
    read: z
      .enum(SECOND_FACTOR_MODES, { error: `must be one of ${SECOND_FACTOR_MODES.join(', ')}` })
      .default('optional'),
    meaning:
      'Who needs a second factor when signing in with a password: `optional` (nobody), `administrators` or `required` (everyone)',
    byDefault: 'optional',
  },
  home: {
    name: 'SVC_HOME',
    read: z.string().min(1).default('.svc'),
    meaning: 'Data folder of the standalone service',
    byDefault: '.svc',
  },
  databaseUrl: {
    name: 'SVC_DATABASE_URL',
    read: url('postgres', 'postgresql'),
    meaning: 'URL of the PostgreSQL database; if unset, svc starts an embedded one',
    byDefault: 'embedded',
    secret: true,
  },
  bootstrapToken: {
    name: 'SVC_BOOTSTRAP_TOKEN',
    read: bootstrapToken,
    meaning: 'Token of the first administrator',
    byDefault: 'generated into $SVC_HOME/admin-token',
    secret: true,
  },
  secretsKey: {
    name: 'SVC_SECRETS__KEY',
    read: key32,
    meaning: 'Key that encrypts secrets and signs cursors: 32 bytes in base64',
    byDefault: 'standalone: generated into a file',
    secret: true,
  },
  oldSecretsKeys: {
    name: 'SVC_SECRETS__OLD_KEYS',
    read: keys32,
    meaning: 'During a key rotation, the previous keys that some secrets are still encrypted with, separated by commas',
    byDefault: 'none',
    secret: true,
  },
} as const satisfies Record<string, Setting>;
