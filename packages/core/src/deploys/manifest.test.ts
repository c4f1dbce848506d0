import { diagnosticText } from './diagnostics.ts';
import { diffJobs, resolveJobs } from './jobs-of-environment.ts';
import { parseManifest } from './manifest.ts';

const FULL = `
name: trips
python: 3.10
defaults:
  timeout_seconds: 600
  retries: 1
jobs:
  nightly:
    select: ["marts.*", "tag:daily"]
    upstream: true
    schedule:
      cron: "30 2 * * *"
      timezone: Europe/Berlin
    notify:
      webhook: alerts
    timeout_seconds: 60
  by-hand:
    select: ["*"]
environments:
  dev:
    jobs:
      nightly:
        schedule: null
  prod:
    jobs:
      nightly:
        schedule:
          cron: "@hourly"
      by-hand:
        schedule: { cron: "0 0 1 * *" }
`;

function read(text: string) {
  const { manifest, problems } = parseManifest(text);
  if (manifest === null) throw new Error(problems.map(diagnosticText).join('\n'));
  return manifest;
}

const problemsOf = (text: string): string[] => parseManifest(text).problems.map(diagnosticText);

test('parses a full manifest; a version keeps its trailing zero', () => {
  const manifest = read(FULL);
  expect(manifest).toMatchObject({ name: 'trips', python: '3.10', defaults: { timeoutSeconds: 600, retries: 1 } });
  expect(manifest.jobs.get('nightly')).toEqual({
    name: 'nightly',
    line: 8,
    select: ['marts.*', 'tag:daily'],
    upstream: true,
    downstream: false,
    schedule: { cron: '30 2 * * *', timezone: 'Europe/Berlin' },
    webhook: 'alerts',
    timeoutSeconds: 60,
    retries: null,
  });
});

test('an empty manifest is a project without jobs', () => {
  expect(read('').jobs.size).toBe(0);
  expect(read('# nothing yet\n').python).toBeNull();
});

test('hosts of the network have a port and are listed once', () => {
  expect(read('network: [API.example.com, "api.example.com:443", "db.example.com:5432"]').network).toEqual([
    'api.example.com:443',
    'db.example.com:5432',
  ]);
  expect(read('').network).toEqual([]);
});

describe('jobs in an environment (DEPLOY-5)', () => {
  const scheduleIn = (environment: string, job: string) =>
    resolveJobs(read(FULL), environment).find((found) => found.name === job)?.schedule;

  test('without an override the declared schedule applies', () => {
    expect(scheduleIn('other', 'nightly')).toEqual({ cron: '30 2 * * *', timezone: 'Europe/Berlin' });
    expect(scheduleIn('other', 'by-hand')).toBeNull();
  });
  test('null removes the schedule in the environment', () => expect(scheduleIn('dev', 'nightly')).toBeNull());
  test('an override replaces the keys that it names and leaves the others', () => {
    expect(scheduleIn('prod', 'nightly')).toEqual({ cron: '@hourly', timezone: 'Europe/Berlin' });
  });
  test('an override may add a schedule to a job that has none; the default zone is UTC', () => {
    expect(scheduleIn('prod', 'by-hand')).toEqual({ cron: '0 0 1 * *', timezone: 'UTC' });
  });
  test('omitted fields of a job get the defaults', () => {
    const jobs = resolveJobs(read(FULL), 'dev');
    expect(jobs.map((job) => [job.name, job.timeoutSeconds, job.retries])).toEqual([
      ['by-hand', 600, 1],
      ['nightly', 60, 1],
    ]);
  });
});

