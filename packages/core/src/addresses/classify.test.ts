import { isForbidden, isMetadataHost, isPublic, setTranslationPrefixes } from './index.ts';

test.each([
  '169.254.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '::ffff:168.63.129.16',
  '64:ff9b::6464:64c8',
  '2002:6464:64c8::',
  '::',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  'fe80::1',
  'febf::1',
  'fd00:ec2::254',
  'ff02::1',
  '2002:a9fe:a9fe::1',
  '2001:0:a9fe:a9fe::1',
  '2001:0:808:808:0:0:5601:5601',
  'fd00::5efe:a9fe:a9fe',
  '2001:db8::200:5efe:169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
])('connections to %s are always refused', (address) => expect(isForbidden(address)).toBe(true));

test.each([
  '127.0.0.1',
  '10.0.0.8',
  '192.168.1.1',
  '8.8.8.8',
  '::1',
  'fd00::1',
  '2001:db8::1',
  '::ffff:7f00:1',
  '2002:808:808::1',
  '64:ff9b:1::a00:8',
])('connections to %s are allowed', (address) => expect(isForbidden(address)).toBe(false));

test.each(['8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
  '%s is public',
  (address) => expect(isPublic(address)).toBe(true),
);

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '192.0.2.7',
  '198.19.0.1',
  '203.0.113.9',
  '169.254.169.254',
  '0.0.0.0',
  '240.0.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
])('%s is not public', (address) => expect(isPublic(address)).toBe(false));

/** Spellings of a host in a URL. */
const SPELLINGS = [
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.254.0xa9.254',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '169.254.169.254.',
  '%31%36%39.254.169.254',
  '\uff11\uff16\uff19.254.169.254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[64:ff9b::6464:64c8]',
  '[2002:a9fe:a9fe::]',
  '[2002:a83f:8110::1]',
  '[2001:0:a9fe:a9fe::1]',
  '[fe80::1]',
  '[FEBF::1]',
  '[fd00:ec2::254]',
  '[FD00:0EC2:0::254]',
];

test.each(SPELLINGS)('%s is a metadata or link-local host', (host) => expect(isMetadataHost(host)).toBe(true));

test.each([
  '10.0.0.8',
  '127.0.0.1',
  '8.8.8.8',
  '100.100.100.201',
  '2130706433',
  '[::1]',
  '[fd00::1]',
  '[2002:808:808::1]',
  '[64:ff9b::a00:8]',
  '169.254.169.254.example.org',
  'localhost',
  'example.org',
  '',
  'a b',
])('%s is not', (host) => expect(isMetadataHost(host)).toBe(false));

describe('own translation prefixes (SERVICE-18)', () => {
  beforeAll(() => setTranslationPrefixes(['2a00:1:2::/96', '2a01::/32', '2a02:0:0:1100::/56', '2a03:0:0:1::/64']));
  afterAll(() => setTranslationPrefixes([]));

  test.each([
    '2a00:1:2::a9fe:a9fe',
    '2a00:1:2::169.254.169.254',
    '2a01:0:a9fe:a9fe::',
    '2a02:0:0:11a9:fe:a9fe::',
    '2a03:0:0:1:a9:fea9:fe00:0',
    '2a00:1:2::6464:64c8',
  ])('%s leads to a metadata address', (address) => {
    expect([isForbidden(address), isPublic(address), isMetadataHost(`[${address}]`)]).toEqual([true, false, true]);
  });

  test.each([
    ['2a00:1:2::a00:1', false],
    ['2a00:1:2::808:808', true],
    ['2a00:1:3::a9fe:a9fe', true],
  ])('%s is allowed, and public: %s', (address, isPublicToo) =>
    expect([isForbidden(address), isPublic(address)]).toEqual([false, isPublicToo]),
  );
});
