import { ApiError } from '@svc/core/errors';
import type { Column } from '@svc/core/tables';
import type { StoredTable } from '@svc/db/tables';
import { commitTable, readTableMetadata, type TableUpdate } from '@svc/iceberg';
import { COMMENT, documentedSchema } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';
import { requestCommit } from './request-commit.ts';

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
  const metadata = await readTableMetadata(ctx.deps.store, metadataLocation);
  const updates = [
    ...commentUpdates(described.description),
    ...(described.columns === undefined ? [] : documentedSchema(metadata, described.columns)),
  ];
  if (updates.length === 0) return;
  const result = await commitTable({
    ...requestCommit(ctx, id, { metadataLocation, metadata }),
    requirements: [],
    updates,
  });
  if (!result.ok) throw new ApiError('write-conflict', `The table was not described: ${result.message}`);
}

function commentUpdates(description: string | null | undefined): TableUpdate[] {
  if (description === undefined) return [];
  if (description === null) return [{ action: 'remove-properties', removals: [COMMENT] }];
  return [{ action: 'set-properties', updates: { [COMMENT]: description } }];
}
