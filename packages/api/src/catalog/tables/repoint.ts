import { badRequest } from '@svc/core/catalog';
import { isBound } from '@svc/db/catalog';
import { requireNoLegalHold } from '@svc/db/drops';
import { swapTablePointer } from '@svc/db/tables';
import { foreignFilesInMetadata, isWithin, readTableMetadata, removesSnapshots } from '@svc/iceberg';
import { columnsAfter, contentsOf, descriptionAfter } from '@svc/lake/tables';
import { boundByPolicies, type CatalogContext, fullName } from '../protocol/context.ts';
import { requireInside } from '../table-location.ts';
import { commitRefusal } from './table-commit.ts';

/** A registered table, as its row describes it. */
interface RepointResult {
  id: string;
  namespace: string;
  name: string;
  location: string | null;
  metadata_location: string | null;
  columns: readonly { name: string; description: string | null }[];
}

/**
 * Points a table at another of its own metadata files, which returns it to that state. If the table then lacks snapshots, this needs
 * MAINTAIN_TABLE, as expiring them does. @throws CatalogError
 */
export async function repoint(ctx: CatalogContext, table: RepointResult, metadataLocation: string): Promise<void> {
  const object = ctx.scope({ namespace: table.namespace, table: table.name });
  const grants = await ctx.listGrants();
  ctx.require('WRITE_TABLE', object, grants);
  if (await isBound(ctx.db, { tableId: table.id, principalId: ctx.caller.id }))
    throw boundByPolicies('WRITE_TABLE', object);
  const { store } = ctx.deps;
  const [before, after] = await Promise.all([
    readTableMetadata(store, table.metadata_location!),
    readTableMetadata(store, metadataLocation),
  ]);
  if (after['table-uuid'].toLowerCase() !== before['table-uuid'].toLowerCase()) {
    throw badRequest(
      `${metadataLocation} is not the metadata of ${fullName(table.namespace, table.name)}: the UUIDs differ.`,
    );
  }
  const moved = requireInside(ctx, after.location) !== table.location;
  const outside = !isWithin(table.location!, requireInside(ctx, metadataLocation));
  const refused = moved || outside ? 'Its location is not its own folder.' : null;
  const named = refused ?? foreignFilesInMetadata({ root: ctx.storageRoot }, table.location!, after);
  if (named !== null) throw badRequest(named);
  const removes = removesSnapshots(before, after);
  if (removes) {
    ctx.require('MAINTAIN_TABLE', object, grants);
    await requireNoLegalHold(ctx.db, { id: table.id, now: ctx.now });
  }
  const swapped = await swapTablePointer(ctx.db, {
    id: table.id,
    expected: table.metadata_location,
    next: metadataLocation,
    contents: contentsOf(after),
    columns: columnsAfter(before, after, table.columns),
    description: descriptionAfter(before, after),
    removesSnapshots: removes,
    now: ctx.now,
  });
  if (!swapped) throw commitRefusal({ kind: 'conflict', message: 'Another commit changed the table first.' });
  await ctx.audit({ type: 'TABLE_UPDATED', object, detail: { table_id: table.id, changed: ['metadata_location'] } });
}
