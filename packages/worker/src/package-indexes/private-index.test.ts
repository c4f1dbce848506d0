import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planPasses, verifyLock } from '@svc/core/package-indexes';
import { buildEnvironment } from '../python/build-environment.ts';
import type { BuildIndex } from '../python/uv-process.ts';
import {
  buildLimitsHere,
  isolationHere,
  type LockedPackage,
  lockText,
  makeWheel,
  type PrivateIndex,
  pyprojectText,
  type ServedPart,
  startPrivateIndex,
  toolsHere,
} from '../testing/index.ts';

const { uv, python } = await toolsHere();
if (uv === null || python === null)
  console.warn('uv or Python is missing here: the tests of private indexes are left out');
const isolation = await isolationHere(join(tmpdir(), 'svc-nobody'));
const limits = await buildLimitsHere(isolation, python);
const withTools = uv !== null && python !== null ? describe : describe.skip;

const A = { username: 'reader-of-a', password: 'canary a/9f:1?' };
const B = { username: 'reader-of-b', password: 'canary-b@77' };
const pair = ({ username, password }: typeof A) => `${username}:${password}`;
const alpha = makeWheel('alpha', '1.0', 'from a');
const beta = makeWheel('beta', '1.0', 'from b');
const gamma = makeWheel('gamma', '1.0', 'open');

let base: string;
let index: PrivateIndex;
let other: PrivateIndex;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'svc-index-'));
  index = await startPrivateIndex();
  other = await startPrivateIndex();
});
afterAll(async () => {
  await index.stop();
  await other.stop();
  rmSync(base, { recursive: true, force: true });
});
beforeEach(() => {
  index.requests.length = 0;
  other.requests.length = 0;
  index.serve('/a', { wheels: [alpha], credential: pair(A) });
  index.serve('/b', { wheels: [beta], credential: pair(B) });
  index.serve('/open', { wheels: [gamma] });
});

interface Registered {
  name: string;
  url: string;
  credential?: typeof A;
  /** Of the credential's secret (default: dev). */
  environment?: string;
}

