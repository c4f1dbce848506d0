import { scopeOf } from '@svc/core/access';
import { ApiError, invalid } from '@svc/core/errors';
import { NO_RULE, retentionDetail, retentionOf } from '@svc/core/retention';
import { type Column, tableEndpoints as endpoints, type NewTable, type StoredColumn } from '@svc/core/tables';
import { startCreation } from '@svc/db/drops';
import { createTable, findTableById, listTables, retentionFacts, type StoredTable, updateTable } from '@svc/db/tables';
import { createTableMetadata, currentSchema, tableIds, unknownColumn, writeNewTable } from '@svc/iceberg';
import { COMMENT, newTableLocation, rowColumns } from '@svc/lake/tables';
import { requirePrincipal } from '../access/principals.ts';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { PageResponse, type Route, route, StreamResponse } from '../http/route.ts';
import { retentionError } from '../retention/retention-error.ts';
import { alterRoute, asInvalid } from './alter.ts';
import { describeInMetadata } from './describe.ts';
import { externalColumns } from './external.ts';
import { findColumn } from './find-column.ts';
import { tableHealth } from './health.ts';
import { historyRoutes } from './history.ts';
import { inferRoute } from './infer.ts';
import { loadTable, lockTable } from './load.ts';
import { tableResponse, tableResponses } from './record.ts';
import { renameRoute } from './rename.ts';
import { requireOwnerChange } from './require-owner-change.ts';
import { truncateRoute } from './truncate.ts';
import { visibleInNamespace } from './visible-tables.ts';

const create = route(endpoints.create, async (ctx) => {
  ctx.requireUnprotected('CREATE_TABLE');
  const { body, caller, now } = ctx;
  const refused = await refusedRetention(ctx);
  const id = ctx.deps.newId();
  const row = {
    id,
    environmentId: ctx.environment.id,
    namespaceId: ctx.namespace.id,
    name: body.name,
    description: body.description,
    createdBy: caller.id,
    expireAfter: refused === null ? (body.expire_after ?? null) : null,
    now,
    ...(await contents(ctx, body, id)),
  };
  if (!(await createTable(ctx.db, row))) {
    throw new ApiError(
      'already-exists',
      `A table, view or artifact named ${ctx.namespace.path}.${body.name} already exists. Choose another name.`,
    );
  }
  const table = (await findTableById(ctx.db, row.id))!;
  const { kind, columns, location } = table;
  await ctx.audit({
    type: 'TABLE_CREATED',
    object: scopeOf({ environment: ctx.environment.name, namespace: table.namespace, table: table.name }),
    detail: { table_id: row.id, name: table.name, kind, columns: columns.length, location },
  });
  if (row.expireAfter !== null) {
    const facts = retentionFacts(table, now);
    const detail = retentionDetail(table.id, retentionOf({ ...facts, own: NO_RULE }), retentionOf(facts));
    await ctx.audit({ type: 'TABLE_RETENTION_SET', object: tableScope(ctx, table), detail });
  }
  return { ...(await tableResponse(ctx, table)), ...(refused === null ? {} : { retention_error: refused }) };
});

async function refusedRetention(ctx: Context<unknown, unknown, NewTable>) {
  const { expire_after: days, name } = ctx.body;
  if (days === undefined) return null;
  return retentionError(ctx, endpoints.create, {
    table: ctx.scope({ namespace: ctx.namespace.path, table: name }),
    days,
  });
}

const tableScope = (ctx: Context, { namespace, name }: StoredTable) => ctx.scope({ namespace, table: name });

