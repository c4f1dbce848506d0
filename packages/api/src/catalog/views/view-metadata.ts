import { badRequest, CatalogError } from '@svc/core/catalog';
import { statementFault } from '@svc/core/queries';
import type { Column } from '@svc/core/tables';
import type { CatalogTable } from '@svc/db/catalog';
import { fieldsOfColumns, UnsupportedTableError } from '@svc/iceberg';
import { rowColumns } from '@svc/lake/tables';
import {
  chooseViewSql,
  OWN_DIALECT,
  parseViewMetadata,
  readViewText,
  type ViewMetadata,
  viewLocation,
  viewSchema,
} from '@svc/lake/views';
import type { CatalogContext } from '../protocol/context.ts';
import { ok } from '../protocol/response.ts';

/** A view's metadata and its location. */
export interface ViewState {
  metadataLocation: string;
  metadata: ViewMetadata;
}

/** The metadata of a view: as an engine stored it, or built from the statement and columns of a project's view. */
export async function viewState(ctx: CatalogContext, view: CatalogTable): Promise<ViewState> {
  if (view.metadataLocation === null) return ofProject(ctx, view);
  const text = await readViewText(ctx.deps.store, view.metadataLocation);
  const metadata = parseViewMetadata(text);
  if (metadata === null)
    throw new UnsupportedTableError(`The metadata of the view ${view.namespace}.${view.name} is not valid.`);
  return { metadataLocation: view.metadataLocation, metadata };
}

/**
 * A project's view is listed only in the service's own SQL dialect, because its statement may not be valid in others.
 */
function ofProject(ctx: CatalogContext, view: CatalogTable): ViewState {
  const at = view.updatedAt.getTime();
  const location = viewLocation({ root: ctx.storageRoot }, ctx.environment.id, view.id);
  const { fields } = fieldsOfColumns(view.columns);
  const version = {
    'version-id': 1,
    'timestamp-ms': at,
    'schema-id': 0,
    summary: { 'engine-name': 'svc' },
    representations: [{ type: 'sql', sql: view.viewSql!, dialect: OWN_DIALECT }],
    'default-namespace': view.namespace.split('.'),
  };
  const metadata: ViewMetadata = {
    'view-uuid': view.id,
    'format-version': 1,
    location,
    'current-version-id': 1,
    versions: [version],
    'version-log': [{ 'version-id': 1, 'timestamp-ms': at }],
    schemas: [{ type: 'struct', 'schema-id': 0, fields }],
    properties: view.description === null ? {} : { comment: view.description },
  };
  return { metadataLocation: `${location}/metadata/${at}.metadata.json`, metadata };
}

/**
 * The view's database row.
 * @param maxBytes limit of the statement that queries of the view run
 * @throws CatalogError for metadata that the service can't store
 */
export function viewRow(
  metadata: ViewMetadata,
  maxBytes: number,
): { sql: string; columns: Column[]; description: string | null } {
  const chosen = chooseViewSql(metadata);
  if (chosen === null) throw badRequest('A view requires a representation of type sql.');
  const tooLong = statementFault(chosen.sql, maxBytes);
  if (tooLong !== null) throw badRequest(`The statement of the view ${tooLong}. Make it shorter.`);
  try {
    const columns = rowColumns(viewSchema(metadata));
    return { sql: chosen.sql, columns, description: metadata.properties['comment'] ?? null };
  } catch (error) {
    if (error instanceof UnsupportedTableError) throw badRequest(error.message);
    throw error;
  }
}

export const viewResponse = ({ metadataLocation, metadata }: ViewState) => ({
  ...ok({ 'metadata-location': metadataLocation, metadata, config: {} }),
  reload: metadata['view-uuid'],
});

export const conflict = () => new CatalogError('CommitFailedException', 'Another commit changed the view first.');
