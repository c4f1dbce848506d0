import { type ScriptedService, startService } from '@svc/sdk/testing';
import { deploy, packageIndex, run as record, secret } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

let service: ScriptedService;
let response: unknown;
beforeEach(async () => {
  response = packageIndex;
  service = await startService(() => (response === null ? { status: 204 } : { body: response }));
});
afterEach(() => service.close());
const call = (argv: string[], options: object = {}) => svc(argv, { url: service.url, ...options });
const VALUES = '{"username": "ci", "password": "canary-5512"}';

describe('index add', () => {
  const ADD = ['index', 'add', 'corp', '--url', packageIndex.url];

  test('prints the next commands on standard error if there is a secret (INDEX-18)', async () => {
    const { stdout, stderr } = await call([...ADD, '--credential-secret', 'corp-packages']);
    expect(stdout).toBe(`Registered the package index corp: ${packageIndex.url}\n`);
    expect(stderr).toContain('svc secret create corp-packages --env ENV --values-stdin --index corp');
    expect(stderr).toContain('svc secret bind corp-packages --env ENV --index corp');
    expect(service.received).toHaveLength(1);
  });

  test('prints nothing more as JSON or without a secret', async () => {
    expect((await call(['-o', 'json', ...ADD, '--credential-secret', 'corp-packages'])).stderr).toBe('');
    response = { ...packageIndex, credential_secret: null };
    expect((await call(ADD)).stderr).toBe('');
  });
});

test('--url after the command is the URL of the index, before it the address of the service', async () => {
  const argv = ['--url', service.url, 'index', 'add', 'corp', '--url', packageIndex.url];
  expect((await svc(argv, { env: { SVC_TOKEN: 't' } })).code).toBe(0);
  expect(JSON.parse(service.received[0]!.body)).toMatchObject({ url: packageIndex.url });
  response = { ...packageIndex, default_ref: null };
  expect((await call(['repository', 'add', 'shop', '--url', 'https://git.example/shop.git'])).code).toBe(0);
  expect(JSON.parse(service.received[1]!.body)).toMatchObject({ url: 'https://git.example/shop.git' });
});

describe('index update', () => {
  test.each([
    [['--url', 'https://x.example'], { url: 'https://x.example' }],
    [['--clear', 'credential_secret'], { credential_secret: null }],
    [['--credential-secret', 's'], { credential_secret: 's' }],
  ])('%j sends %j', async (options, body) => {
    const { code, stdout } = await call(['index', 'update', 'corp', ...options]);
    expect([code, stdout]).toEqual([0, 'Updated the package index corp.\n']);
    expect(JSON.parse(service.received[0]!.body)).toEqual(body);
  });

  test.each([[[]], [['--clear', 'url']], [['--clear', 'credential_secret', '--credential-secret', 's']]])(
    '%j is a usage error',
    async (options) => {
      expect((await call(['index', 'update', 'corp', ...options])).code).toBe(2);
      expect(service.received).toHaveLength(0);
    },
  );
});

test('index show prints every field', async () => {
  const { stdout } = await call(['index', 'show', 'corp']);
  for (const value of [packageIndex.id, 'corp', packageIndex.url, 'corp-packages', packageIndex.created_by])
    expect(stdout).toContain(value);
});

test('index remove prompts, and needs --yes without a terminal', async () => {
  response = null;
  expect((await call(['index', 'remove', 'corp'])).code).toBe(2);
  expect(service.received).toHaveLength(0);
  const { code, stdout } = await call(['index', 'remove', 'corp', '--yes']);
  expect([code, stdout]).toEqual([0, 'Deleted the package index corp.\n']);
});

describe('secret create', () => {
  const CREATE = ['secret', 'create', 'corp-packages', '--env', 'prod'];

  test('reads a JSON object from standard input and shows no value (SECRET-5)', async () => {
    response = { ...secret, warnings: ['the value of password holds the character NUL: it counts as not usable'] };
    const { code, stdout, stderr } = await call([...CREATE, '--values-stdin', '--index', 'corp'], { stdin: VALUES });
    expect([code, stdout]).toEqual([0, 'Created the secret corp-packages in prod: package index corp.\n']);
    expect(stderr).toContain('warning: the value of password holds the character NUL');
    expect(JSON.parse(service.received[0]!.body)).toEqual({
      name: 'corp-packages',
      values: JSON.parse(VALUES),
      index: 'corp',
    });
    expect(stdout + stderr).not.toContain('canary');
  });

  test.each([
    ['not JSON', `${VALUES}}`],
    ['no object', '["canary-5512"]'],
    ['nothing', ''],
  ])('%s is a usage error that repeats nothing (SECRET-5)', async (_, stdin) => {
    const { code, stdout, stderr } = await call([...CREATE, '--values-stdin'], { stdin });
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain('canary');
    expect(service.received).toHaveLength(0);
  });

  test('serves one use only', async () => {
    const argv = [...CREATE, '--values-stdin', '--index', 'corp', '--environment'];
    expect((await call(argv, { stdin: VALUES })).code).toBe(2);
    expect((await call(CREATE, { stdin: VALUES })).stderr).toContain('--values-stdin');
  });
});

