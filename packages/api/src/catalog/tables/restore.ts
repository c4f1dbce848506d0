import { scopeOf } from '@svc/core/access';
import { CatalogError } from '@svc/core/catalog';
import { undropFailure } from '@svc/core/drops';
import { isBound, type LocationOwner } from '@svc/db/catalog';
import { lockDrops, undropError } from '@svc/db/drops';
import { findTableById } from '@svc/db/tables';
import { requireFiles } from '../../drops/files.ts';
import { recordUndrop } from '../../drops/record-drop.ts';
import type { Context } from '../../http/context.ts';
import { boundByPolicies, type CatalogContext, fullName } from '../protocol/context.ts';
import { repoint } from './repoint.ts';

const purged = (owner: LocationOwner) =>
  new CatalogError(
    'AlreadyExistsException',
    `This is the metadata of ${fullName(owner.namespace, owner.name)}, whose files were deleted after its drop. Create the table again.`,
  );

/**
 * Registering the metadata of a dropped table of this environment restores that table under the requested name, with
 * the same id, data and policies. It needs the permissions of an undrop.
 * @throws CatalogError, ApiError if it can't be restored
 */
export async function restoreTo(
  ctx: CatalogContext,
  owner: LocationOwner,
  { name, file }: { name: string; file: string },
): Promise<void> {
  const { environment, now } = ctx;
  const on = scopeOf({ environment: environment.name, namespace: owner.namespace });
  ctx.require('DROP_TABLE', on, await ctx.listGrants());
  ctx.requireUnprotected('DROP_TABLE', scopeOf({ ...on, table: owner.name }));
  const where = { environmentId: environment.id, namespace: owner.namespace, name: owner.name, id: owner.id };
  const [drop] = await lockDrops(ctx.db, where);
  if (drop === undefined) throw purged(owner);
  const refusal = undropFailure(drop, now);
  if (refusal !== null) throw undropError(drop, refusal);
  // An older version may have all its files when the last one doesn't.
  await requireFiles(ctx.deps.store, { ...drop, metadataLocation: file });
  await recordUndrop(ctx as Context, drop, name);
  // The table's policies are back as well; this error rolls the whole transaction back.
  if (await isBound(ctx.db, { tableId: drop.id, principalId: ctx.caller.id })) {
    const instead = 'Restore it with svc table undrop and read it with svc sql instead.';
    throw boundByPolicies('READ_TABLE', ctx.scope({ namespace: ctx.params.namespace, table: name }), instead);
  }
  const table = (await findTableById(ctx.db, drop.id))!;
  if (file !== table.metadata_location) await repoint(ctx, table, file);
}
