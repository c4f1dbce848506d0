import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isDiskFull, isOutage } from '@svc/lake/storage';
import { extract, type Header, pack } from 'tar-stream';
import { PROJECT_LIMITS, ProjectError, type ProjectLimits, tooLarge } from './project-error.ts';
import { pathFault } from './project-path.ts';

/** Folders and files that never belong to a project. Bundles leave them out. */
const LEFT_OUT = new Set(['.git', '.hg', '.svn', '.venv', 'venv', 'node_modules', '__pycache__', '.svc', '.DS_Store']);

function invalidBundle(detail: string, remedy = 'create the bundle with svc deploy'): ProjectError {
  return new ProjectError('bundle-refused', detail, remedy);
}

/**
 * Splits an entry's name into its parts; null for the root itself. Throws ProjectError if the name leaves the folder.
 */
function partsOf(name: string): string[] | null {
  const fault = pathFault(name);
  if (fault !== null) throw invalidBundle(`the bundle's entry ${JSON.stringify(name.slice(0, 200))} ${fault}`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? null : parts;
}

/** Passes bytes through and fails when they exceed the limit. */
function counted(limit: number, createError: () => ProjectError): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > limit) done(createError());
      else done(null, chunk);
    },
  });
}

/**
 * Unpacks a tar.gz of plain files and folders into an empty folder. Rejects links, devices, names that leave the
 * folder, duplicate files and anything above the limits; never writes outside the folder. Throws ProjectError.
 */
export async function unpackBundle(
  stream: Readable,
  dir: string,
  limits: ProjectLimits = PROJECT_LIMITS,
  signal?: AbortSignal,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const abort = new AbortController();
  const unpacker = new Unpacker(dir, limits, abort.signal);
  const tar = extract();
  // Headers and padding count too, so the inflated stream is limited whatever sizes the entries claim.
  const inflatedLimit = limits.bytes + limits.entries * 4096 + 65_536;
  const feed = pipeline(
    [stream, createGunzip(), counted(inflatedLimit, () => tooLarge('the unpacked bundle is larger', limits)), tar],
    signal === undefined ? {} : { signal },
  );
  // If the stream breaks off inside an entry, the entry's reader would wait forever: abort it.
  feed.catch(() => abort.abort());
  // Both sides can fail. The first failure is the cause; the other one only follows from it.
  const drain = unpacker.run(tar);
  const [fed, drained] = await Promise.allSettled([feed, drain]);
  const cause = [drained, fed].find(
    (outcome) => outcome.status === 'rejected' && outcome.reason instanceof ProjectError,
  );
  const failed = [fed, drained].find((outcome) => outcome.status === 'rejected');
  // The source of the bundle and the disk may fail as well. That isn't an error in the bundle.
  if (fed.status === 'rejected' && isOutage(fed.reason)) throw fed.reason;
  if (drained.status === 'rejected' && isDiskFull(drained.reason)) throw drained.reason;
  if (cause?.status === 'rejected') throw cause.reason;
  if (failed?.status === 'rejected') {
    if (signal?.aborted) throw new ProjectError('cancelled', 'unpacking the bundle was cancelled', null);
    throw invalidBundle(`the bundle isn't a tar.gz archive: ${(failed.reason as Error).message}`);
  }
  if (unpacker.files === 0) throw invalidBundle('the bundle has no files', 'send the folder that contains svc.yaml');
  return { files: unpacker.files, bytes: unpacker.bytes };
}

class Unpacker {
  files = 0;
  bytes = 0;
  private entries = 0;
  private readonly dir: string;
  private readonly limits: ProjectLimits;
  private readonly abort: AbortSignal;

  constructor(dir: string, limits: ProjectLimits, abort: AbortSignal) {
    this.dir = dir;
    this.limits = limits;
    this.abort = abort;
  }

  async run(tar: ReturnType<typeof extract>): Promise<void> {
    const aborted = new Promise<never>((_, reject) => {
      this.abort.addEventListener('abort', () => reject(new Error('it is truncated')), { once: true });
    });
    const all = (async () => {
      for await (const entry of tar) await this.extractEntry(entry.header, entry as unknown as Readable);
    })();
    await Promise.race([all, aborted]);
  }

  private async extractEntry(header: Header, content: Readable): Promise<void> {
    this.entries += 1;
    if (this.entries > this.limits.entries) throw tooLarge('the bundle has more entries', this.limits);
    const parts = partsOf(header.name);
    const quotedName = JSON.stringify(header.name.slice(0, 200));
    if (header.type === 'directory') {
      if (parts !== null)
        await mkdir(join(this.dir, ...parts), { recursive: true }).catch(reportingDuplicate(quotedName));
      content.resume();
      return;
    }
    if (header.type !== 'file' && header.type !== 'contiguous-file') {
      throw invalidBundle(
        `the bundle's entry ${quotedName} is a ${header.type ?? 'special file'}, not a file or folder`,
      );
    }
    if (parts === null) throw invalidBundle(`the bundle's entry ${quotedName} has no name`);
    const size = header.size ?? 0;
    this.bytes += size;
    if (size > this.limits.fileBytes) throw tooLarge(`the bundle's file ${quotedName} has ${size} bytes`, this.limits);
    if (this.bytes > this.limits.bytes) throw tooLarge('the unpacked bundle is larger', this.limits);
    await this.write(join(this.dir, ...parts), content, quotedName);
    this.files += 1;
  }

  private async write(path: string, content: Readable, quotedName: string): Promise<void> {
    try {
      await mkdir(dirname(path), { recursive: true });
      // "wx" never follows a link or replaces a file, so a duplicate name fails.
      const file = await open(path, 'wx', 0o644);
      await pipeline(content, file.createWriteStream(), { signal: this.abort });
    } catch (error) {
      reportingDuplicate(quotedName)(error);
    }
  }
}

function reportingDuplicate(quotedName: string) {
  return (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR')
      throw invalidBundle(`the bundle's entry ${quotedName} appears twice`);
    throw error;
  };
}

/** Lists the files of a project folder, sorted by path, relative and with forward slashes. Throws on links. */
async function listFiles(dir: string, below = ''): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(dir, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (LEFT_OUT.has(entry.name)) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(dir, path)));
    else if (entry.isFile()) found.push(path);
    else throw invalidBundle(`${path} is a link or a special file`, 'replace it with the file itself');
  }
  return found;
}

/**
 * Packs a project folder as tar.gz. The same files produce the same bytes: sorted, without times, owners or modes.
 * Version control, Python environments and caches are left out. Throws ProjectError above the limits or on a link.
 */
export async function packProject(dir: string): Promise<Readable> {
  const files = await listFiles(dir);
  if (files.length > PROJECT_LIMITS.entries) throw tooLarge(`the folder has ${files.length} files`, PROJECT_LIMITS);
  const sizes = await Promise.all(files.map(async (file) => (await lstat(join(dir, file))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > PROJECT_LIMITS.bytes) throw tooLarge(`the folder's files have ${total} bytes`, PROJECT_LIMITS);
  const tar = pack();
  const write = async (): Promise<void> => {
    for (const [i, file] of files.entries()) {
      const entry = tar.entry({ name: file, size: sizes[i]!, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 });
      await pipeline(createReadStream(join(dir, file)), entry);
    }
    tar.finalize();
  };
  const gzip = createGzip({ level: 6 });
  write().catch((error: Error) => tar.destroy(error));
  pipeline(tar as unknown as Readable, gzip).catch((error: Error) => gzip.destroy(error));
  return gzip;
}
