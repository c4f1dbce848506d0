import { ApiError, invalid } from '@svc/core/errors';
import { tableEndpoints } from '@svc/core/tables';
import { listColumnMasks, listRowFilters } from '@svc/db/policies';
import { alterSchema, commitTable, readTableMetadata, SchemaChangeError } from '@svc/iceberg';
import { columnsAfter } from '@svc/lake/tables';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { loadTable, lockTable } from './load.ts';
import { tableResponse } from './record.ts';
import { requestCommit } from './request-commit.ts';

/** Changes the columns of a managed table. Its files stay as they are. */
export const alterRoute: Route = route(tableEndpoints.alter, async (ctx) => {
  ctx.requireUnprotected('WRITE_TABLE');
  if (ctx.table.kind !== 'managed')
    throw new ApiError(
      'not-a-managed-table',
      `${ctx.tableName} is of kind ${ctx.table.kind}: it has no columns of its own.`,
    );
  const { body } = ctx;
  const table = await lockTable(ctx);
  await requireNoPolicy(ctx, table.id, [...Object.keys(body.rename ?? {}), ...(body.drop ?? [])]);
  const metadataLocation = table.metadata_location!;
  const metadata = await readTableMetadata(ctx.deps.store, metadataLocation);
  const result = await commitTable({
    ...requestCommit(ctx, table.id, { metadataLocation, metadata }, (next) =>
      columnsAfter(metadata, next, table.columns),
    ),
    requirements: [],
    updates: asInvalid(() => alterSchema(metadata, body)),
  });
  if (!result.ok) throw new ApiError('write-conflict', `The columns were not changed: ${result.message}`);
  const object = ctx.scope({ namespace: table.namespace, table: table.name });
  await ctx.audit({ type: 'TABLE_UPDATED', object, detail: { table_id: table.id, changed: ['columns'] } });
  return tableResponse(ctx, await loadTable(ctx));
});

/** A change of columns that the table doesn't allow is an error of the request. @throws ApiError `invalid` */
export function asInvalid<R>(change: () => R): R {
  try {
    return change();
  } catch (error) {
    if (error instanceof SchemaChangeError) throw invalid({ pointer: `/${error.change}` }, error.message);
    throw error;
  }
}

/** A filter or mask that names a column would no longer apply, and nobody whom it binds could read the table. */
async function requireNoPolicy(ctx: Context, tableId: string, columns: readonly string[]): Promise<void> {
  if (columns.length === 0) return;
  const filters = (await listRowFilters(ctx.db, tableId)).map(({ predicate }) => ['row filter', predicate] as const);
  const masks = (await listColumnMasks(ctx.db, tableId)).map(
    ({ column, expression }) => ['column mask', `"${column}" ${expression}`] as const,
  );
  for (const [kind, text] of [...filters, ...masks]) {
    const names = new Set(text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu));
    const column = columns.find(
      (name) => names.has(name.toLowerCase()) || text.toLowerCase().includes(`"${name.toLowerCase()}"`),
    );
    if (column === undefined) continue;
    throw new ApiError(
      'in-use',
      `A ${kind} on the table names the column ${column}. A user with MANAGE_POLICY must delete it first.`,
    );
  }
}
