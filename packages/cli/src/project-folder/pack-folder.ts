import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { usageError } from '../cli-error.ts';
import { describeSecret, isExample } from './packed-secrets.ts';
import { addFolderRules, isIgnored, type PackingRules, readOuterRules } from './packing-rules.ts';

/** Never part of a project: version control, built environments, caches. */
const EXCLUDED = ['.git', '.hg', '.svn', '.venv', 'venv', '__pycache__', 'node_modules', '.svc', '.DS_Store'];
const EXCLUDED_SUFFIXES = ['.pyc', '.pyo'];
export const MANIFEST = 'svc.yaml';

/** The content of a project folder. */
export interface ProjectFiles {
  /** Paths with forward slashes, sorted. */
  readonly files: readonly string[];
  /** Files and folders that `.gitignore` or `.svcignore` excludes; folders end with a slash. */
  readonly ignored: readonly string[];
  /** Links, which could lead out of the folder. */
  readonly links: readonly string[];
}

/**
 * The files of a project folder that neither `.gitignore` nor `.svcignore` excludes.
 *
 * @throws CliError if there is no manifest, or if a file contains a secret
 */
export async function listProjectFiles(folder: string): Promise<ProjectFiles> {
  const found = await stat(join(folder, MANIFEST)).catch(() => null);
  if (!found?.isFile()) {
    throw usageError(`${folder} is not a project: it has no ${MANIFEST}. Specify the folder that contains it.`);
  }
  const skipped: Skipped = { ignored: [], links: [] };
  const files = (await listFiles(folder, '', await readOuterRules(folder), skipped)).sort();
  await rejectSecrets(folder, files);
  return { files, ignored: skipped.ignored.sort(), links: skipped.links.sort() };
}

/** A text that differs if a project file is added, removed or written. */
export async function stateOfFolder(folder: string): Promise<string> {
  const files = (await listFiles(folder, '', await readOuterRules(folder), { ignored: [], links: [] })).sort();
  const states = files.map(async (file) => {
    // It may be removed at this moment.
    const found = await stat(join(folder, file)).catch(() => null);
    return `${file} ${found?.size} ${found?.mtimeMs}`;
  });
  return (await Promise.all(states)).join('\n');
}

type Skipped = { readonly [K in 'ignored' | 'links']: string[] };

async function listFiles(folder: string, path: string, around: PackingRules, skipped: Skipped): Promise<string[]> {
  const rules = await addFolderRules(around, folder, path);
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  const lists = await Promise.all(
    entries.filter(isIncluded).map(async (entry) => {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      const seen = entry.isDirectory() ? `${inner}/` : inner;
      if (isIgnored(rules, seen)) {
        skipped.ignored.push(seen);
        return [];
      }
      if (entry.isDirectory()) return listFiles(folder, inner, rules, skipped);
      if (entry.isSymbolicLink()) skipped.links.push(inner);
      // Sockets and devices are not files.
      return entry.isFile() ? [inner] : [];
    }),
  );
  return lists.flat();
}

/** The service stores a bundle and every run unpacks it, so a secret in it would no longer be private to this machine. */
async function rejectSecrets(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const reason = describeSecret(posix.basename(file), await readFile(join(folder, file)));
    if (reason === null) continue;
    throw usageError(
      `${file} ${reason}, so it can't be deployed. Add it to .gitignore or .svcignore, or move it out of the project.`,
    );
  }
}

const isIncluded = ({ name }: Dirent) =>
  !EXCLUDED.includes(name) && !isExample(name) && !EXCLUDED_SUFFIXES.some((suffix) => name.endsWith(suffix));

/** The folder as a tar.gz. The same files produce the same bytes: there are no times and no owners. */
export function packFolder(folder: string, files: readonly string[]): AsyncIterable<Uint8Array> {
  const tar = pack();
  const gzip = createGzip();
  tar.on('error', (error) => gzip.destroy(error));
  void fill(tar, folder, files).catch((error: Error) => tar.destroy(error));
  return tar.pipe(gzip);
}

async function fill(tar: ReturnType<typeof pack>, folder: string, files: readonly string[]): Promise<void> {
  for (const name of files) {
    const bytes = await readFile(join(folder, name));
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      tar.entry({ name, size: bytes.length, mode: 0o644, mtime: new Date(0) }, bytes, done);
    });
  }
  tar.finalize();
}
