import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Edit } from './edits.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const SOURCES = ['--import', './scripts/typescript.mjs', '--conditions=@svc/source'];
const FOLDERS = ['apps', 'packages', 'scripts', 'prisma', 'vectors', 'docs', '.changeset'];
const ENGINE = 'packages/lake/dist/engine';
/** Built files and caches. */
const SKIPPED = /[\\/](dist|\.venv|\.\w+_cache|__pycache__|\.turbo|wheels)$/;

/** A copy of the repository's sources, with the installed packages of this one. */
export interface WorkspaceCopy {
  folder: string;
  apply: (edits: readonly Edit[]) => void;
  read: (path: string) => string;
  /** Runs a program of the copy from sources and returns its output. @throws an error with the output */
  run: (args: readonly string[], env?: Record<string, string>) => Promise<string>;
  /** Runs any program in the copy. */
  execute: (program: string, args: readonly string[], env?: Record<string, string>) => Promise<string>;
  remove: () => Promise<void>;
}

export async function copyWorkspace(): Promise<WorkspaceCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-recipes-'));
  for (const name of FOLDERS) {
    // The links between packages are relative, so they lead to the copy.
    const filter = (path: string) => !SKIPPED.test(path);
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, verbatimSymlinks: true, filter });
  }
  // Query processes have no loader for sources.
  cpSync(join(ROOT, ENGINE), join(folder, ENGINE), { recursive: true });
  // In a worktree, .git is a file that names the original.
  const files = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== '.git');
  for (const { name } of files) cpSync(join(ROOT, name), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');

  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const execute = async (program: string, args: readonly string[], env: Record<string, string> = {}) => {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    return promisify(execFile)(program, args, options).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => Promise.reject(new Error(`${error.stdout}${error.stderr}`)),
    );
  };
  return {
    folder,
    read,
    execute,
    run: (args, env) => execute(process.execPath, [...SOURCES, ...args], env),
    apply(edits) {
      for (const { path, change } of edits) {
        const file = join(folder, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, typeof change === 'string' ? change : change(read(path)));
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
