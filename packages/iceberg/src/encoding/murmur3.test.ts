import { decimalBytes } from './decimals.ts';
import { murmur3, murmur3OfLong } from './murmur3.ts';

test.each([
  ['int 34', murmur3OfLong(34n), 2017239379],
  ['date 2017-11-16', murmur3OfLong(17486n), -653330422],
  ['time 22:31:08', murmur3OfLong(81_068_000_000n), -662762989],
  ['timestamp 2017-11-16T22:31:08', murmur3OfLong(1_510_871_468_000_000n), -2047944441],
  ['timestamptz 2017-11-16T14:31:08.000001-08:00', murmur3OfLong(1_510_871_468_000_001n), -1207196810],
  ['decimal 14.20', murmur3(decimalBytes(1420n)), -500754589],
  ['string iceberg', murmur3(Buffer.from('iceberg')), 1210000089],
  ['uuid', murmur3(Buffer.from('f79c3e09677c4bbda4793f349cb785e7', 'hex')), 1488055340],
  ['bytes 00 01 02 03', murmur3(Buffer.from([0, 1, 2, 3])), -188683207],
])('the hash of %s is that of the Iceberg specification', (_what, actual, expected) => {
  expect(actual).toBe(expected);
});
