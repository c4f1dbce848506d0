import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '@svc/api/testing/identity-provider';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const PROGRAM = fileURLToPath(new URL('../../../../../packages/cli/bin/run.cjs', import.meta.url));

let s: TestService;
let idp: TestIdentityProvider;
let home: string;
beforeAll(async () => {
  s = await startTestService();
  idp = await startIdentityProvider({ redirectUris: [`${s.url}/console/sign-in/corp/callback`] });
  idp.accounts.set('s-dee', { preferred_username: 'dee' });
  home = await mkdtemp(join(tmpdir(), 'svc-device-'));
});
afterAll(async () => {
  await s.stop();
  await idp.stop();
  await rm(home, { recursive: true, force: true });
});

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line without a terminal; `onText` gets what it has printed on standard error so far. */
function svc(args: string[], { input = '', onText = (_text: string) => {} } = {}): Promise<Ran> {
  const { SVC_TOKEN: _token, ...inherited } = process.env;
  const env = { ...inherited, SVC_URL: s.url, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    ran.stdout += String(piece);
  });
  child.stderr.on('data', (piece) => {
    ran.stderr += String(piece);
    onText(ran.stderr);
  });
  child.stdin.end(input);
  return new Promise((done) => child.on('close', (code) => done({ ...ran, code })));
}

/** Completes the sign-in at the page that the command shows, as soon as it shows it. */
function approveAs(subject: string | null): (text: string) => void {
  let isApproved = false;
  return (text) => {
    const page = /Or open it with the code: +(\S+)\n/.exec(text)?.[1];
    if (page === undefined || isApproved) return;
    isApproved = true;
    void idp.approve(page, subject);
  };
}

test('svc login --provider signs in through a browser on any device, without a terminal (SSO-13, SSO-15)', async () => {
  await s.client.identityProviders.create({ name: 'corp', issuer: idp.issuer, ...CLIENT, create_people: true });
  const login = await svc(['login', '--provider', 'corp', '--json'], { onText: approveAs('s-dee') });
  expect([login.code, login.stderr]).toEqual([
    0,
    expect.stringContaining(`Open this page in a browser: ${idp.issuer}/device`),
  ]);
  expect(login.stderr).toMatch(/Enter this code there: +[A-Z]{4}-[A-Z]{4}\n/);
  expect(JSON.parse(login.stdout)).toMatchObject({ name: 'dee', profile: 'default' });
  const status = await svc(['auth', 'status']);
  expect(status.stdout).toContain('dee (person)');
  expect((await svc(['logout'])).stdout).toContain('The session is revoked');
});

test('a declined sign-in and an unknown provider end the command with the reason (SSO-13, SSO-15)', async () => {
  const declined = await svc(['login', '--provider', 'corp'], { onText: approveAs(null) });
  expect([declined.code, declined.stderr]).toEqual([4, expect.stringContaining('The sign-in was cancelled.')]);
  const unknown = await svc(['login', '--provider', 'nobody']);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('Use corp.')]);
});
