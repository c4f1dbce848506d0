import type { EffectiveGrant } from '@svc/core/access';
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
 * Reserves a location that an engine chose for a table (TABLE-10). It must not contain another table. The lock lasts until the
 * transaction ends; call this before any rows are locked.
 * @param location in the store's spelling
 * @param options.nested whether it may be inside the folder of another table
 */
export async function reserveLocation(
  ctx: CatalogContext,
  location: string,
  { nested = false }: { nested?: boolean } = {},
): Promise<void> {
  await lockLocations(ctx.db);
  const where = { root: ctx.storageRoot, location };
  const owners = (await findLocationOwners(ctx.db, where)).filter(({ purgedAt }) => purgedAt === null);
  if (isNonEmpty(owners)) {
    if (!nested) throw overlaps(location);
    await requireNestable(ctx, owners, location);
  }
  if (await isInsideCreation(ctx.db, where)) throw overlaps(location);
  if ((await tablesInside(ctx.db, location)).length > 0) {
    throw badRequest(
      `${location} contains other tables, and a table can use every file in its folder. Choose another location, or omit it.`,
    );
  }
}

type Owners = readonly [LocationOwner, ...LocationOwner[]];
const isNonEmpty = (owners: readonly LocationOwner[]): owners is Owners => owners.length > 0;

/** The folders of a table's files. */
export const TABLE_FOLDERS = ['data', 'metadata'];

/**
 * Requires that a new table may be inside the folders of others, innermost first. It must get none of their files, which its purge
 * would delete. In a bucket it can't be there at all: temporary credentials that readers of the others already have cover whole folders.
 *
 * @throws CatalogError, AccessDeniedError
 */
async function requireNestable(ctx: CatalogContext, owners: Owners, location: string): Promise<void> {
  const [outer] = owners;
  const isHere = outer.environmentId === ctx.environment.id && outer.droppedAt === null;
  if (!isHere || outer.location === location || !ctx.storageRoot.startsWith('file:')) throw overlaps(location);
  const grants = await ctx.listGrants();
  // Dropped ones around it wait for it with their files.
  for (const owner of owners.filter(({ droppedAt }) => droppedAt === null))
    requireWritable(ctx, owner, location, grants);
  const [folder] = location.slice(outer.location.length + 1).split('/', 1);
  // Some disks ignore letter case.
  if (TABLE_FOLDERS.includes(folder!.toLowerCase()) || (await hasFiles(ctx, `${outer.location}/${folder}`)))
    throw overlaps(location);
}

/** Doesn't name the other table, either. */
function requireWritable(
  ctx: CatalogContext,
  { namespace, name }: LocationOwner,
  location: string,
  grants: readonly EffectiveGrant[],
): void {
  const on = ctx.scope({ namespace, table: name });
  const { allowed, reason } = ctx.decide('WRITE_TABLE', on, grants);
  if (allowed) return;
  throw new AccessDeniedError(
    { action: 'WRITE_TABLE', object: on, reason: reason ?? 'it is not granted' },
    {
      detail: `${ctx.caller.name} needs WRITE_TABLE on the table whose folder contains ${location}. Choose another location, or omit it.`,
    },
  );
}

async function hasFiles({ deps }: CatalogContext, folder: string): Promise<boolean> {
  for await (const _ of deps.store.list(folder)) return true;
  return (await deps.store.stat(folder)) !== null;
}
