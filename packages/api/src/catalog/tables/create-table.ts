import { badRequest, createTableBody, nameTakenError, requireName } from '@svc/core/catalog';
import { trimEnd } from '@svc/core/contract';
import { startCreation } from '@svc/db/drops';
import { createTable, findTable } from '@svc/db/tables';
import {
  type IcebergSchema,
  newTableMetadata,
  type PartitionSpec,
  removeFiles,
  type SortOrder,
  type TableMetadata,
  tableIds,
  UnsupportedTableError,
  writeNewTable,
} from '@svc/iceberg';
import { columnsAfter, contentsOf, descriptionAfter, newTableLocation } from '@svc/lake/tables';
import { type CatalogContext, fullName } from '../protocol/context.ts';
import { type CatalogResponse, ok } from '../protocol/response.ts';
import { type CatalogRoute, change } from '../protocol/route.ts';
import { requireInside, requireLocation, reserveLocation, TABLE_FOLDERS } from '../table-location.ts';
import { delegate } from './delegation.ts';
import { tableResponse } from './load.ts';

const create = change(
  'createTable',
  createTableBody,
  async (ctx) => {
    ctx.requireUnprotected('CREATE_TABLE');
    const { body } = ctx;
    const name = requireName(body.name);
    const chosen = body.location == null ? null : trimEnd(body.location, '/');
    const reserved = chosen === null ? null : requireLocation(ctx, chosen);
    const location = chosen ?? newTableLocation({ root: ctx.storageRoot }, ctx.environment.id, ctx.deps);
    const made = newTableMetadata(
      {
        uuid: ctx.deps.newId(),
        location,
        schema: body.schema as unknown as IcebergSchema,
        spec: (body['partition-spec'] ?? undefined) as PartitionSpec | undefined,
        order: (body['write-order'] ?? undefined) as SortOrder | undefined,
        properties: body.properties ?? {},
      },
      ctx.now.getTime(),
    );
    if (!made.ok) throw badRequest(made.message);
    // An engine that stages a table writes files there that can't be distinguished from those of a table around it.
    if (reserved !== null) await reserveLocation(ctx, reserved, { nested: body['stage-create'] !== true });
    // If the creation fails, a sweep removes these files; a folder chosen by the engine is left alone.
    else await startCreation(ctx.deps.db.outside, { location, now: ctx.now });
    if (body['stage-create'] === true)
      return staged(ctx, {
        name,
        metadata: made.metadata,
        location: reserved ?? location,
        isChosen: reserved !== null,
      });
    const { metadataLocation } = await writeNewTable(ctx.deps.store, made.metadata, tableIds(ctx.deps));
    try {
      await insertTable(ctx, { name, metadata: made.metadata, metadataLocation, location: reserved ?? location });
    } catch (error) {
      // No sweep would remove it, and another table inside the same folder would be refused.
      if (reserved !== null) await removeFiles(ctx.deps.store, [metadataLocation]);
      throw error;
    }
    // A new table has no policy.
    return tableResponse(ctx, {
      id: made.metadata['table-uuid'],
      name,
      metadataLocation,
      location: reserved ?? location,
      bound: false,
    });
  },
  {
    complete: async (ctx, text) => {
      const { metadata } = JSON.parse(text) as { metadata: TableMetadata };
      const location = requireInside(ctx, metadata.location);
      return stagedResponse(ctx, requireName(ctx.body.name), { metadata, location });
    },
    replay: async (ctx, id) => {
      const { name } = ctx.body;
      const found = await findNamed(ctx, name);
      if (found?.metadata_location == null || found.id !== (id ?? found.id))
        throw badRequest('The table was dropped or renamed right after this request created it.');
      const { location, metadata_location: metadataLocation } = found;
      return tableResponse(ctx, { id: found.id, name, metadataLocation, location });
    },
  },
);

const findNamed = (ctx: CatalogContext, name: string) =>
  findTable(ctx.db, { environmentId: ctx.environment.id, namespace: ctx.namespace.path, name });

interface StagedTable {
  name: string;
  metadata: TableMetadata;
  /** In the store's spelling. */
  location: string;
  /** Whether the engine chose the folder. */
  isChosen: boolean;
}

/** The metadata that a create transaction starts with; the commit creates the table. */
async function staged(
  ctx: CatalogContext,
  { name, metadata, location, isChosen }: StagedTable,
): Promise<CatalogResponse> {
  const existing = await findNamed(ctx, name);
  if (existing !== null) throw nameTakenError('table', existing.kind, fullName(ctx.namespace.path, name));
  // Not every engine creates the folders it writes to. A sweep removes them, even when empty, if no table is created.
  if (!isChosen) for (const folder of TABLE_FOLDERS) await ctx.deps.store.makeFolder(`${metadata.location}/${folder}`);
  return stagedResponse(ctx, name, { metadata, location });
}

/** The credentials in the response aren't stored. */
async function stagedResponse(
  ctx: CatalogContext,
  name: string,
  { metadata, location }: Pick<StagedTable, 'metadata' | 'location'>,
): Promise<CatalogResponse> {
  const table = { id: metadata['table-uuid'], name, location, metadataLocation: null };
  return { ...ok({ metadata, ...(await delegate(ctx, table)) }), stored: ok({ metadata }).text! };
}

export interface NewCatalogTable {
  name: string;
  metadata: TableMetadata;
  metadataLocation: string;
  /** In the store's spelling. */
  location: string;
}

/** Inserts the table's row and event, in the namespace of the path. @throws CatalogError */
export async function insertTable(
  ctx: CatalogContext,
  { name, metadata, metadataLocation, location }: NewCatalogTable,
  namespace: { id: string; path: string } = ctx.namespace,
): Promise<void> {
  const id = metadata['table-uuid'];
  const columns = columnsOf(metadata);
  const created = await createTable(ctx.db, {
    id,
    environmentId: ctx.environment.id,
    namespaceId: namespace.id,
    name,
    kind: 'managed',
    description: descriptionAfter(null, metadata) ?? null,
    columns,
    location,
    apart: ctx.environment.storage_location !== null,
    metadataLocation,
    contents: contentsOf(metadata),
    createdBy: ctx.caller.id,
    now: ctx.now,
  });
  if (!created) {
    const where = { environmentId: ctx.environment.id, namespace: namespace.path, name };
    const existing = await findTable(ctx.db, where);
    throw nameTakenError('table', existing?.kind ?? 'managed', fullName(namespace.path, name));
  }
  await ctx.audit({
    type: 'TABLE_CREATED',
    object: ctx.scope({ namespace: namespace.path, table: name }),
    detail: { table_id: id, name, kind: 'managed', columns: columns.length, location },
  });
}

function columnsOf(metadata: TableMetadata) {
  try {
    return columnsAfter(null, metadata, []);
  } catch (error) {
    if (error instanceof UnsupportedTableError) throw badRequest(error.message);
    throw error;
  }
}

export const createRoutes: CatalogRoute[] = [create];
