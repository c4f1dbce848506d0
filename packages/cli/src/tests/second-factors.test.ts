import { type ScriptedService, startService } from '@svc/sdk/testing';
import { type RunOptions, svc } from '../testing/run-svc.ts';

const FACTOR = {
  id: '01997c2e-7b7a-7c1e-8000-000000000071',
  name: 'phone',
  kind: 'totp',
  created_at: '2026-03-01T08:00:00Z',
  last_used_at: null,
};
const REQUIRED = {
  code: 'second-factor-required',
  detail: 'The sign-in needs a second factor.',
  second_factor: { challenge: 'c-1', expires_at: '2026-03-01T08:05:00Z', methods: ['code'], options: null },
};
const CODES = ['k3vm-qd7p-x8ra-ne5w', 'aaaa-bbbb-cccc-dddd'];

let service: ScriptedService;
let answers: Record<string, { status: number; body?: unknown }>;
beforeEach(async () => {
  answers = {};
  service = await startService(({ method, url }) => answers[`${method} ${url}`] ?? { status: 404, body: {} });
});
afterEach(() => service.close());

const run = (argv: string[], more: RunOptions = {}) => svc(argv, { url: service.url, ...more });
const bodies = () => service.received.map(({ body }) => (body === '' ? null : JSON.parse(body)));

describe('svc login', () => {
  const login = (more: RunOptions & { code?: string } = {}) =>
    run(['login', '--name', 'ann', '--password-stdin', ...(more.code ? ['--code', more.code] : [])], {
      stdin: 'correct horse battery',
      ...more,
    });
  beforeEach(() => {
    answers['POST /api/v1/sign-in'] = { status: 401, body: REQUIRED };
    answers['POST /api/v1/sign-in/second-factor'] = { status: 200, body: { token: 'svc_ses_x' } };
    answers['GET /api/v1/me'] = { status: 200, body: { name: 'ann', token: {} } };
  });

  test('prompts for the code on a terminal (FACTOR-2)', async () => {
    expect(await login({ confirms: true, text: '123 456' })).toMatchObject({ code: 0 });
    expect(bodies()[1]).toEqual({ challenge: 'c-1', code: '123 456' });
  });

  test('checks the digits of a code before it sends them', async () => {
    const { code, stderr } = await login({ code: '12345' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('six digits')]);
    expect(bodies()).toHaveLength(1);
  });

  test('takes a recovery code as an option', async () => {
    expect(await login({ code: CODES[0]! })).toMatchObject({ code: 0 });
    expect(bodies()[1]).toEqual({ challenge: 'c-1', recovery_code: CODES[0] });
  });

  test('says what is missing without a terminal', async () => {
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([2, expect.stringContaining('svc login --code CODE')]);
  });
});

test('adding one shows the secret, prompts for a code, and prints the recovery codes (FACTOR-3)', async () => {
  const started = { enrolment: 'e-1', secret: 'JBSWY3DP', uri: 'otpauth://totp/svc:ann?secret=JBSWY3DP' };
  answers['POST /api/v1/me/second-factors/totp'] = { status: 200, body: started };
  answers['POST /api/v1/me/second-factors'] = { status: 201, body: { factor: FACTOR, recovery_codes: CODES } };
  const { code, stdout, stderr } = await run(['second-factor', 'add', 'phone'], { confirms: true, text: '123456' });
  expect([code, stdout]).toEqual([0, `Added the second factor phone.\n${CODES.join('\n')}\n`]);
  expect(stderr).toContain('JBSWY3DP');
  expect(bodies()[1]).toEqual({ enrolment: 'e-1', name: 'phone', code: '123456' });
  expect(await run(['second-factor', 'add', 'phone'])).toMatchObject({ code: 2 });
});

test('a change long after the sign-in prompts for the password (FACTOR-7)', async () => {
  answers['GET /api/v1/me/second-factors'] = { status: 200, body: { factors: [FACTOR], recovery_codes_left: 9 } };
  answers['PUT /api/v1/me/confirmation'] = { status: 204 };
  const removal = `DELETE /api/v1/me/second-factors/${FACTOR.id}`;
  answers[removal] = { status: 403, body: { code: 'confirmation-required', detail: 'Enter your password again.' } };
  const remove = (more: RunOptions = {}) => run(['second-factor', 'delete', 'phone', '--yes'], more);
  expect(await remove()).toMatchObject({ code: 4, stderr: expect.stringContaining('Enter your password again.') });
  await remove({ confirms: true });
  expect(bodies().at(-2)).toEqual({ current_password: 'correct horse battery' });
  answers[removal] = { status: 204 };
  expect(await remove()).toMatchObject({ code: 0, stdout: 'Removed the second factor phone.\n' });
  const listed = await run(['second-factor', 'list']);
  expect([listed.stdout, listed.stderr]).toEqual([expect.stringMatching(/phone +totp +-/), 'Recovery codes left: 9\n']);
  expect(await run(['second-factor', 'rename', 'other', 'x'])).toMatchObject({ code: 3 });
});

test('recovery codes are replaced, and an administrator removes what a person has lost', async () => {
  answers['POST /api/v1/me/second-factors/recovery-codes'] = { status: 200, body: { recovery_codes: CODES } };
  answers['DELETE /api/v1/principals/ann/second-factors'] = { status: 204 };
  expect((await run(['second-factor', 'recovery-codes', '--yes'])).stdout).toBe(`${CODES.join('\n')}\n`);
  expect(await run(['principal', 'remove-second-factors', 'ann', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'Removed the second factors of ann.\n',
  });
});
