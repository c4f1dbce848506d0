import { UnsupportedTableError } from '../../tables/index.ts';
import { type EngineChild, EngineFailure } from '../sandbox/child-process.ts';
import { type FileLayout, readLayouts } from './file-layout.ts';

const KEPT = 20_000;
const AT_ONCE = 500;

/** Remembers the columns of files, which never change. Footers are read by an engine of the child that is confined to them. */
export class FileLayouts {
  private readonly known = new Map<string, FileLayout>();
  private readonly shared = new Map<string, FileLayout>();

  /**
   * The layouts of local files, by path.
   *
   * @throws UnsupportedTableError when one cannot be read
   */
  async of(child: EngineChild, paths: readonly string[]): Promise<ReadonlyMap<string, FileLayout>> {
    const found = new Map<string, FileLayout>();
    const missing: string[] = [];
    for (const path of paths) {
      const layout = this.known.get(path);
      if (layout) found.set(path, layout);
      else missing.push(path);
    }
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const batch = missing.slice(at, at + AT_ONCE);
      for (const [path, layout] of await ask(child, batch)) found.set(path, this.keep(path, layout));
    }
    return found;
  }

  private keep(path: string, layout: FileLayout): FileLayout {
    if (this.known.size >= KEPT) {
      this.known.clear();
      this.shared.clear();
    }
    const one = this.shared.get(layout.key) ?? layout;
    this.shared.set(one.key, one);
    this.known.set(path, one);
    return one;
  }
}

async function ask(child: EngineChild, paths: readonly string[]): Promise<Map<string, FileLayout>> {
  try {
    const layouts = readLayouts(await child.ask({ op: 'layouts', paths }));
    if (layouts.size === new Set(paths).size) return layouts;
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
  }
  throw new UnsupportedTableError('A data file of the table is missing or is no readable Parquet file.');
}
