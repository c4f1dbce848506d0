import * as z from 'zod';

/** One setting: its name, how its text is parsed, and its description on the reference page. */
export interface Setting<T = unknown> {
  name: `SVC_${string}`;
  read: z.ZodType<T, string | undefined>;
  meaning: string;
  /** The default as the reference page shows it. */
  byDefault: string;
  secret?: boolean;
}

const whole = (min: number, max: number, byDefault: number) =>
  z
    .string()
    .default(String(byDefault))
    .transform((text, context) => {
      const n = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (n >= min && n <= max) return n;
      context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    });

const bool = (byDefault: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true');

const text = () => z.string().min(1, 'must not be empty').optional();
const list = () =>
  z
    .string()
    .default('')
    .transform((t) =>
      t
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    );

/** Host names, addresses and CIDRs; in lower case, without the brackets of an IPv6 address. */
const hosts = list()
  .transform((given) => given.map((host) => host.replace(/^\[|\]$/g, '').toLowerCase()))
  .refine((given) => given.every(isHostOrRange), 'must be host names, IP addresses or CIDRs, separated by commas');

const RANGES = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
const isAddressOrRange = (text: string): boolean => RANGES.some((kind) => kind.safeParse(text).success);

function isHostOrRange(text: string): boolean {
  // A text that looks like an address must be a valid one.
  if (/^[\d./]+$|[:/]/.test(text)) return isAddressOrRange(text);
  return text.length <= 253 && text.split('.').every((part) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(part));
}

/** Hosts that files of a lock may lie on (LOCK-5), as in URLs; without a port, every port is allowed. */
const fileHosts = list()
  .transform((given) => given.map((host) => host.toLowerCase()))
  .refine(
    (given) => given.every(isFileHost),
    'must be host names or IP addresses (IPv6 in brackets), with or without :port, separated by commas',
  );

function isFileHost(text: string): boolean {
  const [, host, port = '1'] = /^(\[[^\]]*\]|[^:/]*)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return false;
  return host.startsWith('[') ? z.ipv6().safeParse(host.slice(1, -1)).success : isHostOrRange(host);
}

const hostAndPort = z.string().transform((value, context) => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(value);
  const port = Number(match?.[3]);
  if (match && port <= 65535) return { host: match[1] ?? match[2]!, port };
  context.addIssue({ code: 'custom', message: 'must be host:port, such as 127.0.0.1:8470' });
  return z.NEVER;
});

const listen = z.string().default('127.0.0.1:8470').pipe(hostAndPort);

