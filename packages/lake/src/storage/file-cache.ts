import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A copy used this recently isn't evicted: the caller that requested its path may not have opened it yet. */
const IN_USE_MS = 10 * 60_000;

export interface FileCacheOptions {
  readonly dir: string;
  /** In bytes. */
  readonly limit: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** How long after requesting a path a caller may open it (at least 10 minutes). */
  readonly inUseMs?: number;
}
const PARTIAL = '.partial';

/** The folder of a cache with the copies of objects. */
export const objectsIn = (cacheDir: string): string => path.join(cacheDir, 'objects');

/** Caches a remote store's objects on this machine. Objects never change, so a copy stays valid until it is evicted. */
export class FileCache {
  private readonly dir: string;
  private readonly limit: number;
  private readonly clock: () => number;
  private readonly fetching = new Map<string, Promise<string>>();
  private readonly inUseMs: number;
  private size: number | null = null;

  constructor({ dir, limit, clock, inUseMs = 0 }: FileCacheOptions) {
    this.dir = dir;
    this.limit = limit;
    this.clock = clock;
    this.inUseMs = Math.max(inUseMs, IN_USE_MS);
  }

  /** The path of the copy; `fetch` downloads the object if there is no copy. Concurrent requests share one download. */
  async path(location: string, fetch: () => Promise<Readable>): Promise<string> {
    const file = this.fileOf(location);
    if (await this.touch(file)) return file;
    const under = this.fetching.get(file) ?? this.download(file, fetch);
    this.fetching.set(file, under);
    return under.finally(() => this.fetching.delete(file));
  }

  /** Caches a finished local file as the copy of the object that was just created from it. */
  async put(location: string, finished: string): Promise<void> {
    const file = this.fileOf(location);
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o750 });
    await moved(finished, file);
    await this.touch(file);
    await this.account((await fs.stat(file)).size);
  }

  async remove(location: string): Promise<void> {
    const file = this.fileOf(location);
    const stat = await fs.stat(file).catch(() => null);
    if (stat === null) return;
    await fs.rm(file, { force: true });
    if (this.size !== null) this.size -= stat.size;
  }

  /** Preserves the file extension, which some engines rely on. */
  private fileOf(location: string): string {
    const key = createHash('sha256').update(location).digest('hex');
    const ending = /\.[a-z0-9]{1,8}$/i.exec(location)?.[0] ?? '';
    return path.join(this.dir, key.slice(0, 2), `${key}${ending}`);
  }

  private async touch(file: string): Promise<boolean> {
    const now = new Date(this.clock());
    return fs.utimes(file, now, now).then(
      () => true,
      () => false,
    );
  }

  private async download(file: string, fetch: () => Promise<Readable>): Promise<string> {
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o750 });
    const body = await fetch();
    const partial = `${file}.${process.pid}-${process.hrtime.bigint().toString(36)}${PARTIAL}`;
    try {
      await pipeline(body, createWriteStream(partial, { flags: 'wx', mode: 0o640 }));
      const { size } = await fs.stat(partial);
      await fs.rename(partial, file);
      await this.touch(file);
      await this.account(size);
      return file;
    } catch (error) {
      await fs.rm(partial, { force: true });
      throw error;
    }
  }

  private async account(added: number): Promise<void> {
    if (this.size === null) this.size = (await this.copies()).reduce((sum, { size }) => sum + size, 0);
    else this.size += added;
    if (this.size > this.limit) await this.evict();
  }

  /** Removes the least recently used copies until a tenth of the limit is free. */
  private async evict(): Promise<void> {
    const copies = (await this.copies()).sort((a, b) => a.usedAt - b.usedAt);
    let size = copies.reduce((sum, copy) => sum + copy.size, 0);
    for (const copy of copies) {
      if (size <= this.limit * 0.9 || this.clock() - copy.usedAt < this.inUseMs) break;
      await fs.rm(copy.file, { force: true });
      size -= copy.size;
    }
    this.size = size;
  }

  private async copies(): Promise<{ file: string; size: number; usedAt: number }[]> {
    const found: { file: string; size: number; usedAt: number }[] = [];
    const entries = await fs.readdir(this.dir, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name);
      const stat = entry.isFile() ? await fs.stat(file).catch(() => null) : null;
      if (stat !== null) found.push({ file, size: stat.size, usedAt: stat.mtimeMs });
    }
    return found;
  }
}

/** Copies the file if it is on another file system than the cache. */
async function moved(from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EXDEV') throw error;
    const partial = `${to}.${process.pid}-${process.hrtime.bigint().toString(36)}${PARTIAL}`;
    await fs.copyFile(from, partial);
    await fs.rename(partial, to);
    await fs.rm(from, { force: true });
  }
}
