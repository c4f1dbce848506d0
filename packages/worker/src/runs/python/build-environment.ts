import { createHash, randomUUID } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexAddress } from '@svc/core/package-indexes';
import { type DownloadBudget, type Resolve, startGuardProxy, upstreamProxy } from '../../outgoing/index.ts';
import { underLock } from './build-lock.ts';
import { compileModules } from './compile-modules.ts';
import type { FailedIndex } from './uv-failure.ts';
import { type BuildIndex, runUv, type UvOptions } from './uv-process.ts';

export interface EnvironmentOptions extends UvOptions {
  /** Text of the project's `uv.lock`, judged before. */
  readonly lock: string;
  readonly pyproject: string;
  /** The project's `wheelhouse` folder; null when it has none. */
  readonly wheelhouse: string | null;
  /** How host names are looked up; the system's way when left out. */
  readonly resolve?: Resolve;
  /** Settings of uv for this build, such as its time limits. */
  readonly uvEnv?: Readonly<Record<string, string>>;
  /** Bytes that the build may fetch; absent: no limit. */
  readonly mostBytes?: number;
  /** Read only when the environment has to be built; absent: nothing is fetched. */
  readonly sources?: () => Promise<BuildSources>;
}

/** Where a build may fetch from, and with which credentials. */
export interface BuildSources {
  readonly passes: readonly SourcePass[];
  /** Registered indexes that need no credential, for what is said of a failure. */
  readonly open: readonly FailedIndex[];
}

export interface SourcePass {
  /** Packages of the lock that this run of uv leaves out. */
  readonly leaveOut: readonly string[];
  readonly addresses: readonly IndexAddress[];
  readonly indexes: readonly BuildIndex[];
}

export interface BuiltEnvironment {
  /** Address of the environment: a hash of the lock, the wheel folder and the Python version. */
  readonly key: string;
  readonly dir: string;
  readonly python: string;
  readonly reused: boolean;
}

const NOTHING: BuildSources = { passes: [{ leaveOut: [], addresses: [], indexes: [] }], open: [] };
/** Making the folder of an environment needs no network: the address leads nowhere. */
const NOWHERE = { url: 'http://127.0.0.1:9', refused: [] };

/** The address of an environment: what it is made from, and nothing else. */
export async function environmentKey(
  options: Pick<EnvironmentOptions, 'lock' | 'wheelhouse' | 'python' | 'isolation'>,
): Promise<string> {
  // One that tasks could write is never used by tasks that are held apart.
  const version = options.isolation.kind === 'bubblewrap' ? '2' : '1';
  const hash = createHash('sha256').update(`${version}\0${options.python.version}\0${options.python.command}\0`);
  hash.update(options.lock).update('\0');
  const names = options.wheelhouse === null ? [] : (await readdir(options.wheelhouse)).sort();
  for (const name of names) {
    const content = createHash('sha256').update(await readFile(join(options.wheelhouse!, name)));
    hash.update(`${name}\0${content.digest('hex')}\0`);
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * Builds the Python environment of a lock with uv, from wheels alone, or finds the one built before (packages: building).
 * It is built beside its place and then moved there whole, so a killed worker leaves no half one; of several builders
 * one builds and the others wait. Its folder's time is that of its last use. Throws RunFailure.
 */
export async function buildEnvironment(options: EnvironmentOptions): Promise<BuiltEnvironment> {
  const key = await environmentKey(options);
  const dir = join(options.envRoot, key);
  const python = join(dir, 'bin', 'python');
  const found = { key, dir, python, reused: true };
  if (!(await exists(python))) {
    const file = join(options.envRoot, `.lock-${key}`);
    found.reused = await underLock(file, () => findOrBuild(options, key, dir), options.signal);
  }
  await utimes(dir, new Date(), new Date());
  return found;
}

/** True when another builder was first. */
async function findOrBuild(options: EnvironmentOptions, key: string, dir: string): Promise<boolean> {
  if (await exists(join(dir, 'bin', 'python'))) return true;
  await build(options, key, dir);
  return false;
}

async function build(options: EnvironmentOptions, key: string, dir: string): Promise<void> {
  const sources = (await options.sources?.()) ?? NOTHING;
  const draft = join(options.envRoot, `.building-${key}-${randomUUID()}`);
  await mkdir(join(draft, 'project'), { recursive: true });
  try {
    // Only these files: no project code and no parent folder can take part in the build.
    await writeFile(join(draft, 'project', 'pyproject.toml'), options.pyproject);
    await writeFile(join(draft, 'project', 'uv.lock'), options.lock);
    if (options.wheelhouse !== null)
      await cp(options.wheelhouse, join(draft, 'project', 'wheelhouse'), { recursive: true });
    const environment = join(draft, 'environment');
    const quiet = ['--no-config', '--quiet', '--python', options.python.command];
    const venv = ['venv', ...quiet, '--no-project', '--relocatable', environment];
    await runUv({ args: venv, cwd: draft, guard: NOWHERE }, options);
    const place = { draft, environment, budget: { left: options.mostBytes ?? Number.POSITIVE_INFINITY } };
    for (const pass of sources.passes) await install(pass, sources.open, place, options);
    await compileModules(environment, options);
    await moveInto(environment, dir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** One run of uv behind a guard of its own, which lets through what this run needs and nothing else. */
async function install(
  pass: SourcePass,
  open: readonly FailedIndex[],
  { draft, environment, budget }: { draft: string; environment: string; budget: DownloadBudget },
  options: EnvironmentOptions,
): Promise<void> {
  const args = ['sync', '--no-config', '--python', options.python.command, '--frozen', '--no-build', '--inexact'];
  args.push('--no-install-project', '--no-install-workspace');
  for (const name of pass.leaveOut) args.push('--no-install-package', name);
  const guard = await startGuardProxy({
    allowed: pass.addresses,
    budget,
    upstream: upstreamProxy(options.passThrough ?? {}),
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  try {
    const env = { UV_PROJECT_ENVIRONMENT: environment, ...options.uvEnv };
    await runUv({ args, cwd: join(draft, 'project'), env, indexes: pass.indexes, open, guard, budget }, options);
  } finally {
    await guard.close();
  }
}

/** Moves a finished folder to its place; when another builder was first, its result is the one that counts. */
export async function moveInto(finished: string, place: string): Promise<void> {
  try {
    await rename(finished, place);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
