import { createReadStream, type Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ListOptions, StoredFile } from '@svc/iceberg';
import { fileLocation, StorageError } from '@svc/iceberg';
import { forEach } from './concurrency.ts';
import { isErrno } from './errno.ts';
import { adoptFile, linkFile, syncPath, writeFile } from './file-writes.ts';
import { ABSENT, LocalPaths } from './local-paths.ts';
import type {
  ObjectBody,
  ObjectCopy,
  ObjectStore,
  RemovalCounts,
  Stage,
  StoreFolders,
  StoreRoot,
} from './object-store.ts';
import { isFolderFault, isOutage } from './outage.ts';
import { missing, tooLarge } from './storage-errors.ts';

/**
 * The names of unfinished writes. Listings omit them, and the orphan sweep removes them, so no other file may be called like this:
 * an artifact can have any name.
 */
const UNFINISHED = /\.\d+-[0-9a-z]+\.partial$/;
/** Folder of stages. A location never starts with a dot, so no table files are stored there. */
const STAGES = '.stages';
const REMOVAL_BATCH = 1000;
/**
 * An object store in a folder of this machine; creates the folder.
 *
 * @param rootDir absolute path; `*`, `?` and `[` are rejected because query engines treat them as patterns.
 */
export async function openLocalStore(rootDir: string): Promise<ObjectStore> {
  if (!path.isAbsolute(rootDir)) throw new StorageError('outside', 'The storage location must be an absolute path.');
  if (/[*?[\]{}]/.test(rootDir)) {
    throw new StorageError('outside', 'The storage location must not contain * ? [ ] { }. Choose another folder.');
  }
  await fs.mkdir(rootDir, { recursive: true });
  return new LocalStore(new LocalPaths(await fs.realpath(rootDir), rootDir));
}

type WalkOptions = ListOptions & { readonly partial: boolean };

class LocalStore implements ObjectStore {
  readonly root: string;
  private readonly paths: LocalPaths;

  constructor(paths: LocalPaths) {
    this.paths = paths;
    this.root = paths.root;
  }

  isUnavailable(error: unknown): boolean {
    return isOutage(error);
  }

  async signerOf(): Promise<null> {
    return null;
  }

  async vendCredentials(): Promise<null> {
    return null;
  }

  async rootOf(): Promise<string> {
    return this.root;
  }

  async roots(): Promise<StoreRoot[]> {
    return [{ location: this.root, environmentId: null }];
  }

