import { startTestServer, type TestServer } from '../testing/index.ts';

const PASSWORD = 'correct horse battery';
const DAY_MS = 24 * 3_600_000;

let server: TestServer;
let now = new Date('2026-03-01T12:00:00Z');
beforeAll(async () => {
  server = await startTestServer({ clock: () => now, env: { SVC_LIMITS__TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.stop());
// Each test has a window of its own.
afterEach(() => {
  now = new Date(now.getTime() + 3_600_000);
});

const person = (name: string) =>
  server.call('POST', '/api/v1/principals', { body: { name, type: 'person', password: PASSWORD } });
const signIn = (name: string, password: string, address: string) =>
  server.call('POST', '/api/v1/sign-in', {
    body: { name, password },
    token: null,
    headers: { 'X-Forwarded-For': address },
  });
/** Guesses at one name from many addresses, until they are refused. */
async function guessFromEverywhere(name: string): Promise<void> {
  for (let i = 1; i <= 50; i++) expect((await signIn(name, 'guess', `198.51.100.${i}`)).status).toBe(401);
  expect((await signIn(name, 'guess', '198.51.100.99')).status).toBe(429);
}

test('guesses from other addresses lock out everyone except an address that signed in recently', async () => {
  await person('ann');
  expect((await signIn('ann', PASSWORD, '203.0.113.1')).status).toBe(200);
  await guessFromEverywhere('ann');
  expect((await signIn('ann', PASSWORD, '203.0.113.1')).status).toBe(200);
  expect((await signIn('ann', PASSWORD, '203.0.113.2')).status).toBe(429);
  const { body } = await server.call('GET', '/api/v1/audit-events?event_type=SIGN_IN_FAILED&limit=2');
  expect(body[0].detail).toEqual({ name: 'ann', address: '198.51.100.99', throttled: true });
});

test('guesses at other names from the same address lock nobody out who signed in there lately', async () => {
  await person('bea');
  expect((await signIn('bea', PASSWORD, '203.0.113.3')).status).toBe(200);
  for (let i = 0; i < 50; i++) expect((await signIn(`nobody${i}`, 'guess', '203.0.113.3')).status).toBe(401);
  expect((await signIn('nobody', 'guess', '203.0.113.3')).status).toBe(429);
  expect((await signIn('bea', PASSWORD, '203.0.113.3')).status).toBe(200);
});

test('at a known address guesses at the name are limited all the same', async () => {
  await person('cem');
  expect((await signIn('cem', PASSWORD, '203.0.113.4')).status).toBe(200);
  for (let i = 0; i < 10; i++) expect((await signIn('cem', 'guess', '203.0.113.4')).status).toBe(401);
  expect((await signIn('cem', PASSWORD, '203.0.113.4')).status).toBe(429);
});

test('right passwords never exceed a limit, however many arrive at the same time (ACCESS-26)', async () => {
  await person('eda');
  const atOnce = (password: string) =>
    Promise.all(Array.from({ length: 40 }, () => signIn('eda', password, '203.0.113.8')));
  expect((await atOnce(PASSWORD)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  const { body } = await server.call('GET', '/api/v1/audit-events?event_type=SIGN_IN_FAILED&limit=1');
  expect(body[0]?.detail.name).not.toBe('eda');
  const wrong = (await atOnce('guess')).map(({ status }) => status).sort();
  expect(wrong).toEqual([...Array(10).fill(401), ...Array(30).fill(429)]);
});

test('an address is forgotten thirty days after its last success', async () => {
  await person('dan');
  expect((await signIn('dan', PASSWORD, '203.0.113.5')).status).toBe(200);
  now = new Date(now.getTime() + 31 * DAY_MS);
  await guessFromEverywhere('dan');
  expect((await signIn('dan', PASSWORD, '203.0.113.5')).status).toBe(429);
});

test('a session changes its password whatever others guess, and guesses with it are limited', async () => {
  await person('eli');
  const { token } = (await signIn('eli', PASSWORD, '203.0.113.6')).body;
  await guessFromEverywhere('eli');
  const change = (current_password: string, password: string) =>
    server.call('PUT', '/api/v1/me/password', {
      token,
      body: { current_password, password },
      headers: { 'X-Forwarded-For': '203.0.113.7' },
    });
  expect((await change(PASSWORD, 'another long password')).status).toBe(204);
  for (let i = 0; i < 10; i++) expect((await change('guess', 'one more password')).status).toBe(422);
  expect((await change('another long password', 'one more password')).status).toBe(429);
});

test('guesses with several tokens of a person count together', async () => {
  await person('fay');
  const guess = async () => {
    const { token } = (await server.call('POST', '/api/v1/principals/fay/tokens', { body: { name: 't' } })).body;
    const body = { current_password: 'guess' };
    return (await server.call('PUT', '/api/v1/me/confirmation', { token, body })).status;
  };
  for (let i = 0; i < 10; i++) expect(await guess()).toBe(422);
  expect(await guess()).toBe(429);
  const { token } = (await signIn('fay', PASSWORD, '203.0.113.8')).body;
  const confirmed = await server.call('PUT', '/api/v1/me/confirmation', {
    token,
    body: { current_password: PASSWORD },
  });
  expect(confirmed.status).toBe(204);
});

test('a new password that is refused is not a wrong one', async () => {
  await person('gil');
  const { token } = (await signIn('gil', PASSWORD, '203.0.113.9')).body;
  const change = async (password: string) =>
    (await server.call('PUT', '/api/v1/me/password', { token, body: { current_password: PASSWORD, password } })).status;
  for (let i = 0; i < 11; i++) expect(await change('aaaaaaaaaaaaaa')).toBe(422);
  expect(await change('another long password')).toBe(204);
});

test('requests that check the password of a person at the same time do not block each other', async () => {
  await person('hal');
  const { token } = (await signIn('hal', PASSWORD, '203.0.113.10')).body;
  const confirm = () => server.call('PUT', '/api/v1/me/confirmation', { token, body: { current_password: 'guess' } });
  const statuses = (await Promise.all(Array.from({ length: 30 }, confirm))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array(10).fill(422), ...Array(20).fill(429)]);
});
