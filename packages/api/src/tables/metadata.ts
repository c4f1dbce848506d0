import type { ObjectStore } from '@svc/lake/storage';
import { parseMetadata, type TableMetadata } from '@svc/lake/tables';

export async function readMetadata(store: ObjectStore, location: string): Promise<TableMetadata> {
  return parseMetadata((await store.read(location)).toString());
}