  async write(location: string, body: ObjectBody): Promise<StoredFile> {
    const target = this.paths.lexical(location);
    const temporary = unfinishedPath(target);
    try {
      await this.paths.touchFolder(path.dirname(target));
      return await writeFile(body, { temporary, target, location });
    } catch (error) {
      // The stream may not even have been read.
      if (body instanceof Readable) body.destroy();
      if (isErrno(error, 'ENOTDIR')) throw notAFolderError(location);
      // Report the cause, not an error of the cleanup.
      await fs.rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async folders(): Promise<StoreFolders> {
    // While the root is away, there is nothing to read or write.
    await this.paths.makeFolder(this.stages).catch(() => undefined);
    return { files: [this.paths.dir], stages: this.stages };
  }

  private get stages(): string {
    return path.join(this.paths.dir, STAGES);
  }

  async openStage(): Promise<Stage> {
    const { stages } = this;
    const make = () => fs.mkdtemp(path.join(stages, 's-'));
    // Every query opens a stage, so the parent folder is checked and created only if this fails.
    const dir = await make().catch(async (error: unknown) => {
      if (!isErrno(error, ...ABSENT)) throw error;
      await this.paths.makeFolder(stages);
      return make();
    });
    return { dir, close: () => fs.rm(dir, { recursive: true, force: true }) };
  }

  async moveInto(file: string, location: string, { durable = true } = {}): Promise<StoredFile> {
    const target = this.paths.lexical(location);
    try {
      await this.paths.touchFolder(path.dirname(target));
      return await adoptFile({ temporary: file, target, location }, durable);
    } catch (error) {
      throw isErrno(error, 'ENOTDIR') ? notAFolderError(location) : error;
    }
  }

  async copyAll(copies: readonly ObjectCopy[]): Promise<void> {
    const folders = new Set(copies.map(({ to }) => path.dirname(this.paths.lexical(to))));
    for (const folder of folders) await this.paths.touchFolder(folder);
    await forEach(copies, (one) => this.copy(one));
    for (const folder of folders) await syncPath(folder);
  }

  private async copy({ from, to }: ObjectCopy): Promise<void> {
    const [source, target] = [await this.localPath(from), this.paths.lexical(to)];
    const temporary = unfinishedPath(target);
    try {
      await linkFile(source, { temporary, target, location: to });
    } catch (error) {
      // A folder is not an object, and neither is a file that was removed since the check.
      throw (await fs.stat(source).catch(() => null))?.isFile() ? error : missing(from);
    }
  }

  async makeFolder(location: string): Promise<void> {
    try {
      await this.paths.touchFolder(this.paths.lexical(location));
    } catch (error) {
      throw isErrno(error, 'ENOTDIR', 'EEXIST') ? notAFolderError(location) : error;
    }
  }

  async sweepStages(olderThan: number, options: ListOptions = {}): Promise<number> {
    const { stages } = this;
    let removed = 0;
    const skip = (folder: string) => (error: unknown) => {
      if (options.onUnreadable === undefined || !isFolderFault(error)) throw error;
      options.onUnreadable(folder, error);
      return false;
    };
    const done = () => true;
    for (const name of await fs.readdir(stages).catch(() => [])) {
      const stat = await fs.stat(path.join(stages, name)).catch(() => null);
      if (!stat || stat.mtimeMs >= olderThan) continue;
      const stage = path.join(stages, name);
      if (await fs.rm(stage, { recursive: true, force: true }).then(done, skip(fileLocation(stage)))) removed += 1;
    }
    for await (const object of this.walk(this.paths.dir, { ...options, partial: true })) {
      if (!UNFINISHED.test(object.location) || object.modifiedAt >= olderThan) continue;
      const folder = object.location.slice(0, object.location.lastIndexOf('/'));
      if (await this.remove(object.location).catch(skip(folder))) removed += 1;
    }
    return removed;
  }

  async read(location: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const file = await this.localPath(location);
    try {
      const handle = await fs.open(file);
      try {
        if ((await handle.stat()).size > maxBytes) throw tooLarge(location);
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    } catch (error) {
      // A folder is not an object, and neither is a file that was removed since the check.
      if (isErrno(error, 'EISDIR', 'ENOENT')) throw missing(location);
      throw error;
    }
  }

  async readStream(location: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable> {
    return createReadStream(await this.localPath(location), range ?? {});
  }

  async stat(location: string): Promise<StoredFile | null> {
    try {
      const stat = await fs.stat(await this.localPath(location));
      return stat.isFile() ? { location, size: stat.size, modifiedAt: stat.mtimeMs } : null;
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'missing') return null;
      throw error;
    }
  }

  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<StoredFile> {
    yield* this.walk(this.paths.lexical(prefix, true), { ...options, partial: false });
  }

  private async *walk(folder: string, options: WalkOptions): AsyncGenerator<StoredFile> {
    const entries = await this.entriesOf(folder).catch((error: unknown) => {
      if (options.onUnreadable === undefined || !isFolderFault(error)) throw error;
      options.onUnreadable(fileLocation(folder), error);
      return [];
    });
    for await (const entry of entries) {
      if (folder === this.paths.dir && entry.name === STAGES) continue;
      const full = path.join(folder, entry.name);
      // Never follow a link: it doesn't belong to the store, and its target may be outside.
      if (entry.isDirectory()) yield* this.walk(full, options);
      else if (entry.isFile() && (options.partial || !UNFINISHED.test(entry.name))) {
        const stat = await fs.stat(full).catch(() => null);
        if (stat) yield { location: fileLocation(full), size: stat.size, modifiedAt: stat.mtimeMs };
      }
    }
  }

  private async entriesOf(folder: string): Promise<AsyncIterable<Dirent> | readonly Dirent[]> {
    if (!(await this.paths.isRealFolder(folder))) return [];
    return fs.opendir(folder).catch((error: unknown) => {
      // Removed since the check: it has no contents.
      if (isErrno(error, ...ABSENT)) return [];
      throw error;
    });
  }

  async remove(location: string): Promise<boolean> {
    try {
      await fs.unlink(await this.localPath(location));
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'missing') return false;
      if (isErrno(error, 'ENOENT')) return false;
      throw error;
    }
  }

  async removePrefix(
    prefix: string,
    options: { readonly limit?: number } = {},
  ): Promise<RemovalCounts & { done: boolean }> {
    const folder = this.paths.lexical(prefix);
    const limit = options.limit ?? REMOVAL_BATCH;
    let files = 0;
    let bytes = 0;
    for await (const object of this.walk(folder, { partial: true })) {
      if (files >= limit) return { files, bytes, done: false };
      // The walk has just seen a real file in a real folder, so the path isn't checked again.
      if (!(await unlinked(this.paths.lexical(object.location)))) continue;
      files += 1;
      bytes += object.size;
    }
    await removeEmptyFolders(folder);
    return { files, bytes, done: true };
  }

  localPath(location: string): Promise<string> {
    return this.paths.real(location);
  }
}

const notAFolderError = (location: string) =>
  new StorageError('obstructed', `Can't write to ${location}: a file with the name of one of its folders exists.`);

/** In the folder of the target, whose own name may have the maximum length. */
const unfinishedPath = (target: string): string =>
  path.join(path.dirname(target), `.${process.pid}-${process.hrtime.bigint().toString(36)}.partial`);

/** Returns false if the file didn't exist. */
async function unlinked(file: string): Promise<boolean> {
  try {
    await fs.unlink(file);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

async function removeEmptyFolders(folder: string): Promise<void> {
  const gone = await fs.rmdir(folder).then(
    () => true,
    (error: unknown) => isErrno(error, 'ENOENT'),
  );
  if (gone) return;
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyFolders(path.join(folder, entry.name));
  await fs.rmdir(folder).catch(() => undefined);
}
