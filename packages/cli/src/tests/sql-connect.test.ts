import { type ScriptedService, startService } from '@svc/sdk/testing';
import { type RunOptions, svc } from '../testing/run-svc.ts';

const USER = `o'Brien "Zoë" <z@x.ch> \u202e`;
const TOKEN = {
  ...{ id: '01997c2e-7b7a-7c1e-8000-000000000001', name: 'notebook', principal: USER, kind: 'personal' },
  ...{ created_at: '2026-03-01T08:00:00.000Z', expires_at: '2026-03-01T20:00:00.000Z', token: 'svc_pat_abc' },
};

let service: ScriptedService;
let address: object | null;
beforeAll(async () => {
  service = await startService(({ method, url }) => {
    if (url === '/api/v1/sql-endpoint') return { body: { address } };
    if (url === '/api/v1/me') return { body: { name: USER } };
    return method === 'POST' ? { status: 201, body: TOKEN } : { status: 404, body: { detail: url } };
  });
});
beforeEach(() => {
  address = { host: 'svc.example.com', port: 8471, tls: true };
});
afterAll(() => service.close());

const connect = (argv: string[] = [], options: RunOptions = {}) =>
  svc(['sql', 'connect', '--env', 'dev', ...argv], { url: service.url, ...options });
const issued = () => service.received.filter(({ method }) => method === 'POST');

test.each([40, 120])('the default is a psql command, at %i columns (CLI-37)', async (columns) => {
  const { code, stdout, stderr } = await connect([], { columns });
  expect(code).toBe(0);
  expect(`${stdout}--- standard error\n${stderr}`).toMatchSnapshot();
  expect(`${stdout}${stderr}`).not.toContain('test-token');
});

test('control characters of names are escaped in forms that quote them otherwise', async () => {
  const { stdout } = await connect(['--for', 'env']);
  expect(stdout).toContain('\\u202e');
  expect(stdout).not.toContain('\u202e');
});

test('a token is issued for the caller and shown once (CLI-37)', async () => {
  const before = issued().length;
  const { code, stdout, stderr } = await connect(['--for', 'url', '--issue-token', 'notebook', '--expires-in', '12h']);
  expect(code).toBe(0);
  expect(stdout).toContain(':svc_pat_abc@');
  expect(stderr).toContain('it is not shown again. It expires at ');
  expect(stderr).not.toContain('svc_pat_abc');
  const [request] = issued().slice(before);
  expect(request).toMatchObject({ url: `/api/v1/principals/${encodeURIComponent(USER)}/tokens` });
  expect(JSON.parse(String(request!.body))).toEqual({ name: 'notebook', expires_at: '2026-03-01T20:00:00.000Z' });
});

test('JSON has the parts', async () => {
  const parts = { host: 'svc.example.com', port: 8471, user: USER, database: 'dev', sslmode: 'require' };
  expect(JSON.parse((await connect(['--json'])).stdout)).toEqual({ ...parts, token: null });
  expect(JSON.parse((await connect(['--json', '--issue-token', 'x'])).stdout)).toEqual({ ...parts, token: TOKEN });
});

test.each([
  [{ host: '127.0.0.1', port: 8471, tls: false }, false],
  [{ host: 'svc.example.com', port: 8471, tls: false }, true],
  [{ host: 'svc.example.com', port: 8471, tls: true }, false],
])('whether only programs on the machine of the service can connect to %j is noted', async (at, isNoted) => {
  address = at;
  expect((await connect()).stderr.includes('Only programs on the machine of the service')).toBe(isNoted);
});

test('an endpoint that is off is an error with the remedy, and no token is issued', async () => {
  address = null;
  const before = issued().length;
  const { code, stdout, stderr } = await connect(['--issue-token', 'notebook']);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(stderr).toMatchSnapshot();
  expect(issued()).toHaveLength(before);
});

test.each([
  [['--expires-in', '12h'], '--issue-token'],
  [['--issue-token', 'x', '--expires-in', 'soon'], 'Invalid duration "soon" for --expires-in'],
  [['--issue-token', 'x', '--expires-in', '0d'], 'Invalid duration "0d" for --expires-in'],
  [['--for', 'dsn'], 'psql, url, jdbc, odbc, python, node, env'],
])('%j is a usage error', async (argv, message) => {
  const { code, stderr } = await connect(argv);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
