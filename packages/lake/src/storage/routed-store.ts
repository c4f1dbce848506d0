import fs from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ListOptions, StoredFile } from '@svc/iceberg';
import { isWithin, StorageError } from '@svc/iceberg';
import { bucketError } from './bucket-error.ts';
import { objectsIn } from './file-cache.ts';
import { bucketScheme } from './locations.ts';
import type {
  ObjectBody,
  ObjectCopy,
  ObjectStore,
  RemovalCounts,
  Stage,
  StoreFolders,
  StoreRoot,
} from './object-store.ts';
import { openBucket } from './open-bucket.ts';
import { isOutage } from './outage.ts';
import { type OwnStorage, type OwnStorages, optionsWith } from './own-storage.ts';
import type { StorageOptions } from './storage-options.ts';
import type { CredentialRequest, VendedCredentials } from './vended-credentials.ts';

/** How long the environments' storage is cached after a database lookup. */
const CACHE_MS = 5000;

type Opened = { readonly own: OwnStorage; readonly store: ObjectStore };

/**
 * One store that combines the service's own store with the environments' own storage: locations below an environment's
 * location go to its bucket, all others to the service's store. Buckets are opened at their first use, and again when
 * their keys change.
 */
export function routedStore(base: ObjectStore, options: StorageOptions, owned: OwnStorages): ObjectStore {
  return new RoutedStore(base, options, owned);
}

class RoutedStore implements ObjectStore {
  private readonly base: ObjectStore;
  private readonly options: StorageOptions;
  private readonly owned: OwnStorages;
  private readonly opened = new Map<string, Opened>();
  private known: { readonly at: number; readonly all: Promise<readonly OwnStorage[]> } | undefined;

  constructor(base: ObjectStore, options: StorageOptions, owned: OwnStorages) {
    this.base = base;
    this.options = options;
    this.owned = owned;
  }

  get root(): string {
    return this.base.root;
  }

  isUnavailable(error: unknown): boolean {
    return isOutage(error);
  }

  signerOf(location: string): ReturnType<ObjectStore['signerOf']> {
    return this.at(location, (store) => store.signerOf(location));
  }

  vendCredentials(request: CredentialRequest): Promise<VendedCredentials | null> {
    return this.at(request.location, (store) => store.vendCredentials(request));
  }

  async rootOf(environmentId: string): Promise<string> {
    return (await this.owned.locationOf(environmentId)) ?? this.root;
  }

  async roots(): Promise<StoreRoot[]> {
    return [{ location: this.root, environmentId: null }, ...(await this.ownStorages())];
  }

  write(location: string, body: ObjectBody, size?: number): Promise<StoredFile> {
    // A stream of chunks can be read only once, so its write can't be retried.
    return this.at(location, (store) => store.write(location, body, size), { again: body instanceof Uint8Array });
  }

  read(location: string, maxBytes?: number): Promise<Buffer> {
    return this.at(location, (store) => store.read(location, maxBytes));
  }

