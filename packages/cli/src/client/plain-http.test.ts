import { svc } from '../testing/run-svc.ts';
import { isUnencrypted } from './plain-http.ts';

test.each([
  'http://svc.example.com',
  'http://svc.example.com:8470/base',
  'HTTP://SVC.EXAMPLE.COM',
  'http://203.0.113.7',
  'http://172.32.0.1',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://[2001:db8::1]:8470',
])('%s is read by others', (url) => expect(isUnencrypted(url)).toBe(true));

test.each([
  'https://svc.example.com',
  'http://127.0.0.1:8470',
  'http://localhost:8470',
  'http://svc',
  'http://proxy:8470',
  'http://10.1.2.3',
  'http://172.16.0.1',
  'http://192.168.1.5',
  'http://[::1]:8470',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://nas.local',
  'http://svc.corp.internal',
  'no url',
  undefined,
])('%s is not', (url) => expect(isUnencrypted(url)).toBe(false));

describe('a command', () => {
  const TOKEN = 'svc_pat_012345678901234567890123456789abcdef';
  const url = 'http://svc.nowhere.invalid';
  const warnings = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('Warning'));
  const WARNING =
    'Warning: the token is sent to svc.nowhere.invalid unencrypted, so anyone on the network path can use it. Use an https address.';

  test('warns once on standard error that its token is sent over plain http', async () => {
    const { stderr, stdout } = await svc(['doctor', '--output', 'json'], { url, env: { SVC_TOKEN: TOKEN } });
    expect(warnings(stderr)).toEqual([WARNING]);
    expect(stdout).not.toContain('Warning');
  });

  test('does not warn without a token', async () => {
    const { stderr } = await svc(['doctor'], { url, env: { SVC_TOKEN: '' } });
    expect(warnings(stderr)).toEqual([]);
  });

  test('warns before a password is sent', async () => {
    const options = { url, stdin: 'secret', env: { SVC_TOKEN: '' } };
    const { stderr } = await svc(['login', '--name', 'ann', '--password-stdin'], options);
    expect(warnings(stderr)).toEqual([WARNING.replace('token', 'password')]);
  });
});
