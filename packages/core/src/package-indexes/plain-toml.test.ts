import fc from 'fast-check';
import { parse } from 'smol-toml';
import { type LockFailure, readToml } from './lock.ts';
import { readPlainToml } from './plain-toml.ts';

const LOCK = `version = 1
revision = 3
requires-python = ">=3.10"
resolution-markers = [
    "python_full_version >= '3.12'",
]

[options]
prerelease-mode = "allow"

[manifest]
members = ["app", "lib"]

[[package]]
name = "demo"
version = "1.0"
source = { registry = "https://x.example/simple" }
dependencies = [
    { name = "a", extra = ["b"], marker = "sys_platform == 'win32'" },
]
sdist = { url = "https://x.example/d.tar.gz", hash = "sha256:0", size = 10 }
wheels = [
    { url = "https://x.example/d.whl", hash = "sha256:0", size = 0 },
    { url = "https://x.example/e.whl", hash = "sha256:0", size = 5, upload-time = "2026-01-01T00:00:00Z" },
    { path = "f.whl" },
]

[package.optional-dependencies]
fast = [
    { name = "c" },
]

[package.metadata]
requires-dist = [{ name = "a", specifier = ">=1" }]
provides-extras = ["fast"]

[package.metadata.requires-dev]
dev = [{ name = "t" }]

[[package]]
name = "other"
source = { virtual = "." }
dev = true
`;

test('a lock parses to the same value as with the full parser', () => {
  expect(readPlainToml(LOCK)).toEqual(parse(LOCK));
});

test.each([
  ['lists', `a = ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`],
  ['tables', `a = ${'{ b = '.repeat(50_000)}1${' }'.repeat(50_000)}\n`],
  ['lists that stay open', `a = ${'['.repeat(50_000)}\n`],
])('nested %s are refused before the stack overflows', (_, text) => {
  expect(readPlainToml(text)).toBeNull();
  const problems: LockFailure[] = [];
  expect(readToml(text, 'uv.lock', problems)).toBeNull();
  expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('not valid TOML') })]);
  expect(problems[0]!.message).not.toContain('call stack');
});

const full = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    return 'not valid';
  }
};

/**
 * Whatever this parser accepts, the full parser must parse to the same value. What it leaves to the full parser is not
 * checked.
 */
function expectSameResult(text: string): void {
  const plain = readPlainToml(text);
  if (plain !== null) expect(JSON.stringify(plain)).toBe(JSON.stringify(full(text)));
}

test.each([
  'a = 1\na = 2\n',
  'a = { url = "x", hash = "y", size = 01 }\n',
  'a = { url = "x", hash = "y", size = 1, upload-time = "z" }\n',
  'a = { url = "x", hash = "y", size = 1, upload-time = 2026-01-01 }\n',
  'a = { url = "x", hash = "y", size = 1, url = "z" }\n',
  'a = { url = "x\ty", hash = "y", size = 1 }\n',
  'a = { url = "x\u0001y", hash = "y", size = 1 }\n',
  'a = { url = "x\\"y", hash = "y", size = 1 }\n',
  'a = { name = "x", name = "y" }\n',
  'a = { name = """x""" }\n',
  'a = "x\\u0041"\n',
  'a = "x\r"\n',
  'a = 1\r\n',
  '[a]\n[a]\n',
  '[a.b]\n[a]\n',
  '[[a]]\n[a]\n',
  '[a]\n[[a]]\n',
  'a = []\n[[a]]\n',
  'a = [{ b = 1 }]\n[[a]]\n',
  'a = { b = 1 }\n[a.c]\n',
  '[a]\nb = 1\n[a.b]\n',
  'a = "x\ny"\n',
  'a = """x"""\n',
  'a = ""\n',
  'a = "x" b = 1\n',
  'a = 01\n',
  'a = 1_0\n',
  'a = +1\n',
  'a = 99999999999999999\n',
  'a = 1.5\n',
  'a = 2026-01-01\n',
  'a = truex\n',
  'a = [1,, 2]\n',
  'a = [, 1]\n',
  'a = [1 2]\n',
  'a = [1,\n',
  'a = { b = 1, }\n',
  'a = {}\n',
  'a = { b = 1, b = 2 }\n',
  'a = { b = 1\n}\n',
  'a.b = 1\n',
  '"a" = 1\n',
  '__proto__ = 1\n',
  'a = { __proto__ = 1 }\n',
  '[__proto__]\n',
  '[constructor]\nx = 1\n[constructor.prototype]\ny = 1\n',
  'toString = 1\n',
  '[a] # x\n',
  '# x\n',
  '\ufeffa = 1\n',
  ' a = 1\n',
  'a=1\n',
  'a = 1',
  '[[a]\n',
  '[a]]\n',
  '[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 1\n[[a]]\n[a.c]\n',
])('%j parses to the same value, or is left to the full parser', expectSameResult);

test('so does any random change of a lock', () => {
  const piece = fc.constantFrom(
    '"',
    '\n',
    '[',
    ']',
    '{',
    '}',
    ',',
    ' ',
    '=',
    'x',
    '1',
    '.',
    '[[package]]\n',
    '[package]\n',
    'a = 1\n',
  );
  const change = fc.record({ at: fc.nat(LOCK.length), remove: fc.nat(40), put: fc.array(piece, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let text = LOCK;
      for (const { at, remove, put } of changes) text = text.slice(0, at) + put.join('') + text.slice(at + remove);
      expectSameResult(text);
    }),
    { numRuns: 3000 },
  );
});

test("a long text that uv didn't write is refused before it is parsed", () => {
  const problems: LockFailure[] = [];
  expect(readToml(`${'a.'.repeat(1_000_000)}a = 1`, 'uv.lock', problems)).toBeNull();
  expect(problems).toMatchObject([{ message: expect.stringContaining('more than 1048576 characters') }]);
});
