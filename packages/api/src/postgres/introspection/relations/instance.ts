import type { CatalogFacts } from '../facts.ts';
import { relation } from '../relation.ts';
import { SERVER_VERSION, settingsOf } from '../settings.ts';

/** The encoding UTF8. */
const UTF8 = 6;

const activity = ({ session, databaseOid, userOid, started }: CatalogFacts) => [
  {
    ...{ datid: databaseOid, datname: session.environment.name, pid: session.pid, usesysid: userOid },
    ...{ usename: session.caller.name, application_name: session.settings.get('application_name') ?? '' },
    ...{ client_addr: session.address, backend_start: started.toISOString(), state: 'active' },
  },
];

const allSchemas = ({ searchPath }: CatalogFacts): string[] => ['pg_catalog', ...searchPath];

/** The database is the environment, and the session is the caller's. */
export const INSTANCE_RELATIONS = {
  pg_database: relation(
    `oid:oid datname:name datdba:oid encoding:int4 datlocprovider:char datistemplate:bool datallowconn:bool
      datconnlimit:int4 datfrozenxid:xid datminmxid:xid dattablespace:oid datcollate:text datctype:text
      daticulocale:text daticurules:text datcollversion:text datacl:text[]`,
    ({ session, databaseOid, userOid }) => [{ oid: databaseOid, datname: session.environment.name, datdba: userOid }],
    {
      ...{ encoding: UTF8, datlocprovider: 'c', datistemplate: false, datallowconn: true, datconnlimit: -1 },
      ...{ datfrozenxid: 0, datminmxid: 0, dattablespace: 1663, datcollate: 'C', datctype: 'C' },
    },
  ),
  pg_tablespace: relation(
    'oid:oid spcname:name spcowner:oid spcacl:text[] spcoptions:text[]',
    () => [{ oid: 1663, spcname: 'pg_default' }],
    { spcowner: 10 },
  ),
  pg_settings: relation(
    `name:text setting:text unit:text category:text short_desc:text extra_desc:text context:text vartype:text
      source:text min_val:text max_val:text enumvals:text[] boot_val:text reset_val:text sourcefile:text
      sourceline:int4 pending_restart:bool`,
    (facts) => settingsOf(facts).map(([name, value]) => ({ name, setting: value, reset_val: value, boot_val: value })),
    {
      category: 'Session',
      short_desc: '',
      context: 'user',
      vartype: 'string',
      source: 'session',
      pending_restart: false,
    },
  ),
  pg_stat_activity: relation(
    `datid:oid datname:name pid:int4 leader_pid:int4 usesysid:oid usename:name application_name:text
      client_addr:text client_hostname:text client_port:int4 backend_start:timestamptz xact_start:timestamptz
      query_start:timestamptz state_change:timestamptz wait_event_type:text wait_event:text state:text
      backend_xid:xid backend_xmin:xid query_id:int8 query:text backend_type:text`,
    activity,
    { query: '', backend_type: 'client backend' },
  ),
  pg_stat_database: relation(
    'datid:oid datname:name numbackends:int4 xact_commit:int8 xact_rollback:int8 blks_read:int8 blks_hit:int8',
    ({ databaseOid, session }) => [{ datid: databaseOid, datname: session.environment.name }],
    { numbackends: 1, xact_commit: 0, xact_rollback: 0, blks_read: 0, blks_hit: 0 },
  ),
  pg_stat_ssl: relation(
    'pid:int4 ssl:bool version:text cipher:text bits:int4 client_dn:text client_serial:text issuer_dn:text',
  ),
  pg_svc_session: relation(
    `svc_version:text svc_user:text svc_user_oid:oid svc_database:text svc_schema:text svc_schemas:text[]
      svc_all_schemas:text[] svc_pid:int4 svc_address:text svc_started:timestamptz`,
    (facts) => [
      {
        svc_version: `PostgreSQL ${SERVER_VERSION} (svc ${facts.version})`,
        svc_user: facts.session.caller.name,
        svc_user_oid: facts.userOid,
        svc_database: facts.session.environment.name,
        svc_schema: facts.searchPath[0] ?? null,
        svc_schemas: facts.searchPath,
        svc_all_schemas: allSchemas(facts),
        svc_pid: facts.session.pid,
        svc_address: facts.session.address,
        svc_started: facts.started.toISOString(),
      },
    ],
  ),
  pg_svc_settings: relation('svc_name:text svc_value:text', (facts) =>
    settingsOf(facts).map(([name, value]) => ({ svc_name: name.toLowerCase(), svc_value: value })),
  ),
};
