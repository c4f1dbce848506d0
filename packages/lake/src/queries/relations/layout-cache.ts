import { UnsupportedTableError } from '@svc/iceberg';
import { EngineError } from '../sandbox/child-errors.ts';
import type { ChildSource } from '../sandbox/child-process.ts';
import { type FileLayout, readLayouts } from './file-layout.ts';

/** Files in the cache, for all owners together. */
const MAX_FILES = 50_000;
const BATCH_SIZE = 500;

/** What one owner's processes have read. Files with the same columns share one layout. */
type CachedLayouts = { readonly byPath: Map<string, FileLayout>; readonly byKey: Map<string, FileLayout> };

/**
 * Caches the columns of files, which never change. A child's engine that is confined to the files reads their footers.
 *
 * A layout is reused only for the owner of the process that read it: native code that takes over a process can't plant
 * one for anyone else. A process without an owner serves one query, and nothing is cached.
 */
export class LayoutCache {
  /** In order of use: the most recently used owner comes last. */
  private readonly owners = new Map<string, CachedLayouts>();
  private files = 0;

  /**
   * The layouts of local files, by path.
   *
   * @throws UnsupportedTableError if a file can't be read
   */
  async of(source: ChildSource, paths: readonly string[]): Promise<ReadonlyMap<string, FileLayout>> {
    const { owner } = source;
    const cached = owner === undefined ? undefined : this.owners.get(owner);
    const found = new Map<string, FileLayout>();
    const missing: string[] = [];
    for (const path of paths) {
      const layout = cached?.byPath.get(path);
      if (layout) found.set(path, layout);
      else missing.push(path);
    }
    for (let at = 0; at < missing.length; at += BATCH_SIZE) {
      const batch = missing.slice(at, at + BATCH_SIZE);
      for (const [path, layout] of await requestLayouts(source, batch))
        found.set(path, owner === undefined ? layout : this.store(owner, path, layout));
    }
    return found;
  }

  private store(owner: string, path: string, layout: FileLayout): FileLayout {
    const cached = this.owners.get(owner) ?? { byPath: new Map(), byKey: new Map() };
    this.owners.delete(owner);
    this.owners.set(owner, cached);
    const one = cached.byKey.get(layout.key) ?? layout;
    cached.byKey.set(one.key, one);
    if (!cached.byPath.has(path)) this.files += 1;
    cached.byPath.set(path, one);
    for (const [oldest, { byPath }] of this.owners) {
      if (this.files <= MAX_FILES) break;
      this.owners.delete(oldest);
      this.files -= byPath.size;
    }
    return one;
  }
}

async function requestLayouts(source: ChildSource, paths: readonly string[]): Promise<Map<string, FileLayout>> {
  try {
    const layouts = readLayouts(await (await source.child()).send({ op: 'layouts', paths }));
    if (layouts.size === new Set(paths).size) return layouts;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  throw new UnsupportedTableError("A data file of the table is missing or isn't a readable Parquet file.");
}
