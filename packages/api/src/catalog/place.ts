import { scopeOf } from '@svc/core/access';
import { badRequest, CatalogRefusal } from '@svc/core/catalog';
import { keepOwners, type LocationOwner, lockPlaces, ownersAround } from '@svc/db/catalog';
import { tablesInside } from '@svc/db/tables';
import { canonicalLocation, refusedPlace } from '@svc/lake/storage';
import type { CatalogContext } from './protocol/context.ts';

/** A location as the store spells it. @throws CatalogRefusal for one outside of the warehouse */
export function requireInside(ctx: CatalogContext, location: string): string {
  const canonical = canonicalLocation({ root: ctx.storageRoot }, location);
  if (canonical !== null) return canonical;
  if (location === '') throw badRequest(`A location is empty. Name one below ${ctx.storageRoot}, or leave it out.`);
  const choose = /^s3[an]:/i.test(location) ? 'Write s3:// before the bucket' : 'Choose one below it';
  throw badRequest(
    `The location ${location} lies outside the warehouse ${ctx.storageRoot}. ${choose}, or leave the location out.`,
  );
}

/** The same for a folder that a table or view is to get. */
export function requirePlace(ctx: CatalogContext, location: string): string {
  const canonical = requireInside(ctx, location);
  const refused = refusedPlace(ctx.storageRoot, ctx.environment.id, canonical);
  if (refused === null) return canonical;
  throw badRequest(`No table can lie at ${location}: ${refused}. Choose another location, or leave it out.`);
}

const taken = (location: string) =>
  new CatalogRefusal(
    'AlreadyExistsException',
    `The location ${location} belongs to another table, or to a dropped one whose files are not deleted yet. Choose another location.`,
  );

/**
 * Lets a table lie at a place of an engine's choice: nobody else's, holding nobody else's, and inside another table's
 * folder for who may write to that one. Holds the place until the transaction ends; to be called before rows are locked.
 *
 * @param location in the store's spelling
 */
export async function takePlace(ctx: CatalogContext, location: string): Promise<void> {
  await lockPlaces(ctx.db);
  const around = (await ownersAround(ctx.db, { root: ctx.storageRoot, location })).filter(
    ({ purgedAt }) => purgedAt === null,
  );
  await keepOwners(
    ctx.db,
    around.map(({ id }) => id),
  );
  if (around.some((owner) => owner.location === location)) throw taken(location);
  const held = around.length === 0 ? [] : await ctx.heldEverywhere();
  for (const outer of around) requireWritable(ctx, outer, held, location);
  if ((await tablesInside(ctx.db, location)).length > 0) {
    throw badRequest(
      `Other tables lie inside ${location}, and a table may name every file of its folder. Choose another.`,
    );
  }
}

function requireWritable(
  ctx: CatalogContext,
  outer: LocationOwner,
  held: Awaited<ReturnType<CatalogContext['heldEverywhere']>>,
  location: string,
): void {
  if (outer.environmentId !== ctx.environment.id) throw taken(location);
  const on = scopeOf({ environment: ctx.environment.name, namespace: outer.namespace, table: outer.name });
  ctx.require('WRITE_TABLE', on, held);
  if (outer.purgeStartedAt !== null) throw taken(location);
}
