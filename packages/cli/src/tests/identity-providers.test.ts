import { type RunOptions, svc } from '../testing/run-svc.ts';
import { type ServiceProcess, startServiceProcess, TOKEN } from '../testing/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess();
}, 60_000);
afterAll(() => service.stop(), 60_000);

const run = (argv: string[], more: RunOptions = {}) =>
  svc(argv, { ...more, env: { SVC_URL: service.url, SVC_TOKEN: TOKEN } });

/** Runs a command that must succeed and returns its standard output. */
async function ok(argv: string[], more: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await run(argv, more);
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' });
  return stdout;
}

const ISSUER = ['--issuer', 'https://id.example.com', '--client-id', 'svc'];

test('an identity provider is registered, shown, changed and deleted (SSO-1)', async () => {
  await ok(['group', 'create', 'analysts']);
  const groups = ['--groups-claim', 'groups', '--group', 'cn=data,dc=x=analysts'];
  const options = ['--client-secret-stdin', '--create-people', '--email-domain', 'Example.com', ...groups];
  const created = await run(['identity-provider', 'create', 'corp', ...ISSUER, ...options], { stdin: 's3cret\n' });
  expect(created).toMatchObject({
    code: 0,
    stdout: 'Registered the identity provider corp: https://id.example.com\n',
    stderr: `Redirect URI, to be registered at the provider: ${service.url}/console/sign-in/corp/callback\n`,
  });
  expect(await ok(['identity-provider', 'list'])).toMatch(/corp +https:\/\/id\.example\.com +yes +yes/);
  const shown = await ok(['identity-provider', 'show', 'corp']);
  for (const line of [
    /^client secret: +set$/m,
    /^e-mail domains: +example\.com$/m,
    /^groups: +cn=data,dc=x = analysts$/m,
  ])
    expect(shown).toMatch(line);
  await ok(['identity-provider', 'update', 'corp', '--no-create-people', '--no-active', '--clear', 'client_secret']);
  const cleared = ['--clear', 'groups', '--clear', 'groups_claim', '--clear', 'email_domains'];
  const updated = await ok([
    'identity-provider',
    'update',
    'corp',
    ...cleared,
    '--link-by',
    'verified-email',
    '--json',
  ]);
  expect(JSON.parse(updated)).toMatchObject({
    has_client_secret: false,
    create_people: false,
    active: false,
    groups: [],
    groups_claim: null,
    email_domains: [],
    link_by: 'verified-email',
    scopes: ['openid', 'profile', 'email'],
  });
  expect(await ok(['identity-provider', 'delete', 'corp', '--yes'])).toBe('Deleted the identity provider corp.\n');
  expect((await run(['identity-provider', 'show', 'corp'])).code).toBe(3);
});

test.each([
  [['identity-provider', 'create', 'x', ...ISSUER, '--group', 'data'], /--group data: write the value of the claim/],
  [['identity-provider', 'create', 'x', ...ISSUER, '--group', '=data'], /write the value of the claim/],
  [['identity-provider', 'update', 'x'], /Nothing to change/],
  [['identity-provider', 'update', 'x', '--groups-claim', 'a', '--clear', 'groups_claim'], /Remove one of the two/],
  [
    ['identity-provider', 'create', 'x', '--issuer', 'http://id.example.com', '--client-id', 'svc'],
    /must start with https/,
  ],
  [['principal', 'update', 'admin'], /Nothing to change/],
  [['login', '--provider', 'corp', '--with-token'], /cannot also be provided/],
])('%j is refused with the reason (SSO-1)', async (argv, message) => {
  const { code, stderr } = await run(argv);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test('a person gets an address and an identity, and loses them (SSO-8)', async () => {
  await ok(['identity-provider', 'create', 'corp', ...ISSUER]);
  await ok(['principal', 'create', 'ann']);
  expect(await ok(['principal', 'update', 'ann', '--email', 'Ann@example.com'])).toBe(
    'ann has the address ann@example.com.\n',
  );
  const link = ['principal', 'link', 'ann', '--provider', 'corp', '--subject', '248289761001'];
  expect(await ok(link)).toBe('Linked ann to 248289761001 of corp.\n');
  expect(await ok(['principal', 'show', 'ann'])).toBe(
    'name:       ann\npassword:   none\ne-mail:     ann@example.com\nidentities: corp: 248289761001\n',
  );
  expect(await ok(['principal', 'unlink', 'ann', '--provider', 'corp', '--yes'])).toBe('Unlinked ann from corp.\n');
  expect(await ok(['principal', 'update', 'ann', '--clear', 'email'])).toBe('ann has no e-mail address.\n');
});
