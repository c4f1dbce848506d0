import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from '@svc/core/package-indexes';
import {
  buildLimitsHere,
  isolationHere,
  lockText,
  makeWheel,
  type PrivateIndex,
  pyprojectText,
  startPrivateIndex,
  toolsHere,
} from '../testing/index.ts';
import { buildEnvironment } from './build-environment.ts';
import type { BuildLimits } from './build-limits.ts';
import { withLock } from './build-lock.ts';

const { uv, python } = await toolsHere();
const isolation = await isolationHere(join(tmpdir(), 'svc-nobody'));
const limits = await buildLimitsHere(isolation, python);
const withTools = uv !== null && python !== null ? describe : describe.skip;
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const sdk = join(root, 'packages/sdk-python');
const program = fileURLToPath(new URL('../testing/build-process.ts', import.meta.url));
const gamma = makeWheel('gamma', '1.0', 'whole');

let envRoot: string;
let index: PrivateIndex;
beforeEach(async () => {
  envRoot = mkdtempSync(join(tmpdir(), 'svc-builds-'));
  index = await startPrivateIndex();
  index.serve('/open', { wheels: [gamma] });
});
afterEach(async () => {
  await index.stop();
  rmSync(envRoot, { recursive: true, force: true });
});

function task() {
  const lock = lockText([{ name: 'gamma', index: `${index.origin}/open/simple`, wheel: gamma }]);
  return { uv, python: python!, isolation, sdk, envRoot, lock, pyproject: pyprojectText(['gamma']), wheelhouse: null };
}
const addresses = () => [addressOf(index.origin)!];
const sources = async () => ({ open: [], passes: [{ excludedPackages: [], addresses: addresses(), indexes: [] }] });
const build = () =>
  buildEnvironment({
    ...task(),
    limits,
    sources,
  });
function builder(): ChildProcess {
  const execArgv = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
  return fork(program, [JSON.stringify({ ...task(), addresses: addresses() })], { cwd: root, execArgv });
}
const environments = () => readdirSync(envRoot).filter((name) => !name.startsWith('.'));

withTools('several processes', () => {
  test('that need one environment at once build it once', async () => {
    const builders = [builder(), builder()];
    const reports = await Promise.all(builders.map((child) => once(child, 'message')));
    expect(reports.map(([reused]) => reused).sort()).toEqual([false, true]);
    expect(index.requests.filter((request) => request.path.endsWith(gamma.file))).toHaveLength(1);
    expect(environments()).toHaveLength(1);
  }, 60_000);

  test('of which one is killed while it builds: nothing half is found, and the next one builds at once', async () => {
    const requested = new Promise<void>((done) =>
      index.serve('/open', { wheels: [gamma], answer: () => done() /* and never answers */ }),
    );
    const doomed = builder();
    await requested;
    expect(environments()).toEqual([]);
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    expect(environments()).toEqual([]);
    expect(readdirSync(envRoot).some((name) => name.startsWith('.lock-'))).toBe(true);
    index.serve('/open', { wheels: [gamma] });
    const built = await build();
    expect(built.reused).toBe(false);
    const printed = execFileSync(built.python, ['-I', '-c', 'import gamma; print(gamma.VALUE)'], { encoding: 'utf8' });
    expect(printed.trim()).toBe('whole');
    expect(readdirSync(envRoot).filter((name) => name.startsWith('.lock-'))).toEqual([]);
  }, 60_000);
});

withTools('what a build unpacks is limited (RUN-19)', () => {
  const MB = 1_000_000;

  async function refusedBuild(more: Record<string, Buffer>, limits: Partial<BuildLimits>): Promise<unknown> {
    const bomb = makeWheel('bomb', '1.0', 'x', { more });
    index.serve('/open', { wheels: [bomb, gamma] });
    const packages = [bomb, gamma].map((wheel, i) => ({
      name: ['bomb', 'gamma'][i]!,
      index: `${index.origin}/open/simple`,
      wheel,
    }));
    return buildEnvironment({
      ...task(),
      lock: lockText(packages),
      pyproject: pyprojectText(['bomb', 'gamma']),
      limits: await buildLimitsHere(isolation, python, limits),
      sources,
    }).catch((error: unknown) => error);
  }

  /** Everything below the folder of Python environments that is left of packages. */
  const leftovers = () =>
    readdirSync(envRoot, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /bomb|\.building|\.home|\.lock-/.test(name),
    );

  test('by bytes: nothing stays, and the error names the setting', async () => {
    const zeros = Buffer.alloc(10 * MB);
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`bomb_data/${i}.bin`, zeros]));
    expect(await refusedBuild(more, { maxBytes: 60 * MB })).toMatchObject({
      code: 'environment-failed',
      detail: "the Python environment couldn't be built: the build unpacked too much (limit: 60 MB)",
      remedy: expect.stringContaining('raise SVC_RUN__PACKAGE_UNPACKED_LIMIT'),
    });
    expect([environments(), leftovers().filter((name) => !name.includes('wheels-'))]).toEqual([[], []]);
  }, 60_000);

  test('by one large file', async () => {
    const failure = await refusedBuild({ 'bomb.bin': Buffer.alloc(200 * MB) }, { maxBytes: 60 * MB });
    expect(failure).toMatchObject({ detail: expect.stringContaining('unpacked too much (limit: 60 MB)') });
    expect(environments()).toEqual([]);
  }, 60_000);

  test('by number of files', async () => {
    const more = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`bomb_data/${i}`, Buffer.alloc(0)]));
    expect(await refusedBuild(more, { maxFiles: 2000 })).toMatchObject({
      detail: expect.stringContaining('unpacked too many files (limit: 2000 files)'),
      remedy: expect.stringContaining('SVC_RUN__PACKAGE_FILE_LIMIT'),
    });
    expect(environments()).toEqual([]);
  }, 60_000);

  test('not by what others unpack: one build at a time writes to the cache', async () => {
    const folders = ['/a', '/b', '/c'];
    const together: number[] = [];
    for (const folder of folders)
      index.serve(folder, {
        wheels: [gamma],
        answer(_, res) {
          together.push(readdirSync(envRoot).filter((name) => name.startsWith('.building-')).length);
          res.end(gamma.bytes);
        },
      });
    const builds = folders.map((folder) => {
      const lock = lockText([{ name: 'gamma', index: `${index.origin}${folder}/simple`, wheel: gamma }]);
      return buildEnvironment({ ...task(), lock, limits, sources });
    });
    expect((await Promise.all(builds)).map(({ reused }) => reused)).toEqual([false, false, false]);
    expect(together).toEqual([1, 1, 1]);
  }, 60_000);

  test('a build within its limits succeeds', async () => {
    expect(await refusedBuild({}, { maxBytes: 100 * MB, maxFiles: 5000 })).toMatchObject({ reused: false });
  }, 60_000);
});