/** Verifies the lock against the registered indexes and builds its environment, as the worker does. */
async function build(packages: readonly LockedPackage[], registered: readonly Registered[], more: object = {}) {
  const envRoot = mkdtempSync(join(base, 'environments-'));
  mkdirSync(envRoot, { recursive: true });
  const lock = lockText(packages);
  const verdict = verifyLock({
    lockText: lock,
    pyprojectText: null,
    uvTomlText: null,
    wheelhouse: [],
    registered: registered.map(({ name, url }) => ({ name, url, credential_secret: null })),
    operatorIndexUrl: null,
    fileHosts: [],
    phase: 'execution',
  });
  expect(verdict.problems).toEqual([]);
  const indexes: BuildIndex[] = registered.flatMap(({ name, url, credential, environment = 'dev' }) =>
    credential === undefined ? [] : [{ name, url, ...credential, secret: { name: 'pw', environment } }],
  );
  const { passes, splitPackage } = planPasses(verdict.fetches, indexes);
  expect(splitPackage).toBeNull();
  const all = verdict.fetches.flatMap((fetch) => fetch.packages);
  const lines: string[] = [];
  const built = buildEnvironment({
    uv,
    python: python!,
    isolation,
    sdk: fileURLToPath(new URL('../../../sdk-python', import.meta.url)),
    envRoot,
    limits,
    lock,
    pyproject: pyprojectText(packages.map(({ name }) => name)),
    wheelhouse: null,
    onOutput: (line) => lines.push(line),
    uvEnv: { UV_HTTP_RETRIES: '0', UV_HTTP_TIMEOUT: '3' },
    sources: async () => ({
      open: registered.filter((i) => i.credential === undefined).map(({ name, url }) => ({ name, url, secret: null })),
      passes: passes.map((pass) => ({
        addresses: pass.addresses,
        indexes: indexes.filter((i) => pass.credentials.includes(i)),
        excludedPackages: pass.packages === null ? [] : all.filter((name) => !pass.packages!.includes(name)),
      })),
    }),
    ...more,
  });
  const failure = await built.then(
    () => null,
    (error: unknown) => error as Error & { detail: string; remedy: string | null },
  );
  // In every case, no credential is in any file or in the output.
  for (const canary of [A, B]) {
    for (const file of filesIn(envRoot)) expect(readFileSync(file).includes(canary.password)).toBe(false);
    expect(`${lines.join('\n')} ${failure?.detail} ${failure?.remedy}`).not.toContain(canary.password);
    expect(`${lines.join('\n')} ${failure?.detail}`).not.toContain(canary.username);
  }
  expect(readdirSync(envRoot).filter((name) => /^\.(building|home|lock)/.test(name))).toEqual([]);
  const dir = readdirSync(envRoot).find((name) => !name.startsWith('.'));
  return { envRoot, failure, passes, python: dir === undefined ? null : join(envRoot, dir, 'bin', 'python') };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

const importedValue = (interpreter: string | null, name: string) =>
  execFileSync(interpreter!, ['-I', '-c', `import ${name}; print(${name}.VALUE)`], { encoding: 'utf8' }).trim();
const locked = (name: string, part: string, wheel = { alpha, beta, gamma }[name]!): LockedPackage => ({
  name,
  index: `${index.origin}/${part}/simple`,
  wheel,
});
const inA = () => ({ name: 'a', url: `${index.origin}/a/simple`, credential: A });
const inB = () => ({ name: 'b', url: `${index.origin}/b/simple`, credential: B });

withTools('with real uv', () => {
  test('a package of an index with a credential is installed with it', async () => {
    const built = await build([locked('alpha', 'a')], [inA()]);
    expect(built.failure).toBeNull();
    expect(importedValue(built.python, 'alpha')).toBe('from a');
    expect(index.requests.some(({ credential }) => credential === pair(A))).toBe(true);
  }, 60_000);

  test.each([
    ['no user name', { username: '', password: A.password }],
    ['one of other letters', { username: 'jos\u00e9@corp', password: 'p\u00e4ss w\u00f6rd:%41"\\' }],
  ])(
    'a credential with %s is sent as it is',
    async (_, credential) => {
      index.serve('/a', { wheels: [alpha], credential: pair(credential) });
      const { failure } = await build([locked('alpha', 'a')], [{ ...inA(), credential }]);
      expect(failure).toBeNull();
    },
    60_000,
  );

  test('packages beyond the download limit are not fetched', async () => {
    const { failure } = await build([locked('alpha', 'a')], [inA()], { maxBytes: 100 });
    expect(failure?.detail).toContain('exceed the download limit of a build');
    expect(failure?.remedy).toContain('SVC_RUN__PACKAGE_DOWNLOAD_LIMIT');
  }, 60_000);

  test('indexes on one host never get the credential of another one', async () => {
    const open = { name: 'open', url: `${index.origin}/open/simple` };
    const built = await build(
      [locked('alpha', 'a'), locked('beta', 'b'), locked('gamma', 'open')],
      [inA(), inB(), open],
    );
    expect(built.failure).toBeNull();
    expect(['alpha', 'beta', 'gamma'].map((name) => importedValue(built.python, name))).toEqual([
      'from a',
      'from b',
      'open',
    ]);
    const sent = (part: string) =>
      new Set(index.requests.filter((r) => r.path.startsWith(part)).map((r) => r.credential));
    expect([...sent('/a/')].filter((c) => c !== null)).toEqual([pair(A)]);
    expect([...sent('/b/')].filter((c) => c !== null)).toEqual([pair(B)]);
    expect([...sent('/open/')]).toEqual([null]);
  }, 60_000);

  test('another port of the same host never sees the credential, nor is it reached by a redirect', async () => {
    other.serve('/x', { wheels: [alpha] });
    index.serve('/a', {
      wheels: [alpha],
      credential: pair(A),
      answer: (_, res) => res.writeHead(302, { Location: `${other.origin}/x/files/${alpha.file}` }).end(),
    });
    const { failure } = await build([locked('alpha', 'a')], [inA()]);
    expect(failure?.detail).toContain(other.origin);
    expect(failure?.remedy).toContain('without redirects');
    expect(other.requests).toEqual([]);
  }, 60_000);

  test('a second index at another port is fetched from without the credential of the first', async () => {
    other.serve('/open', { wheels: [gamma] });
    const far = { name: 'far', url: `${other.origin}/open/simple` };
    const built = await build([locked('alpha', 'a'), { name: 'gamma', index: far.url, wheel: gamma }], [inA(), far]);
    expect(built.failure).toBeNull();
    expect(built.passes).toHaveLength(1);
    expect(other.requests.every(({ credential }) => credential === null)).toBe(true);
  }, 60_000);

  test('another name of the same machine never sees the credential', async () => {
    const alike = { name: 'alike', url: `${index.origin.replace('127.0.0.1', 'localhost')}/open/simple` };
    const built = await build(
      [locked('alpha', 'a'), { name: 'gamma', index: alike.url, wheel: gamma }],
      [inA(), alike],
      { resolve: async () => ['127.0.0.1'] },
    );
    expect(built.failure).toBeNull();
    expect(index.requests.some(({ path }) => path.startsWith('/open/'))).toBe(true);
    for (const { path, credential } of index.requests) if (path.startsWith('/open/')) expect(credential).toBeNull();
  }, 60_000);

  test('a package that has wheels for other machines alone', async () => {
    const wheel = makeWheel('alpha', '1.0', 'elsewhere', { tag: 'cp310-cp310-win_amd64' });
    index.serve('/a', { wheels: [wheel], credential: pair(A) });
    const { failure } = await build([locked('alpha', 'a', wheel)], [inA()]);
    expect(failure?.detail).toContain("the package alpha 1.0 has no wheel for the worker's platform and Python");
    expect(failure?.remedy).toContain('wheelhouse');
  }, 60_000);

  test.each([
    ['401', 401, 'rejected the credential of the secret pw', 'svc secret rotate pw --env dev --values-stdin'],
    ['403', 403, 'rejected the credential of the secret pw', 'svc secret rotate pw --env dev --values-stdin'],
    ['404', 404, 'no longer has that file', 'lock again'],
    ['500', 500, 'the package index a returned 500', 'try again'],
  ])(
    'an index that answers %s',
    async (_, status, cause, remedy) => {
      index.serve('/a', { wheels: [alpha], answer: (_req, res) => res.writeHead(status).end() });
      const { failure } = await build([locked('alpha', 'a')], [inA()]);
      expect([failure?.detail, failure?.remedy]).toEqual([
        expect.stringContaining(cause),
        expect.stringContaining(remedy),
      ]);
    },
    60_000,
  );

  test('a wrong credential, and none where one is needed', async () => {
    const wrong = await build([locked('alpha', 'a')], [{ ...inA(), credential: B }]);
    expect(wrong.failure?.detail).toContain('rejected the credential of the secret pw');
    const none = await build([locked('alpha', 'a')], [{ name: 'a', url: inA().url }]);
    expect(none.failure?.remedy).toBe('svc index update a --credential-secret SECRET');
  }, 60_000);

  test('a wrong credential gets nothing that a build of another environment downloaded with the right one', async () => {
    const right = await build([locked('alpha', 'a')], [inA()]);
    expect(right.failure).toBeNull();
    const more = { envRoot: right.envRoot, pyproject: pyprojectText(['alpha'], '# another project\n') };
    const wrong = await build([locked('alpha', 'a')], [{ ...inA(), credential: B, environment: 'other' }], more);
    expect(wrong.failure?.detail).toContain('rejected the credential of the secret pw');
  }, 60_000);

  test('an index that does not respond in time', async () => {
    index.serve('/a', { wheels: [alpha], answer: () => undefined });
    const { failure } = await build([locked('alpha', 'a')], [inA()]);
    expect(failure?.detail).toContain('respond in time');
  }, 60_000);

  test('a wheel with one byte more than was locked', async () => {
    index.serve('/a', { wheels: [{ ...alpha, bytes: Buffer.concat([alpha.bytes, Buffer.from('x')]) }] });
    const { failure } = await build([locked('alpha', 'a')], [inA()]);
    expect(failure?.detail).toContain(`the file ${alpha.file} is damaged or isn't the one that was locked`);
    expect(failure?.remedy).toContain('find out why');
  }, 60_000);

  test('an index that interrupts its response', async () => {
    const answer: ServedPart['answer'] = (_, res) => {
      res.writeHead(200, { 'Content-Length': alpha.bytes.length });
      res.write(alpha.bytes.subarray(0, 50), () => res.destroy());
    };
    index.serve('/a', { wheels: [alpha], answer });
    const { failure } = await build([locked('alpha', 'a')], [inA()]);
    expect(failure?.detail).toContain('the package index interrupted its response');
  }, 60_000);

  test('a wheel that is not the one that was locked', async () => {
    index.serve('/a', {
      wheels: [{ ...alpha, bytes: makeWheel('alpha', '1.0', 'forged').bytes }],
      credential: pair(A),
    });
    const { failure } = await build([locked('alpha', 'a')], [inA()]);
    expect(failure?.detail).toContain('its hash differs');
  }, 60_000);

  test('an index that repeats the credential in its response', async () => {
    index.serve('/a', {
      wheels: [alpha],
      answer: (req, res) =>
        res
          .writeHead(302, {
            Location: `http://${encodeURIComponent(A.username)}:${encodeURIComponent(A.password)}@127.0.0.1:1/x?${req.headers.authorization}`,
          })
          .end(),
    });
    const { failure } = await build([locked('alpha', 'a')], [inA()]);
    expect(failure?.detail).toContain('http://127.0.0.1:1');
  }, 60_000);
});
