import { planPasses } from './build-passes.ts';
import type { LockInput } from './lock-input.ts';
import { PUBLIC_FILE_HOST, PUBLIC_REGISTRY, TEST_FILE_HOST, TEST_HOST } from './public-hosts.ts';
import { verifyLock } from './verify-lock.ts';

const OWN = '[[package]]\nname = "app"\nversion = "0"\nsource = { virtual = "." }\n';
const HASH = `hash = "sha256:${'0'.repeat(64)}"`;

function wheel(url: string): string {
  return `wheels = [{ url = "${url}", ${HASH} }]`;
}

function pkg(source: string, rest: string, name = 'demo'): string {
  return `[[package]]\nname = "${name}"\nversion = "1.0"\nsource = { ${source} }\n${rest}\n`;
}

function verify(lock: string, more: Partial<LockInput> = {}) {
  return verifyLock({
    lockText: `version = 1\nrevision = 99\n${lock}`,
    pyprojectText: null,
    uvTomlText: null,
    wheelhouse: ['demo-1.0-py3-none-any.whl'],
    registered: [
      { name: 'corp', url: 'https://pkgs.example.org/simple', credential_secret: null },
      { name: 'test', url: `https://${TEST_HOST}/simple`, credential_secret: null },
    ],
    operatorIndexUrl: null,
    fileHosts: [],
    phase: 'deploy',
    ...more,
  });
}

const sentences = (lock: string, more: Partial<LockInput> = {}): string[] =>
  verify(lock, more).problems.map(
    (problem) => `${problem.file}:${problem.line}: ${problem.message}; ${problem.remedy}`,
  );

const PUBLIC = pkg(`registry = "${PUBLIC_REGISTRY}"`, wheel(`https://${PUBLIC_FILE_HOST}/d.whl`));
const CORP = pkg('registry = "https://pkgs.example.org/simple"', wheel('https://pkgs.example.org/files/d.whl'));

describe('allowed sources (LOCK-2)', () => {
  test.each<[string, string, Partial<LockInput>, string[]]>([
    ['the public index', PUBLIC, {}, []],
    [
      'another spelling of it',
      PUBLIC.replace(PUBLIC_REGISTRY, `${PUBLIC_REGISTRY.replace('https', 'HTTPS')}//`),
      {},
      [],
    ],
    ...[`sha384:${'0a'.repeat(48)}`, `sha512:${'0a'.repeat(64)}`, `blake2b:${'0a'.repeat(64)}`].map(
      (hash): [string, string, object, string[]] => [hash, PUBLIC.replace(HASH, `hash = "${hash}"`), {}, []],
    ),
    ['the project itself', OWN, {}, []],
    ['the project itself, editable', OWN.replace('virtual', 'editable'), {}, []],
    ['the wheel folder', pkg('registry = "wheelhouse"', 'wheels = [{ path = "demo-1.0-py3-none-any.whl" }]'), {}, []],
    ['a registered index', CORP, {}, ['corp']],
    [
      'a registered index spelt otherwise',
      CORP.replace('https://pkgs.example.org/simple', 'https://PKGS.example.org:443/simple/'),
      {},
      ['corp'],
    ],
    [
      'the test index, files on its host',
      pkg(`registry = "https://${TEST_HOST}/simple"`, wheel(`https://${TEST_FILE_HOST}/d.whl`)),
      {},
      ['test'],
    ],
    [
      "the operator's index",
      pkg('registry = "http://localhost:3141/x"', wheel('http://localhost:3141/d.whl')),
      { operatorIndexUrl: 'http://localhost:3141/x/' },
      [],
    ],
    [
      'files where the operator allows',
      CORP.replace('pkgs.example.org/files', 'cdn.example.net'),
      { fileHosts: ['CDN.example.net'] },
      ['corp'],
    ],
  ])('%s', (_, lock, more, indexes) => {
    const verdict = verify(lock, more);
    expect(verdict.problems).toEqual([]);
    expect(verdict.indexes).toEqual(indexes);
  });

  test('two spellings of a package from two indexes on one host count as one package (LOCK-8)', () => {
    const indexes = ['a', 'b'].map((name) => ({ name, url: `https://h.example/${name}`, credential_secret: null }));
    const from = (index: string, name: string) =>
      pkg(`registry = "https://h.example/${index}"`, wheel('https://h.example/d.whl'), name);
    for (const spelling of ['foo-bar', 'Foo_Bar', `foo${'-_.'.repeat(30)}bar`]) {
      const { problems, fetches } = verify(from('a', 'foo-bar') + from('b', spelling), { registered: indexes });
      expect(problems).toEqual([]);
      expect(planPasses(fetches, indexes).splitPackage).toBe('foo-bar');
    }
  });

  test('fetches list scheme, host and port', () => {
    expect(
      verify(CORP + PUBLIC)
        .fetches.flatMap(({ addresses }) => addresses)
        .map((address) => `${address.scheme}://${address.host}:${address.port}`),
    ).toEqual([
      'https://pkgs.example.org:443',
      `${new URL(PUBLIC_REGISTRY).origin}:443`,
      `https://${PUBLIC_FILE_HOST}:443`,
    ]);
  });
});

