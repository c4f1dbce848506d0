import {
  ACTIONS_OF,
  type Action,
  decide,
  type EffectiveGrant,
  ROLE_ACTIONS,
  scopeOf,
  TASK_TOKEN_ACTIONS,
} from '@svc/core/access';
import { type AnyEndpoint, isStreamBody } from '@svc/core/contract';
import { ALL_ENDPOINTS } from '@svc/core/routes';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
const tokens: Record<string, string> = {};

/** Principals of the matrix: each with one grant (or none) on one object. */
const PRINCIPALS: Record<
  string,
  { role?: string; action?: Action; kind: string; environment?: string; namespace?: string; table?: string } | null
> = {
  nobody: null,
  'instance-admin': { role: 'ADMIN', kind: 'INSTANCE' },
  'instance-engineer': { role: 'DATA_ENGINEER', kind: 'INSTANCE' },
  'environment-admin': { role: 'ADMIN', kind: 'ENVIRONMENT', environment: 'dev' },
  'environment-engineer': { role: 'DATA_ENGINEER', kind: 'ENVIRONMENT', environment: 'dev' },
  'other-environment': { role: 'ADMIN', kind: 'ENVIRONMENT', environment: 'other' },
  'namespace-engineer': { role: 'DATA_ENGINEER', kind: 'NAMESPACE', environment: 'dev', namespace: 'a' },
  'table-reader': { action: 'READ_TABLE', kind: 'TABLE', environment: 'dev', namespace: 'a.b', table: 't' },
};

beforeAll(async () => {
  server = await startTestServer();
  const post = async (path: string, body: unknown) => {
    const response = await server.call('POST', path, { body });
    if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
    return response.body;
  };
  for (const name of ['dev', 'other']) await post('/api/v1/environments', { name });
  for (const path of ['a', 'a.b']) await post('/api/v1/environments/dev/namespaces', { path });
  await post('/api/v1/environments/dev/namespaces/a.b/tables', { name: 't', columns: [{ name: 'x', type: 'int' }] });
  for (const [name, grant] of Object.entries(PRINCIPALS)) {
    await post('/api/v1/principals', { name, type: 'person' });
    tokens[name] = (await post(`/api/v1/principals/${name}/tokens`, { name: 'matrix' })).token;
    if (grant !== null) await post('/api/v1/grants', { principal: name, ...grant });
  }
});

afterAll(() => server.stop());

function pathOf(endpoint: AnyEndpoint, env: string): string {
  const values: Record<string, string> = { env, path: 'a.b', name: endpoint.path.includes('{path}') ? 't' : 'nobody' };
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? 'nothing');
}

function grantsOf(name: string): EffectiveGrant[] {
  const grant = PRINCIPALS[name];
  if (grant == null) return [];
  const { role = null, action = null } = grant;
  return [
    { grant_id: '', role: role as EffectiveGrant['role'], action, group: null, created_at: 0, scope: scopeOf(grant) },
  ];
}

function scopeFor(endpoint: AnyEndpoint, env: string) {
  if (endpoint.needs.kind !== 'action') throw new Error('no action');
  const { on } = endpoint.needs;
  return scopeOf({
    environment: on === 'INSTANCE' ? null : env,
    namespace: on === 'NAMESPACE' || on === 'TABLE' ? 'a.b' : null,
    table: on === 'TABLE' ? 't' : null,
  });
}

// No route accepts this body: authorized callers get 415 or 422, and nothing is changed.
const attempt = (endpoint: AnyEndpoint, env: string, token: string | null) =>
  server.call(endpoint.method, pathOf(endpoint, env), {
    token,
    ...(endpoint.method === 'GET'
      ? {}
      : {
          headers: { 'Content-Type': isStreamBody(endpoint.body) ? 'text/nothing' : 'application/json' },
          raw: '["nothing"]',
        }),
  });

describe.each(
  ALL_ENDPOINTS.filter(({ needs }) => needs.kind !== 'public').map((e) => [`${e.method} ${e.path}`, e] as const),
)('%s', (_, endpoint) => {
  test('is 401 without a credential (HTTP-1)', async () => {
    expect((await attempt(endpoint, 'dev', null)).status).toBe(401);
    expect((await attempt(endpoint, 'dev', 'svc_pat_nothing')).status).toBe(401);
  });

  const { needs } = endpoint;
  if (needs.kind !== 'action') return;
  test.each(Object.keys(PRINCIPALS))('decides about %s as the rules do (ACCESS-19)', async (name) => {
    for (const env of endpoint.path.includes('{env}') ? ['dev', 'nowhere'] : ['']) {
      const { allowed } = decide(grantsOf(name), needs.action, scopeFor(endpoint, env));
      const response = await attempt(endpoint, env, tokens[name]!);
      // Such a path names the principal `nobody`.
      const self = needs.orSelf !== undefined && name === 'nobody';
      if (allowed || self) expect(response.status).not.toBe(403);
      else expect([response.status, response.body.code]).toEqual([403, 'forbidden']);
    }
  });
});

