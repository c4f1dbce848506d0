import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The commit of a working folder, and whether its files differ from it. */
export interface GitState {
  readonly commit: string;
  readonly dirty: boolean;
}

/** Repositories that git hooks and wrappers select with variables are not the one of the folder. */
const SELECTING = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_NAMESPACE'];
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * The state of a folder whose files are sent; null if git doesn't know it, such as outside a repository or before the first commit. The
 * folder is dirty if a file of it that is sent is new or differs from the commit, or if one is missing.
 */
export async function readGitState(folder: string, sent: readonly string[]): Promise<GitState | null> {
  try {
    const commit = (await git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).trim();
    const prefix = (await git(folder, ['rev-parse', '--show-prefix'])).replace(/\n$/, '');
    const status = await git(folder, [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--',
      '.',
    ]);
    const files = new Set(sent);
    const dirty = status.split('\0').some((entry) => {
      const [state, path] = [entry.slice(0, 2), entry.slice(3)];
      return state.includes('D') || files.has(path.slice(prefix.length));
    });
    return /^[0-9a-f]+$/.test(commit) ? { commit, dirty } : null;
  } catch {
    return null;
  }
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SELECTING.includes(name)));
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-C', folder];
  const { stdout } = await run('git', [...options, ...args], { env, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}
