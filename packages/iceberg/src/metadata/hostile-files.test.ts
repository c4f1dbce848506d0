import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exceededLimit } from './json-size.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const program = fileURLToPath(new URL('../testing/hostile-files.ts', import.meta.url));
/** The files themselves take most of it: several have hundreds of megabytes. */
const MAX_PEAK = 2_000_000_000;

test('hostile files fail with an error that says why, in bounded memory (TABLE-27)', async () => {
  const child = fork(program, {
    cwd: root,
    execArgv: ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'],
  });
  const [{ results, peakBytes }] = await once(child, 'message');
  const errors = Object.values(results as Record<string, string>);
  expect(results).toMatchObject({
    'a metadata file that unpacks 1,000 times': expect.stringContaining("can't be decompressed"),
    'metadata of millions of lists': expect.stringContaining('has more than 10000000 values'),
    'metadata nested a million levels deep': expect.stringContaining('nested more than 200 levels deep'),
    'metadata larger than the limit': expect.stringContaining('is larger than 268435456 bytes'),
    'a manifest that unpacks 1,000 times': expect.stringContaining('unpacks to too many bytes'),
    'a manifest of blocks that unpack': expect.stringContaining('truncated'),
    'a manifest of millions of tiny rows': expect.stringMatching(/more entries and statistics|is required/),
    'a manifest list of millions of tiny rows': expect.stringContaining('more entries and statistics'),
  });
  expect(
    errors.filter((error) => !error.startsWith('UnsupportedTableError') && !error.startsWith('InvalidMetadata')),
  ).toEqual([]);
  expect(peakBytes).toBeLessThan(MAX_PEAK);
}, 120_000);

test.each([
  ['{"a":[1,2,{"b":"x,[{"}]}', 6],
  ['{"a":"\\\\","b":"\\",[["}', 3],
  ['"unfinished ,,,', 1],
])('the values of %s are counted without parsing it', (text, values) => {
  expect(exceededLimit(Buffer.from(text), { values, levels: 9 })).toBeNull();
  expect(exceededLimit(Buffer.from(text), { values: values - 1, levels: 9 })).toBe('values');
});