test('existing-but-forbidden and unknown objects are answered byte for byte alike (ACCESS-20)', async () => {
  const strip = (text: string, name: string) => text.replaceAll(/"request_id":"[^"]*"/g, '').replaceAll(name, 'NAME');
  for (const [existing, unknown] of [
    ['/api/v1/environments/dev', '/api/v1/environments/nope'],
    ['/api/v1/environments/dev/namespaces/a.b', '/api/v1/environments/dev/namespaces/a.c'],
    ['/api/v1/environments/dev/namespaces/a.b/tables/t', '/api/v1/environments/dev/namespaces/a.b/tables/u'],
    ['/api/v1/environments/dev/runs', '/api/v1/environments/nope/runs'],
    ['/api/v1/environments/dev/namespaces', '/api/v1/environments/nope/namespaces'],
    ['/api/v1/environments/dev/namespaces/a.b/tables', '/api/v1/environments/dev/namespaces/a.c/tables'],
  ] as const) {
    const [a, b] = await Promise.all(
      [existing, unknown].map((path) => server.call('GET', path, { token: tokens['nobody']! })),
    );
    const [nameA, nameB] = [existing, unknown].map((path) => path.split('/'));
    let [textA, textB] = [strip(a!.text, '\u0000'), strip(b!.text, '\u0000')];
    nameA!.forEach((part, i) => {
      if (part === nameB![i]) return;
      textA = textA.replaceAll(new RegExp(`\\b${part.replaceAll('.', '\\.')}\\b`, 'g'), 'NAME');
      textB = textB.replaceAll(new RegExp(`\\b${nameB![i]!.replaceAll('.', '\\.')}\\b`, 'g'), 'NAME');
    });
    expect(a!.status).toBe(403);
    expect(textA).toBe(textB);
  }
});

test('a task token carries READ_*, SUBMIT_QUERY, CREATE_TABLE, WRITE_TABLE and MAINTAIN_TABLE at the most (ACCESS-25, AUDIT-6)', async () => {
  const minted = await server.call('POST', '/api/v1/task-tokens', { body: { environment: 'dev' } });
  expect(minted.status).toBe(201);
  for (const endpoint of ALL_ENDPOINTS) {
    const { needs } = endpoint;
    if (needs.kind !== 'action') continue;
    const response = await attempt(endpoint, 'dev', minted.body.token);
    if (TASK_TOKEN_ACTIONS.includes(needs.action)) expect(response.status).not.toBe(403);
    else expect(response.status).toBe(403);
  }
  const other = await server.call('GET', '/api/v1/environments/other', { token: minted.body.token });
  expect(other.status).toBe(403);
  // Its reads of other people's activity aren't recorded (specification 6.1).
  const views = () => server.call('GET', '/api/v1/audit-events?event_type=ACTIVITY_VIEWED&limit=200');
  await views(); // The administrator's own read opens its window.
  const before = (await views()).body;
  expect((await server.call('GET', '/api/v1/audit-events', { token: minted.body.token })).body.length).toBeGreaterThan(
    1,
  );
  expect((await views()).body).toEqual(before);
});

test('every refusal has its AUTHORIZATION_DENIED (ACCESS-21, AUDIT-1, HTTP-5)', async () => {
  const before = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=1');
  await server.call('GET', '/api/v1/environments/dev', {
    token: tokens['nobody']!,
    headers: { 'X-Request-Id': 'refused-1' },
  });
  const after = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=1');
  expect(after.body[0].id).not.toBe(before.body[0].id);
  expect(after.body[0]).toMatchObject({
    type: 'AUTHORIZATION_DENIED',
    principal: 'nobody',
    request_id: 'refused-1',
    object: { kind: 'ENVIRONMENT', environment: 'dev', namespace: null, table: null },
    detail: {
      action: 'READ_ENVIRONMENT',
      route: 'GET /api/v1/environments/{env}',
      reason: 'no grant allows READ_ENVIRONMENT on dev',
    },
  });
  expect(after.body[0].detail.object).toEqual(after.body[0].object);
  await server.call('GET', '/api/v1/audit-events', { token: tokens['nobody']! });
  const [event] = (await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=1')).body;
  expect([event.object, event.detail.object]).toEqual([{ kind: 'INSTANCE' }, { kind: 'INSTANCE' }]);
});

test('actions and roles are the ones that the matrix assumes', () => {
  expect(Object.keys(ACTIONS_OF)).toEqual(['INSTANCE', 'ENVIRONMENT', 'NAMESPACE', 'TABLE', 'SERVICE_ACCOUNT']);
  expect(ROLE_ACTIONS.ADMIN).not.toContain('READ_QUERY_TEXT');
});