describe('refused sources and files (LOCK-3, LOCK-4, LOCK-5, LOCK-7)', () => {
  const digest = (hash: string): [string, string, RegExp] => [
    `the hash ${hash}`,
    CORP.replace(HASH, `hash = "${hash}"`),
    /^uv.lock:3: the file "d.whl" of the package demo has the hash .* which is not a full digest/,
  ];
  const other = (url: string) => pkg(`registry = "${url}"`, wheel(`${url}/d.whl`));
  test.each<[string, string, RegExp, Partial<LockInput>?]>([
    [
      'another index',
      other('https://other.example.net/simple'),
      /^uv.lock:3: the package demo is taken from https:\/\/other.example.net\/simple, which is not registered; ask an administrator to register it: svc index add NAME --url https:\/\/other/,
    ],
    [
      'one that cannot be registered: http',
      other('http://other.example.net/simple'),
      /cannot be registered as written: http:\/\/ is for localhost.*; take the package from a registered index and lock again$/,
    ],
    [
      'one that cannot be registered: percent',
      other('https://other.example.net/a%20b'),
      /percent sign.*; take the package/,
    ],
    [
      'one with a user name, which is not shown',
      other('https://me:pw@other.example.net/simple'),
      /^(?!.*me:pw).*user name or password; take the package/,
    ],
    ['a look-alike of the public index', other('https://pypi.org.example.net/simple'), /not registered/],
    ["the operator's index when unset", other('http://localhost:3141/x'), /not registered/],
    ['a registered index on another port', CORP.replace('org/simple', 'org:8443/simple'), /not registered/],
    [
      'another folder',
      pkg('registry = "wheels"', 'wheels = [{ path = "demo-1.0-py3-none-any.whl" }]'),
      /local folder "wheels".*wheelhouse/,
    ],
    ['a folder above', pkg('registry = "../wheelhouse"', ''), /local folder/],
    ['a folder by its path', pkg('registry = "/srv/wheelhouse"', ''), /local folder/],
    ['a folder by URL', pkg('registry = "file:///srv/wheelhouse"', ''), /local folder/],
    [
      'git',
      pkg('git = "https://u:p@git.example.org/a?rev=1#0"', ''),
      /^(?!.*u:p).*git repository.*publish it to a package index.*register/,
    ],
    ['a direct URL', pkg('url = "https://x.example/d.whl"', wheel('https://x.example/d.whl')), /direct URL.*publish/],
    ['a path', pkg('path = "x/d.whl"', ''), /taken from the path/],
    ['a directory', pkg('directory = "lib"', ''), /taken from the directory/],
    ['an editable', pkg('editable = "lib"', ''), /taken from the editable/],
    ['a virtual that is not the project', OWN + pkg('virtual = "lib"', ''), /taken from the virtual/],
    [
      'two sources',
      pkg(`registry = "${PUBLIC_REGISTRY}", git = "https://g.example"`, ''),
      /two sources: registry, git/,
    ],
    ['no source', '[[package]]\nname = "demo"\n', /has no source/],
    [
      'the older name of the table',
      pkg('git = "https://g.example"', '').replace('package', 'distribution'),
      /git repository/,
    ],
    [
      'a source of a dependency entry',
      `${PUBLIC}dependencies = [{ name = "x", source = { git = "https://g.example" } }]\n`,
      /the package x is taken from a git/,
    ],
    [
      'a source of a group',
      `${PUBLIC}[package.dev-dependencies]\ndev = [{ name = "x", source = { path = "y" } }]\n`,
      /the package x is taken from the path/,
    ],
    [
      'a public package with a foreign wheel',
      PUBLIC.replace(PUBLIC_FILE_HOST, 'evil.example'),
      /lies on https:\/\/evil.example:443, not on its index/,
    ],
    [
      'the public file host by http',
      PUBLIC.replace(`https://${PUBLIC_FILE_HOST}`, `http://${PUBLIC_FILE_HOST}`),
      /not on its index/,
    ],
    [
      'a registered index with the public file host',
      CORP.replace('pkgs.example.org/files', PUBLIC_FILE_HOST),
      /not on its index/,
    ],
    ['a file on another port', CORP.replace('org/files', 'org:444/files'), /not on its index/],
    [
      'a file behind a user name',
      CORP.replace('https://pkgs.example.org/files', 'https://pkgs.example.org@evil.example/files'),
      /no URL that can be verified/,
    ],
    [
      'a file with a backslash',
      CORP.replace('https://pkgs.example.org/files', 'https://evil.example\\\\@pkgs.example.org'),
      /no URL that can be verified/,
    ],
    ...['sha256:00', `sha256:${'0'.repeat(63)}`, `sha256:${'0'.repeat(65)}`, `sha256:${'A'.repeat(64)}`].map(digest),
    ...[`sha384:${'0'.repeat(64)}`, `sha512:${'0'.repeat(96)}`, `md5:${'0'.repeat(32)}`, '0'.repeat(64), ''].map(
      digest,
    ),
    [
      'a short hash of a file in the wheel folder',
      pkg('registry = "wheelhouse"', 'wheels = [{ path = "demo-1.0-py3-none-any.whl", hash = "sha256:0" }]'),
      /^uv.lock:3: the file "demo-1.0-py3-none-any.whl" of the package demo has the hash "sha256:0"/,
    ],
    ...['d.tar.gz', 'd.whl.zip', 'd.WHL', 'd.zip?x=d.whl', 'd.zip#d.whl'].map((file): [string, string, RegExp] => [
      `${file} under wheels`,
      CORP.replace('d.whl', file),
      /^uv.lock:3: the file "d\.[A-Za-z.]+" of the package demo is listed under wheels but is not a wheel/,
    ]),
    [
      'an sdist of the wheel folder under wheels',
      pkg('registry = "wheelhouse"', 'wheels = [{ path = "demo.tar.gz" }]'),
      /is not a wheel/,
      { wheelhouse: ['demo.tar.gz'] },
    ],
    ['a remote file without a hash', CORP.replace(`, ${HASH}`, ''), /has no hash/],
    [
      'a remote package with a path',
      CORP.replace('url = "https://pkgs.example.org/files/d.whl"', 'path = "d.whl"'),
      /is a local path/,
    ],
    ['no wheel', CORP.replace('wheels = [', 'sdist = ').replace(' }]', ' }'), /demo 1.0 has no wheel/],
    ['another version of the lock', 'x', /not valid TOML/],
    [
      'a URL in the wheel folder',
      pkg(
        'registry = "wheelhouse"',
        'wheels = [{ path = "demo-1.0-py3-none-any.whl", url = "https://x.example/d.whl" }]',
      ),
      /names the URL/,
    ],
    [
      'a file that is not in the wheel folder',
      pkg('registry = "wheelhouse"', 'wheels = [{ path = "no.whl" }]'),
      /is not in wheelhouse/,
    ],
    ...['../d.whl', 'a/../../d.whl', '/etc/d.whl', 'C:/d.whl', 'a\\\\d.whl', '..%2fd.whl'].map(
      (path): [string, string, RegExp] => [
        `the path ${path}`,
        pkg('registry = "wheelhouse"', `wheels = [{ path = "${path}" }]`),
        /leaves wheelhouse/,
      ],
    ),
  ])('%s', (_, lock, expected, more = {}) => {
    const found = sentences(lock, more);
    expect(found.some((sentence) => expected.test(sentence)) || found).toBe(true);
    expect(found).toHaveLength(1);
  });

  test('two packages that both claim to be the project', () => {
    expect(sentences(OWN + pkg('virtual = "."', ''))).toHaveLength(2);
  });

  test.each<[boolean, string, string]>([
    [true, 'an index that is not registered', other('https://other.example.net/simple')],
    [true, 'one that cannot be', other('http://other.example.net/simple')],
    [
      true,
      'one of a dependency entry',
      `${PUBLIC}dependencies = [{ name = "x", source = { registry = "https://other.example.net/simple" } }]\n`,
    ],
    [false, 'a registered one', CORP],
    [false, 'the public one', PUBLIC],
    [false, 'git', pkg('git = "https://g.example/a#0"', '')],
    [false, 'another folder', pkg('registry = "wheels"', '')],
  ])('unregistered is %s for a lock that names %s', (expected, _, lock) =>
    expect(verify(lock).unregistered).toBe(expected),
  );

  test('a lock of another version', () => {
    expect(verifyLock({ ...BARE, lockText: 'version = 2\n' }).problems[0]?.message).toContain('version 2');
    expect(verifyLock({ ...BARE, lockText: '' }).problems[0]?.message).toContain('version null');
  });
});

