import { inTransaction } from '@svc/db/connection';
import { findScimUser, lockPersonByExternalId } from '@svc/db/scim';
import { statementBlocked } from '@svc/db/testing';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await account('corp');
});
afterAll(() => server.stop());

/** The token of the service account of a new provider. */
async function account(provider: string): Promise<string> {
  const name = `${provider}-scim`;
  await server.call('POST', '/api/v1/principals', { body: { name, type: 'service-account' } });
  const body = { name: provider, issuer: 'https://id.example.com', client_id: 'svc', scim_account: name };
  expect((await server.call('POST', '/api/v1/identity-providers', { body })).status).toBe(201);
  return (await server.call('POST', `/api/v1/principals/${name}/tokens`, { body: { name: 'scim' } })).body.token;
}

const scim = (method: string, path: string, body?: object, as = token): Promise<Answer> =>
  server.call(method, `/scim/v2${path}`, {
    token: as,
    ...(body && { raw: JSON.stringify(body), headers: { 'Content-Type': 'application/scim+json' } }),
  });
const events = async (type: string) =>
  (await server.call('GET', `/api/v1/audit-events?event_type=${type}&limit=200`)).body;
const operations = (...all: object[]) => ({ schemas: [PATCH], Operations: all });
const user = (userName: string, more: object = {}) => ({ schemas: [USER], userName, ...more });
const created = async (userName: string, more: object = {}): Promise<string> => {
  const { status, body } = await scim('POST', '/Users', user(userName, more));
  expect(status).toBe(201);
  return body.id;
};

