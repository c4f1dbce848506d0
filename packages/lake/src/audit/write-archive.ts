import path from 'node:path';
import type { ArchivedEvent } from '@svc/core/audit';
import {
  commitFiles,
  createTableMetadata,
  type DataFileRecord,
  dataFileRecord,
  joinLocation,
  type TableIds,
  writeNewTable,
} from '@svc/iceberg';
import type { ObjectStore } from '../storage/index.ts';
import type { ArchiveEngine } from './archive-engine.ts';
import { EVENT_COLUMNS, EVENT_FIELDS } from './event-columns.ts';

export interface ArchiveTarget {
  readonly location: string;
  readonly now: Date;
  readonly ids: TableIds;
}

export interface WrittenArchive {
  readonly metadataLocation: string;
  readonly snapshotId: number;
  readonly bytes: number;
}

/** Limits of a data file: its events are in memory while it is written. */
const FILE = { rows: 200_000, characters: 64 * 1024 * 1024 };

/** Writes events as the data files of a new Iceberg table with one snapshot. */
export async function writeArchive(
  store: ObjectStore,
  engine: ArchiveEngine,
  events: AsyncIterable<ArchivedEvent>,
  { location, now, ids }: ArchiveTarget,
): Promise<WrittenArchive> {
  const files: DataFileRecord[] = [];
  const stage = await store.openStage();
  try {
    for await (const batch of inFiles(events)) {
      const name = `${String(files.length).padStart(5, '0')}.parquet`;
      const file = path.join(stage.dir, name);
      const { rows, columns } = await engine.write(batch, file);
      const { size, location: at } = await store.moveInto(file, joinLocation(`${location}/data`, name));
      files.push(
        dataFileRecord({ location: at, rows, bytes: size, columns }, { type: 'struct', fields: EVENT_FIELDS }),
      );
    }
  } finally {
    await stage.close();
  }
  const metadata = createTableMetadata({ uuid: ids.uuid(), location, columns: EVENT_COLUMNS, now: now.getTime() });
  let current = await writeNewTable(store, metadata, ids);
  const result = await commitFiles({
    ...{ store, files, ids, mode: 'append', schemaId: 0, now: now.getTime() },
    load: async () => current,
    // Nobody else knows the table yet.
    swap: async (next) => {
      current = next;
      return true;
    },
  });
  if (!result.ok) throw new Error(result.message);
  const bytes = files.reduce((sum, file) => sum + Number(file.file_size_in_bytes), 0);
  return { metadataLocation: result.metadataLocation, snapshotId: result.snapshotId, bytes };
}

async function* inFiles(events: AsyncIterable<ArchivedEvent>): AsyncGenerator<ArchivedEvent[]> {
  let batch: ArchivedEvent[] = [];
  let characters = 0;
  for await (const event of events) {
    batch.push(event);
    characters += event.detail.length + event.object.length;
    if (batch.length < FILE.rows && characters < FILE.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
