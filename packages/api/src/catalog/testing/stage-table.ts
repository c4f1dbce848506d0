import { randomUUID } from 'node:crypto';
import { STAGING_NAMESPACE, stagingName } from '@svc/core/catalog';
import { type StagingOwner, storeStaging } from '@svc/db/staging';
import { fieldsOfColumns, stagedMetadata, tableIds, writeNewTable } from '@svc/iceberg';
import type { TestServer } from '../../testing/index.ts';

const COLUMNS = [{ name: 'id', type: 'long', nullable: true, description: null }];

export interface StageOptions extends StagingOwner {
  environmentId: string;
  expiresAt?: Date;
  /** The folder of the table that gets the files (default: one without a table). */
  tableLocation?: string;
  /** Whether the staging table reads the files of that table. */
  isChange?: boolean;
}

/** Creates an empty staging table; returns its folder, its path in the catalog and its id. */
export async function stageTable(
  { store, db }: Pick<TestServer, 'store' | 'db'>,
  { expiresAt, tableLocation, isChange = false, ...owner }: StageOptions,
) {
  const id = randomUUID();
  const now = new Date();
  const folder = tableLocation ?? `${store.root}/tables/${id}`;
  const location = `${folder}/staged/${id}`;
  const { fields } = fieldsOfColumns(COLUMNS);
  const metadata = stagedMetadata({ uuid: id, location, fields, target: null, now: now.getTime() });
  const ids = tableIds({ newId: randomUUID, random: (n) => crypto.getRandomValues(new Uint8Array(n)) });
  const { metadataLocation } = await writeNewTable(store, metadata, ids);
  const locations = { location, baseLocation: isChange ? folder : null, metadataLocation };
  const later = new Date(now.getTime() + 3_600_000);
  await storeStaging(db.prisma, { ...owner, ...locations, id, now, expiresAt: expiresAt ?? later });
  return { id, location, path: `/namespaces/${STAGING_NAMESPACE}/tables/${stagingName(id)}` };
}
