import { readRequest, type UnsignedRequest } from './signable-request.ts';

const OWN = { bucket: 'lake', endpoint: 'http://store.example:9000' };
const AWS = { bucket: 'lake', endpoint: null };
const KEY = 'http://store.example:9000/lake/w/t/data/a.parquet';

const read = (request: Partial<UnsignedRequest>, storage = OWN as { bucket: string; endpoint: string | null }) =>
  readRequest({ method: 'GET', uri: KEY, region: 'r', headers: {}, ...request }, storage);

const several = (...names: string[]) =>
  `<Delete>${names.map((name) => `<Object><Key>${name}</Key></Object>`).join('')}<Quiet>true</Quiet></Delete>`;

test.each<[Partial<UnsignedRequest>, string, string[]]>([
  [{}, 'read', ['w/t/data/a.parquet']],
  [{ method: 'HEAD', uri: `${KEY}?x-id=HeadObject` }, 'read', ['w/t/data/a.parquet']],
  [{ uri: 'http://lake.store.example:9000/w/t/x%3D1/%C3%A4' }, 'read', ['w/t/x=1/ä']],
  [{ uri: 'http://store.example:9000/lake?list-type=2&prefix=w%2Ft%2F&delimiter=%2F' }, 'read', ['w/t/']],
  [{ method: 'PUT', uri: `${KEY}?x-id=PutObject` }, 'write', ['w/t/data/a.parquet']],
  [{ method: 'POST', uri: `${KEY}?uploads` }, 'write', ['w/t/data/a.parquet']],
  [{ method: 'PUT', uri: `${KEY}?partNumber=1&uploadId=u` }, 'write', ['w/t/data/a.parquet']],
  [{ method: 'POST', uri: `${KEY}?uploadId=u` }, 'write', ['w/t/data/a.parquet']],
  [{ method: 'DELETE', uri: `${KEY}?uploadId=u` }, 'write', ['w/t/data/a.parquet']],
  [{ method: 'DELETE' }, 'remove', ['w/t/data/a.parquet']],
  [
    { method: 'POST', uri: 'http://store.example:9000/lake/?delete', body: several('w/t/a', 'w/t/b&amp;&#x63;') },
    'remove',
    ['w/t/a', 'w/t/b&c'],
  ],
])('%j is about what it names', (request, access, keys) => {
  expect(read(request).objects).toEqual({ access, locations: keys.map((key) => `s3://lake/${key}`) });
});

test.each([
  'https://lake.s3.eu-central-1.amazonaws.com/w/a',
  'https://s3.amazonaws.com/lake/w/a',
  'https://s3.dualstack.eu-west-1.amazonaws.com/lake/w/a',
  'https://s3-eu-west-1.amazonaws.com/lake/w/a',
  'https://s3.cn-north-1.amazonaws.com.cn/lake/w/a',
  'https://s3-fips.us-gov-west-1.amazonaws.com/lake/w/a',
  'https://lake.s3-accelerate.dualstack.amazonaws.com/w/a',
])('AWS is known by %s', (uri) => {
  expect(read({ uri }, AWS).objects.locations).toEqual(['s3://lake/w/a']);
});

