import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const TOKEN = 'svc_pat_012345678901234567890123456789abcdef';
const url = 'http://svc.nowhere.invalid';
const REFUSED =
  "Credentials aren't sent to http://svc.nowhere.invalid, because anyone on the network path could read them.";

test('a command sends no token over plain http to another machine (CLI-38)', async () => {
  const { code, stderr, stdout } = await svc(['env', 'list'], { url, env: { SVC_TOKEN: TOKEN } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(REFUSED);
  expect(stderr).toContain('--allow-insecure');
});

test.each([
  ['the option, before the command', ['--allow-insecure', 'env', 'list'], {}],
  ['the option, after the command', ['env', 'list', '--allow-insecure'], {}],
  ['the variable', ['env', 'list'], { SVC_ALLOW_INSECURE: 'true' }],
])('%s allows it (CLI-38)', async (_, argv, env) => {
  const { code, stderr } = await svc(argv, { url, env: { SVC_TOKEN: TOKEN, ...env } });
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('could not be reached') });
});

test('login refuses before it prompts for a password (CLI-38)', async () => {
  const { code, stderr } = await svc(['login', '--url', url], { confirms: true, env: { SVC_TOKEN: '' } });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(REFUSED) });
});

test('doctor without a token reaches any address', async () => {
  const { stderr } = await svc(['doctor'], { url, env: { SVC_TOKEN: '' } });
  expect(stderr).toContain('could not be reached');
});

describe('a profile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-insecure-'));
    const profiles = { default: { url, token: TOKEN, allow_insecure: true } };
    await writeFile(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('allows it for its own address only (CLI-38)', async () => {
    const own = await svc(['env', 'list'], { configFolder: folder, env: {} });
    expect(own.stderr).toContain('could not be reached');
    const other = await svc(['env', 'list', '--url', 'http://other.invalid'], {
      configFolder: folder,
      env: { SVC_TOKEN: TOKEN },
    });
    expect(other.stderr).toContain("Credentials aren't sent to http://other.invalid");
  });

  test('does not allow it against the variable, and sends its token only to its own address (CLI-38)', async () => {
    const denied = await svc(['env', 'list'], { configFolder: folder, env: { SVC_ALLOW_INSECURE: 'false' } });
    expect(denied).toMatchObject({ code: 2, stderr: expect.stringContaining(REFUSED) });
    const other = await startService(() => ({ body: [] }));
    await svc(['env', 'list', '--url', other.url], { configFolder: folder, env: {} });
    await other.close();
    expect(other.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('is not changed by a sign-in that is refused', async () => {
    const before = await readFile(join(folder, 'profiles.json'), 'utf8');
    const options = { configFolder: folder, stdin: TOKEN, env: {} };
    expect(await svc(['login', '--with-token', '--url', 'http://other.invalid'], options)).toMatchObject({ code: 2 });
    expect(await readFile(join(folder, 'profiles.json'), 'utf8')).toBe(before);
  });
});
