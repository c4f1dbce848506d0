import { parseMetadata, type TableMetadata } from '@svc/iceberg';
import type { ObjectStore } from '@svc/lake/storage';

export async function readMetadata(store: ObjectStore, location: string): Promise<TableMetadata> {
  return parseMetadata((await store.read(location)).toString());
}
