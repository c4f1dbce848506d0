import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { usage } from './exit.ts';
import { isExample, secretIn } from './packed-secrets.ts';
import { isIgnored, type PackingRules, rulesAround, rulesWithin } from './packing-rules.ts';

/** Never part of a project: version control, built environments, caches. */
const LEFT_OUT = ['.git', '.hg', '.svn', '.venv', 'venv', '__pycache__', 'node_modules', '.svc', '.DS_Store'];
const LEFT_OUT_SUFFIXES = ['.pyc', '.pyo'];
export const MANIFEST = 'svc.yaml';

/** What a bundle of a project folder holds. */
export interface ProjectFiles {
  /** Paths with forward slashes, sorted. */
  readonly files: readonly string[];
  /** Files and folders that `.gitignore` leaves out; folders end with a slash. */
  readonly ignored: readonly string[];
}

/**
 * The files of a project folder that `.gitignore` doesn't leave out.
 *
 * @throws Failed when it has no manifest, or when a file holds a secret
 */
export async function filesOf(folder: string): Promise<ProjectFiles> {
  const found = await stat(join(folder, MANIFEST)).catch(() => null);
  if (!found?.isFile()) {
    throw usage(`${folder} is no project: it has no ${MANIFEST}. Name the folder that holds it.`);
  }
  const ignored: string[] = [];
  const files = (await below(folder, '', await rulesAround(folder), ignored)).sort();
  await refuseSecrets(folder, files);
  return { files, ignored: ignored.sort() };
}

async function below(folder: string, path: string, around: PackingRules, ignored: string[]): Promise<string[]> {
  const rules = await rulesWithin(around, folder, path);
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  const lists = await Promise.all(
    entries.filter(belongs).map(async (entry) => {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      const seen = entry.isDirectory() ? `${inner}/` : inner;
      if (isIgnored(rules, seen)) {
        ignored.push(seen);
        return [];
      }
      if (entry.isDirectory()) return below(folder, inner, rules, ignored);
      // Links could lead out of the folder; sockets and devices are no files.
      return entry.isFile() ? [inner] : [];
    }),
  );
  return lists.flat();
}

/** A bundle is stored by the service and unpacked by every run: what is in it is no longer a secret of this machine. */
async function refuseSecrets(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const reason = secretIn(posix.basename(file), await readFile(join(folder, file)));
    if (reason === null) continue;
    throw usage(`${file} ${reason}: it is not sent. Add it to .gitignore, or move it out of the project.`);
  }
}

const belongs = ({ name }: Dirent) =>
  !LEFT_OUT.includes(name) && !isExample(name) && !LEFT_OUT_SUFFIXES.some((suffix) => name.endsWith(suffix));

/** The folder as a tar.gz. The same files give the same bytes: no times, no owners. */
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
