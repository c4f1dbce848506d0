import {
  type ApprovedHost,
  isApprovedAddress,
  isApprovedHost,
  networkHostText,
  parseApprovedHost,
  parseNetworkHost,
} from './index.ts';

test.each([
  ['api.example.com', 'api.example.com:443'],
  ['API.Example.com:8443', 'api.example.com:8443'],
  ['localhost:80', 'localhost:80'],
  ['10.1.2.3', '10.1.2.3:443'],
  ['[2001:db8::1]:5432', '[2001:db8::1]:5432'],
])('svc.yaml: %s is %s', (text, expected) => expect(networkHostText(parseNetworkHost(text)!)).toBe(expected));

test.each([
  '',
  '*',
  '*.example.com',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'example.com:0',
  'example.com:65536',
  'example.com:',
  '10.0.0.0/8',
  '10.1',
  '2130706433',
  '0x7f.1',
  '2001:db8::1:443',
  'a b',
  '-a.example',
  `${'a'.repeat(64)}.example`,
])('svc.yaml: %j names no host', (text) => expect(parseNetworkHost(text)).toBeNull());

test.each([
  ['*', { host: '*', port: null }],
  ['*:443', { host: '*', port: 443 }],
  ['*.example.com', { host: '*.example.com', port: null }],
  ['db.internal:5432', { host: 'db.internal', port: 5432 }],
  ['10.0.0.0/8', { host: '10.0.0.0/8', port: null }],
  ['fd00::/8', { host: 'fd00::/8', port: null }],
  ['fd00::1', { host: 'fd00::1', port: null }],
  ['[fd00::1]:443', { host: 'fd00::1', port: 443 }],
])('SVC_RUN__NETWORK: %s', (text, expected) => expect(parseApprovedHost(text)).toEqual(expected));

test.each(['', '**', 'a.*.example', '*.', 'https://example.com', '10.0.0.0/33', '10.1', '*.10.1'])(
  'SVC_RUN__NETWORK: %j names nothing',
  (text) => expect(parseApprovedHost(text)).toBeNull(),
);

const approve = (...texts: string[]): ApprovedHost[] => texts.map((text) => parseApprovedHost(text)!);

test.each([
  [['api.example.com'], 'api.example.com:8443', true],
  [['api.example.com:443'], 'api.example.com', true],
  [['api.example.com:443'], 'api.example.com:80', false],
  [['*.example.com'], 'a.b.example.com', true],
  [['*.example.com'], 'example.com', false],
  [['*.example.com'], 'example.com.evil.org', false],
  [['*.example.com'], 'evilexample.com', false],
  [['*'], 'anything.org', true],
  [['*'], '8.8.8.8', true],
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], 'db.internal', false],
  [['10.1.2.3'], '10.1.2.4', false],
  [['0.0.0.0/0'], '[2001:db8::1]:443', false],
  [[], 'api.example.com', false],
])('with %j, %s is approved: %s', (approved, host, expected) => {
  expect(isApprovedHost(approve(...approved), parseNetworkHost(host)!)).toBe(expected);
});

test.each([
  [['*'], '8.8.8.8', true],
  [['*', 'db.internal'], '10.1.2.3', false],
  [['*'], '127.0.0.1', false],
  [['*'], '::ffff:10.0.0.1', false],
  [['10.1.0.0/16'], '10.1.2.3', true],
  [['10.1.0.0/16'], '10.2.2.3', false],
  [['127.0.0.1'], '127.0.0.1', true],
  [['fd00::/8'], 'fd12::1', true],
])('with %j, a name may lead to %s: %s', (approved, address, expected) => {
  expect(isApprovedAddress(approve(...approved), address)).toBe(expected);
});
