import { type ScriptedService, startService } from '@svc/sdk/testing';
import { environment } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

const TOKEN = 'svc_pat_0123456789abcdef0123456789abcdef';

let service: ScriptedService;
beforeAll(async () => {
  service = await startService(({ url }) =>
    url.includes('missing')
      ? { status: 404, body: { detail: 'no', code: 'not-found' }, headers: { 'X-Request-Id': 'r-2' } }
      : { body: [environment], headers: { 'X-Request-Id': 'r-1' } },
  );
});
afterAll(() => service.close());
const call = (argv: string[], url = service.url) => svc(argv, { url, env: { SVC_TOKEN: TOKEN } });

describe('--debug prints requests on standard error (CLI-15)', () => {
  test('with path, status, time and request id, before and after the command', async () => {
    for (const argv of [
      ['--debug', 'env', 'list', '--deleted'],
      ['env', 'list', '--deleted', '--debug'],
    ]) {
      const { stdout, stderr } = await call(argv);
      expect(stderr).toBe('debug: GET /api/v1/environments?deleted=true 200, request r-1, 0 ms\n');
      expect(stdout).toBe((await call(['env', 'list', '--deleted'])).stdout);
    }
  });

  test('also those that fail', async () => {
    const { code, stderr } = await call(['api', 'GET', 'missing', '--debug']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^debug: GET \/api\/v1\/missing 404, request r-2, 0 ms\nError: /);
    const none = await call(['env', 'list', '--debug'], 'http://127.0.0.1:1');
    expect(none.stderr).toContain('debug: GET /api/v1/environments failed: connect ECONNREFUSED');
  });

  test('without credentials', async () => {
    const { stderr } = await call(['api', 'GET', 'x', '--query', `token=${TOKEN}`, '--debug']);
    expect(stderr).toMatch(/^debug: GET \/api\/v1\/x\?token=\[token hidden\] 200/);
    const login = await svc(['login', '--debug', '--url', service.url], { confirms: true });
    expect(login.stderr).toContain('debug: POST ');
    expect(login.stderr).not.toContain('correct horse');
  });
});