test('the requests of Okta: find, create, change, deactivate and push a group (SCIM-4, SCIM-6)', async () => {
  const search = '/Users?filter=userName%20eq%20%22isaac%40example.com%22&startIndex=1&count=100';
  expect((await scim('GET', search)).body).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
  const isaac = {
    schemas: [USER],
    userName: 'isaac@example.com',
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: 'Isaac@Example.com', type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };
  const made = await scim('POST', '/Users', isaac);
  expect([made.status, made.headers.get('content-type')]).toEqual([
    201,
    expect.stringContaining('application/scim+json'),
  ]);
  expect(made.body).toMatchObject({
    userName: 'isaac@example.com',
    externalId: '00ujl29u0le5T6Aj10h7',
    active: true,
    emails: [{ value: 'isaac@example.com', primary: true }],
    meta: { resourceType: 'User' },
  });
  const { id } = made.body;
  expect((await scim('GET', search)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  expect((await scim('POST', '/Users', isaac)).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  const replaced = await scim('PUT', `/Users/${id}`, { ...isaac, id, name: { givenName: 'Ike', familyName: 'Brock' } });
  expect([replaced.status, replaced.body.name.givenName]).toEqual([200, 'Ike']);

  const { token: personal } = (
    await server.call('POST', '/api/v1/principals/isaac@example.com/tokens', { body: { name: 't' } })
  ).body;
  const me = async () => (await server.call('GET', '/api/v1/me', { token: personal })).status;
  expect(await me()).toBe(200);
  const off = await scim('PATCH', `/Users/${id}`, operations({ op: 'replace', value: { active: false } }));
  expect([off.status, off.body.active, await me()]).toEqual([200, false, 401]);
  await scim('PATCH', `/Users/${id}`, operations({ op: 'replace', value: { active: true } }));
  expect(await me()).toBe(200);

  const group = await scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName: 'okta group',
    members: [{ value: id }],
  });
  expect([group.status, group.body.members]).toEqual([201, [{ value: id, display: 'isaac@example.com' }]]);
  const path = `/Groups/${group.body.id}`;
  const patched = await scim(
    'PATCH',
    path,
    operations(
      { op: 'remove', path: `members[value eq "${id}"]` },
      { op: 'replace', value: { id: group.body.id, displayName: 'okta group' } },
    ),
  );
  expect([patched.status, patched.body.members]).toEqual([200, []]);
  expect((await scim('PUT', path, { displayName: 'okta group', members: [{ value: id }] })).body.members).toHaveLength(
    1,
  );
  expect((await scim('DELETE', path)).status).toBe(204);
  expect((await scim('GET', path)).body).toMatchObject({ schemas: [expect.stringContaining('Error')], status: '404' });
  expect((await events('PRINCIPAL_UPDATED'))[0]).toMatchObject({
    principal: 'corp-scim',
    detail: { name: 'isaac@example.com', changed: ['active'], provider: 'corp' },
  });
});

test('the requests of Entra ID: texts as booleans, paths with filters, members one by one (SCIM-4, SCIM-6)', async () => {
  const id = await created('Test_User', {
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    emails: [{ primary: true, type: 'work', value: 'test@testuser.com' }],
    name: { formatted: 'given family' },
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' },
  });
  expect((await scim('GET', '/Users?filter=userName eq "test_user"')).body.totalResults).toBe(1);
  expect(
    (await scim('GET', '/Users?filter=externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).body.totalResults,
  ).toBe(1);
  const patched = await scim(
    'PATCH',
    `/Users/${id}`,
    operations(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'displayName', value: 'Shown' },
      { op: 'Replace', path: 'active', value: 'False' },
    ),
  );
  expect(patched.body).toMatchObject({
    emails: [{ value: 'updated@microsoft.com' }],
    name: { formatted: 'given family', familyName: 'updatedFamilyName' },
    displayName: 'Shown',
    active: false,
  });
  const group = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'entra', externalId: '8aa1a0c0' });
  const path = `/Groups/${group.body.id}`;
  const add = operations({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] });
  expect((await scim('PATCH', path, add)).body.members).toHaveLength(1);
  const listed = await scim('GET', '/Groups?excludedAttributes=members&filter=displayName eq "ENTRA"');
  expect(listed.body.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
  const remove = operations({ op: 'Remove', path: 'members', value: [{ value: id }] });
  expect((await scim('PATCH', path, remove)).body.members).toEqual([]);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  expect((await events('PRINCIPAL_DELETED'))[0].detail).toMatchObject({ name: 'Test_User', provider: 'corp' });
  // Name and external id are free again.
  await created('Test_User', { externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef' });
});

test('a person is activated only by a value of active, and paths are never ignored silently (SCIM-4, SCIM-6)', async () => {
  const id = await created('leaver', { emails: [{ value: 'leaver@example.com' }] });
  const patch = (operation: object) => scim('PATCH', `/Users/${id}`, operations(operation));
  const isActive = async () => (await scim('GET', `/Users/${id}`)).body.active;
  expect((await patch({ op: 'replace', path: `${USER}:active`, value: false })).body.active).toBe(false);
  expect((await patch({ op: 'remove', path: 'active' })).body).toMatchObject({ status: '400', scimType: 'mutability' });
  expect((await patch({ op: 'replace', path: 'activ', value: true })).body.scimType).toBe('invalidPath');
  const replaced = await scim('PUT', `/Users/${id}`, user('leaver', { displayName: 'Gone' }));
  expect(replaced.body).toMatchObject({ active: false, displayName: 'Gone' });
  expect(await isActive()).toBe(false);
  expect((await scim('PUT', `/Users/${id}`, user('leaver', { active: true }))).body.active).toBe(true);
});

test('only tokens of the service account of an active provider are accepted, and denials are recorded (SCIM-2)', async () => {
  expect((await scim('GET', '/Users', undefined, 'svc_sat_nothing')).status).toBe(401);
  expect((await scim('GET', '/Users', undefined, server.token)).body).toMatchObject({ status: '403' });
  expect((await events('AUTHORIZATION_DENIED'))[0].detail).toMatchObject({ route: 'GET /scim/v2/Users' });
  expect((await server.call('GET', '/api/v1/principals', { token })).status).toBe(403);
  const change = (body: object) => server.call('PATCH', '/api/v1/identity-providers/corp', { body });
  await change({ active: false });
  expect((await scim('GET', '/Users')).status).toBe(403);
  await change({ active: true });
  expect((await scim('GET', '/Users')).status).toBe(200);
  const wrong = { name: 'second', issuer: 'https://x.example.com', client_id: 'svc' };
  for (const scim_account of ['corp-scim', 'admin', 'nobody'])
    expect((await server.call('POST', '/api/v1/identity-providers', { body: { ...wrong, scim_account } })).status).toBe(
      422,
    );
});

test('a provider manages only what it has created, and no administrators (SCIM-3)', async () => {
  const { id: admin } = (await server.call('GET', '/api/v1/principals/admin')).body;
  for (const [method, body] of [
    ['GET', undefined],
    ['DELETE', undefined],
    ['PUT', user('admin')],
    ['PATCH', operations({ op: 'replace', path: 'active', value: false })],
  ] as const)
    expect((await scim(method, `/Users/${admin}`, body)).status).toBe(404);
  expect((await scim('POST', '/Users', user('admin'))).status).toBe(409);
  const other = await account('other');
  const id = await created('promoted');
  expect((await scim('GET', `/Users/${id}`, undefined, other)).status).toBe(404);
  expect((await scim('GET', '/Users', undefined, other)).body.totalResults).toBe(0);
  await server.call('POST', '/api/v1/grants', { body: { kind: 'INSTANCE', principal: 'promoted', role: 'ADMIN' } });
  const off = operations({ op: 'replace', path: 'active', value: false });
  expect((await scim('PATCH', `/Users/${id}`, off)).status).toBe(403);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(403);
  const group = (await scim('POST', '/Groups', { displayName: 'admins' })).body.id;
  await server.call('POST', '/api/v1/grants', { body: { kind: 'INSTANCE', group: 'admins', role: 'ADMIN' } });
  const ordinary = await created('ordinary');
  const join = operations({ op: 'add', path: 'members', value: [{ value: ordinary }] });
  expect((await scim('PATCH', `/Groups/${group}`, join)).status).toBe(403);
  const stranger = await scim('POST', '/Groups', { displayName: 'strangers', members: [{ value: admin }] });
  expect(stranger.body).toMatchObject({ status: '400', scimType: 'invalidValue' });
  expect((await server.call('GET', '/api/v1/groups/strangers')).status).toBe(404);
});

test('names stay, and values that are not supported are refused in the form of the protocol (SCIM-5, SCIM-7)', async () => {
  const id = await created('steady');
  const rename = operations({ op: 'replace', path: 'userName', value: 'other' });
  expect((await scim('PATCH', `/Users/${id}`, rename)).body).toMatchObject({ status: '400', scimType: 'mutability' });
  for (const [path, scimType] of [
    ['/Users?filter=userName co "x"', 'invalidFilter'],
    ['/Users?filter=nickName eq "x"', 'invalidFilter'],
    ['/Users?filter=userName eq x', 'invalidFilter'],
    ['/Users?count=many', 'invalidValue'],
  ] as const)
    expect((await scim('GET', path)).body).toMatchObject({ status: '400', scimType });
  for (const [body, scimType] of [
    [user(''), 'invalidValue'],
    [user('a/b'), 'invalidValue'],
    [user('nul', { displayName: 'a\0b' }), 'invalidValue'],
    [user('nul', { emails: [{ value: 'no address' }] }), 'invalidValue'],
  ] as const)
    expect((await scim('POST', '/Users', body)).body).toMatchObject({ status: '400', scimType });
  const noTarget = await scim('PATCH', `/Users/${id}`, operations({ op: 'remove' }));
  expect(noTarget.body).toMatchObject({ status: '400', scimType: 'noTarget' });
  expect((await scim('GET', '/Users/nonsense')).status).toBe(404);
  expect((await scim('GET', '/Nothing')).body).toMatchObject({ status: '404' });
  expect((await scim('PATCH', `/Users/${id}`, { raw: 1 })).status).toBe(400);
});

test('a token with a scope manages nobody, and uses are recorded (SCIM-2, TOKEN-2)', async () => {
  const path = '/api/v1/principals/corp-scim/tokens';
  const body = { name: 'reading', actions: ['READ_ENVIRONMENT'] };
  const { token: reading } = (await server.call('POST', path, { body })).body;
  expect((await scim('GET', '/Users', undefined, reading)).status).toBe(403);
  expect((await scim('POST', '/Users', user('sneaked'), reading)).body).toMatchObject({ status: '403' });
  expect((await events('AUTHORIZATION_DENIED'))[0].detail.reason).toContain('a token with a scope');
  const used = (await server.call('GET', path)).body.map((one: { last_used_at: unknown }) => one.last_used_at);
  expect(used).toEqual([expect.any(String), expect.any(String)]);
});

test('lists have pages, and the service describes itself (SCIM-1, SCIM-5)', async () => {
  for (let i = 0; i < 3; i++) await created(`paged-${i}`);
  const all = (await scim('GET', '/Users?count=200')).body;
  const page = (await scim('GET', '/Users?startIndex=2&count=2')).body;
  expect(page).toMatchObject({ totalResults: all.totalResults, startIndex: 2, itemsPerPage: 2 });
  expect(page.Resources.map(({ id }: { id: string }) => id)).toEqual(
    all.Resources.slice(1, 3).map(({ id }: { id: string }) => id),
  );
  expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: all.totalResults, Resources: [] });
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true } });
  expect((await scim('GET', '/Schemas')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([USER, GROUP]);
  expect((await scim('GET', '/ResourceTypes')).body.totalResults).toBe(2);
});