test('secret bind, rotate and revoke', async () => {
  response = secret;
  expect((await call(['secret', 'bind', 's', '--env', 'prod'])).code).toBe(2);
  expect((await call(['secret', 'bind', 's', '--env', 'prod', '--index', 'corp'])).stdout).toContain(
    'package index corp',
  );
  expect((await call(['secret', 'rotate', 's', '--env', 'prod', '--values-stdin'], { stdin: VALUES })).code).toBe(0);
  response = null;
  expect((await call(['secret', 'revoke', 's', '--env', 'prod'])).code).toBe(2);
  expect((await call(['secret', 'revoke', 's', '--env', 'prod', '--yes'])).code).toBe(0);
  expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/v1/environments/prod/secrets/s/bind',
    'PUT /api/v1/environments/prod/secrets/s/values',
    'DELETE /api/v1/environments/prod/secrets/s',
  ]);
});

describe('project-version show (CLI-8)', () => {
  const version = {
    id: '01997c2e-7b7a-7c1e-8000-000000000001',
    name: 'shop',
    environment: 'prod',
    repository: 'shop',
    commit: null,
    created_at: '2026-03-01T08:00:00.000Z',
    assets: [],
    jobs: [],
  };
  const show = async (package_indexes: string[], more: object = {}) => {
    response = { ...version, package_indexes, ...more };
    return (await call(['project-version', 'show', version.id, '--env', 'prod'])).stdout;
  };

  test('lists the package indexes, one per line, with escapes', async () => {
    expect(await show(['and more', 'a\u0007b'])).toMatch(/\npackage indexes:\n- and more\n- a\\u0007b\n$/);
    expect(await show([])).not.toContain('package indexes');
  });

  test('lists the hosts that tasks connect to (RUN-18)', async () => {
    expect(await show([], { network: ['api.example.com:443'] })).toMatch(
      /\nnetwork of Python tasks:\n- api\.example\.com:443\n$/,
    );
    expect(await show([], { network: [] })).not.toContain('network');
  });

  test('prints the number of the others after 20', async () => {
    const names = Array.from({ length: 22 }, (_, i) => `i${i}`);
    expect(await show(names)).toMatch(/- i19\nand 2 more: use --output json\n$/);
    expect(await show(names.slice(0, 20))).toMatch(/- i19\n$/);
  });
});

describe('the remedy of a failed run', () => {
  const remedy = 'svc secret rotate pw --env prod --values-stdin';
  const detail = 'the package index corp answered 401\nuv said:\nerror: nothing';
  const tasks = [{ ...record.tasks[1]!, error: { code: 'environment-failed', detail, remedy } }];
  const error = { code: 'tasks-failed', detail: '1 of 1 tasks failed', remedy: 'svc runs logs x --env prod' };
  const failed = { ...record, status: 'failed', tasks, error };

  test.each([[['--follow']], [[]]])('is printed after the cause, with %j', async (more) => {
    response = failed;
    const { stdout, stderr } = await call(['runs', 'show', record.id, '--env', 'prod', ...more]);
    expect(stdout + stderr).toContain('the package index corp answered 401 …');
    expect(stdout + stderr).not.toContain('uv said');
    expect(stderr).toContain(`Next: ${remedy}\n`);
    expect(stdout + stderr).not.toContain('svc runs logs');
  });

  test('is printed once if the sentence ends with it', async () => {
    const wanted = 'ask an administrator to register it: svc index add NAME --url https://x.example';
    response = {
      ...deploy,
      status: 'failed',
      error: { code: 'lock-refused', detail: `uv.lock:3: no; ${wanted}`, remedy: wanted },
    };
    const { stderr } = await call(['deploy', '--env', 'prod', '--repo', 'shop']);
    expect(stderr).toContain(`Error: uv.lock:3: no\nNext: ${wanted}\n`);
  });
});
