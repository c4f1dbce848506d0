import { badRequest, CatalogError, type CommitBody, missing, nameTakenError, requireName } from '@svc/core/catalog';
import { isIdInUse } from '@svc/db/catalog';
import { findNamespace } from '@svc/db/namespaces';
import { findTable, recordSnapshotSource } from '@svc/db/tables';
import { applyUpdates, foreignFilesInMetadata, type TableState, tableIds, writeNewTable } from '@svc/iceberg';
import { requireStorage } from '../../quotas/require-storage.ts';
import { type CatalogContext, fullName } from '../protocol/context.ts';
import { requireLocation, reserveLocation } from '../table-location.ts';
import { insertTable } from './create-table.ts';
import { addsFiles, commitRefusal, requirementsOf, snapshotSource, updatesOf, writeDetail } from './table-commit.ts';

/** Creates the table that a create transaction describes, with its first snapshots. @throws CatalogError */
export async function commitCreate(
  ctx: CatalogContext,
  part: { body: CommitBody; namespace: string; name: string },
): Promise<TableState> {
  const { body } = part;
  if (addsFiles(updatesOf(body))) await requireStorage(ctx);
  const namespace = await findNamespace(ctx.db, { environmentId: ctx.environment.id, path: part.namespace });
  if (namespace === null) throw missing('namespace', part.namespace);
  const name = requireName(part.name);
  const existing = await findTable(ctx.db, { environmentId: ctx.environment.id, namespace: namespace.path, name });
  if (existing !== null) throw nameTaken(existing.kind, fullName(namespace.path, name));
  const applied = applyUpdates(null, requirementsOf(body), updatesOf(body), ctx.now.getTime());
  if (!applied.ok) throw commitRefusal(applied);
  const { metadata } = applied;
  const location = requireLocation(ctx, metadata.location);
  const refused = foreignFilesInMetadata({ root: ctx.storageRoot }, location, metadata);
  if (refused !== null) throw badRequest(refused);
  await reserveLocation(ctx, location);
  await requireFreeId(ctx, metadata['table-uuid']);
  const { metadataLocation } = await writeNewTable(ctx.deps.store, metadata, tableIds(ctx.deps));
  await insertTable(ctx, { name, metadata, metadataLocation, location }, namespace);
  const object = ctx.scope({ namespace: namespace.path, table: name });
  for (const snapshot of metadata.snapshots) {
    await ctx.audit({ type: 'TABLE_WRITE', object, detail: writeDetail(metadata['table-uuid'], snapshot) });
    await recordSnapshotSource(ctx.db, snapshotSource(ctx, metadata['table-uuid'], snapshot));
  }
  return { metadataLocation, metadata };
}

function nameTaken(kind: string, name: string): CatalogError {
  if (kind !== 'managed') return nameTakenError('table', kind, name);
  const message = `Requirement failed: table already exists: ${name}. Load it and commit to it, or choose another name.`;
  return new CatalogError('AlreadyExistsException', message);
}

/** The table takes its id from the metadata, so no other table may have it. @throws CatalogError */
export async function requireFreeId(ctx: CatalogContext, id: string): Promise<void> {
  if (!(await isIdInUse(ctx.db, id))) return;
  throw new CatalogError(
    'AlreadyExistsException',
    `The UUID ${id} belongs to another object. Create the table again with a new UUID.`,
  );
}
