import * as z from 'zod';
import { url } from '../parsers/addresses.ts';
import { printable, whole } from '../parsers/basic.ts';
import { bytes, bytesOrNone, parseBytes } from '../parsers/sizes.ts';
import type { Setting } from '../setting.ts';

const trinoCatalog = z
  .string()
  .default('{environment}')
  .refine(
    (value) => /^(?:[a-z0-9_-]|\{environment\})+$/.test(value),
    'must be a name of a-z, 0-9, "_" and "-" such as svc_{environment}',
  );

/** The query engine and the limits of one query. */
export const querySettings = {
  queryEngine: {
    name: 'SVC_QUERY__ENGINE',
    read: z.enum(['duckdb', 'trino'], { error: 'must be duckdb or trino' }).default('duckdb'),
    meaning: 'Query engine: duckdb or trino',
    byDefault: 'duckdb',
  },
  trinoUrl: {
    name: 'SVC_QUERY__TRINO_URL',
    read: url('https', 'http'),
    meaning: 'URL of Trino; required if Trino is the query engine',
    byDefault: 'unset',
  },
  trinoCatalog: {
    name: 'SVC_QUERY__TRINO_CATALOG',
    read: trinoCatalog,
    meaning: "Name of an environment's catalog in Trino; {environment} is replaced by the environment's name",
    byDefault: '{environment}',
  },
  trinoUser: {
    name: 'SVC_QUERY__TRINO_USER',
    read: printable.default('svc'),
    meaning: 'Trino user that runs the statements',
    byDefault: 'svc',
  },
  trinoPassword: {
    name: 'SVC_QUERY__TRINO_PASSWORD',
    read: printable.optional(),
    meaning: 'Password of the Trino user; requires https',
    byDefault: 'none',
    secret: true,
  },
  trinoToken: {
    name: 'SVC_QUERY__TRINO_TOKEN',
    read: printable.optional(),
    meaning: 'JSON Web Token for Trino, as an alternative to a password; requires https',
    byDefault: 'none',
    secret: true,
  },
  trinoAccount: {
    name: 'SVC_QUERY__TRINO_ACCOUNT',
    read: printable.default('trino'),
    meaning: 'Service account whose token Trino uses for the catalog; Trino writes tables with it',
    byDefault: 'trino',
  },
  queryMemoryLimit: {
    name: 'SVC_QUERY__MEMORY_LIMIT',
    read: bytes('2GB'),
    meaning: 'Maximum memory of one query',
    byDefault: '2GB',
  },
  queryTempLimit: {
    name: 'SVC_QUERY__TEMP_LIMIT',
    read: bytes('20GB'),
    meaning: 'Maximum disk space that one query can spill to',
    byDefault: '20GB',
  },
  queryTimeoutSeconds: {
    name: 'SVC_QUERY__TIMEOUT_SECONDS',
    read: whole(1, 86_400, 600),
    meaning: 'Maximum duration of a query, in seconds',
    byDefault: '600',
  },
  queryMaxStatementBytes: {
    name: 'SVC_QUERY__MAX_STATEMENT_BYTES',
    read: bytes('256KB')
      .refine((size) => parseBytes(size) <= 1_000_000, 'must be at most 1MB')
      .transform(parseBytes),
    meaning: 'Maximum size of the SQL statement of a query, view, asset or check, in UTF-8; at most 1MB',
    byDefault: '256KB',
  },
  queryResultCache: {
    name: 'SVC_QUERY__RESULT_CACHE',
    read: bytesOrNone('64MB'),
    meaning: 'Memory of each process for cached results of queries, or none',
    byDefault: '64MB',
  },
  queryThreads: {
    name: 'SVC_QUERY__THREADS',
    read: whole(0, 1024, 0),
    meaning: 'Maximum number of threads of one query; 0: one per core',
    byDefault: '0',
  },
} as const satisfies Record<string, Setting>;
