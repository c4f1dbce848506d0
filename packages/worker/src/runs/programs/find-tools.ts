import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { RunFailure } from '../run-failure.ts';
import { runChild } from './child-process.ts';

/** A program that has been found and says its version. */
export interface FoundTool {
  readonly command: string;
  readonly version: string;
}

/** Oldest Python that the module `svc` runs on. */
export const OLDEST_PYTHON = [3, 10] as const;

async function ask(command: string, args: readonly string[], path: string): Promise<string | null> {
  const env = { PATH: path, HOME: '/nonexistent', LANG: 'C.UTF-8', UV_PYTHON_DOWNLOADS: 'never', UV_NO_CONFIG: '1' };
  const result = await runChild({ command, args, cwd: '/', env, timeoutMs: 30_000 });
  return result.exitCode === 0 ? result.stdout.trim() : null;
}

/** The absolute path of a program: later it is started where another search path holds. */
export async function locate(name: string, path: string): Promise<string | null> {
  const places = isAbsolute(name)
    ? [name]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, name));
  for (const place of places) {
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return place;
  }
  return null;
}

/** The first of the candidates (paths, or `uv` to search `path`) that is uv; null when none is. */
export async function findUv(candidates: readonly string[], path: string): Promise<FoundTool | null> {
  for (const candidate of candidates) {
    const command = await locate(candidate, path);
    if (command === null) continue;
    const version = /^uv (\S+)/.exec((await ask(command, ['--version'], path)) ?? '')?.[1];
    if (version !== undefined) return { command, version };
  }
  return null;
}

const WHICH = 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])';

/** What an interpreter says of itself; null when it is none, or too old. */
async function inspect(command: string, path: string): Promise<FoundTool | null> {
  const [executable, version] = ((await ask(command, ['-I', '-c', WHICH], path)) ?? '').split('\n');
  if (!executable || version === undefined) return null;
  const [major, minor] = version.split('.').map(Number);
  const recent = major! > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor! >= OLDEST_PYTHON[1]);
  return recent ? { command: executable, version } : null;
}

/**
 * An interpreter of at least 3.10 that satisfies a version request such as `3.12` or `>=3.10,<3.14` (null: any).
 * With uv all that are installed are looked at; without, `python3` alone and no request can be met. Null when none fits.
 */
export async function findPython(
  request: string | null,
  uv: FoundTool | null,
  path: string,
): Promise<FoundTool | null> {
  if (uv !== null) {
    const wanted = request ?? `>=${OLDEST_PYTHON.join('.')}`;
    const found = await ask(uv.command, ['python', 'find', '--no-project', '--system', wanted], path);
    const tool = found === null ? null : await inspect(found, path);
    if (tool !== null) return tool;
  }
  return request === null ? inspect('python3', path) : null;
}

/** The refusal when there is no uv. */
export function noUv(): RunFailure {
  return new RunFailure(
    'uv-missing',
    'Python environments are built by uv, and the worker has none',
    'install uv where the worker runs, or set SVC_RUN__UV to its path',
  );
}

/** The refusal when tasks must be isolated and cannot be. */
export function noIsolation(why: string): RunFailure {
  return new RunFailure(
    'isolation-missing',
    `Python tasks are to run in a sandbox, and on the worker ${why}`,
    'ask the operator of the worker to mend it, or to set SVC_RUN__ISOLATION',
  );
}

/** The refusal when no Python fits. */
export function noPython(request: string | null): RunFailure {
  const wanted = request === null ? `Python ${OLDEST_PYTHON.join('.')} or newer` : `Python ${request}`;
  return new RunFailure(
    'python-missing',
    `the worker has no ${wanted}`,
    `install it where the worker runs, or change python in svc.yaml`,
  );
}
