import { type Action, decide, scopeOf } from '@svc/core/access';
import type { StoredColumn } from '@svc/core/tables';
import { boundTables } from '@svc/db/policies';
import { type CatalogEntry, listCatalog } from '@svc/db/tables';
import type { ApiDeps } from '../../http/deps.ts';
import { type PgType, pgTypeOf } from '../values/index.ts';
import { assignOids } from './oids.ts';
import type { CatalogSession } from './session.ts';

export interface CatalogColumn {
  /** From 1. */
  readonly number: number;
  readonly name: string;
  readonly type: PgType;
  readonly nullable: boolean;
  readonly description: string | null;
}

export interface CatalogTable {
  readonly oid: number;
  /** Of the type of its rows, which pg_type doesn't list: no value has it. */
  readonly rowTypeOid: number;
  readonly name: string;
  readonly schema: string;
  readonly schemaOid: number;
  readonly isView: boolean;
  readonly description: string | null;
  /** The statement of a view, if it is known. */
  readonly definition: string | null;
  /** Rows and bytes; null if they are unknown, or if a policy may hide some of the rows from the caller. */
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly columns: readonly CatalogColumn[];
  /** The primary key: the identifier fields. */
  readonly key: CatalogKey | null;
  /** Whether the name without a schema means this table. */
  readonly isVisible: boolean;
  readonly mayWrite: boolean;
}

export interface CatalogKey {
  readonly name: string;
  readonly constraintOid: number;
  readonly indexOid: number;
  readonly columns: readonly CatalogColumn[];
}

export interface CatalogSchema {
  readonly oid: number;
  readonly name: string;
  readonly description: string | null;
  readonly mayCreate: boolean;
}

/** What the caller of a statement may see of the environment. */
export interface CatalogFacts {
  readonly session: CatalogSession;
  readonly version: string;
  readonly started: Date;
  readonly databaseOid: number;
  readonly userOid: number;
  readonly schemas: readonly CatalogSchema[];
  readonly tables: readonly CatalogTable[];
  /** Existing schemas of the search path, as they are named. */
  readonly searchPath: readonly string[];
}

/** Reads what a session may see; without tables if no relation needs them. */
export async function readFacts(
  deps: Pick<ApiDeps, 'db' | 'version'>,
  session: CatalogSession,
  { started, withTables }: { readonly started: Date; readonly withTables: boolean },
): Promise<CatalogFacts> {
  const { environment, caller } = session;
  const all = withTables ? await listCatalog(deps.db.prisma, environment.id) : { namespaces: [], tables: [] };
  const ids = [
    ...all.namespaces.map(({ id }) => id),
    ...all.tables.flatMap(({ id }) => [id, `${id} row`]),
    ...all.tables.filter(hasKey).flatMap(({ id }) => [`${id} key`, `${id} index`]),
  ];
  const oids = assignOids([environment.id, caller.id, ...ids]);
  const may = (action: Action, namespace: string, table?: string) =>
    decide(session.grants, action, scopeOf({ environment: environment.name, namespace, table })).allowed;
  const readable = all.tables.filter(
    ({ kind, namespace, name }) => kind !== 'artifact' && may('READ_TABLE', namespace, name),
  );
  const bound = await boundTables(deps.db.prisma, { tableIds: readable.map(({ id }) => id), principalId: caller.id });
  const used = new Set(readable.map(({ namespace }) => namespace));
  const schemas = all.namespaces
    .filter(({ path }) => used.has(path) || may('READ_NAMESPACE', path))
    .map(({ id, path, description }) => ({
      ...{ oid: oids.get(id)!, name: path, description },
      mayCreate: may('CREATE_TABLE', path),
    }));
  const searchPath = session.searchPath.flatMap(
    (name) => schemas.find((schema) => schema.name.toLowerCase() === name.toLowerCase())?.name ?? [],
  );
  const schemaOids = new Map(schemas.map(({ oid, name }) => [name, oid]));
  const unqualified = unqualifiedTables(readable, searchPath);
  const tables = readable.map((entry) => ({
    ...tableOf(entry, oids),
    ...(bound.has(entry.id) && { rows: null, bytes: null }),
    schemaOid: schemaOids.get(entry.namespace)!,
    isVisible: unqualified.has(entry),
    mayWrite: entry.kind === 'managed' && may('WRITE_TABLE', entry.namespace, entry.name),
  }));
  const [databaseOid, userOid] = [oids.get(environment.id)!, oids.get(caller.id)!];
  return { session, version: deps.version, started, databaseOid, userOid, schemas, tables, searchPath };
}

const hasKey = ({ columns }: { columns: readonly StoredColumn[] }): boolean =>
  columns.some(({ identifier }) => identifier === true);

/** The tables that their names mean without a schema: the first of each name along the search path. */
function unqualifiedTables(tables: readonly CatalogEntry[], searchPath: readonly string[]): ReadonlySet<CatalogEntry> {
  const first = new Map<string, CatalogEntry>();
  for (const schema of searchPath) {
    for (const table of tables) {
      const name = table.name.toLowerCase();
      if (table.namespace === schema && !first.has(name)) first.set(name, table);
    }
  }
  return new Set(first.values());
}

function tableOf(
  entry: CatalogEntry,
  oids: ReadonlyMap<string, number>,
): Omit<CatalogTable, 'schemaOid' | 'isVisible' | 'mayWrite'> {
  const { id, name, namespace, kind, description, view_sql, row_count, size_bytes } = entry;
  const columns = entry.columns.map((column, i) => ({
    ...{ number: i + 1, name: column.name, nullable: column.nullable, description: column.description },
    type: typeOf(column.type),
  }));
  const isView = kind === 'view';
  const key = !hasKey(entry)
    ? null
    : {
        name: `${name}_pkey`,
        constraintOid: oids.get(`${id} key`)!,
        indexOid: oids.get(`${id} index`)!,
        columns: columns.filter((_, i) => entry.columns[i]!.identifier === true),
      };
  return {
    ...{
      oid: oids.get(id)!,
      rowTypeOid: oids.get(`${id} row`)!,
      name,
      schema: namespace,
      isView,
      description,
      columns,
      key,
    },
    definition: isView ? view_sql : null,
    rows: row_count === null ? null : Number(row_count),
    bytes: Number(size_bytes ?? 0),
  };
}

const types = new Map<string, PgType>();
/** Types that few columns have, such as long structs, aren't worth remembering. */
const MAX_TYPES = 1000;

function typeOf(columnType: string): PgType {
  const known = types.get(columnType);
  if (known !== undefined) return known;
  const type = pgTypeOf(columnType);
  if (types.size < MAX_TYPES) types.set(columnType, type);
  return type;
}