/** The first metadata file of a managed table, or the location of an external table's files. */
async function contents(ctx: Context, body: NewTable, id: string) {
  if (body.kind === 'external') {
    const { location, columns } = await externalColumns(ctx, body);
    return { kind: 'external' as const, location, format: body.format!, columns };
  }
  const columns: Column[] = body.columns!;
  const location = newTableLocation({ root: ctx.storageRoot }, ctx.environment.id, ctx.deps);
  await startCreation(ctx.deps.db.outside, { location, now: ctx.now });
  const ids = tableIds(ctx.deps);
  const metadata = asInvalid(() =>
    createTableMetadata({
      uuid: id,
      location,
      columns: columns.map(lakeColumn),
      identifierFields: body.identifier_fields,
      now: ctx.now.getTime(),
      ...(body.description == null ? {} : { properties: { [COMMENT]: body.description } }),
    }),
  );
  const { metadataLocation } = await writeNewTable(ctx.deps.store, metadata, ids);
  const contents = { snapshotId: null, rowCount: 0, sizeBytes: 0, fileCount: 0 };
  const apart = ctx.environment.storage_location !== null;
  const stored = rowColumns(currentSchema(metadata));
  return { kind: 'managed' as const, location, apart, metadataLocation, columns: stored, contents };
}

const lakeColumn = ({ name, type, nullable, description }: Column) => ({
  name,
  type,
  nullable,
  ...(description === null ? {} : { description }),
});

const list = route(endpoints.list, async (ctx) => {
  const visible = await visibleInNamespace(ctx);
  requireExisting(ctx);
  const { limit } = ctx.query;
  const rows = await listTables(ctx.db, {
    namespaceId: ctx.namespace.id,
    visible,
    after: ctx.position<string>(),
    limit,
  });
  return new PageResponse(
    await tableResponses(ctx, rows.slice(0, limit)),
    rows.length > limit ? rows[limit - 1]!.name : null,
  );
});

const get = route(endpoints.get, async (ctx) => tableResponse(ctx, await loadTable(ctx)));

const update = route(endpoints.update, async (ctx) => {
  ctx.requireUnprotected('WRITE_TABLE');
  const { description, column_descriptions, owner } = ctx.body;
  const table = await lockTable(ctx);
  if (owner !== undefined) requireOwnerChange(ctx as Context, table);
  const columns = column_descriptions === undefined ? undefined : describeColumns(table.columns, column_descriptions);
  const ownerId = owner === undefined ? undefined : (await requirePrincipal(ctx.db, owner)).id;
  await updateTable(ctx.db, { id: table.id, now: ctx.now, description, columns, ownerId });
  await describeInMetadata(ctx, table, { description, columns });
  const object = tableScope(ctx, table);
  await ctx.audit({ type: 'TABLE_UPDATED', object, detail: { table_id: table.id, changed: Object.keys(ctx.body) } });
  return tableResponse(ctx, await loadTable(ctx));
});

function describeColumns(
  columns: readonly StoredColumn[],
  descriptions: Record<string, string | null>,
): StoredColumn[] {
  const described = new Map<string, string | null>();
  for (const [name, description] of Object.entries(descriptions)) {
    const column = findColumn(columns, name);
    if (column === undefined) throw invalid({ pointer: '/column_descriptions' }, unknownColumn(name, columns));
    if (described.has(column.name)) {
      throw invalid(
        { pointer: '/column_descriptions' },
        `names the column ${column.name} twice, in different letter case`,
      );
    }
    described.set(column.name, description);
  }
  return columns.map((column) => {
    const description = described.get(column.name);
    return { ...column, description: description === undefined ? column.description : description };
  });
}

const health = route(endpoints.health, async (ctx) => tableHealth(ctx, await loadTable(ctx)));

const content = route(endpoints.content, async (ctx) => {
  const table = await loadTable(ctx);
  if (table.kind !== 'artifact' || table.location === null) {
    throw new ApiError(
      'not-found',
      `${table.namespace}.${table.name} is of kind ${table.kind}: only an artifact has a file. Read it with svc sql.`,
    );
  }
  const file = decodeURIComponent(table.location.split('/').at(-1)!).replaceAll(/[^\w.-]/g, '_');
  const body = await ctx.deps.store.readStream(table.location);
  return new StreamResponse('application/octet-stream', body, {
    'Content-Disposition': `attachment; filename="${file}"`,
  });
});

export const tableRoutes: Route[] = [
  create,
  inferRoute,
  list,
  get,
  update,
  alterRoute,
  truncateRoute,
  renameRoute,
  ...historyRoutes,
  health,
  content,
];
