import { identityProviderEndpoints as endpoints } from '@svc/core/identity-providers';
import { rekeyClientSecrets } from '@svc/db/identity-providers';
import { sealingKeys } from '@svc/db/secrets';
import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

const PATH = endpoints.create.path;

let server: TestServer;
let idp: TestIdentityProvider;
beforeAll(async () => {
  server = await startTestServer();
  idp = await startIdentityProvider({ redirectUris: [`${server.url}/console/sign-in/groups/callback`] });
});
afterAll(async () => {
  await server.stop();
  await idp.stop();
});

const create = (body: object) =>
  server.call('POST', PATH, { body: { issuer: 'https://id.example.com', client_id: 'svc', ...body } });
const update = (name: string, body: object) => server.call('PATCH', `${PATH}/${name}`, { body });
const events = async (type: string, limit = 1) =>
  (await server.call('GET', `/api/v1/audit-events?event_type=${type}&limit=${limit}`)).body;

test('a provider is created, changed, listed and deleted, each with its event (SSO-1)', async () => {
  const created = await create({ name: 'corp', client_secret: 'very secret', email_domains: ['Example.COM'] });
  const expected = {
    name: 'corp',
    issuer: 'https://id.example.com',
    client_id: 'svc',
    has_client_secret: true,
    scopes: ['openid', 'profile', 'email'],
    link_by: 'subject',
    create_people: false,
    email_domains: ['example.com'],
    groups_claim: null,
    groups: [],
    active: true,
  };
  expect(created).toMatchObject({ status: 201, body: expected });
  expect((await events('IDENTITY_PROVIDER_CREATED'))[0].detail).toMatchObject(expected);
  expect((await create({ name: 'corp' })).body).toMatchObject({ status: 409, code: 'already-exists' });
  const updated = await update('corp', { create_people: true, email_domains: [] });
  expect(updated.body).toMatchObject({ ...expected, create_people: true, email_domains: [] });
  expect((await events('IDENTITY_PROVIDER_UPDATED'))[0].detail.changed).toEqual(['create_people', 'email_domains']);
  expect((await server.call('GET', `${PATH}/corp`)).body).toEqual(updated.body);
  expect((await server.call('GET', PATH)).body).toEqual([updated.body]);
  expect((await update('corp', { client_secret: null })).body.has_client_secret).toBe(false);
  expect((await server.call('DELETE', `${PATH}/corp`)).status).toBe(204);
  expect((await events('IDENTITY_PROVIDER_DELETED'))[0].detail).toMatchObject({ name: 'corp' });
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect(
      (await server.call(method, `${PATH}/corp`, { body: method === 'PATCH' ? { active: true } : undefined })).status,
    ).toBe(404);
});

test.each([
  [{ name: 'Not a name' }, '/name'],
  [{ issuer: 'http://id.example.com' }, '/issuer'],
  [{ issuer: 'https://169.254.169.254' }, '/issuer'],
  [{ client_id: '' }, '/client_id'],
  [{ client_secret: '' }, '/client_secret'],
  [{ scopes: ['profile'] }, '/scopes'],
  [{ scopes: ['openid', 'a b'] }, '/scopes/1'],
  [{ link_by: 'name' }, '/link_by'],
  [{ email_domains: ['a@b'] }, '/email_domains/0'],
  [{ groups: [{ value: 'a', group: 'nobody' }], groups_claim: 'groups' }, '/groups/0/group'],
  [{ groups: [{ value: 'a', group: 'b' }] }, '/groups'],
  [{ unknown: true }, '/unknown'],
])('%j is refused, with its place (SSO-2)', async (body, pointer) => {
  const answer = await create({ name: 'bad', ...body });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
});

test('name and issuer stay, because identities belong to them (SSO-2)', async () => {
  await create({ name: 'stays' });
  for (const body of [{ issuer: 'https://evil.example' }, { name: 'other' }, {}])
    expect((await update('stays', body)).status).toBe(422);
  await server.call('DELETE', `${PATH}/stays`);
});

