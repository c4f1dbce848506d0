import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const token = {
  id: '2',
  name: 'job',
  kind: 'service-account',
  expires_at: null,
  environments: ['prod'],
  actions: null,
};
const me = { id: '1', name: 'ci', type: 'service-account', active: true, created_at: '2026-01-01T00:00:00Z', token };
const identity = {
  ...{ id: '01997c2e-7b7a-7c1e-8000-000000000031', principal: 'ci', issuer: 'https://gitlab.com', audience: 'a' },
  ...{ subject: 'project_path:shop/pipelines:*', claims: {}, environments: ['prod'], actions: null },
  created_at: '2026-02-01T08:00:00.000Z',
};

let service: ScriptedService;
let folder: string;
beforeEach(async () => {
  service = await startService(({ url, method }) => {
    if (url.endsWith('/token-exchange')) return { body: { access_token: 'svc_sat_exchanged', expires_in: 3600 } };
    if (url.includes('workload-identities')) return { body: method === 'GET' ? [identity] : identity };
    return { body: me };
  });
  folder = await mkdtemp(join(tmpdir(), 'svc-workload-'));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (argv: string[], env: Record<string, string> = { SVC_ID_TOKEN: 'of-the-job' }) =>
  svc([...argv, '--service-url', service.url], { configFolder: folder, env });
const sent = (path: string) => service.received.filter(({ url }) => url.endsWith(path));

test('commands in a CI job sign in with its token, and say so (TOKEN-11)', async () => {
  const { stdout, code } = await run(['auth', 'status']);
  expect(code).toBe(0);
  expect(stdout).toContain('token:         - (SVC_ID_TOKEN)');
  expect(stdout).toContain('signed in as:  ci (service-account)');
  expect(stdout).toContain('token scope:   in prod');
  expect(JSON.parse(sent('/token-exchange')[0]!.body)).toEqual({ subject_token: 'of-the-job' });
  expect(sent('/me')[0]!.headers.authorization).toBe('Bearer svc_sat_exchanged');
});

test('a token takes precedence over that of the CI job (TOKEN-11)', async () => {
  await run(['auth', 'status'], { SVC_ID_TOKEN: 'of-the-job', SVC_TOKEN: 'svc_pat_own' });
  expect(sent('/token-exchange')).toEqual([]);
});

test('login --workload stores the exchanged token (TOKEN-11)', async () => {
  expect((await run(['login', '--workload', '--principal', 'ci'])).code).toBe(0);
  expect(JSON.parse(sent('/token-exchange')[0]!.body)).toEqual({ subject_token: 'of-the-job', principal: 'ci' });
  const profiles = JSON.parse(await readFile(join(folder, 'profiles.json'), 'utf8'));
  expect(profiles.default.token).toBe('svc_sat_exchanged');
});

test('login --workload takes no code of a second factor', async () => {
  expect((await run(['login', '--workload', '--code', '123456'])).code).toBe(2);
  expect(sent('/token-exchange')).toEqual([]);
});

test('login --workload explains what is missing outside of a CI job', async () => {
  const { code, stderr } = await run(['login', '--workload'], {});
  expect(code).toBe(2);
  expect(stderr).toContain('id-token: write');
});

test('a workload is created for the address of the service, and listed', async () => {
  const own = { SVC_TOKEN: 'svc_pat_own' };
  const subject = ['--issuer', 'https://gitlab.com', '--subject', 'project_path:shop/pipelines:*'];
  const argv = ['workload-identity', 'create', 'ci', ...subject, '--claim', 'ref=a=b', '--environment', 'prod'];
  expect((await run(argv, own)).code).toBe(0);
  expect(JSON.parse(service.received[0]!.body)).toEqual({
    ...{ issuer: 'https://gitlab.com', audience: service.url, subject: 'project_path:shop/pipelines:*' },
    ...{ claims: { ref: 'a=b' }, environments: ['prod'] },
  });
  expect((await run(['workload-identity', 'list', 'ci'], own)).stdout).toContain('project_path:shop/pipelines:*');
  expect((await run(['workload-identity', 'create', 'ci', ...subject, '--claim', 'ref'], own)).code).toBe(2);
});

test('sessions are listed and signed out, one or all others', async () => {
  await service.close();
  const session = (id: string) => ({ ...identity, id, kind: 'session', name: 'session', expires_at: null });
  const last = {
    last_used_at: '2026-02-01T08:00:00.000Z',
    last_used_address: '203.0.113.7',
    last_used_client: 'Firefox',
  };
  service = await startService(({ url, method }) => {
    // It was signed out after it was listed.
    if (method === 'DELETE' && url.endsWith('/3')) return { status: 404, body: { detail: 'gone', code: 'not-found' } };
    if (method === 'DELETE') return { status: 204 };
    return { body: url.endsWith('/tokens') ? ['2', '3', '4'].map((id) => ({ ...session(id), ...last })) : me };
  });
  const own = { SVC_TOKEN: 'svc_ses_own' };
  const listed = await run(['session', 'list'], own);
  expect(listed.stdout).toContain('203.0.113.7');
  expect((await run(['session', 'revoke', '--others', '--yes'], own)).stdout).toBe('Signed out 2 other sessions.\n');
  const revoked = service.received.filter(({ method }) => method === 'DELETE').map(({ url }) => url.split('/').at(-1));
  expect(revoked).toEqual(['3', '4']);
  expect((await run(['session', 'revoke', '9', '--yes'], own)).code).toBe(2);
  expect((await run(['session', 'revoke', '--yes'], own)).code).toBe(2);
});
