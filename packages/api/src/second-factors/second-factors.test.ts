import { randomUUID } from 'node:crypto';
import { statementBlocked } from '@svc/db/testing';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { type RunningApi, startApi } from '../process/index.ts';
import { type Answer, startTestServer, type TestServer } from '../testing/index.ts';
import { totpStep } from './totp.ts';

const PASSWORD = 'correct horse battery';

let server: TestServer;
let second: RunningApi;
let now = new Date('2026-03-01T12:00:00Z');
const clock = () => now;
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

beforeAll(async () => {
  server = await startTestServer({ clock, env: { SVC_LIMITS__TRUSTED_PROXIES: '127.0.0.1' } });
  const { settings, secretsKey, db, store, sandbox } = server;
  second = await startApi({
    ...{ settings, secretsKey, db, store, sandbox, clock, log: pino({ level: 'silent' }) },
    ...{ version: '0.0.0-test', bootstrapToken: null, checkAnswers: true },
  });
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});
// Each test has a window of its own.
afterEach(() => pass(3600));

const person = (name: string) =>
  server.call('POST', '/api/v1/principals', { body: { name, type: 'person', password: PASSWORD } });
const from = (address: string) => ({ 'X-Forwarded-For': address });
const signIn = (name: string, password = PASSWORD, address = '203.0.113.1') =>
  server.call('POST', '/api/v1/sign-in', { body: { name, password }, token: null, headers: from(address) });
const complete = (body: object, address = '203.0.113.1') =>
  server.call('POST', '/api/v1/sign-in/second-factor', { body, token: null, headers: from(address) });
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
const eventsOf = async (type: string): Promise<{ principal: string | null; detail: Record<string, unknown> }[]> =>
  (await server.call('GET', `/api/v1/audit-events?event_type=${type}&limit=200`)).body;
const own = (token: string, method: string, path = '', body?: object): Promise<Answer> =>
  server.call(method, `/api/v1/me/second-factors${path}`, { token, ...(body === undefined ? {} : { body }) });

/** A person with an authenticator app, and the token of a session with it. */
async function enrolled(name: string) {
  await person(name);
  const { token } = (await signIn(name)).body;
  const { enrolment, secret } = (await own(token, 'POST', '/totp')).body;
  const added = await own(token, 'POST', '', { enrolment, name: 'phone', code: codeOf(secret) });
  expect(added.status).toBe(201);
  pass(30);
  const challenge = async (address?: string) =>
    (await signIn(name, PASSWORD, address)).body.second_factor.challenge as string;
  return {
    token,
    secret: secret as string,
    codes: added.body.recovery_codes as string[],
    factor: added.body.factor,
    challenge,
  };
}

// RFC 6238, appendix B (SHA-1), of which apps show the last six digits.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at second %i is %s (FACTOR-4)', (seconds, code) => {
  const secret = Secret.fromLatin1('12345678901234567890').base32;
  const step = Math.floor(seconds / 30);
  const at = (second: number) => totpStep(secret, code, new Date(second * 1000));
  expect([at(seconds), at(seconds + 30), at(seconds - 30)]).toEqual([step, step, step]);
  expect([at(seconds + 90), at(Math.max(0, seconds - 90))]).toEqual([null, seconds < 90 ? step : null]);
});

test('a password alone opens no session for a person with a second factor (FACTOR-2)', async () => {
  const { secret } = await enrolled('ann');
  const first = await signIn('ann');
  expect([first.status, first.body.code, first.body.second_factor.methods]).toEqual([
    401,
    'second-factor-required',
    ['code', 'recovery_code'],
  ]);
  expect((await signIn('ann', 'wrong password')).body.code).toBe('sign-in-failed');
  const opened = await complete({ challenge: first.body.second_factor.challenge, code: codeOf(secret) });
  expect(opened.status).toBe(200);
  expect((await server.call('GET', '/api/v1/me', { token: opened.body.token })).body.name).toBe('ann');
  expect((await eventsOf('SIGNED_IN'))[0]).toMatchObject({ principal: 'ann', detail: { second_factor: 'phone' } });
  expect((await eventsOf('SECOND_FACTOR_ADDED'))[0]).toMatchObject({ detail: { name: 'phone', kind: 'totp' } });
  expect(JSON.stringify(await server.call('GET', '/api/v1/audit-events?limit=200'))).not.toContain(secret);
});

