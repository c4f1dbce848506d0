import { badRequest, CatalogError, nameTakenError, registerBody, requireName } from '@svc/core/catalog';
import { findLocationOwners, type LocationOwner, lockLocations } from '@svc/db/catalog';
import { findTable, type StoredTable } from '@svc/db/tables';
import {
  foreignFilesInMetadata,
  InvalidMetadataError,
  isWithin,
  readMetadataFile,
  type TableMetadata,
} from '@svc/iceberg';
import type * as z from 'zod';
import { recordDrop } from '../../drops/record-drop.ts';
import type { Context } from '../../http/context.ts';
import { requireStorage } from '../../quotas/require-storage.ts';
import { type CatalogContext, fullName } from '../protocol/context.ts';
import { type CatalogRoute, change } from '../protocol/route.ts';
import { requireInside, requireLocation, reserveLocation } from '../table-location.ts';
import { requireFreeId } from './create-commit.ts';
import { insertTable } from './create-table.ts';
import { isMetadataFile } from './delegation.ts';
import { tableResponse } from './load.ts';
import { repoint } from './repoint.ts';
import { restoreTo } from './restore.ts';

type Register = CatalogContext<z.output<typeof registerBody>>;

const register = change(
  'registerTable',
  registerBody,
  async (ctx) => {
    requireNamespace(ctx);
    ctx.requireUnprotected('CREATE_TABLE');
    const name = requireName(ctx.body.name);
    const file = requireInside(ctx, ctx.body['metadata-location']);
    await requireMetadataName(ctx, file);
    await lockLocations(ctx.db);
    const owners = await findLocationOwners(ctx.db, { root: ctx.storageRoot, location: file });
    await registerAs(ctx, name, file, owners[0] ?? null);
    return answer(ctx, name);
  },
  {
    authorize: async (ctx) => ctx.require('CREATE_TABLE', ctx.scope({ namespace: ctx.params.namespace })),
    replay: async (ctx, id) => {
      requireNamespace(ctx);
      return answer(ctx, ctx.body.name, id);
    },
  },
);

function requireNamespace(ctx: Register): void {
  if (ctx.object.environment !== null && ctx.object.environment.deleted_at === null && ctx.object.namespace !== null)
    return;
  throw new CatalogError(
    'NoSuchNamespaceException',
    `Namespace does not exist: ${ctx.params.namespace}. Create it first.`,
  );
}

/** Temporary credentials write any other file of a table (CREDENTIAL-3). @throws CatalogError */
async function requireMetadataName(ctx: Register, file: string): Promise<void> {
  if (isMetadataFile(file)) return;
  // What isn't metadata at all is reported as such, whatever its name.
  await readRegisteredMetadata(ctx);
  throw badRequest(`${file} isn't a metadata file: its name must contain ".metadata.json".`);
}

/** @param id of the restored or repointed table, if known */
async function answer(ctx: Register, name: string, id: string | null = null) {
  const found = await findExisting(ctx, name);
  if (found?.metadata_location == null || found.id !== (id ?? found.id))
    throw badRequest('The table was dropped or renamed right after this request registered it.');
  const { location, metadata_location: metadataLocation } = found;
  return tableResponse(ctx, { id: found.id, name, metadataLocation, location });
}

const findExisting = (ctx: Register, name: string): Promise<StoredTable | null> =>
  findTable(ctx.db, { environmentId: ctx.environment.id, namespace: ctx.namespace.path, name });

/** @param owner the innermost table, active or dropped, whose folder contains the file */
async function registerAs(ctx: Register, name: string, file: string, owner: LocationOwner | null): Promise<void> {
  const existing = await findExisting(ctx, name);
  const overwrite = ctx.body.overwrite === true;
  if (existing !== null && (!overwrite || existing.kind !== 'managed')) {
    throw nameTakenError('table', existing.kind, fullName(ctx.namespace.path, name));
  }
  if (owner !== null && owner.id === existing?.id) return repoint(ctx, existing, ctx.body['metadata-location']);
  const of = owner === null || (await isNested(ctx, owner)) ? null : owner;
  if (of !== null && of.environmentId !== ctx.environment.id) throw belongsToOther(file);
  if (of?.droppedAt === null) throw alreadyRegistered(file);
  if (existing !== null) await dropExisting(ctx, existing);
  if (of !== null) return restoreTo(ctx, of, { name, file: ctx.body['metadata-location'] });
  await requireStorage(ctx);
  return registerNew(ctx, name, file);
}

const alreadyRegistered = (file: string) =>
  new CatalogError(
    'AlreadyExistsException',
    `${file} belongs to a table that is already registered. Rename that table, or drop it first.`,
  );

/** Doesn't reveal the name or the state of a table in another environment. */
const belongsToOther = (file: string) =>
  new CatalogError(
    'AlreadyExistsException',
    `${file} belongs to a table of another environment. Register it there, or load its data into a table of this environment.`,
  );

/** Whether the metadata belongs to a separate table inside the owner's folder. */
async function isNested(ctx: Register, owner: LocationOwner): Promise<boolean> {
  if (owner.purgedAt !== null) return false;
  const metadata = await readRegisteredMetadata(ctx);
  return requireInside(ctx, metadata.location) !== owner.location;
}

/** The metadata to register. @throws CatalogError naming what is not valid in it */
async function readRegisteredMetadata(ctx: Register): Promise<TableMetadata> {
  try {
    return (await readMetadataFile(ctx.deps.store, ctx.body['metadata-location'])).metadata;
  } catch (error) {
    if (error instanceof InvalidMetadataError) throw badRequest(error.message);
    throw error;
  }
}

/** Drops the table that has the name now. */
async function dropExisting(ctx: Register, existing: StoredTable): Promise<void> {
  const on = ctx.scope({ namespace: existing.namespace, table: existing.name });
  ctx.require('DROP_TABLE', on, await ctx.listGrants());
  await recordDrop(ctx as Context, existing.id, 'user');
}

async function registerNew(ctx: Register, name: string, file: string): Promise<void> {
  const metadataLocation = ctx.body['metadata-location'];
  const metadata = await readRegisteredMetadata(ctx);
  const location = requireLocation(ctx, metadata.location);
  requireOwn(ctx, metadata, location, file);
  await reserveLocation(ctx, location);
  const id = metadata['table-uuid'].toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw badRequest('The table-uuid is not a UUID.');
  await requireFreeId(ctx, id);
  await insertTable(ctx, { name, metadata: { ...metadata, 'table-uuid': id }, metadataLocation, location });
}

/** Requires the metadata file and everything it references to be in the table's own folder. @throws CatalogError */
function requireOwn(ctx: Register, metadata: TableMetadata, location: string, file: string): void {
  if (!isWithin(location, file)) {
    throw badRequest(`The metadata file ${file} lies outside the table's folder ${location}, which it names.`);
  }
  const refused = foreignFilesInMetadata({ root: ctx.storageRoot }, location, metadata);
  if (refused !== null) throw badRequest(refused);
}

export const registerRoutes: CatalogRoute[] = [register];
