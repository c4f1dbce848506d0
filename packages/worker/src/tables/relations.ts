import type { ReadableTable } from '@svc/db/policies';
import {
  currentSchema,
  findVersion,
  readTableMetadata,
  readTableScan,
  requireNoneInside,
  type ScanAt,
  type TableScan,
  UnsupportedTableError,
  versionColumns,
} from '@svc/iceberg';
import type { CatalogTable, Relation, RelationFailure, TableVersion } from '@svc/lake/queries';
import { chooseViewSql, parseViewMetadata, readViewText } from '@svc/lake/views';
import { listExternalFiles } from '@svc/lake/writes';
import type { WorkerDeps } from '../work/deps.ts';

/** Where and how the contents of a table are read. */
export interface Reading {
  environment: { id: string; name: string };
  /** Data files aren't listed: the engine reads through the catalog interface, or no rows are read. */
  throughCatalog?: boolean;
  /** The catalog interface shows its tables too: an engine that can't run the statement leaves it to one that reads files. */
  inCatalogToo?: boolean;
}

export const refusedVersion = (message: string): RelationFailure => ({
  kind: 'refused',
  code: 'version-not-found',
  message,
});

export async function relationOf(
  deps: WorkerDeps,
  reading: Reading,
  table: ReadableTable,
  version: TableVersion | null,
): Promise<Relation | RelationFailure | null> {
  if (version !== null && table.kind !== 'managed') {
    return refusedVersion(
      `${table.namespace}.${table.name} is of kind ${table.kind}: only managed tables have versions.`,
    );
  }
  switch (table.kind) {
    case 'managed':
      if (table.metadata_location === null) return null;
      return tableRelation(deps, reading, table, table.metadata_location, version);
    case 'view':
      return viewRelation(deps, table);
    case 'external': {
      const locations = await listExternalFiles(table.location!, table.format!, deps.settings.externalLocations);
      return { kind: 'external', format: table.format!, locations, columns: table.columns };
    }
    case 'artifact': {
      const name = `${table.namespace}.${table.name}`;
      const fetched = `svc table download ${name} --env ${reading.environment.name}`;
      const message = `${name} is an artifact: a single file without rows. Download it with: ${fetched}`;
      return { kind: 'refused', code: 'not-supported', message, remedy: fetched };
    }
  }
}

/**
 * A project's view contains an SQL statement of ours. An engine's view is read from its metadata, which also defines
 * how its names resolve.
 */
export async function viewRelation(
  deps: WorkerDeps,
  table: ReadableTable,
): Promise<Extract<Relation, { kind: 'view' }>> {
  if (table.metadata_location === null) return { kind: 'view', sql: table.view_sql! };
  const metadata = parseViewMetadata(await readViewText(deps.store, table.metadata_location));
  const viewSql = metadata === null ? null : chooseViewSql(metadata);
  if (viewSql === null) {
    const name = `${table.namespace}.${table.name}`;
    throw new UnsupportedTableError(`The metadata of the view ${name} isn't valid. Recreate the view with its engine.`);
  }
  const { sql, ...engine } = viewSql;
  return { kind: 'view', sql, engine: { ...engine, columns: table.columns.map((column) => column.name) } };
}

async function managedRelation(
  deps: WorkerDeps,
  { namespace, name, inside }: ReadableTable,
  location: string,
  version: TableVersion | null,
): Promise<Relation | RelationFailure> {
  const scanned = async (at: ScanAt) => {
    const scan = await readTableScan(deps.store, location, at);
    requireNoneInside(scan.files, inside);
    return managed(scan);
  };
  if (version === null) return scanned({});
  const metadata = await readTableMetadata(deps.store, location);
  const found = findVersion(metadata, version);
  if (!found.ok) return noVersion(namespace, name, found.what);
  return { ...(await scanned(found.at)), present: currentSchema(metadata).fields };
}

const managed = ({ schema, files, nameMapping, formerSchemas }: TableScan) =>
  ({
    kind: 'managed',
    fields: schema.fields,
    files,
    nameMapping: nameMapping ?? null,
    formerSchemas: formerSchemas ?? [],
  }) as const;

const noVersion = (namespace: string, name: string, what: string): RelationFailure =>
  refusedVersion(`${namespace}.${name} has no ${what}. List its versions with: svc table history ${namespace}.${name}`);

async function tableRelation(
  deps: WorkerDeps,
  reading: Reading,
  table: ReadableTable,
  location: string,
  version: TableVersion | null,
): Promise<Relation | RelationFailure | null> {
  if (reading.throughCatalog) return catalogRelation(deps, reading, table, location, version);
  const files = await managedRelation(deps, table, location, version);
  if (!reading.inCatalogToo || files.kind !== 'managed') return files;
  const named = await catalogRelation(deps, reading, table, location, version);
  return named.kind === 'managed' && named.catalogTables ? { ...files, catalogTables: named.catalogTables } : files;
}

/** A table as an external engine reads it: by name, at the current snapshot or that of the requested version. */
async function catalogRelation(
  deps: WorkerDeps,
  { environment }: Reading,
  { namespace, name }: ReadableTable,
  location: string,
  version: TableVersion | null,
): Promise<Relation | RelationFailure> {
  const metadata = await readTableMetadata(deps.store, location);
  const found = version === null ? ({ ok: true, at: {} } as const) : findVersion(metadata, version);
  if (!found.ok) return noVersion(namespace, name, found.what);
  const columns = versionColumns(metadata, found.at);
  const table = catalogTable(environment.name, { namespace, name }, columns);
  const currentFields = version === null ? {} : { present: currentSchema(metadata).fields };
  return {
    kind: 'managed',
    fields: columns.fields,
    files: [],
    formerSchemas: metadata.schemas,
    catalogTables: [table],
    ...currentFields,
  };
}

/** A version of a table as the catalog shows it. */
export const catalogTable = (
  environment: string,
  { namespace, name }: { namespace: string; name: string },
  { snapshotId, snapshotFields }: ReturnType<typeof versionColumns>,
): CatalogTable => ({
  environment,
  namespace,
  table: name,
  snapshotId: snapshotId === null ? null : String(snapshotId),
  fields: snapshotFields,
});
