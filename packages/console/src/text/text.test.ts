import { svcCommand } from './commands.ts';
import { identifier, tableIdentifier } from './identifiers.ts';
import { bytes, count, plural } from './numbers.ts';
import { duration, localInput, localInputTime, relative, timeLeft, utc, zoned } from './times.ts';
import { visible } from './visible.ts';

test.each([
  ['orders', 'orders'],
  ['<b>orders</b>', '<b>orders</b>'],
  ['a\u202egpj.exe', 'a\\u202egpj.exe'],
  ['a\nb\u0000c', 'a\\u000ab\\u0000c'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['👩‍💻 team', '👩‍💻 team'],
  ['👩🏽‍💻 ❤️', '👩🏽‍💻 ❤️'],
  ['a\u200db', 'a\\u200db'],
  ['\u{f0000}', '\u{f0000}'],
  ['tag\u{e0041}s', 'tag\\u{e0041}s'],
  ['\u180e\u3164\u115f\ufffa\u034f', '\\u180e\\u3164\\u115f\\ufffa\\u034f'],
  ['شركة \u0600', 'شركة \u0600'],
])('%j is shown as %s', (text, shown) => expect(visible(text)).toBe(shown));

test.each([
  [null, '–'],
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9_940_000, '9.9 MB'],
  [12_345_678, '12 MB'],
  [999_600, '1.0 MB'],
  [5e18, '5000 PB'],
])('%s bytes are %s', (value, text) => expect(bytes(value)).toBe(text));

test('counts have separators', () => {
  expect([count(1234567), count(null), plural(1, 'row'), plural(1000, 'row')]).toEqual([
    '1,234,567',
    '–',
    '1 row',
    '1,000 rows',
  ]);
});

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [59_990, '59.9 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h 0 min'],
  [100_000_000, '1 d 3 h'],
])('%s milliseconds are %s', (ms, text) => expect(duration(ms)).toBe(text));

test('relative times and time left', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(relative(now - 10_000, now)).toBe('just now');
  expect(relative(now - 5 * 60_000, now)).toBe('5 min ago');
  expect(relative(now + 3 * 3_600_000, now)).toBe('in 3 h');
  expect(timeLeft(now + 90 * 60_000, now)).toBe('1 h 30 min');
  expect(timeLeft(now + 10_000, now)).toBe('1 min');
  expect(timeLeft(now, now)).toBeNull();
  expect(utc('2026-03-01T13:00:00.123+01:00')).toBe('2026-03-01 12:00:00 UTC');
});

test.each([
  ['2026-03-29T03:00:00+02:00', 'Sun 2026-03-29 03:00 +02:00'],
  ['2026-03-28T23:30:00-09:30', 'Sat 2026-03-28 23:30 -09:30'],
  ['2026-01-01T00:00:00Z', 'Thu 2026-01-01 00:00 UTC'],
])('%s is shown in its own zone as %s', (local, text) => expect(zoned(local)).toBe(text));

test.each([
  [svcCommand('table get', 'a b', { env: 'dev', dropped: false, as: undefined }), "svc table get 'a b' --env dev"],
  [svcCommand('query list', null, { env: 'dev', all: true }), 'svc query list --env dev --all'],
  [svcCommand('sql', '-- all\nselect 1', { env: 'dev' }), "svc sql --env dev -- '-- all\nselect 1'"],
  [
    svcCommand('sql', 'select $a, $b', { env: 'dev', p: ['a=x y', 'b:int=-1'] }),
    "svc sql 'select $a, $b' --env dev -p 'a=x y' -p b:int=-1",
  ],
  [svcCommand('runs list', null, { job: '-x' }), 'svc runs list --job=-x'],
  [svcCommand('token issue', ['ann', 'my laptop'], {}), "svc token issue ann 'my laptop'"],
  [svcCommand('group add-member', ['team', '-ann'], { json: true }), 'svc group add-member --json -- team -ann'],
  [svcCommand('search', "it's; rm -rf /", { env: '$(id)' }), `svc search 'it'\\''s; rm -rf /' --env '$(id)'`],
])('%s', (command, expected) => expect(command).toBe(expected));

test('identifiers are quoted', () => {
  expect(identifier('a"b')).toBe('"a""b"');
  expect(tableIdentifier('sales.eu', 'orders')).toBe('"sales"."eu"."orders"');
});

test('the value of a time field is a time in the zone of the viewer', () => {
  const time = new Date(2026, 2, 1, 9, 5);
  expect(localInput(time)).toBe('2026-03-01T09:05');
  expect(localInputTime('2026-03-01T09:05')).toBe(time.toISOString());
  expect([localInput(undefined), localInputTime('')]).toEqual(['', undefined]);
});
