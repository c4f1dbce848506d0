import { ACTIONS, ACTIONS_OF } from '@svc/core/access';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const tokens: Record<string, string> = {};

const post = async (path: string, body: unknown, token?: string): Promise<Answer> =>
  server.call('POST', path, { body, ...(token === undefined ? {} : { token }) });
const get = (path: string, token?: string): Promise<Answer> =>
  server.call('GET', path, token === undefined ? {} : { token });

async function person(name: string): Promise<void> {
  await post('/api/v1/principals', { name, type: 'person' });
  tokens[name] = (await post(`/api/v1/principals/${name}/tokens`, { name: 't' })).body.token;
}

const grant = async (body: object) => (await post('/api/v1/grants', body)).body.id as string;

beforeAll(async () => {
  server = await startTestServer();
  await post('/api/v1/environments', { name: 'prod' });
  for (const path of ['a', 'a.b']) await post('/api/v1/environments/prod/namespaces', { path });
  await post('/api/v1/environments/prod/namespaces/a.b/tables', { name: 't', columns: [{ name: 'x', type: 'int' }] });
  for (const name of ['ana', 'bob', 'eve']) await person(name);
});
afterAll(() => server.stop());

describe('the permissions answer (specification 2.4)', () => {
  test.each([
    ['', 'INSTANCE'],
    ['?environment=prod', 'ENVIRONMENT'],
    ['?environment=prod&namespace=a', 'NAMESPACE'],
    ['?environment=prod&namespace=a.b&table=t', 'TABLE'],
  ] as const)('of %j lists the actions of %s in order (ACCESS-1, ACCESS-14)', async (query, kind) => {
    const { status, body } = await get(`/api/v1/principals/ana/permissions${query}`);
    expect(status).toBe(200);
    expect(body.scope.kind).toBe(kind);
    expect(body.permissions.map((p: { action: string }) => p.action)).toEqual(ACTIONS_OF[kind]);
    expect(body.note).toBeNull();
  });

  test('names every granting record, oldest first, with its kind and scope (ACCESS-14, ACCESS-15, ACCESS-17, HTTP-2)', async () => {
    await post('/api/v1/groups', { name: 'readers' });
    await server.call('PUT', '/api/v1/groups/readers/members/bob');
    const single = await grant({
      kind: 'table',
      principal: 'bob',
      action: 'read_table',
      environment: 'prod',
      namespace: 'a.b',
      table: 't',
    });
    const grouped = await grant({
      kind: 'NAMESPACE',
      group: 'readers',
      action: 'READ_TABLE',
      environment: 'prod',
      namespace: 'a',
    });
    const role = await grant({ kind: 'ENVIRONMENT', principal: 'bob', role: 'data_engineer', environment: 'prod' });
    const { body } = await get(
      '/api/v1/principals/bob/permissions?environment=prod&namespace=a.b&table=t',
      tokens['bob'],
    );
    const read = body.permissions.find((p: { action: string }) => p.action === 'READ_TABLE');
    expect(read).toEqual({
      action: 'READ_TABLE',
      allowed: true,
      reason: null,
      via: [
        {
          kind: 'grant',
          grant_id: single,
          group: null,
          role: null,
          scope: { kind: 'TABLE', environment: 'prod', namespace: 'a.b', table: 't' },
        },
        {
          kind: 'group',
          grant_id: grouped,
          group: 'readers',
          role: null,
          scope: { kind: 'NAMESPACE', environment: 'prod', namespace: 'a', table: null },
        },
        {
          kind: 'role',
          grant_id: role,
          group: null,
          role: 'DATA_ENGINEER',
          scope: { kind: 'ENVIRONMENT', environment: 'prod', namespace: null, table: null },
        },
      ],
    });
  });

  test('hides what does not exist from whom it does not concern (ACCESS-17, ACCESS-18)', async () => {
    const response = await get(
      '/api/v1/principals/eve/permissions?environment=nowhere&namespace=x&table=y',
      tokens['eve'],
    );
    expect(response.status).toBe(200);
    expect(response.body.permissions.every((p: { allowed: boolean }) => !p.allowed)).toBe(true);
    const existing = await get(
      '/api/v1/principals/eve/permissions?environment=prod&namespace=a.b&table=t',
      tokens['eve'],
    );
    const strip = (b: { permissions: { reason: string }[] }) =>
      b.permissions.map(({ reason }) => reason.split(' on ')[0]);
    expect(strip(response.body)).toEqual(strip(existing.body));
    expect((await get('/api/v1/principals/nobody/permissions', tokens['eve'])).status).toBe(403);
    expect((await get('/api/v1/principals/bob/permissions', tokens['eve'])).status).toBe(403);
    expect((await get('/api/v1/principals/nobody/permissions')).status).toBe(404);
    expect((await get('/api/v1/principals/bob/permissions?environment=nowhere')).status).toBe(404);
    for (const query of ['?namespace=a', '?table=t', '?environment=prod&table=t']) {
      expect((await get(`/api/v1/principals/bob/permissions${query}`)).status).toBe(422);
    }
    const task = await post('/api/v1/task-tokens', { environment: 'prod' });
    expect((await get('/api/v1/principals/admin/permissions', task.body.token)).status).toBe(403);
  });

  test('of a deactivated principal shows what its grants would allow, and says so (ACCESS-16)', async () => {
    await person('gone');
    await grant({ kind: 'ENVIRONMENT', principal: 'gone', action: 'DEPLOY', environment: 'prod' });
    await server.call('PATCH', '/api/v1/principals/gone', { body: { active: false } });
    expect((await get('/api/v1/me', tokens['gone'])).status).toBe(401);
    const { body } = await get('/api/v1/principals/gone/permissions?environment=prod');
    expect(body.active).toBe(false);
    expect(body.note).toMatch(/tokens do not work.*shows what its grants would allow/);
    expect(body.permissions.find((p: { action: string }) => p.action === 'DEPLOY').allowed).toBe(true);
  });
});