describe('the lock of a build', () => {
  const file = () => join(envRoot, '.lock-x');

  test('only one builder at a time has it, and it is released when the build fails', async () => {
    let inside = 0;
    const build = async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((done) => setImmediate(done));
      inside -= 1;
      throw new Error('no');
    };
    const settled = await Promise.allSettled([1, 2, 3].map(() => withLock(file(), build)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(readdirSync(envRoot)).toEqual([]);
  });

  test('of a machine that stopped refreshing it is taken over by one of the waiting builders', async () => {
    writeFileSync(file(), 'another-machine 1 x');
    const longAgo = new Date('2026-01-01T00:00:00Z');
    utimesSync(file(), longAgo, longAgo);
    let inside = 0;
    let peak = 0;
    const build = async () => {
      inside += 1;
      peak = Math.max(peak, inside);
      await new Promise((done) => setImmediate(done));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(file(), build)));
    expect(peak).toBe(1);
    expect(readdirSync(envRoot)).toEqual([]);
  });

  test('waits for the lock of a live process until the signal is aborted', async () => {
    writeFileSync(file(), 'another-machine 1 x');
    await expect(withLock(file(), async () => {}, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    expect(readdirSync(envRoot)).toEqual(['.lock-x']);
  });
});

withTools('projects with the same lock', () => {
  test('whose pyproject.toml chooses other dependency groups have their own Python environments', async () => {
    const group =
      '\n[package.dev-dependencies]\nextra = [{ name = "gamma" }]\n\n[package.metadata]\nrequires-dist = []\n\n[package.metadata.requires-dev]\nextra = [{ name = "gamma" }]\n';
    const lock = task()
      .lock.replace('dependencies = [{ name = "gamma" }]\n', '')
      .replace(/\n\[package\.metadata\]\nrequires-dist = .*\n/, group);
    const pyproject = (groups: string) => {
      const settings = `[tool.uv]\ndefault-groups = ${groups}\n`;
      return `${pyprojectText([]).replace('[tool.uv]\n', settings)}\n[dependency-groups]\nextra = ["gamma"]\n`;
    };
    const buildWith = (groups: string) =>
      buildEnvironment({ ...task(), lock, pyproject: pyproject(groups), limits, sources });
    const hasGamma = ({ python }: { python: string }) =>
      execFileSync(python, ['-I', '-c', 'import importlib.util as u; print(u.find_spec("gamma") is not None)'], {
        encoding: 'utf8',
      }).trim();
    expect(hasGamma(await buildWith('[]'))).toBe('False');
    expect(hasGamma(await buildWith('["extra"]'))).toBe('True');
    expect(hasGamma(await buildWith('[]'))).toBe('False');
  }, 60_000);
});

withTools('the folder wheelhouse', () => {
  const local = lockText([{ name: 'gamma', index: 'wheelhouse', wheel: gamma }]).replace(
    /url = "[^"]*"/,
    `path = "${gamma.file}"`,
  );

  test('may contain folders, which have no influence', async () => {
    const wheelhouse = join(envRoot, '.wheelhouse');
    mkdirSync(wheelhouse);
    writeFileSync(join(wheelhouse, gamma.file), gamma.bytes);
    const options = { ...task(), lock: local, wheelhouse, limits };
    const first = await buildEnvironment(options);
    mkdirSync(join(wheelhouse, 'older'));
    writeFileSync(join(wheelhouse, 'older', 'notes.txt'), 'x');
    expect(await buildEnvironment(options)).toEqual({ ...first, reused: true });
    rmSync(first.dir, { recursive: true });
    expect(await buildEnvironment(options)).toEqual({ ...first, reused: false });
  }, 60_000);

  test('may be a file', async () => {
    const wheelhouse = join(envRoot, '.wheelhouse');
    writeFileSync(wheelhouse, '');
    expect((await buildEnvironment({ ...task(), wheelhouse, limits, sources })).reused).toBe(false);
  }, 60_000);
});
