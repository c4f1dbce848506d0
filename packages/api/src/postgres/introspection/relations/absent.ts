import { type CatalogRelation, relation } from '../relation.ts';

/** Relations of objects that svc doesn't have, with their columns: clients read them, and find nothing. */
const COLUMNS: Readonly<Record<string, string>> = {
  pg_aggregate: `aggfnoid:oid aggkind:char aggnumdirectargs:int2 aggtransfn:oid aggfinalfn:oid aggcombinefn:oid
    aggserialfn:oid aggdeserialfn:oid aggmtransfn:oid aggminvtransfn:oid aggmfinalfn:oid aggfinalextra:bool
    aggmfinalextra:bool aggfinalmodify:char aggmfinalmodify:char aggsortop:oid aggtranstype:oid aggtransspace:int4
    aggmtranstype:oid aggmtransspace:int4 agginitval:text aggminitval:text`,
  pg_amop: `oid:oid amopfamily:oid amoplefttype:oid amoprighttype:oid amopstrategy:int2 amoppurpose:char amopopr:oid
    amopmethod:oid amopsortfamily:oid`,
  pg_amproc: 'oid:oid amprocfamily:oid amproclefttype:oid amprocrighttype:oid amprocnum:int2 amproc:oid',
  pg_available_extensions: 'name:name default_version:text installed_version:text comment:text',
  pg_available_extension_versions: `name:name version:text installed:bool superuser:bool trusted:bool relocatable:bool
    schema:name requires:text[] comment:text`,
  pg_cast: 'oid:oid castsource:oid casttarget:oid castfunc:oid castcontext:char castmethod:char',
  pg_conversion: `oid:oid conname:name connamespace:oid conowner:oid conforencoding:int4 contoencoding:int4
    conproc:oid condefault:bool`,
  pg_cursors: `name:text statement:text is_holdable:bool is_binary:bool is_scrollable:bool creation_time:timestamptz`,
  pg_default_acl: 'oid:oid defaclrole:oid defaclnamespace:oid defaclobjtype:char defaclacl:text[]',
  pg_depend: `classid:oid objid:oid objsubid:int4 refclassid:oid refobjid:oid refobjsubid:int4 deptype:char`,
  pg_enum: 'oid:oid enumtypid:oid enumsortorder:float4 enumlabel:name',
  pg_event_trigger: 'oid:oid evtname:name evtevent:name evtowner:oid evtfoid:oid evtenabled:char evttags:text[]',
  pg_file_settings: 'sourcefile:text sourceline:int4 seqno:int4 name:text setting:text applied:bool error:text',
  pg_foreign_data_wrapper: `oid:oid fdwname:name fdwowner:oid fdwhandler:oid fdwvalidator:oid fdwacl:text[]
    fdwoptions:text[]`,
  pg_foreign_server: `oid:oid srvname:name srvowner:oid srvfdw:oid srvtype:text srvversion:text srvacl:text[]
    srvoptions:text[]`,
  pg_foreign_table: 'ftrelid:oid ftserver:oid ftoptions:text[]',
  pg_inherits: 'inhrelid:oid inhparent:oid inhseqno:int4 inhdetachpending:bool',
  pg_init_privs: 'objoid:oid classoid:oid objsubid:int4 privtype:char initprivs:text[]',
  pg_largeobject_metadata: 'oid:oid lomowner:oid lomacl:text[]',
  pg_locks: `locktype:text database:oid relation:oid page:int4 tuple:int2 virtualxid:text transactionid:xid
    classid:oid objid:oid objsubid:int2 virtualtransaction:text pid:int4 mode:text granted:bool fastpath:bool
    waitstart:timestamptz`,
  pg_matviews: `schemaname:name matviewname:name matviewowner:name tablespace:name hasindexes:bool
    ispopulated:bool definition:text`,
  pg_opclass: `oid:oid opcmethod:oid opcname:name opcnamespace:oid opcowner:oid opcfamily:oid opcintype:oid
    opcdefault:bool opckeytype:oid`,
  pg_operator: `oid:oid oprname:name oprnamespace:oid oprowner:oid oprkind:char oprcanmerge:bool oprcanhash:bool
    oprleft:oid oprright:oid oprresult:oid oprcom:oid oprnegate:oid oprcode:oid oprrest:oid oprjoin:oid`,
  pg_opfamily: 'oid:oid opfmethod:oid opfname:name opfnamespace:oid opfowner:oid',
  pg_parameter_acl: 'oid:oid parname:text paracl:text[]',
  pg_partitioned_table: `partrelid:oid partstrat:char partnatts:int2 partdefid:oid partattrs:int2[] partclass:oid[]
    partcollation:oid[] partexprs:text`,
  pg_policies: `schemaname:name tablename:name policyname:name permissive:text roles:text[] cmd:text qual:text
    with_check:text`,
  pg_policy: `oid:oid polname:name polrelid:oid polcmd:char polpermissive:bool polroles:oid[] polqual:text
    polwithcheck:text`,
  pg_prepared_statements: `name:text statement:text prepare_time:timestamptz parameter_types:oid[]
    result_types:oid[] from_sql:bool generic_plans:int8 custom_plans:int8`,
  pg_prepared_xacts: 'transaction:xid gid:text prepared:timestamptz owner:name database:name',
  pg_publication: `oid:oid pubname:name pubowner:oid puballtables:bool pubinsert:bool pubupdate:bool pubdelete:bool
    pubtruncate:bool pubviaroot:bool`,
  pg_publication_namespace: 'oid:oid pnpubid:oid pnnspid:oid',
  pg_publication_rel: 'oid:oid prpubid:oid prrelid:oid prqual:text prattrs:int2[]',
  pg_publication_tables: 'pubname:name schemaname:name tablename:name attnames:text[] rowfilter:text',
  pg_range: `rngtypid:oid rngsubtype:oid rngmultitypid:oid rngcollation:oid rngsubopc:oid rngcanonical:oid
    rngsubdiff:oid`,
  pg_replication_slots: `slot_name:name plugin:name slot_type:text datoid:oid database:name temporary:bool
    active:bool active_pid:int4 xmin:xid catalog_xmin:xid restart_lsn:text confirmed_flush_lsn:text`,
  pg_rewrite: `oid:oid rulename:name ev_class:oid ev_type:char ev_enabled:char is_instead:bool ev_qual:text
    ev_action:text`,
  pg_rules: 'schemaname:name tablename:name rulename:name definition:text',
  pg_seclabel: 'objoid:oid classoid:oid objsubid:int4 provider:text label:text',
  pg_seclabels: `objoid:oid classoid:oid objsubid:int4 objtype:text objnamespace:oid objname:text provider:text
    label:text`,
  pg_sequence: `seqrelid:oid seqtypid:oid seqstart:int8 seqincrement:int8 seqmax:int8 seqmin:int8 seqcache:int8
    seqcycle:bool`,
  pg_sequences: `schemaname:name sequencename:name sequenceowner:name data_type:text start_value:int8
    min_value:int8 max_value:int8 increment_by:int8 cycle:bool cache_size:int8 last_value:int8`,
  pg_shdepend: `dbid:oid classid:oid objid:oid objsubid:int4 refclassid:oid refobjid:oid deptype:char`,
  pg_shdescription: 'objoid:oid classoid:oid description:text',
  pg_shseclabel: 'objoid:oid classoid:oid provider:text label:text',
  pg_stat_all_indexes: `relid:oid indexrelid:oid schemaname:name relname:name indexrelname:name idx_scan:int8
    last_idx_scan:timestamptz idx_tup_read:int8 idx_tup_fetch:int8`,
  pg_stat_user_indexes: `relid:oid indexrelid:oid schemaname:name relname:name indexrelname:name idx_scan:int8
    last_idx_scan:timestamptz idx_tup_read:int8 idx_tup_fetch:int8`,
  pg_stat_replication: `pid:int4 usesysid:oid usename:name application_name:text client_addr:text state:text
    sent_lsn:text write_lsn:text flush_lsn:text replay_lsn:text sync_priority:int4 sync_state:text`,
  pg_statistic: 'starelid:oid staattnum:int2 stainherit:bool stanullfrac:float4 stawidth:int4 stadistinct:float4',
  pg_statistic_ext: `oid:oid stxrelid:oid stxname:name stxnamespace:oid stxowner:oid stxstattarget:int4
    stxkeys:int2[] stxkind:text[] stxexprs:text`,
  pg_stats: `schemaname:name tablename:name attname:name inherited:bool null_frac:float4 avg_width:int4
    n_distinct:float4`,
  pg_stats_ext: 'schemaname:name tablename:name statistics_schemaname:name statistics_name:name',
  pg_subscription: `oid:oid subdbid:oid subskiplsn:text subname:name subowner:oid subenabled:bool subbinary:bool
    subpublications:text[]`,
  pg_subscription_rel: 'srsubid:oid srrelid:oid srsubstate:char srsublsn:text',
  pg_transform: 'oid:oid trftype:oid trflang:oid trffromsql:oid trftosql:oid',
  pg_trigger: `oid:oid tgrelid:oid tgparentid:oid tgname:name tgfoid:oid tgtype:int2 tgenabled:char
    tgisinternal:bool tgconstrrelid:oid tgconstrindid:oid tgconstraint:oid tgdeferrable:bool tginitdeferred:bool
    tgnargs:int2 tgattr:int2[] tgargs:text tgqual:text tgoldtable:name tgnewtable:name`,
  pg_ts_config: 'oid:oid cfgname:name cfgnamespace:oid cfgowner:oid cfgparser:oid',
  pg_ts_config_map: 'mapcfg:oid maptokentype:int4 mapseqno:int4 mapdict:oid',
  pg_ts_dict: 'oid:oid dictname:name dictnamespace:oid dictowner:oid dicttemplate:oid dictinitoption:text',
  pg_ts_parser: `oid:oid prsname:name prsnamespace:oid prsstart:oid prstoken:oid prsend:oid prsheadline:oid
    prslextype:oid`,
  pg_ts_template: 'oid:oid tmplname:name tmplnamespace:oid tmplinit:oid tmpllexize:oid',
  pg_user_mapping: 'oid:oid umuser:oid umserver:oid umoptions:text[]',
  pg_user_mappings: 'umid:oid srvid:oid srvname:name umuser:oid usename:name umoptions:text[]',
};