describe('grants', () => {
  test.each([
    [{ kind: 'PLANET', principal: 'ana', role: 'ADMIN' }, '/kind', /INSTANCE, ENVIRONMENT/],
    [{ kind: 'INSTANCE', principal: 'ana' }, '/action', /exactly one of role and action/],
    [{ kind: 'INSTANCE', principal: 'ana', role: 'ADMIN', action: 'RUN' }, '/action', /exactly one/],
    [{ kind: 'INSTANCE', role: 'ADMIN' }, '/principal', /exactly one of principal and group/],
    [{ kind: 'INSTANCE', principal: 'ana', action: 'FLY' }, '/action', /must be one of MANAGE_ENVIRONMENT/],
    [{ kind: 'INSTANCE', principal: 'ana', role: 'KING' }, '/role', /ADMIN, DATA_ENGINEER/],
    [{ kind: 'INSTANCE', principal: 'ana', role: 'ADMIN', environment: 'prod' }, '/environment', /has no environment/],
    [
      { kind: 'TABLE', principal: 'ana', action: 'READ_TABLE', environment: 'prod' },
      '/namespace',
      /requires environment, namespace, table/,
    ],
    [
      { kind: 'TABLE', principal: 'ana', action: 'DEPLOY', environment: 'prod', namespace: 'a.b', table: 't' },
      '/action',
      /never applies/,
    ],
    [
      { kind: 'ENVIRONMENT', principal: 'ana', action: 'READ_QUERY_TEXT', environment: 'prod' },
      '/kind',
      /can only be granted on the instance/,
    ],
  ])('%j is 422 (ACCESS-5, ACCESS-9, ACCESS-10)', async (body, pointer, message) => {
    const response = await post('/api/v1/grants', body);
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
    expect(response.body.detail + response.body.errors[0].message).toMatch(message);
  });

  test('unknown names are 404, a second one of a kind 409 naming the first (ACCESS-10)', async () => {
    for (const body of [
      { kind: 'INSTANCE', principal: 'nobody', role: 'ADMIN' },
      { kind: 'INSTANCE', group: 'nobody', role: 'ADMIN' },
      { kind: 'ENVIRONMENT', principal: 'ana', role: 'ADMIN', environment: 'nowhere' },
      { kind: 'NAMESPACE', principal: 'ana', role: 'ADMIN', environment: 'prod', namespace: 'nowhere' },
    ])
      expect((await post('/api/v1/grants', body)).status).toBe(404);
    const id = await grant({ kind: 'ENVIRONMENT', principal: 'ana', action: 'RUN', environment: 'prod' });
    const again = await post('/api/v1/grants', {
      kind: 'ENVIRONMENT',
      principal: 'ana',
      action: 'RUN',
      environment: 'prod',
    });
    expect([again.status, again.body.code]).toEqual([409, 'duplicate-grant']);
    expect(again.body.detail).toContain(id);
  });

  test('a single grant of an ADMIN-only action is accepted, has no effect, and says why (ACCESS-4)', async () => {
    await grant({ kind: 'INSTANCE', principal: 'eve', action: 'MANAGE_GRANT' });
    const refused = await get('/api/v1/grants', tokens['eve']);
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toMatch(/needs the ADMIN role on the instance/);
    expect(refused.body.remedy).toBe('svc grant create --kind INSTANCE --principal eve --role ADMIN');
    const listed = await get('/api/v1/grants?action=manage_grant&principal_name=eve');
    expect(listed.body).toHaveLength(1);
  });

  test('filters combine with AND, and the action filter finds roles that carry it (ACCESS-12)', async () => {
    const names = async (query: string) =>
      (await get(`/api/v1/grants?${query}`)).body as {
        principal: string;
        group: string;
        role: string;
        action: string;
        kind: string;
      }[];
    expect((await names('principal_name=bob')).every((g) => g.principal === 'bob')).toBe(true);
    expect(await names('group_name=readers')).toHaveLength(1);
    expect((await names('principal_name=bob&action=read_table')).map((g) => g.role ?? g.action).sort()).toEqual([
      'DATA_ENGINEER',
      'READ_TABLE',
    ]);
    expect((await names('environment=prod&namespace=a')).map((g) => g.group)).toEqual(['readers']);
    expect((await names('environment=prod&namespace=a.b&table=t')).map((g) => g.kind)).toEqual(['TABLE']);
    for (const [query, status] of [
      ['principal_name=bob&group_name=readers', 422],
      ['namespace=a', 422],
      ['environment=prod&table=t', 422],
      ['action=fly', 422],
      ['principal_name=nobody', 404],
      ['environment=nowhere', 404],
    ] as const)
      expect((await get(`/api/v1/grants?${query}`)).status).toBe(status);
    expect((await get('/api/v1/grants?action=fly')).body.detail).toContain(ACTIONS.join(', '));
  });

  test('the action filter leaves out roles that do not carry the action where they were granted (ACCESS-12)', async () => {
    await person('half');
    await grant({ kind: 'ENVIRONMENT', principal: 'half', role: 'ADMIN', environment: 'prod' });
    const grantsOf = async (action: string) => (await get(`/api/v1/grants?principal_name=half&action=${action}`)).body;
    for (const action of ['MANAGE_GRANT', 'MANAGE_GROUP', 'MANAGE_TOKEN']) expect(await grantsOf(action)).toEqual([]);
    expect(await grantsOf('DEPLOY')).toHaveLength(1);
    await server.call('DELETE', '/api/v1/principals/half');
  });

  test('a cursor is valid for an action in another letter case, and for a blank search (ACCESS-12, HTTP-7)', async () => {
    const cursorOf = async (path: string) => (await get(path)).headers.get('x-next-cursor');
    const grants = await cursorOf('/api/v1/grants?limit=1&action=read_table');
    expect((await get(`/api/v1/grants?limit=1&action=READ_TABLE&cursor=${grants}`)).status).toBe(200);
    const principals = await cursorOf('/api/v1/principals?limit=1');
    expect((await get(`/api/v1/principals?limit=1&q=%20&cursor=${principals}`)).status).toBe(200);
  });

  test('an empty name is rejected', async () => {
    const response = await post('/api/v1/grants', { kind: 'INSTANCE', principal: '', role: 'ADMIN' });
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, '/principal']);
    const list = await post('/api/v1/groups', { name: [] });
    expect(list.body.errors[0]).toEqual({ pointer: '/name', message: 'must be a string' });
    expect((await get('/api/v1/groups?q=a&q=b')).body.errors[0].message).toBe('accepts one value: set it once');
  });

  test('revoking works on the next request, and --dry-run shows what would be lost (ACCESS-10)', async () => {
    const id = await grant({ kind: 'ENVIRONMENT', principal: 'eve', role: 'DATA_ENGINEER', environment: 'prod' });
    await grant({ kind: 'ENVIRONMENT', principal: 'eve', action: 'RUN', environment: 'prod' });
    expect((await get('/api/v1/environments/prod', tokens['eve'])).status).toBe(200);
    const preview = await server.call('DELETE', `/api/v1/grants/${id}?dry_run=true`);
    expect(preview.status).toBe(200);
    const [lost] = preview.body.principals;
    expect(lost.principal).toBe('eve');
    expect(lost.loses).toContain('DEPLOY');
    expect(lost.loses).not.toContain('RUN');
    expect((await get('/api/v1/environments/prod', tokens['eve'])).status).toBe(200);
    const below = await grant({
      kind: 'NAMESPACE',
      principal: 'eve',
      role: 'DATA_ENGINEER',
      environment: 'prod',
      namespace: 'a',
    });
    const objects = await get('/api/v1/principals/eve/objects');
    const ofNamespace = objects.body.find((o: { scope: { kind: string } }) => o.scope.kind === 'NAMESPACE');
    // A grant on a namespace never allows actions that only apply to environments.
    expect(ofNamespace.actions).not.toContain('DEPLOY');
    expect((await server.call('DELETE', `/api/v1/grants/${id}`)).status).toBe(204);
    const small = await server.call('DELETE', `/api/v1/grants/${below}?dry_run=true`);
    expect(small.body.principals[0].loses).toEqual(ofNamespace.actions);
    expect(small.body.principals[0].loses).toContain('READ_TABLE');
    await server.call('DELETE', `/api/v1/grants/${below}`);
    expect((await get('/api/v1/environments/prod', tokens['eve'])).status).toBe(403);
    expect((await server.call('DELETE', `/api/v1/grants/${id}`)).status).toBe(404);
  });

  test('the last administrator cannot be taken away (ACCESS-23)', async () => {
    const [admin] = (await get('/api/v1/grants?principal_name=admin')).body;
    for (const [method, path, body] of [
      ['DELETE', `/api/v1/grants/${admin.id}`, undefined],
      ['DELETE', `/api/v1/grants/${admin.id}?dry_run=true`, undefined],
      ['DELETE', '/api/v1/principals/admin', undefined],
      ['PATCH', '/api/v1/principals/admin', { active: false }],
    ] as const) {
      const response = await server.call(method, path, body === undefined ? {} : { body });
      expect([response.status, response.body.code]).toEqual([409, 'last-admin']);
    }
    expect((await get('/api/v1/me')).status).toBe(200);
  });
});