test('concurrent creations of a person: exactly one wins', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => scim('POST', '/Users', user('contested'))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test('concurrent changes of a person are applied one after the other', async () => {
  const id = await created('busy', { name: { givenName: 'B' } });
  const { prisma } = server.db;
  let answer: Promise<Answer> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM principals WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    await tx.$executeRaw`UPDATE scim_resources SET attributes = attributes || '{"displayName": "Busy"}' WHERE id = ${id}::uuid`;
    answer = scim('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'name.familyName', value: 'Y' }));
    await statementBlocked(server.db);
  });
  expect((await answer!).body).toMatchObject({ displayName: 'Busy', name: { givenName: 'B', familyName: 'Y' } });
});

test('of concurrent changes that assign an account to providers, the second is refused (SCIM-2)', async () => {
  await account('winner');
  await server.call('POST', '/api/v1/principals', { body: { name: 'wanted', type: 'service-account' } });
  const body = { name: 'loser', issuer: 'https://id.example.com', client_id: 'svc', scim_account: 'wanted' };
  let answer: Promise<Answer> | undefined;
  await server.db.prisma.$transaction(async (tx) => {
    const { id } = await tx.principal.findFirstOrThrow({ where: { name: 'wanted' } });
    await tx.$queryRaw`SELECT 1 FROM principals WHERE id = ${id}::uuid FOR SHARE`;
    await tx.identityProvider.updateMany({ where: { name: 'winner' }, data: { scim_account_id: id } });
    answer = server.call('POST', '/api/v1/identity-providers', { body });
    await statementBlocked(server.db);
  });
  const { status, text } = await answer!;
  expect([status, text]).toEqual([422, expect.stringContaining('wanted is the account of winner already')]);
});

