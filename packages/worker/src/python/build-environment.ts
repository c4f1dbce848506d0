import { createHash, randomUUID } from 'node:crypto';
import { access, copyFile, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexAddress } from '@svc/core/package-indexes';
import { isSandboxed } from '../isolation/index.ts';
import {
  type DownloadBudget,
  type Resolve,
  startGuardProxy,
  startGuardSocket,
  upstreamProxy,
} from '../outgoing/index.ts';
import { withBuildLock } from './build-lock.ts';
import { compileModules } from './compile-modules.ts';
import type { FailedIndex } from './uv-failure.ts';
import { type BuildIndex, runUv, type UvOptions } from './uv-process.ts';

export interface EnvironmentOptions extends UvOptions {
  /** Text of the project's `uv.lock`, already validated. */
  readonly lock: string;
  readonly pyproject: string;
  /** The project's `wheelhouse` folder; null if it has none. */
  readonly wheelhouse: string | null;
  /** Resolves host names (default: the system's resolver). */
  readonly resolve?: Resolve;
  /** Settings of uv for this build, such as timeouts. */
  readonly uvEnv?: Readonly<Record<string, string>>;
  /** Maximum bytes that the build may download; if absent, there is no limit. */
  readonly maxBytes?: number;
  /** Read only if the Python environment has to be built; if absent, nothing is downloaded. */
  readonly sources?: () => Promise<BuildSources>;
}

/** Where a build may download from, and with which credentials. */
export interface BuildSources {
  readonly passes: readonly SourcePass[];
  /** Registered indexes without a credential, for error messages. */
  readonly open: readonly FailedIndex[];
}

export interface SourcePass {
  /** Packages of the lock that this run of uv skips. */
  readonly excludedPackages: readonly string[];
  readonly addresses: readonly IndexAddress[];
  readonly indexes: readonly BuildIndex[];
}

export interface BuiltEnvironment {
  /** Key of the Python environment: a hash of the lock, `pyproject.toml`, the wheel folder and the Python version. */
  readonly key: string;
  readonly dir: string;
  readonly python: string;
  readonly reused: boolean;
}

const NOTHING: BuildSources = { passes: [{ excludedPackages: [], addresses: [], indexes: [] }], open: [] };
/** Creating the folder of a Python environment needs no network, so the address is unreachable. */
const NO_PROXY_SERVER = { url: 'http://127.0.0.1:9', refused: [] };

/** Returns the key of a Python environment: a hash of exactly the inputs it is built from. */
export async function environmentKey(
  options: Pick<EnvironmentOptions, 'lock' | 'pyproject' | 'wheelhouse' | 'python' | 'isolation'>,
): Promise<string> {
  // Isolated tasks never use a Python environment that other tasks could write to.
  const version = isSandboxed(options.isolation) ? '2' : '1';
  const hash = createHash('sha256').update(`${version}\0${options.python.version}\0${options.python.command}\0`);
  // pyproject.toml chooses what is installed from the lock, such as dependency groups.
  hash.update(options.lock).update('\0').update(options.pyproject).update('\0');
  for (const name of (await wheelhouseFiles(options.wheelhouse)) ?? []) {
    const content = createHash('sha256').update(await readFile(join(options.wheelhouse!, name)));
    hash.update(`${name}\0${content.digest('hex')}\0`);
  }
  return hash.digest('hex').slice(0, 32);
}

/**
 * The names of the files directly in the folder, sorted: a lock can name no others. Null if there is no such folder.
 */
async function wheelhouseFiles(wheelhouse: string | null): Promise<string[] | null> {
  if (wheelhouse === null) return null;
  try {
    const entries = await readdir(wheelhouse, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  } catch (error) {
    // A project may have a file of that name.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

async function copyWheelhouse(wheelhouse: string | null, target: string): Promise<void> {
  const names = await wheelhouseFiles(wheelhouse);
  if (names === null) return;
  await mkdir(target);
  for (const name of names) await copyFile(join(wheelhouse!, name), join(target, name));
}

/**
 * Builds the Python environment of a lock with uv, from wheels only (LOCK-8), or finds an earlier build. It is built in
 * a draft folder and then moved into place, so a killed worker never leaves a partial one. One build runs at a time, and the
 * others wait. The folder's modification time is its last use. Throws RunError.
 */
export async function buildEnvironment(options: EnvironmentOptions): Promise<BuiltEnvironment> {
  const key = await environmentKey(options);
  const dir = join(options.envRoot, key);
  const python = join(dir, 'bin', 'python');
  const found = { key, dir, python, reused: true };
  if (!(await exists(python))) {
    found.reused = await withBuildLock(options.envRoot, () => findOrBuild(options, key, dir), options.signal);
  }
  await utimes(dir, new Date(), new Date());
  return found;
}

/** Returns true if another builder was first. */
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
    // The build sees only these files, and no project code or parent folder.
    await writeFile(join(draft, 'project', 'pyproject.toml'), options.pyproject);
    await writeFile(join(draft, 'project', 'uv.lock'), options.lock);
    await copyWheelhouse(options.wheelhouse, join(draft, 'project', 'wheelhouse'));
    const environment = join(draft, 'environment');
    const commonArgs = ['--no-config', '--quiet', '--python', options.python.command];
    const venv = ['venv', ...commonArgs, '--no-project', '--relocatable', environment];
    await runUv({ args: venv, cwd: draft, folder: draft, guard: NO_PROXY_SERVER }, options);
    const target = { draft, environment, budget: { remainingBytes: options.maxBytes ?? Number.POSITIVE_INFINITY } };
    for (const pass of sources.passes) await install(pass, sources.open, target, options);
    await compileModules(environment, options);
    await moveInto(environment, dir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Runs uv behind its own guard, which allows only the connections this run needs. */
async function install(
  pass: SourcePass,
  open: readonly FailedIndex[],
  { draft, environment, budget }: { draft: string; environment: string; budget: DownloadBudget },
  options: EnvironmentOptions,
): Promise<void> {
  const args = ['sync', '--no-config', '--python', options.python.command, '--frozen', '--no-build', '--inexact'];
  args.push('--no-install-project', '--no-install-workspace');
  for (const name of pass.excludedPackages) args.push('--no-install-package', name);
  const guardOptions = {
    allowed: pass.addresses,
    budget,
    upstream: upstreamProxy(options.inheritedEnv ?? {}),
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  };
  const { isolation } = options;
  const ownNetwork = isolation.kind === 'bubblewrap' && isolation.ownNetwork;
  const guard = await (ownNetwork ? startGuardSocket(draft, 'guard', guardOptions) : startGuardProxy(guardOptions));
  try {
    const env = { UV_PROJECT_ENVIRONMENT: environment, ...options.uvEnv };
    await runUv(
      { args, cwd: join(draft, 'project'), folder: draft, env, indexes: pass.indexes, open, guard, budget },
      options,
    );
  } finally {
    await guard.close();
  }
}

/** Moves a finished folder into place. If another builder was first, its folder is used. */
export async function moveInto(finished: string, target: string): Promise<void> {
  try {
    await rename(finished, target);
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
