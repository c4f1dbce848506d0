import { ApiError } from '@svc/core/errors';
import type { Column } from '@svc/core/tables';
import { type StoredTable, swapTablePointer } from '@svc/db/tables';
import { commitTable, readTableMetadata, type TableUpdate, tableIds } from '@svc/iceberg';
import { COMMENT, contentsOf, documentedSchema } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';

interface Described {
  description: string | null | undefined;
  columns: readonly Column[] | undefined;
}

/**
 * Writes descriptions into the table's metadata, where engines see them: the table's comment and its fields' docs. Only
 * managed tables have such metadata.
 * @param table locked
 */
export async function describeInMetadata(
  ctx: Context,
  { id, kind, metadata_location: metadataLocation }: StoredTable,
  described: Described,
): Promise<void> {
  if (kind !== 'managed' || metadataLocation === null) return;
  const { store } = ctx.deps;
  const metadata = await readTableMetadata(store, metadataLocation);
  const updates = [
    ...commentUpdates(described.description),
    ...(described.columns === undefined ? [] : documentedSchema(metadata, described.columns)),
  ];
  if (updates.length === 0) return;
  const result = await commitTable({
    store,
    current: { metadataLocation, metadata },
    requirements: [],
    updates,
    now: ctx.now.getTime(),
    ids: tableIds(ctx.deps),
    swap: (next) =>
      swapTablePointer(ctx.db, {
        id,
        expected: metadataLocation,
        next: next.metadataLocation,
        contents: contentsOf(next.metadata),
        now: ctx.now,
      }),
  });
  if (!result.ok) throw new ApiError('write-conflict', `The table was not described: ${result.message}`);
}

function commentUpdates(description: string | null | undefined): TableUpdate[] {
  if (description === undefined) return [];
  if (description === null) return [{ action: 'remove-properties', removals: [COMMENT] }];
  return [{ action: 'set-properties', updates: { [COMMENT]: description } }];
}