const FIXED: Readonly<Record<string, CatalogRelation>> = {
  pg_am: relation('oid:oid amname:name amhandler:oid amtype:char', () => [
    { oid: 2, amname: 'heap', amhandler: 3, amtype: 't' },
    { oid: 403, amname: 'btree', amhandler: 330, amtype: 'i' },
  ]),
  pg_collation: relation(
    `oid:oid collname:name collnamespace:oid collowner:oid collprovider:char collisdeterministic:bool
      collencoding:int4 collcollate:text collctype:text colliculocale:text collicurules:text collversion:text`,
    () => [
      { oid: 100, collname: 'default', collprovider: 'd', collencoding: -1 },
      { oid: 950, collname: 'C', collencoding: -1, collcollate: 'C', collctype: 'C' },
    ],
    { collnamespace: 11, collowner: 10, collprovider: 'c', collisdeterministic: true },
  ),
  pg_extension: relation(
    `oid:oid extname:name extowner:oid extnamespace:oid extrelocatable:bool extversion:text extconfig:oid[]
      extcondition:text[]`,
  ),
  pg_language: relation(
    `oid:oid lanname:name lanowner:oid lanispl:bool lanpltrusted:bool lanplcallfoid:oid laninline:oid
      lanvalidator:oid lanacl:text[]`,
    () => [
      { oid: 12, lanname: 'internal', lanpltrusted: false },
      { oid: 14, lanname: 'sql', lanpltrusted: true },
    ],
    { lanowner: 10, lanispl: false, lanplcallfoid: 0, laninline: 0, lanvalidator: 0 },
  ),
  pg_timezone_names: relation('name:text abbrev:text is_dst:bool', () => [
    { name: 'UTC', abbrev: 'UTC', is_dst: false },
  ]),
};

export const OTHER_RELATIONS: Readonly<Record<string, CatalogRelation>> = {
  ...Object.fromEntries(Object.entries(COLUMNS).map(([name, columns]) => [name, relation(columns)])),
  ...FIXED,
};