const BARE: LockInput = {
  lockText: 'version = 1\n',
  pyprojectText: null,
  uvTomlText: null,
  wheelhouse: [],
  registered: [{ name: 'corp', url: 'https://pkgs.example.org/simple', credential_secret: null }],
  operatorIndexUrl: null,
  fileHosts: [],
  phase: 'deploy',
};

describe('the configuration beside the lock (LOCK-6)', () => {
  const table = (text: string) => `[[tool.uv.index]]\n${text}\n`;
  const CORP_TABLE = table('name = "corp"\nurl = "https://me@pkgs.example.org/simple/"\nexplicit = true');
  const SOURCES = '[tool.uv.sources]\nDemo = { index = "corp" }\n';

  test.each<[string, string, RegExp | null, Partial<LockInput>?]>([
    ['explicit and named under sources', CORP_TABLE + SOURCES, null],
    [
      'without explicit',
      CORP_TABLE.replace('explicit = true', '') + SOURCES,
      /pyproject.toml:null: the index table corp is the registered index corp without explicit = true/,
    ],
    [
      'explicit but not named',
      CORP_TABLE,
      /the package demo is taken from the registered index corp but not named under sources; add demo = \{ index = "corp" \}/,
    ],
    ['named for another index', CORP_TABLE + SOURCES.replace('"corp"', '"x"'), /not named under sources/],
    [
      'the name with another URL',
      table('name = "corp"\nurl = "https://other.example.net/simple"'),
      /has the name of a registered index and another URL/,
    ],
    [
      'the same before an execution',
      table('name = "corp"\nurl = "https://other.example.net/simple"'),
      null,
      { phase: 'execution' },
    ],
    ['the name with a local folder', table('name = "corp"\nurl = "wheelhouse"'), null],
    ['the name with a local folder by URL', table('name = "corp"\nurl = "file:///srv/wheels"'), null],
    [
      'the name with a URL that is neither http nor a folder',
      table('name = "corp"\nurl = "ftp://other.example.net/simple"'),
      /has the name of a registered index and another URL/,
    ],
    [
      'a registered URL between spaces',
      table('name = "corp"\nurl = " https://pkgs.example.org/simple "') + SOURCES,
      /without explicit = true/,
    ],
    [
      'index-url',
      '[tool.uv]\nindex-url = "https://pkgs.example.org/simple"\n',
      /tool.uv.index-url names the registered index corp; declare it as \[\[tool.uv.index\]\]/,
    ],
    [
      'extra-index-url',
      '[tool.uv]\nextra-index-url = ["https://x.example", "https://u:p@pkgs.example.org/simple/"]\n',
      /^(?!.*u:p).*extra-index-url names/,
    ],
    [
      'extra-index-url for pip',
      '[tool.uv.pip]\nextra-index-url = ["https://pkgs.example.org/simple"]\n',
      /tool.uv.pip.extra-index-url/,
    ],
    [
      'find-links',
      '[tool.uv]\nfind-links = ["wheelhouse", "https://pkgs.example.org/simple/"]\n',
      /tool.uv.find-links names the registered index corp; declare it as \[\[tool.uv.index\]\]/,
    ],
    ['find-links of the wheel folder', '[tool.uv]\nfind-links = ["wheelhouse"]\n', null],
    [
      'find-links for pip',
      '[tool.uv.pip]\nfind-links = ["https://pkgs.example.org/simple"]\n',
      /tool.uv.pip.find-links/,
    ],
    ['an index-url that is not a string', '[tool.uv]\nindex-url = 5\n', /tool.uv.index-url is not a string/],
    ['an extra-index-url within a list', '[tool.uv]\nextra-index-url = [["x"]]\n', /extra-index-url is not a string/],
    ['an index that is not a table', '[tool.uv]\nindex = "x"\n', /cannot be checked/],
    ['an index without a URL', table('name = "x"'), /no url/],
    ['no TOML', 'x', /pyproject.toml:1: not valid TOML/],
  ])('%s', (_, pyprojectText, expected, more = {}) => {
    const found = sentences(CORP, { pyprojectText, ...more });
    expect(found).toHaveLength(expected === null ? 0 : 1);
    if (expected !== null) expect(found[0]).toMatch(expected);
  });

  test.each<[string, string, RegExp | null]>([
    ['without explicit', CORP_TABLE.replace('explicit = true', ''), /^pyproject.toml:null: .* without explicit = true/],
    ['index-url', '[tool.uv]\nindex-url = "https://pkgs.example.org/simple"\n', /names the registered index corp/],
    ['explicit', CORP_TABLE, null],
    ['broken', '[project]\nname = "a\n', /^pyproject.toml:2: not valid TOML/],
  ])('a project without a lock follows the same rules: %s (LOCK-6)', (_, pyprojectText, expected) => {
    const { problems, indexes } = verifyLock({ ...BARE, lockText: null, pyprojectText });
    expect(indexes).toEqual([]);
    expect(problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`)).toEqual(
      expected === null ? [] : [expect.stringMatching(expected)],
    );
  });

  test("a stored URL that is refused isn't suggested", () => {
    const registered = [{ name: 'corp', url: 'https://u:hunter2@pkgs.example.org/simple', credential_secret: null }];
    const pyprojectText = table('name = "corp"\nurl = "https://pkgs.example.org/simple"');
    const [found, ...more] = sentences(PUBLIC, { registered, pyprojectText });
    expect(more).toEqual([]);
    expect(found).toMatch(
      /has the name of a registered index.*; the stored URL of the package index corp is refused, .*: svc index update corp --url URL, or rename/,
    );
    expect(found).not.toContain('hunter2');
  });

  describe('with a uv.toml', () => {
    const OWN_TABLE = '[[index]]\nname = "corp"\nurl = "https://pkgs.example.org/simple"\n';
    const LOOSE = CORP_TABLE.replace('explicit = true', '');
    const implicit = (file: string) =>
      expect.stringMatching(new RegExp(`^${file}:null: the index table corp is the registered index corp without`));
    const unnamed = (file: string) =>
      expect.stringMatching(new RegExp(`^${file}:null: the package demo is taken from .* not named under sources`));
    const EXPLICIT = `${OWN_TABLE}explicit = true\n`;

    test.each<[what: string, uvTomlText: string, pyprojectText: string, unknown[]]>([
      ['its own tables are verified', OWN_TABLE, CORP_TABLE + SOURCES, [implicit('uv.toml')]],
      ['an empty one changes nothing', '', LOOSE + SOURCES, [implicit('pyproject.toml')]],
      ['nor does one with an index', EXPLICIT, LOOSE + SOURCES, [implicit('pyproject.toml')]],
      ['both are reported', OWN_TABLE, LOOSE + SOURCES, [implicit('pyproject.toml'), implicit('uv.toml')]],
      ['its sources can be in pyproject.toml', EXPLICIT, SOURCES, []],
      ['its sources can be in the file itself', `${EXPLICIT}[sources]\ndemo = { index = "corp" }\n`, '', []],
      [
        'its sources count beside others of pyproject.toml',
        `${EXPLICIT}[sources]\ndemo = { index = "corp" }\n`,
        SOURCES.replace('"corp"', '"x"'),
        [],
      ],
      ['its indexes need sources', EXPLICIT, '', [unnamed('uv.toml')]],
      [
        'its sources name no packages of pyproject.toml',
        '[sources]\ndemo = { index = "corp" }\n',
        CORP_TABLE,
        [unnamed('pyproject.toml')],
      ],
      [
        'URLs of both are verified',
        'index-url = "https://pkgs.example.org/simple"\n',
        '[tool.uv.pip]\nextra-index-url = ["https://pkgs.example.org/simple"]\n',
        [
          expect.stringMatching(/^pyproject.toml:null: tool.uv.pip.extra-index-url names the registered index corp/),
          expect.stringMatching(
            /^uv.toml:null: index-url names the registered index corp; declare it as \[\[index\]\]/,
          ),
        ],
      ],
      [
        'names of both are verified',
        '',
        table('name = "corp"\nurl = "https://other.example/simple"'),
        [expect.stringMatching(/^pyproject.toml:null: the index table corp has the name of a registered index and/)],
      ],
      [
        'one that cannot be read',
        'x',
        LOOSE + SOURCES,
        [expect.stringMatching(/^uv.toml:1: not valid TOML/), implicit('pyproject.toml')],
      ],
    ])('%s', (_, uvTomlText, pyprojectText, expected) =>
      expect(sentences(CORP, { uvTomlText, pyprojectText })).toEqual(expected),
    );
  });

  describe('in a folder of a repository', () => {
    const OWN_TABLE = '[[index]]\nname = "corp"\nurl = "https://pkgs.example.org/simple"\n';
    const PROJECT = '[project]\nname = "app"\n';
    const implicit = (file: string) => [
      expect.stringMatching(new RegExp(`^${file}:null: the index table corp is the registered index corp without`)),
    ];

    test.each<[what: string, outer: readonly [string | null, string | null][], pyprojectText: string, unknown[]]>([
      ['a uv.toml around it is validated', [[null, OWN_TABLE]], PROJECT, implicit('../uv.toml')],
      [
        'a pyproject.toml around it is validated',
        [[`${CORP_TABLE.replace('explicit = true', '')}${SOURCES}`, null]],
        PROJECT,
        implicit('../pyproject.toml'),
      ],
      ['its sources count', [[`${CORP_TABLE}${SOURCES}`, null]], PROJECT, []],
      [
        'the nearest folder with settings counts',
        [
          ['', null],
          [null, OWN_TABLE],
          ['x', null],
        ],
        PROJECT,
        implicit('../../uv.toml'),
      ],
      ['settings of the project come first', [[null, OWN_TABLE]], `${CORP_TABLE}${SOURCES}`, []],
      [
        'one that cannot be read',
        [['x', null]],
        PROJECT,
        [expect.stringMatching(/^..\/pyproject.toml:1: not valid TOML/)],
      ],
    ])('%s', (_, texts, pyprojectText, expected) => {
      const outer = texts.map(([outerPyproject, uvTomlText], i) => {
        const folder = Array(i + 1)
          .fill('..')
          .join('/');
        return { folder, pyprojectText: outerPyproject, uvTomlText };
      });
      expect(sentences(CORP, { pyprojectText, outer })).toEqual(expected);
    });
  });
});
