import type { CatalogTable } from '../facts.ts';
import { quoteName } from '../quote-name.ts';
import { type CatalogRow, relation } from '../relation.ts';

const classRow = (table: CatalogTable): CatalogRow => ({
  oid: table.oid,
  reltype: table.rowTypeOid,
  relname: table.name,
  relnamespace: table.schemaOid,
  relam: table.isView ? 0 : 2,
  relkind: table.isView ? 'v' : 'r',
  relnatts: table.columns.length,
  // Tables have no pages and rows no ctid: with a number, the PostgreSQL extension of DuckDB reads ranges of ctid.
  relpages: 0,
  reltuples: table.rows ?? -1,
  relhasindex: table.key !== null,
  relhasrules: table.isView,
});

const indexRow = ({ key, schemaOid, rows }: CatalogTable): CatalogRow[] =>
  key === null
    ? []
    : [
        {
          ...{ oid: key.indexOid, relname: key.name, relnamespace: schemaOid, reltype: 0, relam: 403, relkind: 'i' },
          ...{
            relnatts: key.columns.length,
            relpages: 1,
            reltuples: rows ?? -1,
            relhasindex: false,
            relhasrules: false,
          },
        },
      ];

/** The columns of the relations of tables that PostgreSQL derives from pg_class. */
const ofKind = (tables: readonly CatalogTable[], isView: boolean): readonly CatalogTable[] =>
  tables.filter((table) => table.isView === isView);

export const CLASS_RELATIONS = {
  pg_class: relation(
    `oid:oid relname:name relnamespace:oid reltype:oid reloftype:oid relowner:oid relam:oid relfilenode:oid
      reltablespace:oid relpages:int4 reltuples:float4 relallvisible:int4 reltoastrelid:oid relhasindex:bool
      relisshared:bool relpersistence:char relkind:char relnatts:int2 relchecks:int2 relhasrules:bool
      relhastriggers:bool relhassubclass:bool relrowsecurity:bool relforcerowsecurity:bool relispopulated:bool
      relreplident:char relispartition:bool relrewrite:oid relfrozenxid:xid relminmxid:xid relacl:text[]
      reloptions:text[] relpartbound:text`,
    ({ tables, userOid }) =>
      tables.flatMap((table) => [classRow(table), ...indexRow(table)]).map((row) => ({ ...row, relowner: userOid })),
    {
      ...{ reloftype: 0, relfilenode: 0, reltablespace: 0, relallvisible: 0, reltoastrelid: 0 },
      ...{ relisshared: false, relpersistence: 'p', relchecks: 0, relhastriggers: false, relhassubclass: false },
      ...{ relrowsecurity: false, relforcerowsecurity: false, relispopulated: true, relreplident: 'd' },
      ...{ relispartition: false, relrewrite: 0, relfrozenxid: 0, relminmxid: 0 },
    },
  ),
  pg_tables: relation(
    `schemaname:name tablename:name tableowner:name tablespace:name hasindexes:bool hasrules:bool hastriggers:bool
      rowsecurity:bool`,
    ({ tables, session }) =>
      ofKind(tables, false).map(({ schema, name, key }) => ({
        ...{ schemaname: schema, tablename: name, tableowner: session.caller.name, hasindexes: key !== null },
      })),
    { hasrules: false, hastriggers: false, rowsecurity: false },
  ),
  pg_views: relation('schemaname:name viewname:name viewowner:name definition:text', ({ tables, session }) =>
    ofKind(tables, true).map(({ schema, name, definition }) => ({
      ...{ schemaname: schema, viewname: name, viewowner: session.caller.name, definition },
    })),
  ),
  pg_indexes: relation('schemaname:name tablename:name indexname:name tablespace:name indexdef:text', ({ tables }) =>
    tables.flatMap(({ schema, name, key }) =>
      key === null
        ? []
        : [
            {
              schemaname: schema,
              tablename: name,
              indexname: key.name,
              indexdef: indexDefinition({ schema, name, key }),
            },
          ],
    ),
  ),
  pg_stat_user_tables: relation(
    `relid:oid schemaname:name relname:name seq_scan:int8 last_seq_scan:timestamptz seq_tup_read:int8 idx_scan:int8
      last_idx_scan:timestamptz idx_tup_fetch:int8 n_tup_ins:int8 n_tup_upd:int8 n_tup_del:int8 n_tup_hot_upd:int8
      n_tup_newpage_upd:int8 n_live_tup:int8 n_dead_tup:int8 n_mod_since_analyze:int8 n_ins_since_vacuum:int8
      last_vacuum:timestamptz last_autovacuum:timestamptz last_analyze:timestamptz last_autoanalyze:timestamptz
      vacuum_count:int8 autovacuum_count:int8 analyze_count:int8 autoanalyze_count:int8`,
    ({ tables }) =>
      ofKind(tables, false).map(({ oid, schema, name, rows }) => ({
        ...{ relid: oid, schemaname: schema, relname: name, n_live_tup: rows ?? 0 },
      })),
    {
      ...{ seq_scan: 0, seq_tup_read: 0, n_tup_ins: 0, n_tup_upd: 0, n_tup_del: 0, n_tup_hot_upd: 0, n_dead_tup: 0 },
      ...{ n_tup_newpage_upd: 0, n_mod_since_analyze: 0, n_ins_since_vacuum: 0, vacuum_count: 0 },
      ...{ autovacuum_count: 0, analyze_count: 0, autoanalyze_count: 0 },
    },
  ),
  pg_statio_user_tables: relation(
    `relid:oid schemaname:name relname:name heap_blks_read:int8 heap_blks_hit:int8 idx_blks_read:int8
      idx_blks_hit:int8 toast_blks_read:int8 toast_blks_hit:int8 tidx_blks_read:int8 tidx_blks_hit:int8`,
    ({ tables }) =>
      ofKind(tables, false).map(({ oid, schema, name }) => ({ relid: oid, schemaname: schema, relname: name })),
    { heap_blks_read: 0, heap_blks_hit: 0 },
  ),
};

/** The statement that would create the index of a primary key. */
export function indexDefinition({
  schema,
  name,
  key,
}: {
  schema: string;
  name: string;
  key: NonNullable<CatalogTable['key']>;
}): string {
  const columns = key.columns.map((column) => quoteName(column.name)).join(', ');
  return `CREATE UNIQUE INDEX ${quoteName(key.name)} ON ${quoteName(schema)}.${quoteName(name)} USING btree (${columns})`;
}
