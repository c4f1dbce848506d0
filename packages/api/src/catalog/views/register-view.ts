import { badRequest, CatalogError, nameTakenError } from '@svc/core/catalog';
import { reviveView, swapView } from '@svc/db/catalog';
import { undropDetail } from '@svc/db/drops';
import { findTable } from '@svc/db/tables';
import { isWithin } from '@svc/iceberg';
import { parseViewMetadata, readViewText, viewLocation } from '@svc/lake/views';
import { type CatalogContext, fullName } from '../protocol/context.ts';
import { requireInside } from '../table-location.ts';
import { viewRow } from './view-metadata.ts';

/**
 * Registering the metadata of a dropped view restores it with its id and policies, as long as its file exists. Other
 * metadata can't be registered, because a view has no data files: create the view from its statement instead.
 * @throws CatalogError
 */
export async function registerViewAs(ctx: CatalogContext, name: string, metadataLocation: string): Promise<void> {
  const { store } = ctx.deps;
  const file = requireInside(ctx, metadataLocation);
  const found = await findTable(ctx.db, { environmentId: ctx.environment.id, namespace: ctx.namespace.path, name });
  if (found !== null) throw nameTakenError('view', found.kind, fullName(ctx.namespace.path, name));
  const views = `${ctx.storageRoot}/views/${ctx.environment.id}`;
  if (!isWithin(views, file)) {
    throw badRequest(`${metadataLocation} is not the metadata of a view of this environment. Create the view instead.`);
  }
  const metadata = parseViewMetadata(await readViewText(store, file));
  if (metadata === null) throw badRequest(`${metadataLocation} is not view metadata.`);
  const id = metadata['view-uuid'];
  if (!isWithin(viewLocation({ root: ctx.storageRoot }, ctx.environment.id, id), file)) throw nameTaken();
  const { id: namespaceId, path } = ctx.namespace;
  const revived = await reviveView(ctx.db, { id, environmentId: ctx.environment.id, namespaceId, name, now: ctx.now });
  if (revived === null) throw nameTaken();
  // Undoing a drop needs the permission to drop.
  const formerScope = ctx.scope({ namespace: revived.droppedNamespace, table: revived.droppedName });
  ctx.require('DROP_TABLE', formerScope, await ctx.listGrants());
  const { metadataLocation: expected, restored } = revived;
  await swapView(ctx.db, {
    id,
    expected,
    next: file,
    now: ctx.now,
    ...viewRow(metadata, ctx.deps.settings.queryMaxStatementBytes),
  });
  await ctx.audit({
    type: 'TABLE_UNDROPPED',
    object: ctx.scope({ namespace: path, table: name }),
    detail: undropDetail({
      id,
      name,
      droppedName: revived.droppedName,
      droppedAt: revived.droppedAt,
      reason: 'user',
      restored,
      retentionCleared: false,
    }),
  });
}

const nameTaken = () =>
  new CatalogError(
    'AlreadyExistsException',
    'The view of this metadata is already registered, or it is a different view.',
  );
