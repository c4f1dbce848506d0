import {
  type Action,
  decide,
  type EffectiveGrant,
  namespacePath,
  narrowGrants,
  type ObjectScope,
  outsideScope,
  scopeOf,
  tableName,
} from '@svc/core/access';
import { splitAssetName } from '@svc/core/deploys';
import { sandboxOwner } from '@svc/core/queries';
import { listEffectiveGrants } from '@svc/db/access';
import type { ReadableTable } from '@svc/db/policies';
import { findTable } from '@svc/db/tables';
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
import type { CatalogTable, Relation, RelationFailure, RequestedTable, Resolve, TableVersion } from '@svc/lake/queries';
import { chooseViewSql, parseViewMetadata, readViewText } from '@svc/lake/views';
import { listExternalFiles } from '@svc/lake/writes';
import type { WorkerDeps } from '../work/deps.ts';
import { auditDenial, type RequestedBy } from '../work/events.ts';
import { type DevAssets, nameInDevNamespace } from './dev-assets.ts';
import { informationRelation, informationTable } from './information-schema.ts';
import { policiesOf } from './policies.ts';
import { onSearchPath } from './search-path.ts';

/** The principal that reads, and where. */
export interface Reader {
  principalId: string;
  environment: { id: string; name: string };
  request: RequestedBy;
  /** For statements that run repeatedly: they read the current snapshots, never older versions. */
  currentOnly?: boolean;
  /** Data files aren't listed: the engine reads through the catalog interface, or no rows are read. */
  throughCatalog?: boolean;
  /** The catalog interface shows its tables too: an engine that can't run the statement leaves it to one that reads files. */
  inCatalogToo?: boolean;
  /** Whether denials are recorded (default: true). */
  recordsDenials?: boolean;
  /** The actions that the token of the principal carried at most when it submitted the statement (default: all). */
  tokenActions?: readonly Action[] | null;
  /** Of a run in a development namespace: the names of its assets mean the tables there that exist (DEPLOY-24). */
  dev?: DevAssets | null;
  /**
   * The namespaces in which names without one are looked up, in order. With it, a name may also start with that of the
   * environment (POSTGRES-9).
   */
  searchPath?: readonly string[] | null;
}

/** Resolves the tables in a statement with the reader's permissions, and records which were read. */
export interface TableReader {
  resolve: Resolve;
  /** As `resolve`, but names never mean tables in a development namespace: for the table that a statement changes. */
  resolveNamed: Resolve;
  /** The owner of the statements that a sandbox process serves. */
  owner: string;
  /** Ids of the tables read so far. */
  tableIds: Set<string>;
  /** These tables as they were when they were read, by their names in the statement in lower case. */
  found: Map<string, ReadableTable>;
  /** Records that the reader may not act on a table for another reason than a missing grant. */
  deny: (action: Action, table: { namespace: string; table: string }, reason: string) => Promise<void>;
  /** Tables that the reader was denied, by their name in the statement. */
  refused: Map<string, ObjectScope>;
  /** The principal's grants on the instance and everything in the environment, read once. */
  grants: () => Promise<readonly EffectiveGrant[]>;
}

/** Returns a replacement for a table's stored contents, such as rows that aren't committed yet. */
export type Override = (name: string) => Relation | undefined;

/**
 * Opens a reader, which decides with the principal's grants at the time that it resolves a table. A missing table and an
 * unreadable one both resolve to null, so the statement gets the same response. Denials are recorded, whether or not the
 * table exists.
 */