/** Makes a request while the person is locked, and changes the person before the request continues. */
async function overtaken(
  name: string,
  change: (tx: Tx, id: string) => Promise<unknown>,
  request: () => Promise<Answer>,
) {
  const { prisma } = server.db;
  const { id } = await prisma.principal.findFirstOrThrow({ where: { name } });
  let answer: Promise<Answer> | undefined;
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM principals WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    await change(tx, id);
    answer = request();
    await statementBlocked(server.db);
  });
  return (await answer!).body.code;
}
type Tx = Parameters<Parameters<TestServer['db']['prisma']['$transaction']>[0]>[0];
const firstFactor = (tx: Tx, principal_id: string) =>
  tx.$executeRaw`INSERT INTO second_factors (id, principal_id, kind, name, credential_id, public_key, counter, transports, created_at)
    VALUES (${randomUUID()}::uuid, ${principal_id}::uuid, 'security-key', 'first', ${principal_id}, '\\x00', 0, '{}', ${now})`;

test('no session is opened with the password of before a change, or before the first second factor (FACTOR-7)', async () => {
  for (const name of ['late', 'later', 'latest']) await person(name);
  expect(await overtaken('late', firstFactor, () => signIn('late'))).toBe('sign-in-failed');
  const password = (tx: Tx, id: string) => tx.principal.update({ where: { id }, data: { password_hash: 'other' } });
  expect(await overtaken('later', password, () => signIn('later'))).toBe('sign-in-failed');
  const { token } = (await signIn('latest')).body;
  const { enrolment, secret } = (await own(token, 'POST', '/totp')).body;
  const add = () => own(token, 'POST', '', { enrolment, name: 'phone', code: codeOf(secret) });
  expect(await overtaken('latest', firstFactor, add)).toBe('confirmation-required');
});

test('a browser gets its cookie only after the second factor (FACTOR-2)', async () => {
  const { secret } = await enrolled('bob');
  const first = await server.call('POST', '/api/v1/session', {
    body: { name: 'bob', password: PASSWORD },
    token: null,
  });
  expect([first.status, first.headers.get('set-cookie')]).toEqual([401, null]);
  const { challenge } = first.body.second_factor;
  const opened = await server.call('POST', '/api/v1/session/second-factor', {
    body: { challenge, code: codeOf(secret) },
    token: null,
  });
  expect([opened.status, opened.body.limit]).toEqual([201, null]);
  expect(opened.headers.get('set-cookie')).toContain('svc_session=');
});

test('a code counts once, and so does a challenge, on whichever server (FACTOR-4)', async () => {
  const { secret, challenge } = await enrolled('cem');
  const code = codeOf(secret);
  const challenges = await Promise.all([challenge(), challenge(), challenge()]);
  const statuses = await Promise.all(
    challenges.map(async (text) => (await complete({ challenge: text, code })).status),
  );
  expect(statuses.sort()).toEqual([200, 401, 401]);
  pass(30);
  const again = await challenge();
  expect((await complete({ challenge: again, code })).body.code).toBe('second-factor-failed');
  expect((await complete({ challenge: again, code: codeOf(secret) })).status).toBe(200);
  pass(30);
  const replayed = { challenge: again, code: codeOf(secret) };
  const response = await fetch(`${second.url}/api/v1/sign-in/second-factor`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(replayed),
  });
  expect(response.status).toBe(401);
});