describe('invalid manifests are refused with the line (DEPLOY-5)', () => {
  const job = (rest: string): string => `jobs:\n  j:\n    select: ["*"]\n${rest}`;
  test.each([
    [
      'jobz: {}',
      ['svc.yaml:1: unknown key "jobz" at the top; allowed here: name, python, network, defaults, jobs, environments'],
    ],
    [job('    shedule: {}'), ['svc.yaml:4: unknown key "shedule" in jobs.j; allowed here: select, upstream']],
    [
      job('    schedule:\n      cron: * * * * *'),
      ['svc.yaml:5: a text that starts with * must be quoted in YAML; write "* * * * *"'],
    ],
    [
      job('    schedule:\n      cron: */5 * * * *'),
      ['svc.yaml:5: a text that starts with * must be quoted in YAML; write "*/5'],
    ],
    [
      job('    schedule:\n      cron: @daily'),
      ['svc.yaml:5: a text that starts with @ must be quoted in YAML; write "@daily"'],
    ],
    ['name: x\njobs:\n  "a\\0b":\n    select: ["*"]', ['svc.yaml:3: a text contains NUL or a lone surrogate']],
    ['jobs:\n  j:\n    select:\n      - "\\ud800"', ['svc.yaml:4: a text contains NUL or a lone surrogate']],
    ['jobs:\n  j:\n    select:\n      - *', ['svc.yaml:4: a text that starts with * must be quoted']],
    [
      job('    schedule:\n      cron: "0 0 30 2 *"'),
      ['svc.yaml:5: jobs.j.schedule.cron: the cron "0 0 30 2 *" can never fire: the day of month field'],
    ],
    [
      job('    schedule:\n      cron: "0 0 * *"'),
      ['svc.yaml:5: jobs.j.schedule.cron: the cron text "0 0 * *" has 4 fields'],
    ],
    [
      job('    schedule:\n      cron: "0 0 * * *"\n      timezone: europe/berlin'),
      [
        'svc.yaml:6: jobs.j.schedule.timezone: unknown time zone "europe/berlin"; names are case-sensitive: write Europe/Berlin',
      ],
    ],
    [job('    schedule:\n      timezone: UTC'), ['svc.yaml:4: jobs.j.schedule has no cron']],
    [job('    schedule: {}'), ['svc.yaml:4: jobs.j.schedule has no cron']],
    [job('    schedule: "@daily"'), ['svc.yaml:4: jobs.j.schedule must be a mapping']],
    ['jobs:\n  j: {}', ['svc.yaml:2: the job j selects nothing']],
    ['jobs:\n  a/b:\n    select: [x]', ['svc.yaml:2: "a/b" is not a job name']],
    [job('    upstream: "yes"'), ['svc.yaml:4: jobs.j.upstream must be true or false']],
    [job('    timeout_seconds: 0'), ['svc.yaml:4: jobs.j.timeout_seconds must be a whole number from 1 to 604800']],
    ['jobs: [a]', ['svc.yaml:1: jobs must be a mapping']],
    [
      'environments:\n  prod:\n    jobs:\n      new:\n        schedule: null',
      ['svc.yaml:4: the environment prod overrides the job new, which is not declared in the top-level jobs section'],
    ],
    [
      `${job('')}environments:\n  prod:\n    jobs:\n      j:\n        select: ["a.b"]`,
      ['svc.yaml:8: unknown key "select" in environments.prod.jobs.j; allowed here: schedule'],
    ],
    [
      `${job('')}environments:\n  prod:\n    jobs:\n      j:\n        schedule: {timezone: UTC}`,
      ['svc.yaml:8: environments.prod.jobs.j.schedule has no cron, and the job has no schedule'],
    ],
    [
      'network: ["https://api.example.com"]',
      ['svc.yaml:1: network: "https://api.example.com" is not a host; write api'],
    ],
    ['network: ["*.example.com"]', ['svc.yaml:1: network: "*.example.com" is not a host']],
    [`network: [${'a,'.repeat(100)}b]`, ['svc.yaml:1: network has more than 100 hosts']],
    ['python: "new"', ['svc.yaml:1: "new" is not a Python version request']],
    ...['a b', '', 'a:b', '.', 'a\\tb', 'x'.repeat(256)].map((name): [string, string[]] => [
      job(`    notify:\n      webhook: "${name}"`),
      [
        `svc.yaml:5: jobs.j.notify.webhook: "${name}" is not the name of a secret; write 1 to 255 characters with no space`,
      ],
    ]),
    ['jobs:\n  "":\n    select: ["*"]', ['svc.yaml:2: jobs has an empty key; write a name before the colon']],
    ['jobs:\n  : {}', ['svc.yaml:2: jobs has an empty key']],
    ['jobs:\n  ? [a]\n  : {}', ['svc.yaml:2: jobs has a key that is not a string']],
    [
      'name: j\n---\nname: k',
      ['svc.yaml:2: a second YAML document starts here; svc.yaml must contain a single document: remove "---"'],
    ],
    ['name: a\nname: b', ['svc.yaml:2: not valid YAML']],
    [
      'jobs: {j: {select: [a], schedule: {cron: */5,10 * * * *}}}',
      ['svc.yaml:1: a text that starts with * must be quoted'],
    ],
    ['jobs: {j: {schedule: {cron: @daily, timezone: UTC}}}', ['svc.yaml:1: a text that starts with @ must be quoted']],
    [
      'python: three\nnmae: x\njobs: 4',
      ['svc.yaml:2: unknown key "nmae"', 'svc.yaml:3: jobs must be', 'svc.yaml:1: "three"'],
    ],
  ])('%j', (text, expected) => {
    const found = problemsOf(text);
    expect(found).toHaveLength(expected.length);
    for (const start of expected) expect(found.some((line) => line.startsWith(start)) || found).toBe(true);
  });

  // Texts nested deeper than the stack allows can crash the process.
  test.each<[what: string, text: string, line: number]>([
    ['lists that stay open', `name: x\njobs: ${'['.repeat(100_000)}`, 2],
    ['lists', `jobs: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, 1],
    ['mappings', `jobs: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`, 1],
    ['lists by dashes', `${'- '.repeat(50_000)}x`, 1],
    ['keys of keys', `${'? '.repeat(50_000)}x`, 1],
    ['mappings by lines', Array.from({ length: 200 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), 64],
  ])('nested %s', (_, text, line) => {
    expect(problemsOf(text)).toEqual([`svc.yaml:${line}: nested more than 64 levels deep; write it with fewer levels`]);
  });

  test('a long line of invalid YAML is reported without delay', () => {
    expect(problemsOf(`{a: *${' '.repeat(200_000)}x: *`)[0]).toMatch(/^svc.yaml:1: not valid YAML/);
  });

  test('an alias resolves to its anchor, and one that refers to itself terminates', () => {
    const text = 'defaults: &d {retries: 2}\njobs:\n  a: &a\n    select: &s ["x.*"]\n  b:\n    select: *s\n';
    expect(read(text).jobs.get('b')?.select).toEqual(['x.*']);
    expect(problemsOf('jobs: &j\n  a: *j\n').length).toBeGreaterThan(0);
  });
});

describe('changes between two versions (DEPLOY-3)', () => {
  const job = (name: string, cron: string | null, timezone = 'UTC', select = ['*']) => ({
    name,
    select,
    upstream: false,
    downstream: false,
    schedule: cron === null ? null : { cron, timezone },
  });

  test('added jobs, removed jobs, and the changed fields', () => {
    const before = [job('gone', null), job('same', '0 0 * * *'), job('zone', '0 0 * * *'), job('cron', '0 0 * * *')];
    const after = [
      job('new', null),
      job('same', '0 0 * * *', 'UTC', ['*', '*']),
      job('zone', '0 0 * * *', 'Asia/Tokyo', ['tag:a']),
      job('cron', null),
    ];
    expect(diffJobs(before, after)).toEqual({
      added: ['new'],
      removed: ['gone'],
      changed: [
        { name: 'cron', changes: ['cron'] },
        { name: 'zone', changes: ['selection', 'time zone'] },
      ],
    });
  });
});

test.each([
  ['name: !secret shop\n', '1: unknown YAML tag "!secret"; write the value without a tag'],
  ['name: shop\njobs:\n  a:\n    select: !include [x]\n', '4: unknown YAML tag "!include"'],
  ['name: !!binary c2hvcA==\n', '1: unknown YAML tag "!!binary"'],
  ['jobs: !<tag:example.org,2000:jobs> {}\n', '1: unknown YAML tag "!<tag:example.org,2000:jobs>"'],
  ['name: shop\n!key jobs: {}\n', '2: unknown YAML tag "!key"'],
  ['%UNKNOWN x\n---\nname: shop\n', '1: not valid YAML: Unknown directive %UNKNOWN'],
])("a tag or directive that YAML doesn't define is refused: %j (DEPLOY-5)", (text, expected) =>
  expect(problemsOf(text)).toEqual([expect.stringContaining(`svc.yaml:${expected}`)]),
);

test('accepts the tags that YAML defines', () => {
  expect(problemsOf('name: !!str 5\ndefaults: !!map {retries: !!int 2}\n')).toEqual([]);
});
