import fc from 'fast-check';
import type { LockInput } from './lock-input.ts';
import { PUBLIC_FILE_HOST, PUBLIC_HOSTS, PUBLIC_REGISTRY, TEST_HOST } from './public-hosts.ts';
import { verifyLock } from './verify-lock.ts';

const CORP = 'https://pkgs.example.org/simple';
const HASH = `sha256:${'0'.repeat(64)}`;
const BARE: LockInput = {
  lockText: '',
  pyprojectText: null,
  uvTomlText: null,
  wheelhouse: ['demo-1.0-py3-none-any.whl', 'sub'],
  registered: [{ name: 'corp', url: CORP, credential_secret: null }],
  operatorIndexUrl: 'https://op.example/simple',
  fileHosts: ['cdn.example', 'local.example:8443'],
  phase: 'execution',
};
const lockOf = (source: string, files: string) =>
  `version = 1\n[[package]]\nname = "demo"\nversion = "1.0"\nsource = ${source}\n${files}\n`;
const verify = (lockText: string, more: Partial<LockInput> = {}) => verifyLock({ ...BARE, lockText, ...more }).problems;
const remote = (registry: string, url: string) =>
  verify(lockOf(`{ registry = "${registry}" }`, `wheels = [{ url = ${JSON.stringify(url)}, hash = "${HASH}" }]`));
const local = (path: string) =>
  verify(lockOf('{ registry = "wheelhouse" }', `wheels = [{ path = ${JSON.stringify(path)} }]`));

describe('where the files of an index may lie (LOCK-5)', () => {
  test.each([
    [CORP, 'https://pkgs.example.org/files/d.whl'],
    [CORP, 'https://PKGS.example.org:443/d.whl'],
    [CORP, 'https://pkgs.example.org/d.whl#sha256=0'],
    [CORP, 'https://pkgs.example.org/d.whl?token=x'],
    [CORP, 'https://cdn.example/d.whl'],
    [CORP, 'https://local.example:8443/d.whl'],
    [PUBLIC_REGISTRY, `https://${PUBLIC_FILE_HOST}/packages/d.whl`],
    ['https://op.example/simple/', 'https://op.example/d.whl'],
    ['HTTPS://OP.example:443/simple', 'https://op.example/d.whl'],
  ])('%s: %s', (registry, url) => expect(remote(registry, url)).toEqual([]));

  test.each([
    [CORP, 'http://pkgs.example.org/d.whl'],
    [CORP, 'https://pkgs.example.org:8443/d.whl'],
    [CORP, 'https://pkgs.example.org.evil.example/d.whl'],
    [CORP, 'https://evil.example/pkgs.example.org/d.whl'],
    [CORP, 'https://pkgs.example.org@evil.example/d.whl'],
    [CORP, 'https://u:p@pkgs.example.org/d.whl'],
    [CORP, 'https://pkgs.example.org\\@evil.example/d.whl'],
    [CORP, 'https://evil.example#@pkgs.example.org/d.whl'],
    [CORP, 'https://evil.example?@pkgs.example.org/d.whl'],
    [CORP, 'https:/pkgs.example.org/d.whl'],
    [CORP, 'https:pkgs.example.org/d.whl'],
    [CORP, '//pkgs.example.org/d.whl'],
    [CORP, '/files/d.whl'],
    [CORP, '../files/d.whl'],
    [CORP, 'file:///srv/d.whl'],
    [CORP, 'ftp://pkgs.example.org/d.whl'],
    [CORP, 'https://pkgs%2eexample.org/d.whl'],
    [CORP, 'https://\uff50kgs.example.org/d.whl'],
    [CORP, 'https://pkgs.example.org:99999/d.whl'],
    [CORP, 'https://pkgs.example.org\t.evil.example/d.whl'],
    [CORP, ' https://pkgs.example.org/d.whl'],
    [CORP, 'http://cdn.example/d.whl'],
    [CORP, 'https://local.example/d.whl'],
    [CORP, `https://${PUBLIC_FILE_HOST}/d.whl`],
    [PUBLIC_REGISTRY, 'https://pkgs.example.org/d.whl'],
    [PUBLIC_REGISTRY, `https://${PUBLIC_FILE_HOST}:8443/d.whl`],
    [PUBLIC_REGISTRY, `https://${TEST_HOST}/d.whl`],
    ['https://op.example/simple', 'https://pkgs.example.org/d.whl'],
  ])('not %s: %s', (registry, url) => expect(remote(registry, url)).toHaveLength(1));
});