test('of concurrent sign-ins with one recovery code, exactly one wins (FACTOR-6)', async () => {
  const { codes, challenge } = await enrolled('dan');
  expect(new Set(codes).size).toBe(10);
  const challenges = await Promise.all([1, 2, 3, 4].map(() => challenge()));
  const recovery_code = codes[3]!.toUpperCase().replaceAll('-', ' ');
  const answers = await Promise.all(challenges.map((text) => complete({ challenge: text, recovery_code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  expect((await eventsOf('SIGNED_IN'))[0]?.detail).toMatchObject({
    second_factor: 'recovery code',
    recovery_codes_left: 9,
  });
});

test('wrong codes are throttled like wrong passwords, across servers, and the right password resets nothing (FACTOR-5)', async () => {
  const { secret, challenge } = await enrolled('eve');
  const wrong = codeOf(secret) === '000000' ? '111111' : '000000';
  for (let i = 0; i < 10; i++) {
    const body = { challenge: await challenge(), code: wrong };
    const base = i % 2 === 0 ? server.url : second.url;
    const response = await fetch(`${base}/api/v1/sign-in/second-factor`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...from('203.0.113.1') },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(401);
  }
  const [failure] = await eventsOf('SIGN_IN_FAILED');
  expect(failure?.detail).toMatchObject({ name: 'eve', reason: 'second-factor', throttled: false });
  expect((await signIn('eve')).status).toBe(429);
  const other = await challenge('203.0.113.77');
  const answer = { challenge: other, code: codeOf(secret) };
  expect((await complete(answer)).status).toBe(429);
  expect((await complete(answer, '203.0.113.77')).status).toBe(200);
});

test('entering the password in a session resets no count of wrong second factors (FACTOR-5)', async () => {
  const { secret, challenge } = await enrolled('ora');
  const { token } = (await server.call('POST', '/api/v1/principals/ora/tokens', { body: { name: 't' } })).body;
  const address = '203.0.113.20';
  const code = codeOf(secret) === '000000' ? '111111' : '000000';
  const guess = async (at = address) =>
    (await complete({ challenge: await challenge('203.0.113.21'), code }, at)).status;
  for (let i = 0; i < 9; i++) expect(await guess()).toBe(401);
  const confirm = async (at: string) => {
    const call = { token, body: { current_password: PASSWORD }, headers: from(at) };
    return (await server.call('PUT', '/api/v1/me/confirmation', call)).status;
  };
  expect([await confirm(address), await guess(), await guess()]).toEqual([204, 401, 429]);
  // Nor does it make an address one from which the person has signed in: guesses at the name count there, too.
  expect(await confirm('203.0.113.22')).toBe(204);
  for (let i = 0; i < 40; i++) expect(await guess(`198.51.100.${i}`)).toBe(401);
  expect((await signIn('ora', PASSWORD, '203.0.113.22')).status).toBe(429);
});

test('what has changed since the password was entered counts (FACTOR-2)', async () => {
  const change = (name: string, body: object) => server.call('PATCH', `/api/v1/principals/${name}`, { body });
  for (const [name, act] of [
    ['fay', (n: string) => change(n, { active: false })],
    ['gil', (n: string) => change(n, { password: 'another long password' })],
    ['hal', (n: string) => server.call('DELETE', `/api/v1/principals/${n}/second-factors`)],
    ['ida', (n: string) => server.call('DELETE', `/api/v1/principals/${n}`)],
  ] as const) {
    const { secret, challenge } = await enrolled(name);
    const text = await challenge();
    expect((await act(name)).status).toBeLessThan(300);
    expect((await complete({ challenge: text, code: codeOf(secret) })).body.code).toBe('second-factor-failed');
  }
  const { secret, challenge } = await enrolled('jon');
  const text = await challenge();
  pass(301);
  expect((await complete({ challenge: text, code: codeOf(secret) })).status).toBe(401);
  expect((await complete({ challenge: 'nonsense', code: codeOf(secret) })).status).toBe(401);
});

test('an administrator removes the second factors of a person, who then signs in without (FACTOR-8)', async () => {
  const { codes, token: session } = await enrolled('kim');
  const { token } = (await server.call('POST', '/api/v1/principals/kim/tokens', { body: { name: 't' } })).body;
  const path = '/api/v1/principals/kim/second-factors';
  expect((await server.call('DELETE', path, { token })).status).toBe(403);
  expect((await server.call('DELETE', path)).status).toBe(204);
  expect((await server.call('GET', '/api/v1/me', { token: session })).status).toBe(401);
  expect((await server.call('GET', '/api/v1/me', { token })).status).toBe(200);
  expect((await server.call('DELETE', path)).status).toBe(404);
  const [removed] = await eventsOf('SECOND_FACTOR_REMOVED');
  expect(removed).toMatchObject({ principal: 'admin', detail: { principal: 'kim', name: 'phone' } });
  expect((await signIn('kim')).status).toBe(200);
  expect(codes).toHaveLength(10);
});

test('second factors change only in a session, soon after the sign-in, and with a second factor (FACTOR-7)', async () => {
  const { token, factor } = await enrolled('liv');
  const path = `/${factor.id}`;
  const personal = (await server.call('POST', '/api/v1/principals/liv/tokens', { body: { name: 't' } })).body.token;
  expect((await own(personal, 'DELETE', path)).body.code).toBe('confirmation-required');
  pass(601);
  for (const [method, at, body] of [
    ['POST', '/totp', undefined],
    ['POST', '/recovery-codes', undefined],
    ['PUT', `${path}/name`, { name: 'x' }],
    ['DELETE', path, undefined],
  ] as const)
    expect((await own(token, method, at, body)).body.code).toBe('confirmation-required');
  const confirm = (current_password: string) =>
    server.call('PUT', '/api/v1/me/confirmation', { token, body: { current_password } });
  expect((await confirm('wrong password')).status).toBe(422);
  expect((await confirm(PASSWORD)).status).toBe(204);
  expect((await own(token, 'PUT', `${path}/name`, { name: 'old phone' })).body.name).toBe('old phone');
  expect((await own(token, 'POST', '/recovery-codes')).body.recovery_codes).toHaveLength(10);
  expect((await own(token, 'DELETE', path)).status).toBe(204);
  expect((await own(token, 'GET')).body).toEqual({ factors: [], recovery_codes_left: 0, required: false });
});

test('the first second factor ends sessions that were opened with the password alone (FACTOR-7)', async () => {
  await person('mia');
  const [mine, other] = [(await signIn('mia')).body.token, (await signIn('mia')).body.token];
  const { enrolment, secret } = (await own(mine, 'POST', '/totp')).body;
  expect((await own(other, 'POST', '', { enrolment, name: 'x', code: codeOf(secret) })).status).toBe(422);
  expect((await own(mine, 'POST', '', { enrolment, name: 'x', code: '12345' })).status).toBe(422);
  expect((await own(mine, 'POST', '', { enrolment, name: 'x', code: codeOf(secret) })).status).toBe(201);
  expect((await own(mine, 'POST', '', { enrolment, name: 'y', code: codeOf(secret) })).status).toBe(409);
  expect((await own(other, 'GET')).status).toBe(401);
  expect((await own(mine, 'GET')).body.factors).toHaveLength(1);
});

test('removing the own last second factor ends the other sessions, and removing another one does not (FACTOR-7)', async () => {
  const { token, secret, factor, challenge } = await enrolled('pia');
  const other = (await complete({ challenge: await challenge(), code: codeOf(secret) })).body.token;
  const { enrolment, secret: newSecret } = (await own(token, 'POST', '/totp')).body;
  const added = await own(token, 'POST', '', { enrolment, name: 'new phone', code: codeOf(newSecret) });
  expect((await own(token, 'DELETE', `/${factor.id}`)).status).toBe(204);
  expect((await own(other, 'GET')).status).toBe(200);
  expect((await own(token, 'DELETE', `/${added.body.factor.id}`)).status).toBe(204);
  expect((await own(other, 'GET')).status).toBe(401);
  expect((await own(token, 'GET')).body.factors).toEqual([]);
});

test('a person has at most 20 second factors', async () => {
  const { token } = await enrolled('ned');
  const { id } = await server.db.prisma.principal.findFirstOrThrow({ where: { name: 'ned' } });
  for (let i = 1; i < 20; i++)
    await server.db.prisma.secondFactor.create({
      data: {
        id: crypto.randomUUID(),
        principal_id: id,
        kind: 'totp',
        name: `f${i}`,
        key_id: 'k',
        sealed: new Uint8Array(1),
        created_at: now,
      },
    });
  const { enrolment, secret } = (await own(token, 'POST', '/totp')).body;
  const added = await own(token, 'POST', '', { enrolment, name: 'one too many', code: codeOf(secret) });
  expect([added.status, added.body.detail]).toEqual([422, expect.stringContaining('20 second factors')]);
});
