import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@svc/core/errors';
import { unpackBundle } from '../deploys/bundle.ts';
import { judgeProjectLock } from '../deploys/judge-lock.ts';
import { readLockFiles } from '../deploys/read-project.ts';
import { buildEnvironment, moveInto } from './build-environment.ts';
import { findPython, noPython, noUv } from './find-tools.ts';
import { prepareSupport } from './prepare-support.ts';
import { RunFailure } from './run-failure.ts';
import type { TaskWork } from './run-work.ts';

/** What a Python task is started with. */
export interface PreparedPython {
  /** Interpreter of the project's environment. */
  python: string;
  support: string;
  projectDir: string;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Makes ready what a version's Python tasks need: its files, its environment by the lock (judged again) and the module
 * `svc`. All three are built once and reused.
 */
export async function preparePython(work: TaskWork): Promise<PreparedPython | Failure> {
  try {
    return await prepare(work);
  } catch (error) {
    if (error instanceof RunFailure) return { code: error.code, detail: error.detail, remedy: error.remedy };
    throw error;
  }
}

async function prepare(work: TaskWork): Promise<PreparedPython | Failure> {
  const { deps, version, signal, log, asset } = work;
  if (deps.uv === null) throw noUv();
  const path = process.env['PATH'] ?? '';
  const python = await findPython(version.python, deps.uv, path);
  if (python === null) throw noPython(version.python);
  const projectDir = await projectFolder(work);
  const lock = await readLockFiles(projectDir, []);
  const judged = judgeProjectLock(deps, { lock }, 'execution');
  if (judged.error !== null) return judged.error;
  const uv = {
    uv: deps.uv,
    envRoot: join(deps.workDir, 'environments'),
    signal,
    passThrough: deps.passThrough,
    onOutput: (line: string) => log.line(asset.name, 'service', line),
  };
  await mkdir(uv.envRoot, { recursive: true });
  const wheelhouse = join(projectDir, 'wheelhouse');
  const environment = await buildEnvironment({
    ...uv,
    lock: lock.lockText ?? '',
    pyproject: lock.pyprojectText ?? '',
    wheelhouse: (await exists(wheelhouse)) ? wheelhouse : null,
    python,
  });
  const support = await prepareSupport({ ...uv, python, sdk: deps.sdk });
  if (!environment.reused) log.line(asset.name, 'service', 'the Python environment is built');
  return { python: environment.python, support, projectDir };
}

/** The files of a version, unpacked once; moved to their place whole, so that a killed worker leaves no half. */
async function projectFolder({ deps, version }: TaskWork): Promise<string> {
  const root = join(deps.workDir, 'projects');
  const place = join(root, version.id);
  if (await exists(place)) return place;
  await mkdir(root, { recursive: true });
  const draft = await mkdtemp(join(root, '.unpacking-'));
  try {
    await unpackBundle(await deps.store.readStream(version.location), draft);
    await moveInto(draft, place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return place;
}
