import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { usage } from './exit.ts';

/** Never part of a project: version control, built environments, caches. */
const LEFT_OUT = ['.git', '.hg', '.svn', '.venv', 'venv', '__pycache__', 'node_modules', '.svc', '.DS_Store'];
const LEFT_OUT_SUFFIXES = ['.pyc', '.pyo'];
export const MANIFEST = 'svc.yaml';

/** The files of a project folder, by path, as a bundle holds them. @throws Failed when it has no manifest */
export async function filesOf(folder: string): Promise<string[]> {
  const found = await stat(join(folder, MANIFEST)).catch(() => null);
  if (!found?.isFile()) {
    throw usage(`${folder} is no project: it has no ${MANIFEST}. Name the folder that holds it.`);
  }
  return (await below(folder, '')).sort();
}

async function below(folder: string, path: string): Promise<string[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  const lists = await Promise.all(
    entries.filter(belongs).map(async (entry) => {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) return below(folder, inner);
      // Links could lead out of the folder; sockets and devices are no files.
      return entry.isFile() ? [inner] : [];
    }),
  );
  return lists.flat();
}

const belongs = ({ name }: Dirent) =>
  !LEFT_OUT.includes(name) && !LEFT_OUT_SUFFIXES.some((suffix) => name.endsWith(suffix));

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
