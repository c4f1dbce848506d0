import { parseManifest } from './index.ts';

const problemOf = (text: string) => parseManifest(text).problems[0];

test.each([
  ['20,000 aliases', `a: &a x\nb:\n${'  - *a\n'.repeat(20_000)}`, 'the YAML has more than 50 aliases', 53],
  ['as many in one line', `a: &a x\nb: [${'*a,'.repeat(20_000)}]`, 'the YAML has more than 50 aliases', 2],
  [
    '20,000 keys',
    `jobs:\n${Array.from({ length: 20_000 }, (_, i) => `  ${i}: 1\n`).join('')}`,
    'more than 30000 parts',
    null,
  ],
  ['a megabyte', `# ${'x'.repeat(1_000_000)}`, 'the YAML has more than 262144 characters', 1],
  [
    'aliases of aliases',
    Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]\n`).join(''),
    'more than 50 aliases',
    6,
  ],
])('%s are refused before they are composed', (_, text, message, line) => {
  expect(problemOf(text)).toMatchObject({
    message: expect.stringContaining(message),
    ...(line === null ? {} : { line }),
  });
});

test('a manifest with a thousand jobs is accepted', () => {
  const jobs = Array.from({ length: 1000 }, (_, i) => `  job_${i}: { select: [a.b], timeout_seconds: 60 }\n`);
  const { manifest, problems } = parseManifest(`jobs:\n${jobs.join('')}`);
  expect(problems).toEqual([]);
  expect(manifest?.jobs.size).toBe(1000);
});

test("reporting an error in every line doesn't rescan the text for each", () => {
  const { problems } = parseManifest('"\n'.repeat(10_000));
  expect(problems.length).toBeGreaterThan(0);
});

test('a mistake repeated by aliases is reported a bounded number of times', () => {
  const jobs = Array.from({ length: 1000 }, (_, i) => `  a${i}: { select: [x.y] }\n`).join('');
  const environments = Array.from({ length: 40 }, (_, i) => `  e${i}: *j\n`).join('');
  expect(parseManifest(`jobs: &j\n${jobs}environments:\n${environments}`).problems).toHaveLength(1000);
});
