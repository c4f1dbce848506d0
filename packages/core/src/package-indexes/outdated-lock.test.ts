import { outdatedLock } from './outdated-lock.ts';

/** As `uv lock` reads and writes them. */
const PYPROJECT = `[project]
name = "My.App"
version = "0"
requires-python = ">= 3.10,<3.14"
dependencies = [
  "Typing_Extensions >= 4.0, <5", "iniconfig; python_version < '3.11'", "idna[All] ~= 3.4 ; sys_platform == 'linux'",
  "six (==1.16.0)", "certifi >=2024.02.02", "attrs === 23.1.0",
]
[project.optional-dependencies]
Extra_One = ["attrs>=v23.1", "six>=1.0; python_version>='3.11'"]
all = ["my-app[extra-one]"]
[dependency-groups]
dev = ["pluggy>=1.0-rc1", {include-group = "lint"}]
lint = ["packaging"]
empty = []
[tool.uv]
package = false
dev-dependencies = ["certifi"]
`;
const LOCK = `version = 1
revision = 5
requires-python = ">=3.10, <3.14"

[[package]]
name = "my-app"
version = "0"
source = { virtual = "." }
dependencies = [{ name = "idna", extra = ["all"], marker = "sys_platform == 'linux'" }]

[package.metadata]
requires-dist = [
    { name = "attrs", specifier = "===23.1.0" },
    { name = "attrs", marker = "extra == 'extra-one'", specifier = ">=23.1" },
    { name = "certifi", specifier = ">=2024.2.2" },
    { name = "idna", extras = ["all"], marker = "sys_platform == 'linux'", specifier = "~=3.4" },
    { name = "iniconfig", marker = "python_full_version < '3.11'" },
    { name = "my-app", extras = ["extra-one"], marker = "extra == 'all'" },
    { name = "six", specifier = "==1.16.0" },
    { name = "six", marker = "python_full_version >= '3.11' and extra == 'extra-one'", specifier = ">=1.0" },
    { name = "typing-extensions", specifier = ">=4.0,<5" },
]
provides-extras = ["extra-one", "all"]

[package.metadata.requires-dev]
dev = [{ name = "certifi" }, { name = "packaging" }, { name = "pluggy", specifier = ">=1.0rc1" }]
empty = []
lint = [{ name = "packaging" }]
`;

test('a lock that matches the requirements is not a problem, however they are spelled (DEPLOY-8)', () => {
  expect(outdatedLock(LOCK, PYPROJECT)).toEqual([]);
});

test.each([
  ['six (==1.16.0)', 'six (==1.17.0)', 'six==1.17.0 is not locked, six==1.16.0 is no longer required'],
  ['"attrs === 23.1.0",', '"attrs === 23.1.0", "httpx>=0.27",', 'httpx>=0.27 is not locked'],
  ['"six (==1.16.0)",', '', 'six==1.16.0 is no longer required'],
  ['idna[All]', 'idna', 'idna~=3.4 is not locked, idna[all]~=3.4 is no longer required'],
  [
    '"attrs>=v23.1"',
    '"attrs>=23.2"',
    'attrs>=23.2 (extra extra-one) is not locked, attrs>=23.1 (extra extra-one) is no longer',
  ],
  ['lint = ["packaging"]', 'lint = ["ruff"]', 'ruff (group dev) is not locked, ruff (group lint) is not locked'],
  ['>= 3.10,<3.14', '>=3.11', 'requires-python is >=3.11, not >=3.10, <3.14'],
  [
    `"iniconfig; python_version < '3.11'"`,
    '"iniconfig"',
    "iniconfig is locked only where python_full_version < '3.11'",
  ],
  [
    `"six>=1.0; python_version>='3.11'"`,
    '"six>=1.0"',
    "six (extra extra-one) is locked only where python_full_version >= '3.11' and extra == 'extra-one'",
  ],
])('changing %s to %s makes the lock outdated (DEPLOY-8)', (before, after, difference) => {
  const changed = PYPROJECT.replace(before, after);
  expect(changed).not.toBe(PYPROJECT);
  expect(outdatedLock(LOCK, changed)).toEqual([
    {
      file: 'uv.lock',
      line: null,
      message: expect.stringContaining(`it is older than pyproject.toml: ${difference}`),
      remedy: 'run uv lock in the project and commit uv.lock',
    },
  ]);
});

test('a requirement that uv splits by the markers of its sources or groups matches', () => {
  const project = `[project]
name = "a"
dependencies = ["idna", "y @ https://example.com/y.whl"]
[dependency-groups]
dev = ["pytz"]
[tool.uv.dependency-groups]
dev = { requires-python = ">=3.12" }
`;
  const lock = `version = 1
[[package]]
name = "a"
version = "0"
source = { virtual = "." }
[package.metadata]
requires-dist = [
    { name = "idna", marker = "sys_platform != 'linux'" },
    { name = "idna", marker = "sys_platform == 'linux'", index = "https://example.com/simple" },
    { name = "y", marker = "sys_platform == 'linux'", url = "https://example.com/y.whl" },
]
[package.metadata.requires-dev]
dev = [{ name = "pytz", marker = "python_full_version >= '3.12'" }]
`;
  expect(outdatedLock(lock, project)).toEqual([]);
});

test('many differences are counted', () => {
  const names = Array.from({ length: 9 }, (_, i) => `"p${i}"`);
  const [problem] = outdatedLock('version = 1\n', `[project]\nname = "a"\ndependencies = [${names.join(', ')}]\n`);
  expect(problem!.message).toBe(
    'it is older than pyproject.toml: p0 is not locked, p1 is not locked, p2 is not locked, and 6 more',
  );
});

test.each([
  ['~=3.10', '>=3.10, <4'],
  ['~=3.10.2', '>=3.10.2, <3.11'],
  ['>=3.10, >=3.9', '>=3.10'],
  ['===3.11.7', '==3.11.7'],
  ['>=3.10.0,<3.14,!=3.12.*', '>=3.10, !=3.12.*, <3.14'],
  ['==3.11.*', '==3.11.*'],
  ['>=3.9a1', '>=3.10'],
])("requires-python %s matches %s in a lock, or isn't compared", (declared, locked) => {
  const project = `[project]\nname = "a"\nrequires-python = "${declared}"\n`;
  expect(outdatedLock(`version = 1\nrequires-python = "${locked}"\n`, project)).toEqual([]);
});

test.each([
  ['without pyproject.toml', LOCK, null],
  ['a project whose dependencies a build finds', LOCK, '[project]\nname = "a"\ndynamic = ["dependencies"]\n'],
  ['a lock that does not say what it was made for', LOCK.slice(0, LOCK.indexOf('[package.metadata]')), PYPROJECT],
  ['no project', 'version = 1\n', '[tool.uv]\npackage = false\n'],
  ['broken files, which others refuse', 'version = ', '[project'],
])("%s isn't compared", (_what, lock, pyproject) => expect(outdatedLock(lock, pyproject)).toEqual([]));

test('a requirement with a source instead of a version matches any', () => {
  const project = '[project]\nname = "a"\ndependencies = ["x>=1", "y @ https://example.com/y.whl"]\n';
  const root = '[[package]]\nname = "a"\nversion = "0"\nsource = { virtual = "." }\n[package.metadata]\n';
  const dist =
    'requires-dist = [{ name = "x", git = "https://example.com/x" }, { name = "y", url = "https://example.com/y.whl" }]';
  expect(outdatedLock(`version = 1\n${root}${dist}\n`, project)).toEqual([]);
});