  readStream(location: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable> {
    return this.at(location, (store) => store.readStream(location, range));
  }

  stat(location: string): Promise<StoredFile | null> {
    return this.at(location, (store) => store.stat(location));
  }

  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<StoredFile> {
    const own = await this.ownerOf(prefix);
    if (own === null) return yield* this.base.list(prefix, options);
    try {
      yield* (await this.open(own)).list(prefix, options);
    } catch (error) {
      throw this.storageErrorOf(own, error);
    }
  }

  remove(location: string): Promise<boolean> {
    return this.at(location, (store) => store.remove(location));
  }

  removePrefix(
    prefix: string,
    options?: { readonly limit?: number },
  ): Promise<RemovalCounts & { readonly done: boolean }> {
    return this.at(prefix, (store) => store.removePrefix(prefix, options));
  }

  localPath(location: string): Promise<string> {
    return this.at(location, (store) => store.localPath(location));
  }

  /** Buckets of environments share one cache. */
  async folders(): Promise<StoreFolders> {
    const { files, stages } = await this.base.folders();
    const objects = objectsIn(this.options.cacheDir);
    await fs.mkdir(objects, { recursive: true, mode: 0o750 });
    return { files: [...new Set([...files, objects])], stages };
  }

  openStage(): Promise<Stage> {
    return this.base.openStage();
  }

  moveInto(path: string, location: string, options?: { readonly durable?: boolean }): Promise<StoredFile> {
    return this.at(location, (store) => store.moveInto(path, location, options));
  }

  /** Objects of a storage that the environment used before pass through this process. */
  async copyAll(copies: readonly ObjectCopy[]): Promise<void> {
    const within = new Map<string | undefined, ObjectCopy[]>();
    for (const one of copies) {
      const [source, target] = [await this.ownerOf(one.from), await this.ownerOf(one.to)];
      const id = target?.environmentId;
      const group = within.get(id) ?? [];
      within.set(id, group);
      if (source?.environmentId === id) group.push(one);
      else await this.write(one.to, await this.readStream(one.from), one.bytes);
    }
    for (const group of within.values())
      if (group.length > 0) await this.at(group[0]!.to, (store) => store.copyAll(group), { again: false });
  }

  makeFolder(location: string): Promise<void> {
    return this.at(location, (store) => store.makeFolder(location));
  }

  /** A bucket that doesn't respond doesn't block the others; the next sweep covers it. */
  async sweepStages(olderThan: number, options: ListOptions = {}): Promise<number> {
    let removed = await this.base.sweepStages(olderThan, options);
    for (const own of await this.ownStorages())
      removed += await this.open(own)
        .then((store) => store.sweepStages(olderThan, options))
        .catch(() => 0);
    return removed;
  }

  private async at<R>(location: string, act: (store: ObjectStore) => Promise<R>, { again = true } = {}): Promise<R> {
    const own = await this.ownerOf(location);
    if (own === null) return act(this.base);
    try {
      return await act(await this.open(own));
    } catch (error) {
      const now = again && bucketError(error) !== null ? await this.renewed(own) : null;
      if (now === null) throw this.storageErrorOf(own, error);
      return act(await this.open(now)).catch((second: unknown) => {
        throw this.storageErrorOf(now, second);
      });
    }
  }

  /** The environment whose storage contains a location; null if the service's store must accept or reject it. */
  private async ownerOf(location: string): Promise<OwnStorage | null> {
    if (bucketScheme(location) === null || isWithin(this.root, location)) return null;
    const within = (all: readonly OwnStorage[]) => all.find((own) => isWithin(own.location, location)) ?? null;
    return within(await this.ownStorages()) ?? within(await this.ownStorages({ fresh: true }));
  }

  /** The same storage with new keys, if they changed since the last lookup. */
  private async renewed(own: OwnStorage): Promise<OwnStorage | null> {
    const all = await this.ownStorages({ fresh: true });
    const now = all.find(({ environmentId }) => environmentId === own.environmentId);
    return now !== undefined && now.location === own.location && now.version !== own.version ? now : null;
  }

  private ownStorages({ fresh = false } = {}): Promise<readonly OwnStorage[]> {
    const at = this.options.clock();
    if (!fresh && this.known !== undefined && at - this.known.at < CACHE_MS) return this.known.all;
    const known = { at, all: this.owned.all() };
    this.known = known;
    known.all.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    return known.all;
  }

  private async open(own: OwnStorage): Promise<ObjectStore> {
    const opened = this.opened.get(own.environmentId);
    if (opened?.own.version === own.version && opened.own.location === own.location) return opened.store;
    const store = await openBucket(own.location, optionsWith(this.options, keysOf(own)));
    this.opened.set(own.environmentId, { own, store });
    return store;
  }

  /** Turns a bucket's error response into a user-facing error; returns other errors unchanged. */
  private storageErrorOf(own: OwnStorage, error: unknown): unknown {
    const why = bucketError(error);
    return why === null ? error : unavailable(own, why, error);
  }
}

function keysOf(own: OwnStorage) {
  try {
    return own.keys();
  } catch (error) {
    throw unavailable(own, error instanceof Error ? error.message : String(error), error);
  }
}

function unavailable({ environment, location }: OwnStorage, why: string, cause: unknown): StorageError {
  const remedy = "Set its secret again or repair the bucket. Until then, its tables can't be read or written.";
  const message = `The storage ${location} of environment ${environment} can't be used: ${why}. ${remedy}`;
  return new StorageError('unavailable', message, { cause });
}
