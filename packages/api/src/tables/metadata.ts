import { parseMetadata, readLimited, type TableMetadata } from '@svc/iceberg';
import type { ObjectStore } from '@svc/lake/storage';

const MAX_BYTES = 256 * 1024 * 1024;

export async function readMetadata(store: ObjectStore, location: string): Promise<TableMetadata> {
  return parseMetadata(await readLimited(store, location, MAX_BYTES, 'metadata file'));
}
