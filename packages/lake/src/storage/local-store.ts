import { createReadStream, type Dirent, realpathSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ListOptions, StoredFile } from '@svc/iceberg';
import { fileLocation, isDirect, isWithin, pathOfLocation, StorageError } from '@svc/iceberg';
import { forEach } from './concurrency.ts';
import { isErrno } from './errno.ts';
import { adoptFile, linkFile, syncPath, writeFile } from './file-writes.ts';
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
import { unavailable } from './unavailable.ts';

/**
 * The names of unfinished writes. Listings omit them, and the orphan sweep removes them, so no other file may be called like this:
 * an artifact can have any name.
 */
const UNFINISHED = /\.\d+-[0-9a-z]+\.partial$/;
/** Folder of stages. A location never starts with a dot, so no table files are stored there. */
const STAGES = '.stages';
const REMOVAL_BATCH = 1000;
/**
 * Error codes that mean a file doesn't exist: part of the path is missing, is a file, or exceeds the maximum name
 * length.
 */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

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
  return new LocalStore(await fs.realpath(rootDir), rootDir);
}

type WalkOptions = ListOptions & { readonly partial: boolean };

class LocalStore implements ObjectStore {
  readonly root: string;
  private readonly dir: string;
  private readonly configuredDir: string;

  constructor(dir: string, configuredDir: string) {
    this.dir = dir;
    this.configuredDir = path.resolve(configuredDir);
    this.root = fileLocation(dir);
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
    const target = this.lexicalPath(location);
    const temporary = unfinishedPath(target);
    try {
      await this.touchFolder(path.dirname(target));
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
    await this.makeFolderInRoot(this.stages).catch(() => undefined);
    return { files: [this.dir], stages: this.stages };
  }

  private get stages(): string {
    return path.join(this.dir, STAGES);
  }

  async openStage(): Promise<Stage> {
    const { stages } = this;
    const make = () => fs.mkdtemp(path.join(stages, 's-'));
    // Every query opens a stage, so the parent folder is checked and created only if this fails.
    const dir = await make().catch(async (error: unknown) => {
      if (!isErrno(error, ...ABSENT)) throw error;
      await this.makeFolderInRoot(stages);
      return make();
    });
    return { dir, close: () => fs.rm(dir, { recursive: true, force: true }) };
  }

  async moveInto(file: string, location: string, { durable = true } = {}): Promise<StoredFile> {
    const target = this.lexicalPath(location);
    try {
      await this.touchFolder(path.dirname(target));
      return await adoptFile({ temporary: file, target, location }, durable);
    } catch (error) {
      throw isErrno(error, 'ENOTDIR') ? notAFolderError(location) : error;
    }
  }

  async copyAll(copies: readonly ObjectCopy[]): Promise<void> {
    const folders = new Set(copies.map(({ to }) => path.dirname(this.lexicalPath(to))));
    for (const folder of folders) await this.touchFolder(folder);
    await forEach(copies, (one) => this.copy(one));
    for (const folder of folders) await syncPath(folder);
  }

  private async copy({ from, to }: ObjectCopy): Promise<void> {
    const [source, target] = [await this.localPath(from), this.lexicalPath(to)];
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
      await this.touchFolder(this.lexicalPath(location));
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
    for await (const object of this.walk(this.dir, { ...options, partial: true })) {
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
    yield* this.walk(this.lexicalPath(prefix, true), { ...options, partial: false });
  }

  private async *walk(folder: string, options: WalkOptions): AsyncGenerator<StoredFile> {
    const entries = await this.entriesOf(folder).catch((error: unknown) => {
      if (options.onUnreadable === undefined || !isFolderFault(error)) throw error;
      options.onUnreadable(fileLocation(folder), error);
      return [];
    });
    for await (const entry of entries) {
      if (folder === this.dir && entry.name === STAGES) continue;
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
    if (!(await this.isRealFolder(folder))) return [];
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
    options: { readonly limit?: number; readonly isRetained?: (object: StoredFile) => boolean } = {},
  ): Promise<RemovalCounts & { done: boolean }> {
    const folder = this.lexicalPath(prefix);
    const limit = options.limit ?? REMOVAL_BATCH;
    let files = 0;
    let bytes = 0;
    for await (const object of this.walk(folder, { partial: true })) {
      if (options.isRetained?.(object)) continue;
      if (files >= limit) return { files, bytes, done: false };
      // The walk has just seen a real file in a real folder, so the path isn't checked again.
      if (!(await unlinked(this.lexicalPath(object.location)))) continue;
      files += 1;
      bytes += object.size;
    }
    await removeEmptyFolders(folder);
    return { files, bytes, done: true };
  }

  /** The real path of an existing object; rejects links that lead outside the root. */
  async localPath(location: string): Promise<string> {
    try {
      return await this.realPath(this.lexicalPath(location), location);
    } catch (error) {
      if (!(error instanceof StorageError) || error.reason === 'unavailable') throw error;
      const unescaped = await this.unescapedPath(location);
      if (unescaped === null) throw error;
      return this.realPath(unescaped, location);
    }
  }

  /**
   * Engines don't escape the path of a file in its location, and names of partitions contain escapes of their own. The path stays in the
   * folder of the table: as that folder exists, it is preferred to one whose name contains escapes.
   */
  private async unescapedPath(location: string): Promise<string | null> {
    const named = location.replace(/^file:\/+/, 'file:///');
    if (!named.includes('%') || /[?#]/.test(named) || !isDirect(named) || !isWithin(this.root, named)) return null;
    let at = this.dir;
    for (const segment of named.slice(this.root.length + 1).split('/')) {
      const next = path.join(at, unescaped(segment));
      at = (await exists(next)) ? next : path.join(at, segment);
    }
    return at;
  }

  /** Synchronous, because a query calls it for each of its files, for which a task for another thread costs far more than the call. */
  private async realPath(lexical: string, location: string): Promise<string> {
    try {
      const real = realpathSync.native(lexical);
      if (real !== lexical) throw new StorageError('outside', `${location} is outside the storage location.`);
      return real;
    } catch (error) {
      if (!isErrno(error, ...ABSENT)) throw error;
      await this.requireRoot();
      throw missing(location);
    }
  }

  private lexicalPath(location: string, allowRoot = false): string {
    const named = pathOfLocation(location);
    const resolved = named === null ? null : path.resolve(named);
    if (resolved !== null) {
      for (const dir of [this.dir, this.configuredDir]) {
        if (resolved.startsWith(dir + path.sep)) return path.join(this.dir, resolved.slice(dir.length));
        if (allowRoot && resolved === dir) return this.dir;
      }
    }
    throw new StorageError('outside', `${location} is not below the storage location.`);
  }

  private async touchFolder(folder: string): Promise<void> {
    const realFolder = await fs.realpath(folder).catch(() => null);
    if (realFolder === null) await this.makeFolderInRoot(folder);
    if ((realFolder ?? (await fs.realpath(folder))) !== folder) {
      throw new StorageError('outside', 'A folder of the storage location is a link to a path outside it.');
    }
  }

  private async isRealFolder(folder: string): Promise<boolean> {
    try {
      return (await fs.realpath(folder)) === folder && (await fs.stat(folder)).isDirectory();
    } catch (error) {
      if (!isErrno(error, ...ABSENT)) throw error;
      await this.requireRoot();
      return false;
    }
  }

  /**
   * Never creates the root itself: if it is missing, for example because a disk isn't mounted, a new one would hide its
   * contents.
   */
  private async makeFolderInRoot(folder: string): Promise<void> {
    await this.requireRoot();
    await fs.mkdir(folder, { recursive: true, mode: 0o750 });
  }

  /** If the whole root is missing, the state of its objects is unknown. */
  private async requireRoot(): Promise<void> {
    const root = await fs.stat(this.dir).catch((error: unknown) => {
      if (isErrno(error, ...ABSENT)) return null;
      throw error;
    });
    if (root?.isDirectory()) return;
    throw unavailable("its folder doesn't exist");
  }
}

/** Unchanged if it isn't escaped, or would become several segments. */
function unescaped(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return text.includes('/') ? segment : text;
  } catch {
    return segment;
  }
}

const exists = (file: string): Promise<boolean> =>
  fs.lstat(file).then(
    () => true,
    () => false,
  );

const tooLarge = (location: string) =>
  new StorageError('too-large', `The object at ${location} is larger than its reader accepts.`);
const missing = (location: string) => new StorageError('missing', `No object exists at ${location}.`);

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
