import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { joinLocation, type ObjectStore, openLocalStore } from '../../storage/index.ts';
import {
  type Column,
  createTableMetadata,
  type DataFileRecord,
  dataFileRecord,
  type TableIds,
  type TableState,
  writeNewTable,
} from '../index.ts';

/** Ids that count up, so that a failing history can be run again. */
export function countingIds(start = 0): TableIds {
  let n = start;
  const next = () => String(++n).padStart(12, '0');
  return { uuid: () => `00000000-0000-4000-8000-${next()}`, snapshotId: () => 1000 + ++n };
}

/** A table in a temporary store, with the pointer a database would hold. */
export class TableFixture {
  readonly dir: string;
  readonly store: ObjectStore;
  readonly ids = countingIds();
  state: TableState;

  private constructor(dir: string, store: ObjectStore, state: TableState) {
    this.dir = dir;
    this.store = store;
    this.state = state;
  }

  static async create(columns: readonly Column[], now = 1000): Promise<TableFixture> {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'table-'));
    const store = await openLocalStore(dir);
    const ids = countingIds(900_000);
    const location = joinLocation(store.root, 't1');
    const metadata = createTableMetadata({ uuid: ids.uuid(), location, columns, now });
    return new TableFixture(dir, store, await writeNewTable(store, metadata, ids));
  }

  readonly load = async (): Promise<TableState> => this.state;

  readonly swap = async (next: TableState, previous: TableState): Promise<boolean> => {
    if (this.state.metadataLocation !== previous.metadataLocation) return false;
    this.state = next;
    return true;
  };

  /** A data file that holds nothing readable; enough where only metadata matters. */
  async fakeFile(rows = 10): Promise<DataFileRecord> {
    const location = joinLocation(this.store.root, 't1', 'data', `${this.ids.uuid()}.parquet`);
    await this.store.write(location, Buffer.from('parquet'));
    const written = { location, rows, bytes: 7, columns: {} };
    return dataFileRecord(written, this.state.metadata.schemas[0]!);
  }

  async locations(): Promise<string[]> {
    const found: string[] = [];
    for await (const o of this.store.list(this.store.root)) found.push(o.location);
    return found.sort();
  }

  close(): Promise<void> {
    return fs.rm(this.dir, { recursive: true, force: true });
  }
}