test('only administrators see and change providers, addresses and identities (SSO-3)', async () => {
  await server.call('POST', '/api/v1/principals', { body: { name: 'manager', type: 'person' } });
  for (const action of ['MANAGE_PRINCIPAL', 'MANAGE_TOKEN'])
    await server.call('POST', '/api/v1/grants', { body: { kind: 'INSTANCE', principal: 'manager', action } });
  const { token } = (await server.call('POST', '/api/v1/principals/manager/tokens', { body: { name: 't' } })).body;
  const statusOf = async (method: string, path: string, body?: object) =>
    (await server.call(method, path, { token, ...(body === undefined ? {} : { body }) })).status;
  expect(await statusOf('GET', PATH)).toBe(403);
  expect(await statusOf('POST', PATH, {})).toBe(403);
  expect(await statusOf('PUT', '/api/v1/principals/manager/email', { email: 'a@b.c' })).toBe(403);
  expect(await statusOf('PUT', '/api/v1/principals/manager/identities/x', { subject: 's' })).toBe(403);
  expect(await statusOf('GET', '/api/v1/principals/admin/sign-in-methods')).toBe(403);
  expect(await statusOf('GET', '/api/v1/principals/manager/sign-in-methods')).toBe(200);
});

test('the secret of a client is stored encrypted, returned nowhere, and follows the key (SSO-3)', async () => {
  const secret = 'never to be seen';
  const answer = await create({ name: 'sealed', client_secret: secret });
  const log = await server.call('GET', '/api/v1/audit-events?limit=200');
  expect(answer.text + log.text).not.toContain(secret);
  const row = () => server.db.prisma.identityProvider.findFirstOrThrow({ where: { name: 'sealed', deleted_at: null } });
  const before = await row();
  expect(Buffer.from(before.sealed!).includes(secret)).toBe(false);
  const keys = sealingKeys(Buffer.alloc(32, 7).toString('base64'), [server.secretsKey]);
  const random = (bytes: number) => new Uint8Array(bytes).fill(1);
  const options = { keys, after: null, limit: 10, now: new Date(), newId: () => before.id, random };
  expect(await rekeyClientSecrets(server.db, options)).toEqual({ sealed: 1, failed: [], next: null });
  expect((await row()).key_id).toBe(keys.current.id);
  // Without the old key, the secret stays as it is, and the others are not affected.
  const foreign = sealingKeys(Buffer.alloc(32, 8).toString('base64'));
  const left = await rekeyClientSecrets(server.db, { ...options, keys: foreign });
  const failed = [{ secret: 'client secret of identity provider sealed', reason: expect.stringMatching(/OLD_KEYS/) }];
  expect(left).toEqual({ sealed: 0, failed, next: null });
  await server.call('DELETE', `${PATH}/sealed`);
  const deleted = await server.db.prisma.identityProvider.findUniqueOrThrow({ where: { id: before.id } });
  expect([deleted.sealed, deleted.key_id]).toEqual([null, null]);
});

