import { headText, readFormerHead } from './index.ts';

const hash = 'ab'.repeat(32);
const signed = {
  version: 1,
  sequence: 12,
  hash,
  signed_since: { sequence: 1, time: '2026-03-01T08:00:00.000Z' },
  key_id: '0123456789abcdef',
  mac: 'cd'.repeat(32),
};

test('the canonical text of a head is JSON without spaces', () => {
  expect(headText(signed)).toBe(`["svc audit head",1,12,"${hash}",1,"2026-03-01T08:00:00.000Z"]`);
});

test('a complete signed head is parsed; other spellings of its time are equivalent', () => {
  const { key_id, mac, signed_since } = signed;
  const expected = { sequence: 12, hash, signature: { signed_since, key_id, mac } };
  expect(readFormerHead(JSON.stringify(signed))).toEqual(expected);
  const zoned = { ...signed, signed_since: { sequence: 1, time: '2026-03-01T09:00:00+01:00' } };
  expect(readFormerHead(JSON.stringify(zoned))).toEqual(expected);
});

test('sequence and hash alone are a head without a signature', () => {
  expect(readFormerHead(JSON.stringify({ sequence: 12, hash }))).toEqual({ sequence: 12, hash, signature: null });
});

test.each([
  ['', /as JSON/],
  ['null', /as JSON/],
  ['[]', /as JSON/],
  ['{"sequence":12}', /hash/],
  [JSON.stringify({ sequence: 0, hash }), /sequence/],
  [JSON.stringify({ sequence: 1.5, hash }), /sequence/],
  [JSON.stringify({ sequence: 12, hash: hash.toUpperCase() }), /hash: must be 64 lower-case hex digits/],
  [JSON.stringify({ ...signed, version: 2 }), /only version 1/],
  [JSON.stringify({ ...signed, mac: undefined }), /complete signed head/],
  [JSON.stringify({ ...signed, key_id: undefined }), /complete signed head/],
  [JSON.stringify({ ...signed, signed_since: undefined }), /complete signed head/],
  [JSON.stringify({ ...signed, signed_since: { sequence: 1, time: '2026-02-30T00:00:00Z' } }), /signed_since\.time/],
])('%s is refused', (text, message) => {
  expect(readFormerHead(text)).toEqual(expect.stringMatching(message));
});
