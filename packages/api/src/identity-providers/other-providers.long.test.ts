import {
  CLIENT,
  completeForms,
  type OtherProvider,
  startDex,
  startKeycloak,
} from '../testing/identity-provider/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

// Providers that organizations run. CI tries the same with a certified one (browser-sign-in.test.ts, device-sign-in.test.ts).
const PROVIDERS = { dex: startDex, keycloak: startKeycloak };

const PEOPLE = [
  { name: 'ann', groups: ['staff', 'leads'] },
  { name: 'bea', groups: ['staff'] },
];

describe.each(['dex', 'keycloak'] as const)('%s', (name) => {
  const installed = process.env[`TEST_${name.toUpperCase()}`];
  if (installed === undefined) {
    test.skip(`is not there: TEST_${name.toUpperCase()} is not set (CONTRIBUTING.md)`, () => {});
    return;
  }
  let server: TestServer;
  let idp: OtherProvider;
  let offsetMs = 0;
  beforeAll(async () => {
    server = await startTestServer({ clock: () => new Date(Date.now() + offsetMs) });
    const redirectUri = `${server.url}/console/sign-in/corp/callback`;
    idp = await PROVIDERS[name](installed, { redirectUri, people: PEOPLE });
    for (const group of ['analysts', 'admins']) await server.call('POST', '/api/v1/groups', { body: { name: group } });
    const groups = [
      { value: 'staff', group: 'analysts' },
      { value: 'leads', group: 'admins' },
    ];
    const body = { name: 'corp', issuer: idp.issuer, ...CLIENT, create_people: true, groups, ...idp.settings };
    expect((await server.call('POST', '/api/v1/identity-providers', { body })).status).toBe(201);
  }, 300_000);
  afterAll(async () => {
    await idp?.stop();
    await server?.stop();
  });

  /** Signs in with a browser; returns the name of the session's person. */
  async function signIn(person: string): Promise<string> {
    const started = await server.call('GET', '/console/sign-in/corp', { token: null });
    const cookie = cookieOf(started.headers, 'svc_sign_in');
    const { location } = await completeForms(started.headers.get('location')!, idp.form(person));
    const { pathname, search } = new URL(location!);
    const answer = await server.call('GET', pathname + search, { token: null, headers: { cookie } });
    expect(answer.headers.get('location')).toBe('/console/');
    const headers = { cookie: cookieOf(answer.headers, 'svc_session') };
    return (await server.call('GET', '/api/v1/me', { token: null, headers })).body.name;
  }
  const cookieOf = (headers: Headers, cookie: string) =>
    headers.get('set-cookie')!.match(new RegExp(`(?:^|,) ?(${cookie}=[^;]*)`))![1]!;
  const membersOf = async (group: string) => {
    const { body } = await server.call('GET', `/api/v1/groups/${group}/members`);
    return body.map((member: { name: string }) => member.name).sort();
  };

  test('people sign in, and their groups follow the claim (SSO-4, SSO-9, SSO-12)', async () => {
    expect(await signIn('ann')).toBe('ann');
    expect(await signIn('bea')).toBe('bea');
    expect([await membersOf('analysts'), await membersOf('admins')]).toEqual([['ann', 'bea'], ['ann']]);
    await idp.setGroups('ann', ['staff']);
    expect(await signIn('ann')).toBe('ann');
    expect([await membersOf('analysts'), await membersOf('admins')]).toEqual([['ann', 'bea'], []]);
  });

  test('a new key of the provider is found (SSO-6)', async () => {
    await idp.rotateKey();
    offsetMs += 60_000;
    expect(await signIn('bea')).toBe('bea');
  });

  test('a person signs in on another device (SSO-13, SSO-14)', async () => {
    const post = (path: string, body: unknown) =>
      server.call('POST', `/api/v1/sign-in/device${path}`, { body, token: null });
    const started = (await post('', { provider: 'corp' })).body;
    const { verification_uri_complete, verification_uri, user_code } = started;
    await completeForms(verification_uri_complete ?? verification_uri, { ...idp.form('bea'), user_code });
    // The first poll: a provider refuses the second one within its interval, by its own clock.
    const { status, token } = (await post('/poll', { handle: started.handle })).body;
    expect(status).toBe('complete');
    expect((await server.call('GET', '/api/v1/me', { token })).body.name).toBe('bea');
  });

  test('an address that the provider has verified links a person (SSO-8)', async () => {
    await server.call('DELETE', '/api/v1/principals/bea');
    await server.call('POST', '/api/v1/principals', { body: { name: 'beatrice', type: 'person' } });
    await server.call('PUT', '/api/v1/principals/beatrice/email', { body: { email: 'bea@example.com' } });
    const body = { link_by: 'verified-email', create_people: false };
    expect((await server.call('PATCH', '/api/v1/identity-providers/corp', { body })).status).toBe(200);
    expect(await signIn('bea')).toBe('beatrice');
  });
});
