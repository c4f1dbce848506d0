import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { runChild } from './child-process.ts';

/** An installed program and its version. */
export interface InstalledTool {
  readonly command: string;
  readonly version: string;
}

/** The oldest Python version that the module `svc` supports. */
export const OLDEST_PYTHON = [3, 10] as const;

async function runTool(command: string, args: readonly string[], path: string): Promise<string | null> {
  const env = { PATH: path, HOME: '/nonexistent', LANG: 'C.UTF-8', UV_PYTHON_DOWNLOADS: 'never', UV_NO_CONFIG: '1' };
  const result = await runChild({ command, args, cwd: '/', env, timeoutMs: 30_000 });
  return result.exitCode === 0 ? result.stdout.trim() : null;
}

/** Returns the absolute path of a program, because it is started later with another search path. */
export async function locate(name: string, path: string): Promise<string | null> {
  const folders = isAbsolute(name)
    ? [name]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, name));
  for (const directory of folders) {
    const runs = await access(directory, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return directory;
  }
  return null;
}

/** Returns the first candidate that is uv (a path, or `uv` to search `path`), or null. */
export async function findUv(candidates: readonly string[], path: string): Promise<InstalledTool | null> {
  for (const candidate of candidates) {
    const command = await locate(candidate, path);
    if (command === null) continue;
    const version = /^uv (\S+)/.exec((await runTool(command, ['--version'], path)) ?? '')?.[1];
    if (version !== undefined) return { command, version };
  }
  return null;
}

const WHICH = 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])';

/** Queries an interpreter for its version; null if it isn't Python or is too old. */
async function inspect(command: string, path: string): Promise<InstalledTool | null> {
  const [executable, version] = ((await runTool(command, ['-I', '-c', WHICH], path)) ?? '').split('\n');
  if (!executable || version === undefined) return null;
  const [major, minor] = version.split('.').map(Number);
  const recent = major! > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor! >= OLDEST_PYTHON[1]);
  return recent ? { command: executable, version } : null;
}

/**
 * Finds an interpreter, 3.10 or later, for a version request such as `3.12` or `>=3.10,<3.14` (null: any). With uv it
 * considers all installed ones. Without uv it considers only `python3`, and can't satisfy a request. Null if none fits.
 */
export async function findPython(
  request: string | null,
  uv: InstalledTool | null,
  path: string,
): Promise<InstalledTool | null> {
  if (uv !== null) {
    const requirement = request ?? `>=${OLDEST_PYTHON.join('.')}`;
    const found = await runTool(uv.command, ['python', 'find', '--no-project', '--system', requirement], path);
    const tool = found === null ? null : await inspect(found, path);
    if (tool !== null) return tool;
  }
  return request === null ? inspect('python3', path) : null;
}
