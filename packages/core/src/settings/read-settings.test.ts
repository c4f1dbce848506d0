import { readSettings, SETTINGS, type Setting, SettingError } from './index.ts';

const noFile = (path: string): string => {
  throw new Error(`no such file: ${path}`);
};

describe('readSettings', () => {
  test('returns the specified defaults (SERVICE-2)', () => {
    expect(readSettings({}, noFile)).toMatchObject({
      listen: { host: '127.0.0.1', port: 8470 },
      viewAuditEnabled: true,
      viewAuditWindowMinutes: 60,
      auditQueryText: 'full',
      undoDays: 7,
      sweepInterval: 3600,
      maxExpiriesPerSweep: 100,
      expiryWarningDays: 7,
      tableReadsKeepDays: 90,
      indexUrl: undefined,
    });
  });

  test.each([
    [
      { SVC_TABELS__UNDO_DAYS: '3' },
      /SVC_TABELS__UNDO_DAYS is not a setting of svc. Did you mean SVC_TABLES__UNDO_DAYS/,
    ],
    [{ SVC_WHATEVER: '3' }, /SVC_WHATEVER is not a setting of svc/],
    [{ SVC_TABLES__UNDO_DAYS: '366' }, /SVC_TABLES__UNDO_DAYS must be a whole number from 0 to 365 \(it is "366"\)/],
    [{ SVC_TABLES__UNDO_DAYS: '1.5' }, /whole number/],
    [{ SVC_VIEW_AUDIT__ENABLED: 'yes' }, /must be true or false/],
    [{ SVC_AUDIT__QUERY_TEXT: 'none' }, /must be full, hash or off/],
    [{ SVC_STORAGE__LOCATION: 'ftp://files/x' }, /SVC_STORAGE__LOCATION must be a folder, s3:\/\/bucket\/prefix/],
    [{ SVC_STORAGE__LOCATION: 's3:///x' }, /SVC_STORAGE__LOCATION must be a folder, s3:\/\/bucket\/prefix/],
    [{ SVC_STORAGE__LOCATION: '/data/[x]' }, /SVC_STORAGE__LOCATION must not contain \* \? \[ \] \{ \}/],
    [{ SVC_LISTEN: '8470' }, /must be host:port/],
    [{ SVC_LISTEN: '127.0.0.1:99999' }, /must be host:port/],
    [{ SVC_QUERY__ENGINE: 'spark' }, /must be duckdb or trino/],
    [{ SVC_QUERY__ENGINE: 'trino' }, /SVC_QUERY__TRINO_URL must be set/],
    [{ SVC_QUERY__TRINO_URL: 'http://trino', SVC_QUERY__TRINO_PASSWORD: 'p' }, /must start with https/],
    [{ SVC_QUERY__TRINO_TOKEN: 'a', SVC_QUERY__TRINO_PASSWORD: 'p' }, /cannot both be set/],
    [{ SVC_QUERY__TRINO_CATALOG: 'Svc"; {env}' }, /must be a name/],
    [{ SVC_QUERY__TRINO_USER: 'a\r\nb' }, /printable ASCII/],
    [{ SVC_LOG__LEVEL_FILE: '/nowhere' }, /SVC_LOG__LEVEL_FILE: can't read the file \/nowhere/],
    [{ SVC_LOG__LEVEL_FILE: '/x', SVC_LOG__LEVEL: 'info' }, /not both/],
    [{ SVC_LIMITS__TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /must be IP addresses or CIDRs/],
    [{ SVC_RUN__ISOLATION: 'docker' }, /must be required, bubblewrap, landlock, auto or none/],
    [{ SVC_RUN__NETWORK: 'a.example, https://b.example' }, /separated by commas, which "https:\/\/b.example" isn't/],
    [{ SVC_RUN__SPARK_CONNECT: 'spark:15002' }, /must be sc:\/\/host:port/],
    [{ SVC_RUN__SPARK_CONNECT: 'sc://spark:15002/;session_id=x' }, /but no session_id or user_id/],
    [{ SVC_RUN__NETWORK: 'a.example, unrestricted' }, /must be none, unrestricted, or hosts/],
    [{ SVC_RUN__ISOLATION_READABLE: 'opt' }, /must be absolute paths/],
    [{ SVC_STORAGE__EXTERNAL_LOCATIONS: '/data,s3://bucket/data' }, /EXTERNAL_LOCATIONS must be local folders/],
    [{ SVC_REPOSITORIES__ALLOW_LOCAL: 'https://git.example/shop' }, /ALLOW_LOCAL must be local folders/],
    [{ SVC_STORAGE__EXTERNAL_LOCATIONS: 'file://host/data' }, /must be local folders/],
    [{ SVC_STORAGE__EXTERNAL_LOCATIONS: 'file:///data/%zz' }, /must be local folders/],
    [{ SVC_RUN__TASK_MEMORY: 'lots' }, /must be a size such as 4GB, or none/],
    [{ SVC_RUN__TASK_PROCESSES: 'none' }, /must be a whole number from 0 to 1000000/],
    [{ SVC_RUN__PACKAGE_DOWNLOAD_LIMIT: 'much' }, /must be a size such as 2GB/],
  ])('refuses %j (SERVICE-2)', (env, message) => {
    expect(() => readSettings(env, noFile)).toThrow(SettingError);
    expect(() => readSettings(env, noFile)).toThrow(message);
  });

  test.each([
    '/data',
    'data',
    'file:///data',
    's3://bucket',
    's3://bucket/a/b/',
    'gs://bucket_x/a',
    'abfss://files@account.dfs.core.windows.net/a',
  ])('stores tables at %s', (location) => {
    expect(readSettings({ SVC_STORAGE__LOCATION: location }, noFile).storageLocation).toBe(location);
  });

  test('limits tasks unless the limits are turned off', () => {
    expect(readSettings({}, noFile)).toMatchObject({
      taskMemory: 4e9,
      taskProcesses: 1000,
      taskOpenFiles: 4096,
      taskDisk: 20e9,
    });
    const off = { SVC_RUN__TASK_MEMORY: 'none', SVC_RUN__TASK_PROCESSES: '0', SVC_RUN__TASK_DISK: '512MiB' };
    expect(readSettings(off, noFile)).toMatchObject({ taskMemory: null, taskProcesses: null, taskDisk: 2 ** 29 });
  });

  test('reads folders of external tables as paths and as file: URLs', () => {
    const folders = (text: string) => readSettings({ SVC_STORAGE__EXTERNAL_LOCATIONS: text }, noFile).externalLocations;
    expect(folders('/data, file:///more%20data,C:\\data,file:///C:/more')).toEqual([
      '/data',
      '/more data',
      'C:\\data',
      'C:/more',
    ]);
  });

  test('reads hosts and CIDRs that webhooks may reach in addition to public ones', () => {
    const allow = (text: string) => readSettings({ SVC_WEBHOOKS__ALLOW_HOSTS: text }, noFile).webhookAllowHosts;
    expect(allow('')).toEqual([]);
    expect(allow('Hooks.internal, 10.0.0.0/8,[::1], fd00::/8,192.0.2.7')).toEqual([
      'hooks.internal',
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
      '192.0.2.7',
    ]);
    for (const invalid of ['https://hooks.internal', 'a b', '10.0.0.0/33', '300.1.1.1', '10.1', 'host:80', '-x'])
      expect(() => allow(invalid)).toThrow('SVC_WEBHOOKS__ALLOW_HOSTS must be host names, IP addresses or CIDRs');
  });

  test('reads hosts that files of a lock may lie on, with and without ports', () => {
    const files = (text: string) => readSettings({ SVC_RUN__INDEX_FILE_HOSTS: text }, noFile).indexFileHosts;
    expect(files('')).toEqual([]);
    expect(files('CDN.example, local.example:8443,192.0.2.7:80,[::1],[2001:db8::1]:8443')).toEqual([
      'cdn.example',
      'local.example:8443',
      '192.0.2.7:80',
      '[::1]',
      '[2001:db8::1]:8443',
    ]);
    const invalidHosts = [
      'a b',
      'https://host/x,,a_b',
      'host/x',
      'host:',
      'host:0',
      'host:65536',
      '10.0.0.0/8',
      '::1',
      '[::x]',
    ];
    for (const invalid of [...invalidHosts, '10.1', 'a..b', '-x', ':80', 'u@host', 'good.example,a b'])
      expect(() => files(invalid)).toThrow(`SVC_RUN__INDEX_FILE_HOSTS must be host names or IP addresses`);
  });

  test('reads what tasks can connect to: nothing unless it is listed', () => {
    const spark = (text: string) => readSettings({ SVC_RUN__SPARK_CONNECT: text }, noFile).sparkConnect;
    expect(spark('sc://Spark.example:443/;use_ssl=true;token=a-b')).toEqual({
      ...{ url: 'sc://Spark.example:443/;use_ssl=true;token=a-b', host: 'spark.example', port: 443 },
    });
    expect(spark('sc://[fd00::1]:15002')).toMatchObject({ host: 'fd00::1', port: 15002 });
    const network = (text?: string) => readSettings({ SVC_RUN__NETWORK: text }, noFile).taskNetwork;
    expect([network(), network(''), network('none')]).toEqual([[], [], []]);
    expect(network('unrestricted')).toBe('unrestricted');
    expect(network('*.Example.com:443, 10.0.0.0/8')).toEqual([
      { host: '*.example.com', port: 443 },
      { host: '10.0.0.0/8', port: null },
    ]);
  });

  test('reads percent-decoded headers for the trace collector, and the sampled share', () => {
    const read = (env: Record<string, string>) => readSettings(env, noFile);
    expect(read({}).tracesHeaders).toEqual({});
    expect(read({ SVC_TRACES__HEADERS: 'x-key = a%2Cb=c, authorization=Bearer t' }).tracesHeaders).toEqual({
      'x-key': 'a,b=c',
      authorization: 'Bearer t',
    });
    for (const invalid of ['x', '=y', 'a b=c', 'x=', 'x=%0d%0a', 'x=%zz'])
      expect(() => read({ SVC_TRACES__HEADERS: invalid })).toThrow(/^SVC_TRACES__HEADERS must be headers [^"]*$/);
    for (const [text, ratio] of [
      ['0', 0],
      ['1', 1],
      ['0.25', 0.25],
      ['.5', 0.5],
    ] as const)
      expect(read({ SVC_TRACES__SAMPLE_RATIO: text }).tracesSampleRatio).toBe(ratio);
    for (const invalid of ['-1', '1.1', 'x', '', '1e-3'])
      expect(() => read({ SVC_TRACES__SAMPLE_RATIO: invalid })).toThrow('must be a number from 0 to 1');
    expect(() => read({ SVC_TRACES__ENDPOINT: 'collector:4318' })).toThrow('http://');
  });

  test('never shows a secret', () => {
    expect(() => readSettings({ SVC_SECRETS__KEY: 'hunter2' }, noFile)).toThrow(
      /^SVC_SECRETS__KEY must be 32 bytes in base64 \(44 characters\)\.$/,
    );
  });

  test("ignores the clients' variables and service links", () => {
    const env = {
      SVC_URL: 'x',
      SVC_ALLOW_INSECURE: 'true',
      SVC_TOKEN: 'x',
      SVC_ENV: 'x',
      SVC_PROFILE: 'x',
      SVC_PORT: 'tcp://10.0.0.1:80',
      SVC_SERVICE_HOST: '10.0.0.1',
      SVC_API_PORT_80_TCP: 'x',
      SVC_API_SERVICE_PORT_HTTP: '80',
      PATH: '/bin',
    };
    expect(readSettings(env, noFile).logLevel).toBe('info');
  });

  test('reads a value from a file, without its trailing line break (SERVICE-2)', () => {
    expect(readSettings({ SVC_LOG__LEVEL_FILE: '/run/level' }, () => 'debug\n').logLevel).toBe('debug');
  });
});

/** Nothing is configured: the reference then describes the default as a text such as "none" or "embedded". */
const isUnset = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Some values remember that nobody chose them. */
const withoutOrigin = (value: unknown) =>
  typeof value === 'object' && value !== null && 'byDefault' in value ? { ...value, byDefault: undefined } : value;

test.each(Object.values(SETTINGS).map((setting: Setting) => [setting.name, setting] as const))(
  'the default of %s in the reference is the value that an unset variable has',
  (_, { read, byDefault }) => {
    const unset = read.parse(undefined);
    const [onLinux, otherwise] = byDefault.split(' on Linux, otherwise ');
    const documented = process.platform === 'linux' ? onLinux : (otherwise ?? onLinux);
    if (!isUnset(unset)) expect(withoutOrigin(read.parse(documented))).toEqual(withoutOrigin(unset));
  },
);
