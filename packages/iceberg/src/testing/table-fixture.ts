import type { FileStore } from '../files/file-store.ts';
import { joinLocation } from '../files/locations.ts';
import {
  type Column,
  createTableMetadata,
  type DataFileRecord,
  dataFileRecord,
  type TableIds,
  type TableState,
  writeNewTable,
} from '../index.ts';
import { memoryStore, ROOT } from './memory-store.ts';

/** Ids that count up, so that a failing history can be run again. */
export function countingIds(start = 0): TableIds {
  let n = start;
  const next = () => String(++n).padStart(12, '0');
  return { uuid: () => `00000000-0000-4000-8000-${next()}`, snapshotId: () => 1000 + ++n };
}

/** A table in a store in memory, with the pointer a database would hold. */
export class TableFixture {
  readonly files: Map<string, Buffer>;
  readonly store: FileStore;
  readonly ids = countingIds();
  state: TableState;

  private constructor(files: Map<string, Buffer>, store: FileStore, state: TableState) {
    this.files = files;
    this.store = store;
    this.state = state;
  }

  static async create(columns: readonly Column[], now = 1000): Promise<TableFixture> {
    const files = new Map<string, Buffer>();
    const store = memoryStore(files);
    const ids = countingIds(900_000);
    const location = joinLocation(ROOT, 't1');
    const metadata = createTableMetadata({ uuid: ids.uuid(), location, columns, now });
    return new TableFixture(files, store, await writeNewTable(store, metadata, ids));
  }

  readonly load = async (): Promise<TableState> => this.state;

  readonly swap = async (next: TableState, previous: TableState): Promise<boolean> => {
    if (this.state.metadataLocation !== previous.metadataLocation) return false;
    this.state = next;
    return true;
  };

  /** A data file without readable contents, for tests in which only metadata matters. */
  async fakeFile(rows = 10): Promise<DataFileRecord> {
    const location = joinLocation(ROOT, 't1', 'data', `${this.ids.uuid()}.parquet`);
    await this.store.write(location, Buffer.from('parquet'));
    const written = { location, rows, bytes: 7, columns: {} };
    return dataFileRecord(written, this.state.metadata.schemas[0]!);
  }

  async locations(): Promise<string[]> {
    const found: string[] = [];
    for await (const o of this.store.list(ROOT)) found.push(o.location);
    return found.sort();
  }
}