test.each<[Partial<UnsignedRequest>]>([
  [{ uri: 'file:///etc/passwd' }],
  [{ uri: 'http://store.example:9000.evil.example/lake/w/t/a' }],
  [{ uri: 'http://store.example:9000@evil.example/lake/w/t/a' }],
  [{ uri: 'http://evil.example/lake/w/t/a' }],
  [{ uri: 'https://store.example:9000/lake/w/t/a' }],
  [{ uri: 'http://store.example/lake/w/t/a' }],
  [{ uri: 'http://store.example:9000/other/w/t/a' }],
  [{ uri: 'http://store.example:9000/lakemore/w/t/a' }],
  [{ uri: 'http://store.example:9000/lake/w/t/../u/a' }],
  [{ uri: 'http://store.example:9000/lake/w/t/%2e%2e/u/a' }],
  [{ uri: 'http://store.example:9000/lake/w/t/..%2fu/a' }],
  [{ uri: 'http://store.example:9000/lake/w/t%5c..%5cu' }],
  [{ uri: 'http://store.example:9000/lake/w/t/%00' }],
  [{ uri: 'http://store.example:9000/lake/w/t/%ff' }],
  [{ uri: 'http://store.example:9000/lake?list-type=2' }],
  [{ uri: 'http://store.example:9000/lake?list-type=2&prefix=w' }],
  [{ uri: 'http://store.example:9000/lake?list-type=2&prefix=w/t/../u/' }],
  [{ uri: 'http://store.example:9000/lake?list-type=2&prefix=w/t/&prefix=w/u/' }],
  [{ uri: 'http://store.example:9000/lake?versions&prefix=w/t/' }],
  [{ uri: 'http://store.example:9000/lake?policy' }],
  [{ method: 'DELETE', uri: 'http://store.example:9000/lake' }],
  [{ uri: `${KEY}?acl` }],
  [{ uri: `${KEY}?versionId=1` }],
  [{ method: 'PUT', uri: `${KEY}?tagging` }],
  [{ method: 'PUT', uri: `${KEY}?uploadId=u` }],
  [{ method: 'DELETE', uri: `${KEY}?versionId=1` }],
  [{ method: 'PATCH' }],
  [{ method: 'PUT', headers: { 'X-Amz-Copy-Source': ['lake/w/u/a'] } }],
  [{ method: 'PUT', headers: { 'x-amz-acl': ['public-read'] } }],
  [{ headers: { 'x-amz-security-token': ['t'] } }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete' }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: '<Delete></Delete>' }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: several('w/t/../u') }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: several('w/t/&#x110000;') }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: several('w/t/&#99999999999;') }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: '<!DOCTYPE x [<!ENTITY e "w/u/a">]>' }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: '<Object><Key >w/u/a</Key></Object>' }],
  [{ method: 'POST', uri: 'http://store.example:9000/lake?delete', body: '<Object/><ns:Key>w/u</ns:Key>' }],
  [
    {
      method: 'POST',
      uri: 'http://store.example:9000/lake?delete',
      body: several('w/t/a').replace('<Quiet>', '<x:Object><x:Key>w/u/a</x:Key></x:Object><Quiet>'),
    },
  ],
  [
    {
      method: 'POST',
      uri: 'http://store.example:9000/lake?delete',
      body: '<Object><Key>w/t/a</Key></Object><Object xmlns="x"><Key xmlns="x">w/u/a</Key></Object>',
    },
  ],
  [
    {
      method: 'POST',
      uri: 'http://store.example:9000/lake?delete',
      body: '<Object><Key>w/t/a</Key><VersionId>1</VersionId></Object>',
    },
  ],
])('%j is signed for nobody', (request) => {
  expect(() => read(request)).toThrow(/^The request can't be signed: /);
});

test('an entity that XML does not define is part of the name', () => {
  const { objects } = read({
    method: 'POST',
    uri: 'http://store.example:9000/lake?delete',
    body: several('w/t/&constructor;'),
  });
  expect(objects.locations).toEqual(['s3://lake/w/t/&constructor;']);
});

test('AWS is not known by http, other ports or other hosts', () => {
  for (const uri of [
    'http://s3.amazonaws.com/lake/a/b',
    'https://s3.amazonaws.com:444/lake/a/b',
    'https://s3.amazonaws.com.evil.example/lake/a/b',
    'https://evils3.amazonaws.com/lake/a/b',
    // A bucket with this name, in which `lake` is a folder.
    'https://s3-other.s3.eu-central-1.amazonaws.com/lake/a/b',
    'https://s3.other.s3.amazonaws.com/lake/a/b',
  ])
    expect(() => read({ uri }, AWS)).toThrow("isn't the host of the warehouse");
});

test('a host of any length is compared in a time that grows with it alone', () => {
  const uri = `https://s3${'-a-'.repeat(5000)}.example/lake/w/a`;
  expect(() => read({ uri }, AWS)).toThrow("isn't the host");
});
