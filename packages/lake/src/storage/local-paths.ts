import { realpathSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileLocation, isDirect, isWithin, pathOfLocation, StorageError } from '@svc/iceberg';
import { isErrno } from './errno.ts';
import { missing, unavailable } from './storage-errors.ts';

/**
 * Error codes that mean a file doesn't exist: part of the path is missing, is a file, or exceeds the maximum name
 * length.
 */
export const ABSENT = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** The files and folders of locations below a root. Rejects those that are outside it. */
export class LocalPaths {
  /** The location of the root. */
  readonly root: string;
  readonly dir: string;
  private readonly configuredDir: string;

  /** @param dir the real path of the root, @param configuredDir what the settings call it */
  constructor(dir: string, configuredDir: string) {
    this.dir = dir;
    this.configuredDir = path.resolve(configuredDir);
    this.root = fileLocation(dir);
  }

  /** The real path of an existing object; rejects links that lead outside the root. */
  async real(location: string): Promise<string> {
    try {
      return await this.realPath(this.lexical(location), location);
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

  /** The path of a location, at which there may be nothing. Links aren't followed. */
  lexical(location: string, allowRoot = false): string {
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

  async touchFolder(folder: string): Promise<void> {
    const realFolder = await fs.realpath(folder).catch(() => null);
    if (realFolder === null) await this.makeFolder(folder);
    if ((realFolder ?? (await fs.realpath(folder))) !== folder) {
      throw new StorageError('outside', 'A folder of the storage location is a link to a path outside it.');
    }
  }

  async isRealFolder(folder: string): Promise<boolean> {
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
  async makeFolder(folder: string): Promise<void> {
    await this.requireRoot();
    await fs.mkdir(folder, { recursive: true, mode: 0o750 }).catch(async (error: unknown) => {
      // On a read-only disk, Node reports that a folder doesn't exist.
      if (isErrno(error, 'ENOENT')) await fs.access(this.dir, fs.constants.W_OK);
      throw error;
    });
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