const url = (...schemes: string[]) =>
  z
    .string()
    .refine((value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value), {
      message: `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    })
    .optional();

const key32 = z
  .string()
  .refine((value) => /^[A-Za-z0-9+/]{43}=$/.test(value.trim()), 'must be 32 bytes in base64 (44 characters)')
  .transform((value) => value.trim())
  .optional();

const keys32 = list().refine(
  (keys) => keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)),
  'must be keys of 32 bytes in base64 (44 characters), separated by commas',
);

const SIZE = /^\d+(\.\d+)?\s*(KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/i;

const bytes = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .refine((value) => SIZE.test(value), 'must be a size such as 2GB');

/** A size in bytes; null if unset. */
const limitBytes = z
  .string()
  .optional()
  .refine((value) => value === undefined || SIZE.test(value), 'must be a size such as 100GB')
  .transform((value) => (value === undefined ? null : parseBytes(value)));

/** A size in bytes; null for `none`. */
const bytesOrNone = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .refine((value) => value === 'none' || SIZE.test(value), 'must be a size such as 4GB, or none')
    .transform((value) => (value === 'none' ? null : parseBytes(value)));

/** A number; null for 0, which means no limit. */
const countOrNone = (max: number, byDefault: number) =>
  whole(0, max, byDefault).transform((count) => (count === 0 ? null : count));

const networks = list().refine(
  (given) => given.every(isAddressOrRange),
  'must be IP addresses or CIDRs, separated by commas',
);

/** Absolute paths of folders. */
const folders = list().refine((given) => given.every((path) => path.startsWith('/')), 'must be absolute paths');

const bootstrapToken = z
  .string()
  .transform((value) => value.trim())
  .refine((value) => value.length >= 16 && /^[\x21-\x7e]+$/.test(value), 'must be at least 16 printable characters')
  .optional();

/** A value that an HTTP header can contain. */
const printable = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII characters');

/** `name=value,name=value`. Commas and characters that a header can't contain are percent-encoded in values. */
const headers = list().transform((pairs, context) => {
  const read: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=(.*)$/s.exec(pair) ?? [];
    const plain = decoded(value?.trimStart() ?? '');
    if (name === undefined || !printable.safeParse(plain).success) {
      context.addIssue({ code: 'custom', message: 'must be headers of the form name=value, separated by commas' });
      return z.NEVER;
    }
    read[name] = plain!;
  }
  return read;
});

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const ratio = z
  .string()
  .default('1')
  .refine((value) => /^(0|1|[01]?\.\d{1,9})$/.test(value) && Number(value) <= 1, 'must be a number from 0 to 1')
  .transform(Number);

const trinoCatalog = z
  .string()
  .default('{environment}')
  .refine(
    (value) => /^(?:[a-z0-9_-]|\{environment\})+$/.test(value),
    'must be a name of a-z, 0-9, "_" and "-" such as svc_{environment}',
  );

/** Every setting of the server and the worker. Any other `SVC_` name stops the start (SERVICE-2). */
export const SETTINGS = {
  listen: { name: 'SVC_LISTEN', read: listen, meaning: 'Address the API listens on', byDefault: '127.0.0.1:8470' },
  publicUrl: {
    name: 'SVC_PUBLIC_URL',
    read: url('http', 'https'),
    meaning: 'URL that people and tasks use to reach the service',
    byDefault: 'http://<SVC_LISTEN>',
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
  storageLocation: {
    name: 'SVC_STORAGE__LOCATION',
    read: text(),
    meaning: 'Where table files are stored: a folder, or s3://bucket/prefix',
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
  storageCacheLimit: {
    name: 'SVC_STORAGE__CACHE_LIMIT',
    read: bytes('20GB'),
    meaning: 'Maximum size of the cache of bucket files in $SVC_HOME/cache',
    byDefault: '20GB',
  },
  externalLocations: {
    name: 'SVC_STORAGE__EXTERNAL_LOCATIONS',
    read: list(),
    meaning: 'Folders that may contain external tables, separated by commas',
    byDefault: 'none',
  },
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
  queryThreads: {
    name: 'SVC_QUERY__THREADS',
    read: whole(0, 1024, 0),
    meaning: 'Maximum number of threads of one query; 0: one per core',
    byDefault: '0',
  },
  workerConcurrency: {
    name: 'SVC_WORKER__CONCURRENCY',
    read: whole(1, 256, 4),
    meaning: 'Number of queries, writes and tasks that a worker runs at the same time',
    byDefault: '4',
  },
  workerLeaseSeconds: {
    name: 'SVC_WORKER__LEASE_SECONDS',
    read: whole(2, 600, 15),
    meaning: 'Seconds without a heartbeat after which other workers take over the work of a worker',
    byDefault: '15',
  },
  workerMetricsListen: {
    name: 'SVC_WORKER__METRICS_LISTEN',
    read: hostAndPort.optional(),
    meaning: 'Address where the worker program serves its metrics and health, such as 0.0.0.0:9464',
    byDefault: 'none: not served',
  },
  uv: { name: 'SVC_RUN__UV', read: text(), meaning: 'Path of the uv program', byDefault: 'on PATH' },
  python: {
    name: 'SVC_RUN__PYTHON',
    read: text(),
    meaning: 'Path of the Python interpreter for tasks',
    byDefault: 'python3 on PATH',
  },
  indexUrl: {
    name: 'SVC_RUN__INDEX_URL',
    read: url('https', 'http'),
    meaning: 'Additional package index that the operator allows',
    byDefault: 'unset',
    // The URL may contain a password.
    secret: true,
  },
  indexFileHosts: {
    name: 'SVC_RUN__INDEX_FILE_HOSTS',
    read: fileHosts,
    meaning: 'Additional hosts that lock files may download packages from, with or without a port, separated by commas',
    byDefault: 'none',
  },
  environmentsKeepDays: {
    name: 'SVC_RUN__ENVIRONMENTS_KEEP_DAYS',
    read: whole(8, 3650, 30),
    meaning: 'Days after which a worker removes an unused Python environment',
    byDefault: '30',
  },
  environmentsLimit: {
    name: 'SVC_RUN__ENVIRONMENTS_LIMIT',
    read: bytes('20GB'),
    meaning:
      'Maximum disk space for the Python environments of a worker; beyond it, the least recently used ones are removed',
    byDefault: '20GB',
  },
  isolation: {
    name: 'SVC_RUN__ISOLATION',
    read: z.enum(['auto', 'bubblewrap', 'none'], { error: 'must be auto, bubblewrap or none' }).default('auto'),
    meaning:
      'Whether Python tasks run in a bubblewrap sandbox: auto (if bubblewrap works on the machine), bubblewrap (always; tasks fail if it does not work) or none (never)',
    byDefault: 'auto',
  },
  isolationReadable: {
    name: 'SVC_RUN__ISOLATION_READABLE',
    read: folders,
    meaning: 'Additional folders that sandboxed Python tasks can read, separated by commas',
    byDefault: 'none',
  },
  taskTimeoutSeconds: {
    name: 'SVC_RUN__TASK_TIMEOUT_SECONDS',
    read: whole(1, 604_800, 3600),
    meaning: 'Maximum duration of a task in seconds, unless the project sets one',
    byDefault: '3600',
  },
  taskMemory: {
    name: 'SVC_RUN__TASK_MEMORY',
    read: bytesOrNone('4GB'),
    meaning: 'Maximum memory of one Python task with all its processes; none: no limit',
    byDefault: '4GB',
  },
  taskProcesses: {
    name: 'SVC_RUN__TASK_PROCESSES',
    read: countOrNone(1_000_000, 1000),
    meaning: 'Maximum number of processes and threads of one Python task; 0: no limit',
    byDefault: '1000',
  },
  taskOpenFiles: {
    name: 'SVC_RUN__TASK_OPEN_FILES',
    read: countOrNone(1_000_000, 4096),
    meaning: "Maximum number of open files and connections of each process of a Python task; 0: the worker's own limit",
    byDefault: '4096',
  },
  taskDisk: {
    name: 'SVC_RUN__TASK_DISK',
    read: bytesOrNone('20GB'),
    meaning:
      'Maximum disk space of one Python task for temporary files, other files it writes and its result; none: no limit',
    byDefault: '20GB',
  },
  sweepInterval: {
    name: 'SVC_RUN__SWEEP_INTERVAL',
    read: whole(0, 604_800, 3600),
    meaning: 'Seconds between sweeps; 0 turns sweeps off',
    byDefault: '3600',
  },
  allowLocalRepositories: {
    name: 'SVC_REPOSITORIES__ALLOW_LOCAL',
    read: list(),
    meaning: 'Local folders that may contain repositories, separated by commas',
    byDefault: 'none',
  },
  webhookAllowHosts: {
    name: 'SVC_WEBHOOKS__ALLOW_HOSTS',
    read: hosts,
    meaning: 'Non-public hosts and CIDRs that webhooks may call, separated by commas',
    byDefault: 'none',
  },
  viewAuditEnabled: {
    name: 'SVC_VIEW_AUDIT__ENABLED',
    read: bool(true),
    meaning: "Record an audit event when someone views other people's activity",
    byDefault: 'true',
  },
  viewAuditWindowMinutes: {
    name: 'SVC_VIEW_AUDIT__WINDOW_MINUTES',
    read: whole(1, 1440, 60),
    meaning: 'Minutes in which repeated views are recorded as one event',
    byDefault: '60',
  },
  auditQueryText: {
    name: 'SVC_AUDIT__QUERY_TEXT',
    read: z.enum(['full', 'hash', 'off'], { error: 'must be full, hash or off' }).default('full'),
    meaning: 'What the audit log stores of SQL statements: full (the text), hash (SHA-256 and length) or off (neither)',
    byDefault: 'full',
  },
  auditAdoptUnsigned: {
    name: 'SVC_AUDIT__ADOPT_UNSIGNED',
    read: bool(true),
    meaning:
      'Sign an audit log that was sealed without signatures (before 0.2) as it is; set it to false once svc audit verify shows a signature',
    byDefault: 'true',
  },
  undoDays: {
    name: 'SVC_TABLES__UNDO_DAYS',
    read: whole(0, 365, 7),
    meaning: 'Days in which a drop can be undone',
    byDefault: '7',
  },
  maxExpiriesPerSweep: {
    name: 'SVC_TABLES__MAX_EXPIRIES_PER_SWEEP',
    read: whole(1, 1_000_000, 100),
    meaning: 'Maximum number of expired tables that one sweep drops',
    byDefault: '100',
  },
  expiryWarningDays: {
    name: 'SVC_TABLES__EXPIRY_WARNING_DAYS',
    read: whole(1, 3650, 7),
    meaning: 'Days before its expiry from which a table is shown as expires_soon',
    byDefault: '7',
  },
  tableReadsKeepDays: {
    name: 'SVC_TABLE_READS__KEEP_DAYS',
    read: whole(1, 3650, 90),
    meaning: 'Days for which recorded reads are retained',
    byDefault: '90',
  },
  requestsPerMinute: {
    name: 'SVC_LIMITS__REQUESTS_PER_MINUTE',
    read: whole(0, 1_000_000, 0),
    meaning: 'Maximum number of requests per token and minute; 0: no limit',
    byDefault: '0',
  },
  connections: {
    name: 'SVC_LIMITS__CONNECTIONS',
    read: whole(0, 1_000_000, 10_000),
    meaning: 'Maximum number of open connections of a server; further ones are closed; 0: no limit',
    byDefault: '10000',
  },
  trustedProxies: {
    name: 'SVC_LIMITS__TRUSTED_PROXIES',
    read: networks,
    meaning:
      'Addresses and CIDRs of proxies whose X-Forwarded-For header is trusted when sign-ins are limited by address, separated by commas',
    byDefault: 'none',
  },
  packageDownloadLimit: {
    name: 'SVC_RUN__PACKAGE_DOWNLOAD_LIMIT',
    read: bytes('5GB'),
    meaning: 'Maximum download size of one Python environment build',
    byDefault: '5GB',
  },
  quotaStorage: {
    name: 'SVC_QUOTA__STORAGE',
    read: limitBytes,
    meaning: 'Maximum storage of the tables and artifacts of an environment without its own quota, such as 100GB',
    byDefault: 'no limit',
  },
  quotaConcurrentQueries: {
    name: 'SVC_QUOTA__CONCURRENT_QUERIES',
    read: countOrNone(100_000, 0),
    meaning:
      'Maximum number of concurrent queries of an environment without its own quota; further ones wait; 0: no limit',
    byDefault: '0',
  },
  tracesEndpoint: {
    name: 'SVC_TRACES__ENDPOINT',
    read: url('http', 'https'),
    meaning: 'URL of a collector that accepts spans as OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces',
    byDefault: 'none: no traces',
    // The URL may contain a password.
    secret: true,
  },
  tracesHeaders: {
    name: 'SVC_TRACES__HEADERS',
    read: headers,
    meaning: 'Headers for the collector, such as an API key: name=value, separated by commas',
    byDefault: 'none',
    secret: true,
  },
  tracesSampleRatio: {
    name: 'SVC_TRACES__SAMPLE_RATIO',
    read: ratio,
    meaning: 'Sampling ratio for traces that start in svc, from 0 (none) to 1 (all)',
    byDefault: '1',
  },
  logLevel: {
    name: 'SVC_LOG__LEVEL',
    read: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
        error: 'must be trace, debug, info, warn, error or fatal',
      })
      .default('info'),
    meaning: 'Minimum level of log lines',
    byDefault: 'info',
  },
} as const satisfies Record<string, Setting>;

export type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]['read']> };

const UNITS = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 } as const;

/** A size such as `2GB` or `512MiB` in bytes. */
export function parseBytes(size: string): number {
  const [, number, unit] = /^([\d.]+)\s*([A-Za-z]+)$/.exec(size)!;
  return Math.floor(Number(number) * UNITS[unit!.toUpperCase() as keyof typeof UNITS]);
}
