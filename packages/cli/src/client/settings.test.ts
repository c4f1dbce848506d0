import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { moveGlobalsLast } from '../arguments/global-options.ts';
import { parseTime, resolveSince } from '../arguments/time.ts';
import { svc } from '../testing/run-svc.ts';

const TOKEN = 'svc_pat_012345678901234567890123456789abcdef';
const me = {
  id: '1',
  name: 'ann',
  type: 'person',
  active: true,
  created_at: '2026-01-01T00:00:00Z',
  token: { id: '2', name: 't', kind: 'personal', expires_at: null },
};

let service: ScriptedService;
let folder: string;
let status: number;
beforeEach(async () => {
  status = 200;
  service = await startService(({ url }) => ({ status, body: url.endsWith('/sign-in') ? { token: TOKEN } : me }));
  folder = await mkdtemp(join(tmpdir(), 'svc-profiles-'));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const options = (more: object = {}) => ({ configFolder: folder, ...more });

test('a token from standard input is verified and stored for its owner only', async () => {
  const { code, stdout } = await svc(['login', '--with-token', '--url', service.url], options({ stdin: `${TOKEN}\n` }));
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Signed in to ${service.url} as ann. The token is stored in the profile default.\n`,
  });
  const file = join(folder, 'profiles.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ default: { url: service.url, token: TOKEN } });
});

test.each([
  ['', 'There is no token on standard input.'],
  [' \n', 'There is no token on standard input.'],
  [`${TOKEN}\nsecond`, 'Standard input contains something other than one token.'],
  ['tökén', 'Standard input contains something other than one token.'],
])('%j is not a token: no request is sent and nothing is stored', async (stdin, message) => {
  const { code, stderr } = await svc(['login', '--with-token', '--url', service.url], options({ stdin }));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  expect([service.received, await readdir(folder)]).toEqual([[], []]);
});

test('a terminal prompts for name and password and exchanges them for a token', async () => {
  expect(await svc(['login', '--url', service.url, '--profile', 'other'], options({ confirms: true }))).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(service.received[0]!.body)).toEqual({ name: 'ann', password: 'correct horse battery' });
  expect(service.received[0]!.headers.authorization).toBeUndefined();
  expect(service.received[1]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

describe("changing one's password", () => {
  test('reads both from standard input, one per line', async () => {
    status = 204;
    const command = ['auth', 'password', '--stdin', '--url', service.url];
    const { code, stdout } = await svc(command, options({ stdin: 'old one\nnew one\n', env: { SVC_TOKEN: TOKEN } }));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Changed the password. Your other sessions are signed out; your tokens still work.\n',
    });
    expect(service.received[0]).toMatchObject({ method: 'PUT', url: '/api/v1/me/password' });
    expect(JSON.parse(service.received[0]!.body)).toEqual({ current_password: 'old one', password: 'new one' });
  });

  test('prompts on a terminal, and prints what it needs without one', async () => {
    status = 204;
    const command = ['auth', 'password', '--url', service.url];
    const env = { SVC_TOKEN: TOKEN };
    expect((await svc(command, options({ confirms: true, env }))).code).toBe(0);
    expect(JSON.parse(service.received[0]!.body).password).toBe('correct horse battery');
    expect(await svc(command, options({ env }))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('svc auth password --stdin'),
    });
    expect((await svc([...command, '--stdin'], options({ env, stdin: 'one line' }))).code).toBe(2);
  });
});

describe('setting the password of a person', () => {
  const command = () => ['principal', 'set-password', 'ann', '--url', service.url];
  const env = { SVC_TOKEN: TOKEN };

  test('reads it from standard input', async () => {
    const { code, stdout } = await svc([...command(), '--stdin'], options({ stdin: 'new one\n', env }));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Set the password of ann. Other sessions of ann are signed out; tokens still work.\n',
    });
    expect(service.received[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/principals/ann' });
    expect(JSON.parse(service.received[0]!.body)).toEqual({ password: 'new one' });
  });

  test('prompts on a terminal, and prints what it needs without one', async () => {
    expect((await svc(command(), options({ confirms: true, env }))).code).toBe(0);
    expect(JSON.parse(service.received[0]!.body)).toEqual({ password: 'correct horse battery' });
    expect(await svc(command(), options({ env }))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('svc principal set-password ann --stdin'),
    });
  });
});

describe('signing out', () => {
  const revoked = () => service.received.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
  const readProfilesFile = async () => JSON.parse(await readFile(join(folder, 'profiles.json'), 'utf8'));

  test('ends the session at the address stored with it, and removes only its token', async () => {
    me.token.kind = 'session';
    await svc(['login', '--with-token', '--url', service.url, '--env', 'dev'], options({ stdin: TOKEN }));
    expect(await svc(['logout', '--url', 'http://127.0.0.1:1'], options())).toMatchObject({
      code: 0,
      stdout: 'Signed out. The session is revoked, and the profile default no longer has a token.\n',
    });
    expect(revoked()).toEqual(['/api/v1/tokens/2']);
    expect(await readProfilesFile()).toEqual({ default: { url: service.url, env: 'dev' } });
    const again = await svc(['--output', 'json', 'logout'], options({ env: { SVC_TOKEN: 'x' } }));
    expect(JSON.parse(again.stdout)).toEqual({ profile: 'default', revoked: false });
    expect(again.stderr).toContain('SVC_TOKEN is set');
  });

  test('does not revoke a token that may be in use on other machines, and prints how to', async () => {
    me.token.kind = 'personal';
    await svc(['login', '--with-token', '--url', service.url], options({ stdin: TOKEN }));
    const { code, stderr } = await svc(['logout'], options());
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'The token "t" still works. To revoke it: svc token revoke 2\n',
    });
    expect([revoked(), await readProfilesFile()]).toEqual([[], { default: { url: service.url } }]);
  });

  test('removes the token if it could not be revoked, and says so', async () => {
    await svc(['login', '--with-token', '--url', service.url], options({ stdin: TOKEN }));
    status = 403;
    const { code, stderr } = await svc(['logout'], options());
    expect({ code, kept: await readProfilesFile() }).toEqual({ code: 0, kept: { default: { url: service.url } } });
    expect(stderr).toContain('was not revoked');
  });
});

test('an environment is stored with the sign-in and is the default', async () => {
  await svc(['login', '--with-token', '--url', service.url, '--env', 'dev'], options({ stdin: TOKEN }));
  expect((await svc(['auth', 'status'], options())).stdout).toContain('environment:   dev (profile default)');
  await svc(['login', '--with-token'], options({ stdin: TOKEN }));
  expect((await svc(['auth', 'status'], options())).stdout).toContain('environment:   dev (profile default)');
});

test('an option takes precedence over a variable, that over the profile, and that over the default (CLI-9)', async () => {
  await svc(['login', '--with-token', '--url', service.url], options({ stdin: TOKEN }));
  const saved = await svc(['auth', 'status'], options());
  expect(saved.stdout).toContain(`address:       ${service.url} (profile default)`);
  expect(saved.stdout).toContain('token:         svc_pat_… (profile default)');
  expect(saved.stdout).toContain('signed in as:  ann (person)');
  expect(saved.stdout).not.toContain(TOKEN);
  const env = { SVC_URL: `${service.url}/`, SVC_TOKEN: 'x', SVC_ENV: 'dev', SVC_PROFILE: 'none' };
  const fromVariables = await svc(['auth', 'status'], options({ env }));
  expect(fromVariables.stdout).toMatch(
    /\(SVC_URL\)[\s\S]*\(SVC_TOKEN\)[\s\S]*dev \(SVC_ENV\)[\s\S]*none \(SVC_PROFILE\)/,
  );
  expect(fromVariables.stdout).toContain('token:         … (SVC_TOKEN)');
  const fromFlags = await svc(['auth', 'status', '--url', service.url, '--profile', 'default'], options({ env }));
  expect(fromFlags.stdout).toMatch(/\(--url\)[\s\S]*default \(--profile\)/);
});

test.each([
  [
    ['--output', 'json', 'env', 'list'],
    ['env', 'list', '--output', 'json'],
  ],
  [
    ['-o', 'json', '--profile=p', 'sql', 'x', '--', 'y'],
    ['sql', 'x', '-o', 'json', '--profile=p', '--', 'y'],
  ],
  [
    ['-ojson', 'env', 'list'],
    ['env', 'list', '-ojson'],
  ],
  [
    ['--env', 'dev', 'ns', 'list'],
    ['ns', 'list', '--env', 'dev'],
  ],
  [
    ['env', 'list', '--output', 'json'],
    ['env', 'list', '--output', 'json'],
  ],
])('global options work before the command as after it: %j (CLI-2)', (argv, expected) => {
  expect(moveGlobalsLast(argv)).toEqual(expected);
});

describe('--since with a duration (CLI-18)', () => {
  const now = new Date('2026-03-01T08:00:00Z');

  test.each([
    ['30m', '2026-03-01T07:30:00.000Z'],
    ['1h', '2026-03-01T07:00:00.000Z'],
    ['2d', '2026-02-27T08:00:00.000Z'],
  ])('%s is that long ago', (text, time) => {
    expect(resolveSince(['--since', text, '--job', text], now)).toEqual(['--since', time, '--job', text]);
    expect(resolveSince([`--since=${text}`], now)).toEqual([`--since=${time}`]);
  });

  test('leaves times and arguments after -- alone', () => {
    const argv = ['--since', '2026-03-01', '--', '--since', '1h'];
    expect(resolveSince(argv, now)).toEqual(argv);
  });

  test('is sent as a time, which the next page repeats', async () => {
    const since = '2026-03-01T07:00:00.000Z';
    const paged = await startService(() => ({ body: [], headers: { 'X-Next-Cursor': 'c' } }));
    for (const list of [
      ['runs', 'list', '--env', 'dev'],
      ['audit', 'list'],
    ]) {
      const { stdout } = await svc([...list, '--since', '1h'], { url: paged.url, now: () => now });
      expect(paged.received.at(-1)!.url).toContain(`since=${encodeURIComponent(since)}`);
      expect(stdout).toContain(`--since ${since} --cursor c`);
    }
    await svc(['audit', 'export', '--since', '1h'], { url: paged.url, now: () => now });
    expect(paged.received.at(-1)!.url).toContain(`since=${encodeURIComponent(since)}`);
    const { code, stderr } = await svc(['runs', 'list', '--env', 'dev', '--since', '1y'], { url: paged.url });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('or a duration such as 30m, 2h or 1d'),
    });
    await paged.close();
  });
});

describe('a time option', () => {
  test('with a zone is sent unchanged', () => {
    expect(parseTime('since', '2026-03-01T08:00:00+01:00')).toBe('2026-03-01T08:00:00+01:00');
    for (const text of ['2026-03-01T08:00Z', '2026-03-01 08:00:00-0500']) expect(parseTime('since', text)).toBe(text);
    expect(parseTime('since', undefined)).toBeUndefined();
  });

  test('without one is read in the zone of the computer', () => {
    expect(parseTime('since', '2026-03-01')).toBe(new Date(2026, 2, 1).toISOString());
    expect(parseTime('since', '2026-03-01 08:30')).toBe(new Date(2026, 2, 1, 8, 30).toISOString());
  });

  test.each([
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '2026-02-30T08:00',
    '2026-13-01T00:00Z',
    '2026-02-30T00:00Z',
    '2026-02-01T25:00Z',
    '08:00',
    '2026-03',
  ])('that is invalid is rejected: %s', (text) => {
    expect(() => parseTime('since', text)).toThrow(`Invalid time "${text}" for --since.`);
  });
});