describe('who and objects', () => {
  test('name who can do something, and through what', async () => {
    const { body } = await get('/api/v1/access/who?environment=prod&namespace=a.b&table=t&action=READ_TABLE');
    const byName = Object.fromEntries(
      body.map((h: { principal: string; via: { kind: string }[] }) => [h.principal, h.via.map((v) => v.kind)]),
    );
    expect(byName).toEqual({ admin: ['role'], bob: ['grant', 'group', 'role'] });
    const page = await get('/api/v1/access/who?environment=prod&action=RUN&limit=1');
    expect(page.body).toHaveLength(1);
    const next = await get(
      `/api/v1/access/who?environment=prod&action=RUN&limit=1&cursor=${page.headers.get('x-next-cursor')}`,
    );
    expect(next.body[0].principal > page.body[0].principal).toBe(true);
    expect((await get('/api/v1/access/who?action=FLY')).status).toBe(422);
    expect((await get('/api/v1/access/who?action=RUN', tokens['bob'])).status).toBe(403);
  });

  test('name what a principal can touch', async () => {
    const { body } = await get('/api/v1/principals/bob/objects');
    expect(body.map((o: { scope: { kind: string } }) => o.scope.kind)).toEqual(['ENVIRONMENT', 'NAMESPACE', 'TABLE']);
    const reads = await get('/api/v1/principals/bob/objects?action=READ_TABLE&limit=2');
    expect(reads.body).toHaveLength(2);
    const rest = await get(
      `/api/v1/principals/bob/objects?action=READ_TABLE&limit=2&cursor=${reads.headers.get('x-next-cursor')}`,
    );
    expect(rest.body.map((o: { scope: { table: string } }) => o.scope.table)).toEqual(['t']);
  });

  test('name the own objects of a caller without administrator rights, and of nobody else (ACCESS-27)', async () => {
    const own = await get('/api/v1/principals/bob/objects', tokens['bob']);
    expect(own).toMatchObject({ status: 200, body: (await get('/api/v1/principals/bob/objects')).body });
    for (const name of ['admin', 'eve', 'no-such-principal']) {
      const { status, body } = await get(`/api/v1/principals/${name}/objects`, tokens['bob']);
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
  });
});

test('lists find names in any letter case, and % and _ mean themselves (ACCESS-13)', async () => {
  await post('/api/v1/principals', { name: 'Pct%_x', type: 'service-account' });
  const names = async (q: string) =>
    (await get(`/api/v1/principals?q=${encodeURIComponent(q)}`)).body.map((p: { name: string }) => p.name);
  expect(await names('PCT%')).toEqual(['Pct%_x']);
  expect(await names('%')).toEqual(['Pct%_x']);
  expect(await names('_')).toEqual(['Pct%_x']);
  expect((await names('  ')).length).toBeGreaterThan(3);
});

test('lists find a letter in each of its forms, such as σ and ς of Σ (ACCESS-13)', async () => {
  await post('/api/v1/principals', { name: 'ΟΔΟΣ', type: 'service-account' });
  await post('/api/v1/groups', { name: 'ΟΔΟΣ' });
  for (const list of ['principals', 'groups'])
    for (const q of ['οδος', 'οδοσ', 'Οδος', 'ΟΔΟΣ'])
      expect((await get(`/api/v1/${list}?q=${encodeURIComponent(q)}`)).body).toMatchObject([{ name: 'ΟΔΟΣ' }]);
});

test('deleting a principal ends its grants, memberships and tokens, and its records keep its name (ACCESS-23)', async () => {
  await person('leaver');
  await grant({ kind: 'ENVIRONMENT', principal: 'leaver', action: 'RUN', environment: 'prod' });
  await server.call('PUT', '/api/v1/groups/readers/members/leaver');
  expect((await server.call('DELETE', '/api/v1/principals/leaver')).status).toBe(204);
  expect((await get('/api/v1/me', tokens['leaver'])).status).toBe(401);
  expect((await get('/api/v1/grants?principal_name=leaver')).status).toBe(404);
  expect((await get('/api/v1/groups/readers/members')).body.map((p: { name: string }) => p.name)).toEqual(['bob']);
  const events = await get('/api/v1/audit-events?event_type=PRINCIPAL_DELETED');
  expect(events.body[0].detail.name).toBe('leaver');
  expect((await post('/api/v1/principals', { name: 'leaver', type: 'person' })).status).toBe(201);
});

test.each(['', '?purge=true'])('DELETE%s does not reveal that an environment was deleted (ENV-4)', async (query) => {
  await post('/api/v1/environments', { name: 'lost' });
  await server.call('DELETE', '/api/v1/environments/lost');
  const denial = async (name: string) => {
    const { status, body } = await server.call('DELETE', `/api/v1/environments/${name}${query}`, {
      token: tokens['eve']!,
    });
    const [event] = (await get(`/api/v1/audit-events?request_id=${body.request_id}`)).body;
    const shown = JSON.stringify([{ ...body, request_id: null }, event.object, event.detail]);
    return [status, shown.replaceAll(name, '…')];
  };
  const deleted = await denial('lost');
  expect(deleted[0]).toBe(403);
  expect(deleted).toEqual(await denial('never'));
  expect(deleted).toEqual(await denial('prod'));
});

test('a deleted environment is named as such, with how to restore it, wherever it is named (ENV-4)', async () => {
  await post('/api/v1/environments', { name: 'past' });
  await server.call('DELETE', '/api/v1/environments/past');
  await grant({ kind: 'INSTANCE', principal: 'eve', action: 'READ_AUDIT_LOG' });
  const events = '/api/v1/audit-events?environment=past';
  for (const response of [
    await get('/api/v1/grants?environment=past'),
    await get('/api/v1/access/who?environment=past&action=RUN'),
    await get('/api/v1/principals/bob/permissions?environment=past'),
    await get(events),
    await post('/api/v1/grants', { kind: 'ENVIRONMENT', principal: 'bob', action: 'RUN', environment: 'past' }),
    await post('/api/v1/task-tokens', { environment: 'past' }),
  ])
    expect([response.status, response.body.remedy]).toEqual([404, 'svc env restore past']);
  const other = await get(events, tokens['eve']);
  expect([other.status, other.body.code]).toEqual([404, 'not-found']);
});
