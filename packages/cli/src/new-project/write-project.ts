import { lstat, mkdir, open, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { usageError, workError } from '../cli-error.ts';
import { MANIFEST } from '../project-folder/pack-folder.ts';
import type { ProjectFile } from './project-files.ts';

/** Files that a folder often has before it becomes a project, and that a project works without. */
const OPTIONAL = ['.gitignore', 'README.md'];

/** Paths of a new project. */
export interface WrittenProject {
  readonly files: readonly string[];
  /** Files that existed and stayed as they were. */
  readonly unchanged: readonly string[];
}

/**
 * Writes the files of a new project into a folder, which is created if it doesn't exist. Existing files are never overwritten.
 *
 * @throws CliError if a file exists that the project needs, or can't be written; in both cases nothing is left behind
 */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<WrittenProject> {
  const target = await stat(folder).catch(() => null);
  if (target?.isDirectory() === false) throw usageError(`${folder} is a file. Choose another folder.`);
  const found = await Promise.all(files.map(({ path }) => exists(join(folder, path))));
  const existing = files.filter((_, i) => found[i]).map(({ path }) => path);
  const unchanged = existing.filter((path) => OPTIONAL.includes(path));
  if (unchanged.length < existing.length) {
    const paths = existing.filter((path) => !unchanged.includes(path)).map((path) => join(folder, path));
    const verb = paths.length === 1 ? 'exists' : 'exist';
    throw usageError(`${paths.join(', ')} already ${verb}. Nothing was written. Choose another folder.`);
  }
  const missing = files.filter(({ path }) => !unchanged.includes(path));
  await writeAll(folder, missing);
  return { files: missing.map(({ path }) => path), unchanged };
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function writeAll(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const created: string[] = [];
  // The manifest is last: without it, an interrupted command leaves no folder that could be deployed.
  for (const { path, text } of files.toSorted((a, b) => Number(a.path === MANIFEST) - Number(b.path === MANIFEST))) {
    const file = resolve(folder, path);
    try {
      await createFolder(dirname(file), created);
      await createFile(file, text, created);
    } catch (error) {
      const left = await remove(created);
      const outcome = left.length === 0 ? 'Nothing was written' : `These remain: ${left.join(', ')}`;
      throw workError(
        `Can't create ${join(folder, path)}: ${(error as Error).message}. ${outcome}. Choose another folder.`,
      );
    }
  }
}

/** Adds the folders that it creates to `created`. */
async function createFolder(folder: string, created: string[]): Promise<void> {
  if (await exists(folder)) return;
  if (dirname(folder) !== folder) await createFolder(dirname(folder), created);
  await mkdir(folder);
  created.push(folder);
}

async function createFile(file: string, text: string, created: string[]): Promise<void> {
  // Fails if another program has created the file, or a link, since the check.
  const handle = await open(file, 'wx');
  created.push(file);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Removes files and empty folders, the newest first. Returns those that remain. */
async function remove(paths: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const path of paths.toReversed()) {
    await unlink(path).catch(() => rmdir(path).catch(() => left.push(path)));
  }
  return left;
}