export function openReader(deps: WorkerDeps, reader: Reader, override: Override = () => undefined): TableReader {
  const { principalId, environment, tokenActions = null } = reader;
  const scope = tokenActions === null ? null : { environments: null, actions: tokenActions };
  let listed: Promise<readonly EffectiveGrant[]> | undefined;
  const grants = () => {
    const request = { principalId, environmentId: environment.id, now: deps.clock() };
    listed ??= listEffectiveGrants(deps.db.prisma, request).then((every) => narrowGrants(every, scope));
    return listed;
  };
  const tableIds = new Set<string>();
  const readable = new Map<string, ReadableTable>();
  const refused = new Map<string, ObjectScope>();
  const refuse = async (full: string, object: ObjectScope, reason: string | null) => {
    if (reader.recordsDenials !== false && !refused.has(full))
      await auditDenial(deps, reader, { action: 'READ_TABLE', object, reason });
    refused.set(full, object);
  };
  const resolveOne = async (
    { name, version }: RequestedTable,
    dev: DevAssets | null,
  ): Promise<Relation | RelationFailure | null> => {
    if (version !== null && reader.currentOnly) return refusedVersion(CURRENT_ONLY);
    const named = await tableMeant(deps, { ...reader, dev }, { name: name.join('.'), override });
    if (typeof named !== 'string') return named;
    const full = await onSearchPath(deps.db.prisma, { ...reader, grants }, named);
    const at = full.lastIndexOf('.');
    if (at <= 0) return null;
    const [namespace, table] = [full.slice(0, at), full.slice(at + 1)];
    // No table can have such a name, so there is no denial to record.
    if (!namespacePath.safeParse(namespace).success || !tableName.safeParse(table).success) return null;
    const object = scopeOf({ environment: environment.name, namespace, table });
    const now = deps.clock();
    const access = await deps.statements.findReadableTable({ environment, namespace, name: table, principalId, now });
    const decision = decide(narrowGrants(access.grants, scope), 'READ_TABLE', object);
    if (!decision.allowed) {
      await refuse(full, object, outsideScope(scope, 'READ_TABLE', object) ?? decision.reason);
      return null;
    }
    deps.statements.grantUses.note(decision.via, now);
    const found = access.table;
    if (found === null) return null;
    tableIds.add(found.id);
    readable.set(name.join('.').toLowerCase(), found);
    const relation = await relationOf(deps, reader, found, version);
    return relation === null || relation.kind === 'refused'
      ? relation
      : { ...relation, ...policiesOf(deps, reader, found) };
  };
  const resolveAny = async (table: RequestedTable, dev: DevAssets | null) => {
    const information = table.version === null ? informationTable(table.name) : null;
    if (information === null) return resolveOne(table, dev);
    const known = { environment, grants: await grants() };
    return informationRelation(deps.db.prisma, information, known);
  };
  const owner = sandboxOwner(environment.id, principalId, tokenActions);
  return {
    owner,
    resolve: (names) => Promise.all(names.map((name) => resolveAny(name, reader.dev ?? null))),
    resolveNamed: (names) => Promise.all(names.map((name) => resolveAny(name, null))),
    deny: (action, { namespace, table }, reason) => {
      const object = scopeOf({ environment: environment.name, namespace, table });
      return auditDenial(deps, reader, { action, object, reason });
    },
    tableIds,
    found: readable,
    refused,
    grants,
  };
}

/** The name of the table that a statement means, or its replacement. */
async function tableMeant(
  deps: WorkerDeps,
  { dev, environment }: Reader,
  { name, override }: { name: string; override: Override },
): Promise<string | Relation> {
  const inside = dev == null ? null : nameInDevNamespace(dev, name);
  const replacement = override((inside ?? name).toLowerCase());
  if (replacement !== undefined || inside === null) return replacement ?? name;
  const { namespace, table } = splitAssetName(inside)!;
  const built = await findTable(deps.db.prisma, { environmentId: environment.id, namespace, name: table });
  return built === null ? name : inside;
}

export const CURRENT_ONLY =
  'Assets and their checks read the current version of a table, because another version may no longer exist at the next build. Use AT (…) only with svc sql.';

const refusedVersion = (message: string): RelationFailure => ({ kind: 'refused', code: 'version-not-found', message });

async function relationOf(
  deps: WorkerDeps,
  reader: Reader,
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
      return tableRelation(deps, reader, table, table.metadata_location, version);
    case 'view':
      return viewRelation(deps, table);
    case 'external': {
      const locations = await listExternalFiles(table.location!, table.format!, deps.settings.externalLocations);
      return { kind: 'external', format: table.format!, locations, columns: table.columns };
    }
    case 'artifact': {
      const name = `${table.namespace}.${table.name}`;
      const fetched = `svc table download ${name} --env ${reader.environment.name}`;
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
  reader: Reader,
  table: ReadableTable,
  location: string,
  version: TableVersion | null,
): Promise<Relation | RelationFailure | null> {
  if (reader.throughCatalog) return catalogRelation(deps, reader, table, location, version);
  const files = await managedRelation(deps, table, location, version);
  if (!reader.inCatalogToo || files.kind !== 'managed') return files;
  const named = await catalogRelation(deps, reader, table, location, version);
  return named.kind === 'managed' && named.catalogTables ? { ...files, catalogTables: named.catalogTables } : files;
}

/** A table as an external engine reads it: by name, at the current snapshot or that of the requested version. */
async function catalogRelation(
  deps: WorkerDeps,
  { environment }: Reader,
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