describe("an index that isn't one of the allowed sources (LOCK-3)", () => {
  test.each([
    ...PUBLIC_HOSTS.map((host) => `https://${host}/other`),
    `${PUBLIC_REGISTRY}x`,
    PUBLIC_REGISTRY.replace('https', 'http'),
    `${PUBLIC_REGISTRY}/../evil`,
    PUBLIC_REGISTRY.replace('https://', 'https://u@'),
    'https://pkgs.example.org/Simple',
    'https://pkgs.example.org',
    'https://pkgs.example.org/simple/x',
    'https://pkgs.example.org/simple?x',
    'https://pkgs.example.org:444/simple',
    'http://pkgs.example.org/simple',
    'https://u:p@pkgs.example.org/simple',
    'https://op.example/simple2',
    'ssh://pkgs.example.org/simple',
  ])('%s', (registry) => {
    const problems = remote(registry, 'https://pkgs.example.org/d.whl');
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/not registered/);
    expect(problems[0]?.message).not.toContain('u:p');
    const command = /svc index add NAME --url (\S+)/.exec(problems[0]?.remedy ?? '');
    if (command === null) expect(problems[0]?.remedy).toContain('from a registered index');
  });
});

describe('files of the wheel folder (LOCK-4, LOCK-7)', () => {
  test.each(['demo-1.0-py3-none-any.whl', './demo-1.0-py3-none-any.whl'])('%j', (path) =>
    expect(local(path)).toEqual([]),
  );
  test.each([
    ...[
      '..',
      '../x',
      'a/../../x',
      'x/..',
      '/x',
      '//x',
      'C:\\x',
      'c:x',
      'a\\b',
      '..\\x',
      '%2e%2e/x',
      'x\u0000',
      'x\u0007',
    ],
    ...['other.whl', 'wheelhouse/demo-1.0-py3-none-any.whl', '', '.', './../x', 'https://x.example/d.whl'],
  ])('not %j', (path) => expect(local(path)).toHaveLength(1));
});

test("everything that can't be fetched is reported at once, also packages without wheels (LOCK-8)", () => {
  const sdist = (name: string) =>
    `[[package]]\nname = "${name}"\nversion = "2"\nsource = { registry = "${PUBLIC_REGISTRY}" }\nsdist = { url = "https://${PUBLIC_FILE_HOST}/x.tar.gz", hash = "${HASH}" }\n`;
  const problems = verify(`version = 1\n${sdist('one')}${sdist('two')}`);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('one 2 has no wheel'),
    expect.stringContaining('two 2 has no wheel'),
  ]);
});

/** An independent statement of what any accepted lock may contain, in terms of what the installer fetches. */
function allowedSource(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  if (entries.length !== 1) return false;
  const [kind, text] = entries[0]!;
  if (kind === 'virtual' || kind === 'editable' || kind === 'directory') return text === '.';
  if (kind !== 'registry' || typeof text !== 'string') return false;
  if (/^(\.\/)?wheelhouse\/*$/.test(text)) return true;
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url === null ? '' : `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, '');
  return (
    [PUBLIC_REGISTRY, CORP, 'https://op.example/simple'].includes(plain) && url?.search === '' && url.username === ''
  );
}

test('fuzzed locks never crash the validation, and no unknown source is accepted (LOCK-2)', () => {
  const text = fc.oneof(
    fc.constantFrom(PUBLIC_REGISTRY, CORP, 'wheelhouse', '.', '..', 'https://x.example', 'https://op.example/simple/'),
    fc.string({ maxLength: 20 }),
  );
  const kind = fc.constantFrom('registry', 'git', 'url', 'path', 'directory', 'editable', 'virtual', 'Registry', 'x');
  const source = fc.oneof(fc.dictionary(kind, text, { maxKeys: 2 }), text, fc.constant(null), fc.integer());
  const toml = (value: unknown): string =>
    typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value)
          .map(([key, inner]) => `${key} = ${JSON.stringify(inner)}`)
          .join(', ')} }`
      : JSON.stringify(value ?? 0);
  fc.assert(
    fc.property(fc.constantFrom('package', 'distribution'), source, fc.string(), (table, value, name) => {
      const lockText = `version = 1\n[[${table}]]\nname = ${JSON.stringify(name)}\nsource = ${toml(value)}\nwheels = []\n`;
      const problems = verify(lockText);
      const fine = problems.every(({ message }) => message.includes('has no wheel'));
      if (fine) expect(allowedSource(value)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('fuzzed texts never crash the parsers of lock and configuration', () => {
  const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }));
  const lines = fc.array(
    fc.constantFrom(
      ...[
        'version = 1',
        '[[package]]',
        '[package]',
        'name = "x"',
        'source = { registry = "x" }',
        'source = []',
        'wheels = 1',
      ],
      ...[
        '[[tool.uv.index]]',
        '[tool.uv]',
        'index = 1',
        'url = 5',
        'explicit = true',
        '[tool.uv.sources]',
        'x = [1]',
        'index-url = [[]]',
      ],
    ),
    { maxLength: 12 },
  );
  const textual = fc.oneof(
    any,
    lines.map((parts) => parts.join('\n')),
  );
  fc.assert(
    fc.property(textual, textual, textual, (lockText, pyprojectText, uvTomlText) => {
      expect(Array.isArray(verify(lockText, { pyprojectText, uvTomlText, phase: 'deploy' }))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
