import { lowerBound, upperBound } from './statistics.ts';

const hex = (b: Buffer | null) => b?.toString('hex') ?? null;

test.each([
  ['int', '34', '22000000'],
  ['int', '-1', 'ffffffff'],
  ['long', '9007199254740993', '0100000000002000'],
  ['boolean', '1', '01'],
  ['date', '1970-01-02', '01000000'],
  ['date', '1969-12-31', 'ffffffff'],
  ['date', 'infinity', null],
  ['date', '44-03-15 (BC)', null],
  ['time', '00:00:00.000001', '0100000000000000'],
  ['timestamp', '1970-01-01 00:00:01', '40420f0000000000'],
  ['timestamp', '1970-01-01 00:00:00.5', '20a1070000000000'],
  ['timestamptz', '1970-01-01 00:00:01+00', '40420f0000000000'],
  ['timestamptz', '1970-01-01 02:00:01+02', null],
  ['decimal(9, 2)', '14.20', '058c'],
  ['decimal(9, 2)', '-0.01', 'ff'],
  ['decimal(9, 2)', '1.28', '0080'],
  ['decimal(38, 0)', '99999999999999999999999999999999999999', '4b3b4ca85a86c47a098a223fffffffff'],
  ['double', 'inf', '000000000000f07f'],
  ['double', 'nan', null],
  ['string', 'abc', '616263'],
  ['uuid', '00000000-0000-4000-8000-000000000002', null],
  ['binary', 'abc', null],
])('%s %s', (type, text, expected) => {
  expect(hex(lowerBound(type, text))).toBe(expected);
  expect(hex(upperBound(type, text))).toBe(expected);
});

test('zero bounds hold for both zeros', () => {
  expect(hex(lowerBound('double', '0.0'))).toBe('0000000000000080');
  expect(hex(upperBound('double', '-0.0'))).toBe('0000000000000000');
});

test('long strings are cut, the upper bound raised', () => {
  expect(lowerBound('string', 'a'.repeat(40))!.toString()).toBe('a'.repeat(16));
  expect(upperBound('string', 'a'.repeat(40))!.toString()).toBe(`${'a'.repeat(15)}b`);
  expect(upperBound('string', 'ä'.repeat(40))!.toString()).toBe(`${'ä'.repeat(15)}å`);
  expect(upperBound('string', `${'a'.repeat(15)}\u{10ffff}zz`)!.toString()).toBe(`${'a'.repeat(14)}b`);
  expect(upperBound('string', `${'a'.repeat(15)}\u{d7ff}zz`)!.toString()).toBe(`${'a'.repeat(15)}\u{e000}`);
  expect(upperBound('string', '\u{10ffff}'.repeat(20))).toBeNull();
});
