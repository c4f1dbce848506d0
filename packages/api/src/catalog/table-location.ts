import { badRequest, CatalogError } from '@svc/core/catalog';
import { findLocationOwners, isInsideCreation, type LocationOwner, lockLocations } from '@svc/db/catalog';
import { tablesInside } from '@svc/db/tables';
import { canonicalLocation } from '@svc/iceberg';
import { locationError } from '@svc/lake/storage';
import { AccessDeniedError } from '../http/guard/denial.ts';
import type { CatalogContext } from './protocol/context.ts';

/** Normalizes a location to the store's spelling. @throws CatalogError if it is outside the warehouse */
export function requireInside(ctx: CatalogContext, location: string): string {
  const canonical = canonicalLocation({ root: ctx.storageRoot }, location);
  if (canonical !== null) return canonical;
  if (location === '') throw badRequest(`The location is empty. Choose one inside ${ctx.storageRoot}, or omit it.`);
  const choose = /^s3[an]:/i.test(location) ? 'Write s3:// before the bucket' : 'Choose a location inside it';
  throw badRequest(
    `The location ${location} is outside the warehouse ${ctx.storageRoot}. ${choose}, or omit the location.`,
  );
}

/** Does the same for the folder of a new table or view. */
export function requireLocation(ctx: CatalogContext, location: string): string {
  const canonical = requireInside(ctx, location);
  const refused = locationError(ctx.storageRoot, ctx.environment.id, canonical);
  if (refused === null) return canonical;
  throw badRequest(`No table can be stored at ${location}: ${refused}. Choose another location, or omit it.`);
}

/** Doesn't name the other table, which the caller may not be permitted to see. */
const overlaps = (location: string) =>
  new CatalogError(
    'AlreadyExistsException',
    `The location ${location} is used by another table, or by a dropped table whose files are not deleted yet, or is inside its folder. Choose another location, or omit it.`,
  );

/**
 * Reserves a location that an engine chose for a table (TABLE-10). It must not contain another table. Inside one it needs WRITE_TABLE
 * on that table. The lock lasts until the transaction ends; call this before any rows are locked.
 * @param location in the store's spelling
 */
export async function reserveLocation(ctx: CatalogContext, location: string): Promise<void> {
  await lockLocations(ctx.db);
  const where = { root: ctx.storageRoot, location };
  const owners = (await findLocationOwners(ctx.db, where)).filter(({ purgedAt }) => purgedAt === null);
  // The innermost folder must belong to an active table. The files of a dropped one around it wait for it.
  if (owners[0] !== undefined && owners[0].droppedAt !== null) throw overlaps(location);
  for (const owner of owners) if (owner.droppedAt === null) await requireNestable(ctx, owner, location);
  if (await isInsideCreation(ctx.db, where)) throw overlaps(location);
  if ((await tablesInside(ctx.db, location)).length > 0) {
    throw badRequest(
      `${location} contains other tables, and a table can use every file in its folder. Choose another location, or omit it.`,
    );
  }
}

/**
 * Requires that a table may be inside the folder of another one. In a bucket it may not: temporary credentials that the other table's
 * readers already have cover its whole folder.
 *
 * @throws CatalogError, AccessDeniedError
 */
async function requireNestable(ctx: CatalogContext, outer: LocationOwner, location: string): Promise<void> {
  const isHere = outer.environmentId === ctx.environment.id;
  if (outer.location === location || !isHere || !isOnDisk(ctx)) throw overlaps(location);
  const on = ctx.scope({ namespace: outer.namespace, table: outer.name });
  const { allowed, reason } = ctx.decide('WRITE_TABLE', on, await ctx.listGrants());
  if (allowed) return;
  throw new AccessDeniedError(
    { action: 'WRITE_TABLE', object: on, reason: reason ?? 'it is not granted' },
    {
      detail: `${ctx.caller.name} needs WRITE_TABLE on the table whose folder contains ${location}. Choose another location, or omit it.`,
    },
  );
}

const isOnDisk = ({ storageRoot }: CatalogContext): boolean => storageRoot.startsWith('file:');
