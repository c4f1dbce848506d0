import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@svc/core/errors';
import { parseBytes } from '@svc/core/settings';
import { readLockFiles } from '../deploys/read-project.ts';
import { verifyProjectLock } from '../deploys/verify-lock.ts';
import { readSources } from '../package-indexes/sources.ts';
import { type BuildSources, buildEnvironment } from '../python/build-environment.ts';
import type { BuildLimits } from '../python/build-limits.ts';
import type { PreparedPython } from '../python/interpreter-options.ts';
import { isolationMissingError, pythonMissingError, uvMissingError } from '../python/missing-tools.ts';
import { prepareSupport } from '../python/prepare-support.ts';
import { RunError } from '../work/run-error.ts';
import { exists, projectFolder } from './project-folder.ts';
import { pythonOf } from './python-of.ts';
import type { RunWork, TaskWork } from './run-work.ts';
import { WATCH_PERIOD_MS } from './waiting-interpreter.ts';

/** The parts of a task that its preparation needs. */
export type PythonWork = Pick<TaskWork, 'deps' | 'version' | 'environment' | 'signal' | 'log' | 'asset'>;

/**
 * Validates a version's lock and index configuration before any of it runs; null if it is valid. A version without a
 * lock installs nothing, and the deploy has checked its configuration.
 */
export async function verifyVersion({ deps, version, environment }: RunWork): Promise<Failure | null> {
  if (version.lock_hash === null) return null;
  const lock = await readLockFiles(await projectFolder({ deps, version }), []);
  return (await verifyProjectLock(deps, lock, { environment, phase: 'execution' })).error;
}

/**
 * Prepares what a version's Python tasks need: its files, the Python environment of its lock and the module `svc`. All
 * three are built once and reused. If anything has to be built, the lock is validated again and credentials are read.
 */
export async function preparePython(work: PythonWork): Promise<PreparedPython | Failure> {
  try {
    return await prepare(work);
  } catch (error) {
    if (error instanceof RunError) return error.failure;
    throw error;
  }
}

function buildLimits({ settings, enforcement, newId, log }: PythonWork['deps']): BuildLimits {
  return {
    enforcement,
    maxBytes: settings.packageUnpackedLimit,
    maxFiles: settings.packageFileLimit,
    newId,
    periodMs: WATCH_PERIOD_MS,
    onError: (error) => log.warn({ err: error }, "a limit of a build couldn't be enforced"),
  };
}

async function prepare(work: PythonWork): Promise<PreparedPython> {
  const { deps, version, environment, signal, log, asset } = work;
  if (deps.isolation.kind === 'missing') throw isolationMissingError(deps.isolation.reason);
  if (deps.uv === null) throw uvMissingError();
  const python = await pythonOf(deps, version.python);
  if (python === null) throw pythonMissingError(version.python);
  const projectDir = await projectFolder(work);
  const lock = await readLockFiles(projectDir, []);
  const uv = {
    uv: deps.uv,
    python,
    isolation: deps.isolation,
    sdk: deps.sdk,
    envRoot: join(deps.workDir, 'environments'),
    signal,
    inheritedEnv: deps.inheritedEnv,
    limits: buildLimits(deps),
    onOutput: (line: string) => log.line(asset.name, 'service', line),
  };
  await mkdir(uv.envRoot, { recursive: true });
  const wheelhouse = join(projectDir, 'wheelhouse');
  const sources = async (): Promise<BuildSources> => {
    const verified = await verifyProjectLock(deps, lock, { environment, phase: 'execution' });
    if (verified.error !== null) throw RunError.from(verified.error);
    return readSources(deps, environment, verified);
  };
  const built = await buildEnvironment({
    ...uv,
    lock: lock.lockText ?? '',
    pyproject: lock.pyprojectText ?? '',
    wheelhouse: (await exists(wheelhouse)) ? wheelhouse : null,
    maxBytes: parseBytes(deps.settings.packageDownloadLimit),
    sources,
  });
  const support = await prepareSupport(uv);
  if (!built.reused) log.line(asset.name, 'service', 'the Python environment is built');
  return { python: built.python, support, projectDir };
}
