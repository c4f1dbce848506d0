import { readSettings } from '../settings/index.ts';
import { sqlAddress } from './index.ts';

const CERT = '-----BEGIN CERTIFICATE-----';
const KEY = '-----BEGIN PRIVATE KEY-----';

const addressOf = (env: Record<string, string>, { port = 8471 as number | null, requestHost = 'here:8470' } = {}) =>
  sqlAddress(
    readSettings(env, () => ''),
    { port, requestHost },
  );

test.each<[string, Record<string, string>, string, string | undefined]>([
  [
    'the address of the setting',
    { SVC_SQL__PUBLIC_ADDRESS: 'sql.example.com:5432' },
    'sql.example.com:5432',
    undefined,
  ],
  ['an IPv6 address of the setting', { SVC_SQL__PUBLIC_ADDRESS: '[2001:db8::1]:5432' }, '2001:db8::1:5432', undefined],
  ['loopback by default', {}, '127.0.0.1:8471', undefined],
  ['loopback despite a public URL', { SVC_PUBLIC_URL: 'https://svc.example.com' }, '127.0.0.1:8471', undefined],
  [
    'the host of the public URL',
    { SVC_PUBLIC_URL: 'https://svc.example.com:8443/x', SVC_SQL__LISTEN: '10.0.0.5:8471' },
    'svc.example.com:8471',
    undefined,
  ],
  ['the address that it listens on', { SVC_SQL__LISTEN: '10.0.0.5:8471' }, '10.0.0.5:8471', undefined],
  ['the host of the request', { SVC_SQL__LISTEN: '0.0.0.0:8471' }, 'here:8471', undefined],
  ['an IPv6 host of the request', { SVC_SQL__LISTEN: '[::]:8471' }, '2001:db8::2:8471', '[2001:db8::2]:8470'],
  ['the address that it listens on, without a valid host', { SVC_SQL__LISTEN: '0.0.0.0:8471' }, '0.0.0.0:8471', 'a b'],
  ['the address that it listens on, without a host', { SVC_SQL__LISTEN: '0.0.0.0:8471' }, '0.0.0.0:8471', ''],
])('%s is where clients connect (SERVICE-8)', (_, env, expected, requestHost = 'here:8470') => {
  const { host, port, tls } = addressOf(env, { requestHost })!;
  expect(`${host}:${port}`).toBe(expected);
  expect(tls).toBe(false);
});

test('the port is the one that it listens on', () => {
  expect(addressOf({ SVC_SQL__LISTEN: '127.0.0.1:0' }, { port: 40_001 })?.port).toBe(40_001);
});

test('connections can be encrypted if there is a certificate', () => {
  expect(addressOf({ SVC_SQL__TLS_CERT: CERT, SVC_SQL__TLS_KEY: KEY })?.tls).toBe(true);
});

test('an endpoint that is off has no address', () => {
  expect(addressOf({ SVC_SQL__LISTEN: '' })).toBeNull();
  expect(addressOf({ SVC_SQL__PUBLIC_ADDRESS: 'sql.example.com:5432' }, { port: null })).toBeNull();
});
