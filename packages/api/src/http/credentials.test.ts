import { randomUUID } from 'node:crypto';
import { ADMIN_ONLY, TASK_TOKEN_ACTIONS, type TokenScope } from '@svc/core/access';
import { type AnyEndpoint, isStreamBody } from '@svc/core/contract';
import { ALL_ENDPOINTS } from '@svc/core/routes';
import { startTestServer, type TestServer } from '../testing/index.ts';
import { sha256 } from './keys.ts';

// Every route with every kind of credential of administrators: what a credential may not do, no grant allows.

const PASSWORD = 'correct horse battery';
let server: TestServer;
const tokens: Record<string, string> = {};
const hashOf = (name: string) => new Uint8Array(sha256(tokens[name]!));

beforeAll(async () => {
  server = await startTestServer();
  const post = async (path: string, body: unknown, token: string | null = server.token) => {
    const answer = await server.call('POST', `/api/v1${path}`, { body, token });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  for (const name of ['dev', 'other']) await post('/environments', { name });
  await post('/environments/dev/namespaces', { path: 'a' });
  const people = ['ann', 'chosen', 'single', 'gone'];
  for (const name of [...people, 'bot']) {
    const isPerson = name !== 'bot';
    await post('/principals', {
      name,
      type: isPerson ? 'person' : 'service-account',
      ...(isPerson && { password: PASSWORD }),
    });
    await post('/grants', { kind: 'INSTANCE', principal: name, role: 'ADMIN' });
  }
  const issue = async (principal: string, scope: object = {}) =>
    (await post(`/principals/${principal}/tokens`, { name: 't', ...scope })).token;
  const signIn = async (name: string) => (await post('/sign-in', { name, password: PASSWORD }, null)).token;
  tokens['personal'] = await issue('ann');
  tokens['service-account'] = await issue('bot');
  for (const [name, scope] of Object.entries(SCOPES))
    tokens[name] = await issue('bot', Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== null)));
  tokens['task'] = (await post('/task-tokens', { environment: 'dev' }, tokens['personal'])).token;
  tokens['session'] = await signIn('ann');
  tokens['session with a chosen password'] = await signIn('chosen');
  tokens['session of a provider'] = await signIn('single');
  tokens['deactivated'] = await issue('gone');
  tokens['revoked'] = await issue('ann');
  tokens['expired'] = await issue('bot');
  await server.call('PATCH', '/api/v1/principals/gone', { body: { active: false } });
  const { prisma } = server.db;
  await prisma.token.updateMany({ where: { hash: hashOf('revoked') }, data: { revoked_at: new Date() } });
  await prisma.token.updateMany({ where: { hash: hashOf('expired') }, data: { expires_at: new Date() } });
  await prisma.principal.updateMany({ where: { name: 'chosen' }, data: { must_change_password: true } });
  const single = await prisma.principal.findFirstOrThrow({ where: { name: 'single' } });
  await prisma.token.updateMany({ where: { principal_id: single.id }, data: { sign_in: 'provider' } });
});
afterAll(() => server.stop());

const SCOPES: Record<string, TokenScope> = {
  'scope: another environment': { environments: ['other'], actions: null },
  'scope: the environment': { environments: ['dev'], actions: null },
  'scope: READ_TABLE': { environments: null, actions: ['READ_TABLE'] },
};

const pathOf = ({ path }: AnyEndpoint) =>
  path.replaceAll(/\{(\w+)\}/g, (_, key: string) => ({ env: 'dev', path: 'a' })[key] ?? randomUUID());

// No route accepts this body: authorized callers get 415 or 422, and nothing is changed.
const attempt = (endpoint: AnyEndpoint, token: string) =>
  server.call(endpoint.method, pathOf(endpoint), {
    token,
    ...(endpoint.method === 'GET'
      ? {}
      : {
          headers: { 'Content-Type': isStreamBody(endpoint.body) ? 'text/nothing' : 'application/json' },
          raw: '["nothing"]',
        }),
  });

/** The code of the denial by the credential itself; null if it admits the route, undefined if the route decides. */
type Denial = string | null | undefined;

function scopeDenial({ needs }: AnyEndpoint, { environments, actions }: TokenScope): Denial {
  if (needs.kind === 'signed-in') return needs.taskTokens ? null : 'forbidden';
  if (needs.kind !== 'action') return undefined;
  const isInside = environments === null || (needs.on !== 'INSTANCE' && environments.includes('dev'));
  const isCarried = !ADMIN_ONLY.includes(needs.action) && (actions === null || actions.includes(needs.action));
  return isInside && isCarried ? null : 'forbidden';
}

function taskDenial({ needs }: AnyEndpoint): Denial {
  if (needs.kind === 'signed-in') return needs.taskTokens ? null : 'forbidden';
  if (needs.kind !== 'action') return undefined;
  return needs.orSelf === undefined && TASK_TOKEN_ACTIONS.includes(needs.action) ? null : 'forbidden';
}

const admits = ({ needs }: AnyEndpoint, limit: 'change-password' | 'add-second-factor'): boolean =>
  needs.kind === 'signed-in' && (needs.limitedSessions?.includes(limit) ?? false);

type Row = readonly [credential: string, secondFactor: 'optional' | 'required', of: (endpoint: AnyEndpoint) => Denial];
const MATRIX: readonly Row[] = [
  ['personal', 'required', () => null],
  ['service-account', 'required', () => null],
  ...Object.entries(SCOPES).map(
    ([name, scope]) => [name, 'required', (endpoint: AnyEndpoint) => scopeDenial(endpoint, scope)] as const,
  ),
  ['task', 'required', taskDenial],
  ['session', 'optional', () => null],
  ['session', 'required', (e) => (admits(e, 'add-second-factor') ? null : 'second-factor-setup-required')],
  [
    'session with a chosen password',
    'optional',
    (e) => (admits(e, 'change-password') ? null : 'password-change-required'),
  ],
  [
    'session with a chosen password',
    'required',
    (e) => (admits(e, 'change-password') ? null : 'password-change-required'),
  ],
  ['session of a provider', 'required', () => null],
  ...['deactivated', 'revoked', 'expired'].map((name) => [name, 'optional', () => 'not-signed-in'] as const),
];

/** Routes that respond until the client disconnects, and the sign-out, which would invalidate the credential. */
const streamsOrSignsOut = ({ id, response }: AnyEndpoint): boolean => 'stream' in response || id === 'session.end';

describe.each(MATRIX)(
  'a credential of the kind "%s", where second factors are %s',
  (credential, secondFactor, denialOf) => {
    test.each(
      ALL_ENDPOINTS.filter(({ needs }) => needs.kind !== 'public').map((e) => [`${e.method} ${e.path}`, e] as const),
    )('%s (ACCESS-25, ACCESS-39, FACTOR-9, TOKEN-4)', async (_, endpoint) => {
      const denial = denialOf(endpoint);
      if (denial === undefined || (denial === null && streamsOrSignsOut(endpoint))) return;
      server.settings.secondFactor = secondFactor;
      const { status, body } = await attempt(endpoint, tokens[credential]!);
      if (denial === null)
        expect([
          'forbidden',
          'not-signed-in',
          'password-change-required',
          'second-factor-setup-required',
        ]).not.toContain(body?.code);
      else expect([status, body.code]).toEqual([denial === 'not-signed-in' ? 401 : 403, denial]);
    });
  },
);