test('many members are added and removed at once, with an event for each (SCIM-4)', async () => {
  const ids: string[] = [];
  for (const name of ['m1', 'm2', 'm3']) ids.push(await created(name));
  const members = ids.map((value) => ({ value }));
  const { id, ...group } = (await scim('POST', '/Groups', { displayName: 'crowd', members })).body;
  expect(group.members).toHaveLength(3);
  const replaced = await scim('PUT', `/Groups/${id}`, { displayName: 'crowd', members: members.slice(2) });
  expect(replaced.body.members).toEqual([{ value: ids[2], display: 'm3' }]);
  const namesIn = async (type: string) =>
    (await events(type))
      .filter(({ detail }: { detail: { group: string } }) => detail.group === 'crowd')
      .map(({ detail }: { detail: { principal: string } }) => detail.principal)
      .sort();
  expect(await namesIn('GROUP_MEMBER_ADDED')).toEqual(['m1', 'm2', 'm3']);
  expect(await namesIn('GROUP_MEMBER_REMOVED')).toEqual(['m1', 'm2']);
});

test('a change of what only the provider uses is an event, too, such as the subject that may sign in (SCIM-4)', async () => {
  const id = await created('zoe', { externalId: 'z-1' });
  const replace = (value: object) => scim('PATCH', `/Users/${id}`, operations({ op: 'replace', value }));
  for (const [value, changed] of [
    [{ externalId: 'z-2' }, ['external_id']],
    [{ displayName: 'Zoe' }, ['attributes']],
    [{ externalId: 'z-3', displayName: 'Zoe Z', active: false }, ['external_id', 'attributes', 'active']],
  ] as const) {
    expect((await replace(value)).status).toBe(200);
    expect((await events('PRINCIPAL_UPDATED'))[0].detail).toMatchObject({ principal_id: id, changed });
  }
  const before = (await events('PRINCIPAL_UPDATED')).length;
  expect((await replace({ externalId: 'z-3' })).status).toBe(200);
  expect(await events('PRINCIPAL_UPDATED')).toHaveLength(before);
});

test('a first sign-in waits for a change of the external id, and then finds nobody by the old one (SCIM-8)', async () => {
  const id = await created('yan', { externalId: 'y-old' });
  const { id: providerId } = await server.db.prisma.identityProvider.findFirstOrThrow({ where: { name: 'corp' } });
  let found: Promise<unknown> | undefined;
  await server.db.prisma.$transaction(async (tx) => {
    await findScimUser(tx, { providerId, id }, true);
    await tx.scimResource.update({ where: { id }, data: { external_id: 'y-new' } });
    found = inTransaction(server.db, (other) => lockPersonByExternalId(other, { providerId, externalId: 'y-old' }));
    await statementBlocked(server.db);
  });
  expect(await found).toBeNull();
});