describe('groups', () => {
  const members = async (group: string) =>
    (await server.call('GET', `/api/v1/groups/${group}/members`)).body.map(({ name }: { name: string }) => name);
  async function signIn(groups: unknown, more: object = {}): Promise<string | null> {
    idp.accounts.set('s-gil', { preferred_username: 'gil', groups, ...more });
    const started = await server.call('GET', '/console/sign-in/groups', { token: null });
    const callback = new URL(await idp.answer(started.headers.get('location')!, 's-gil'));
    const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
    const answer = await server.call('GET', callback.pathname + callback.search, { token: null, headers: { cookie } });
    return new URL(answer.headers.get('location')!, server.url).searchParams.get('failure');
  }
  beforeAll(async () => {
    for (const name of ['analysts', 'stewards', 'manual'])
      await server.call('POST', '/api/v1/groups', { body: { name } });
    const groups = [
      { value: 'data', group: 'analysts' },
      { value: 'data', group: 'stewards' },
      { value: 'lead', group: 'stewards' },
    ];
    const scopes = ['openid', 'profile', 'groups'];
    const fields = { issuer: idp.issuer, ...CLIENT, create_people: true, scopes, groups_claim: 'groups', groups };
    expect((await create({ name: 'groups', ...fields })).status).toBe(201);
  });

  test('follow the claim at each sign-in, with an event for each change (SSO-12)', async () => {
    expect(await signIn(['data', 'unknown'])).toBeNull();
    expect([await members('analysts'), await members('stewards')]).toEqual([['gil'], ['gil']]);
    const added = (await events('GROUP_MEMBER_ADDED', 2)).map((event: { principal: string; detail: object }) => event);
    expect(added).toMatchObject([
      { principal: 'gil', detail: { principal: 'gil', provider: 'groups' } },
      { principal: 'gil', detail: { principal: 'gil', provider: 'groups' } },
    ]);
    expect(await signIn(['lead'])).toBeNull();
    expect([await members('analysts'), await members('stewards')]).toEqual([[], ['gil']]);
    expect((await events('GROUP_MEMBER_REMOVED'))[0].detail).toEqual({
      group: 'analysts',
      principal: 'gil',
      provider: 'groups',
    });
    expect(await signIn(undefined)).toBeNull();
    expect(await members('stewards')).toEqual([]);
  });

  test('that somebody was added to manually stay (SSO-12)', async () => {
    await server.call('PUT', '/api/v1/groups/manual/members/gil');
    await server.call('PUT', '/api/v1/groups/analysts/members/gil');
    await signIn(['data']);
    // A membership that comes from the claim becomes one that stays.
    await server.call('PUT', '/api/v1/groups/stewards/members/gil');
    await signIn([]);
    for (const group of ['manual', 'analysts', 'stewards']) expect(await members(group)).toEqual(['gil']);
    for (const group of ['manual', 'analysts', 'stewards'])
      expect((await server.call('DELETE', `/api/v1/groups/${group}/members/gil`)).status).toBe(204);
  });

  test('that the provider left out change nothing, and nobody signs in without them (SSO-12)', async () => {
    expect(await signIn(['data'])).toBeNull();
    expect(await signIn(undefined, { _claim_names: { groups: 'src1' } })).toBe('invalid');
    expect((await events('SIGN_IN_FAILED'))[0].detail.reason).toBe('groups-left-out');
    expect(await members('analysts')).toEqual(['gil']);
  });

  test('of another claim replace those of the old one (SSO-12)', async () => {
    await update('groups', { groups_claim: 'realm_access.roles' });
    expect(await signIn(['data'])).toBeNull();
    expect(await members('analysts')).toEqual([]);
    expect(await signIn([], { realm_access: { roles: ['lead'] } })).toBeNull();
    expect(await members('stewards')).toEqual(['gil']);
    await update('groups', { groups_claim: 'groups' });
  });

  test('a claim that goes does not leave the instance without an administrator (SSO-12)', async () => {
    await signIn(['data']);
    const grant = { kind: 'INSTANCE', group: 'analysts', role: 'ADMIN' };
    const granted = await server.call('POST', '/api/v1/grants', { body: grant });
    await server.call('PATCH', '/api/v1/principals/admin', { body: { active: false } });
    expect(await signIn([])).toBe('refused');
    await server.db.prisma.principal.updateMany({ where: { name: 'admin' }, data: { active: true } });
    const [event] = await events('SIGN_IN_FAILED');
    expect(event.detail).toMatchObject({ name: 'gil', reason: 'last-admin' });
    expect(await members('analysts')).toEqual(['gil']);
    await server.call('DELETE', `/api/v1/grants/${granted.body.id}`);
  });

  test('a deleted group is mapped no more, and a new one of its name gets nobody (SSO-12)', async () => {
    await server.call('DELETE', '/api/v1/groups/analysts');
    await server.call('POST', '/api/v1/groups', { body: { name: 'analysts' } });
    await signIn(['data']);
    expect([await members('analysts'), await members('stewards')]).toEqual([[], ['gil']]);
    expect((await server.call('GET', `${PATH}/groups`)).body.groups).toEqual([
      { value: 'data', group: 'stewards' },
      { value: 'lead', group: 'stewards' },
    ]);
  });

  test('end with the identity, and with the provider (SSO-11)', async () => {
    await signIn(['data']);
    expect((await server.call('DELETE', '/api/v1/principals/gil/identities/groups')).status).toBe(204);
    expect(await members('stewards')).toEqual([]);
    await server.call('PUT', '/api/v1/principals/gil/identities/groups', { body: { subject: 's-gil' } });
    await signIn(['data']);
    expect(await members('stewards')).toEqual(['gil']);
    expect((await server.call('DELETE', `${PATH}/groups`)).status).toBe(204);
    expect(await members('stewards')).toEqual([]);
    expect((await events('GROUP_MEMBER_REMOVED'))[0]).toMatchObject({
      principal: 'admin',
      detail: { provider: 'groups' },
    });
  });
});
