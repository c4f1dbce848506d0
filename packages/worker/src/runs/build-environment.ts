import { createHash, randomUUID } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundTool } from './find-tools.ts';
import { runUv, type UvOptions } from './uv-process.ts';

export interface EnvironmentOptions extends UvOptions {
  /** Text of the project's `uv.lock`, judged before. */
  readonly lock: string;
  readonly pyproject: string;
  /** The project's `wheelhouse` folder; null when it has none. */
  readonly wheelhouse: string | null;
  readonly python: FoundTool;
}

export interface BuiltEnvironment {
  /** Address of the environment: a hash of the lock, the wheel folder and the Python version. */
  readonly key: string;
  readonly dir: string;
  readonly python: string;
  readonly reused: boolean;
}

/** Builds under way in this process, by folder: a second asker waits for the first. */
const underWay = new Map<string, Promise<BuiltEnvironment>>();

/** The address of an environment: what it is made from, and nothing else. */
export async function environmentKey(
  options: Pick<EnvironmentOptions, 'lock' | 'wheelhouse' | 'python'>,
): Promise<string> {
  const hash = createHash('sha256').update(`1\0${options.python.version}\0${options.python.command}\0`);
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
 * It is built beside its place and then moved there whole, so a killed worker leaves no half one, and of two builders
 * the first wins. Throws RunFailure.
 */
export async function buildEnvironment(options: EnvironmentOptions): Promise<BuiltEnvironment> {
  const key = await environmentKey(options);
  const dir = join(options.envRoot, key);
  const running = underWay.get(dir);
  if (running !== undefined) return { ...(await running), reused: true };
  const build = findOrBuild(options, key, dir);
  underWay.set(dir, build);
  try {
    return await build;
  } finally {
    underWay.delete(dir);
  }
}

async function findOrBuild(options: EnvironmentOptions, key: string, dir: string): Promise<BuiltEnvironment> {
  const python = join(dir, 'bin', 'python');
  if (await exists(python)) return { key, dir, python, reused: true };
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
    await runUv(['venv', ...quiet, '--no-project', '--relocatable', environment], draft, options);
    const sync = ['sync', '--no-config', '--python', options.python.command, '--frozen', '--no-build'];
    sync.push('--no-install-project', '--no-install-workspace');
    await runUv(sync, join(draft, 'project'), options, { UV_PROJECT_ENVIRONMENT: environment });
    await moveInto(environment, dir);
    return { key, dir, python, reused: false };
  } finally {
    await rm(draft, { recursive: true, force: true });
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
