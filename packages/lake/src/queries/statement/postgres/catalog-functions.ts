import { type Sql, sql } from '../../sql-text.ts';

/**
 * PostgreSQL's functions of the session and of the catalog as reads of relations that the endpoint provides: the ones
 * whose names start with `pg_svc_` exist only for this. Their columns start with `svc_`, so that they hide no column of
 * an argument.
 */
const session = (column: Sql): Sql => sql`(SELECT ${column} FROM pg_catalog.pg_svc_session)`;

const formatted = sql`(SELECT CASE WHEN svc_oid = 1700 AND $2 > 4
  THEN 'numeric(' || CAST(($2 - 4) // 65536 AS VARCHAR) || ',' || CAST(($2 - 4) % 65536 AS VARCHAR) || ')'
  ELSE svc_name END FROM pg_catalog.pg_svc_types WHERE svc_oid = $1)`;

/** No name in svc contains quotes or spaces; ADBC writes `"sales" . "orders"`. */
const keyOfName = (name: Sql): Sql =>
  sql`lower(replace(regexp_replace(trim(CAST(${name} AS VARCHAR)), '\\s*\\.\\s*', '.', 'g'), '"', ''))`;

const resolved = (kind: Sql): Sql =>
  sql`(SELECT max(svc_oid) FROM pg_catalog.pg_svc_names WHERE svc_kind = ${kind}
    AND svc_key = ${keyOfName(sql`$1`)})`;
const shown = (kind: Sql): Sql =>
  sql`(SELECT max(svc_shown) FROM pg_catalog.pg_svc_names WHERE svc_kind = ${kind} AND svc_oid = $1)`;

const described = (object: Sql, column: Sql): Sql =>
  sql`(SELECT max(svc_text) FROM pg_catalog.pg_svc_descriptions WHERE svc_object = ${object} AND svc_column = ${column})`;

/** The privilege is one or more names with commas between them. */
const allowed = (kind: Sql, object: Sql, privilege: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM pg_catalog.pg_svc_privileges WHERE svc_kind = ${kind}
    AND svc_key = ${keyOfName(object)}
    AND list_contains(regexp_split_to_array(upper(${privilege}), '\\s*,\\s*'), svc_privilege))`;

const setting = sql`(SELECT max(svc_value) FROM pg_catalog.pg_svc_settings WHERE svc_name = lower($1))`;
const [one, two, three] = [sql`$1`, sql`$2`, sql`$3`];
const [table, schema, database] = [sql`'table'`, sql`'schema'`, sql`'database'`];
const nothing = sql`CAST(NULL AS VARCHAR)`;
const zero = sql`CAST(0 AS BIGINT)`;
const size = sql`(SELECT max(svc_bytes) FROM pg_catalog.pg_svc_sizes WHERE svc_oid = $1)`;

export const CATALOG_FUNCTIONS: Readonly<Record<string, Sql>> = {
  'version/0': session(sql`svc_version`),
  'current_schema/0': session(sql`svc_schema`),
  'current_schemas/1': sql`CASE WHEN $1 THEN ${session(sql`svc_all_schemas`)} ELSE ${session(sql`svc_schemas`)} END`,
  'current_database/0': session(sql`svc_database`),
  'current_catalog/0': session(sql`svc_database`),
  'current_user/0': session(sql`svc_user`),
  'session_user/0': session(sql`svc_user`),
  'current_role/0': session(sql`svc_user`),
  'user/0': session(sql`svc_user`),
  'pg_backend_pid/0': session(sql`svc_pid`),
  'inet_client_addr/0': session(sql`svc_address`),
  'inet_client_port/0': sql`CAST(NULL AS INTEGER)`,
  'inet_server_addr/0': nothing,
  'inet_server_port/0': sql`CAST(NULL AS INTEGER)`,
  'pg_postmaster_start_time/0': session(sql`svc_started`),
  'pg_conf_load_time/0': session(sql`svc_started`),
  'pg_is_in_recovery/0': sql`false`,
  'pg_is_in_backup/0': sql`false`,
  'txid_current/0': sql`CAST(1 AS BIGINT)`,
  'pg_current_xact_id/0': sql`CAST(1 AS BIGINT)`,
  'txid_current_if_assigned/0': sql`CAST(NULL AS BIGINT)`,
  'pg_last_xlog_receive_location/0': nothing,
  'pg_last_wal_receive_lsn/0': nothing,
  'pg_last_wal_replay_lsn/0': nothing,
  'pg_current_wal_lsn/0': nothing,
  'pg_export_snapshot/0': nothing,
  'pg_my_temp_schema/0': zero,
  'pg_is_other_temp_schema/1': sql`false`,
  'current_setting/1': setting,
  'current_setting/2': setting,
  // The session changes the setting itself when it reads the call; its value is the result.
  'set_config/3': sql`CAST($2 AS VARCHAR)`,
  'format_type/2': formatted,
  'pg_get_expr/2': nothing,
  'pg_get_expr/3': nothing,
  'pg_get_viewdef/1': sql`(SELECT max(svc_definition) FROM pg_catalog.pg_svc_views WHERE svc_key = lower(replace(CAST($1 AS VARCHAR), '"', '')))`,
  'pg_get_viewdef/2': sql`(SELECT max(svc_definition) FROM pg_catalog.pg_svc_views WHERE svc_key = lower(replace(CAST($1 AS VARCHAR), '"', '')))`,
  'pg_get_indexdef/1': sql`(SELECT max(svc_definition) FROM pg_catalog.pg_svc_definitions WHERE svc_oid = $1 AND svc_column = 0)`,
  'pg_get_indexdef/3': sql`(SELECT max(svc_definition) FROM pg_catalog.pg_svc_definitions WHERE svc_oid = $1 AND svc_column = $2)`,
  'pg_get_constraintdef/1': sql`(SELECT max(svc_definition) FROM pg_catalog.pg_svc_definitions WHERE svc_oid = $1 AND svc_column = -1)`,
  'pg_get_constraintdef/2': sql`(SELECT max(svc_definition) FROM pg_catalog.pg_svc_definitions WHERE svc_oid = $1 AND svc_column = -1)`,
  'pg_get_functiondef/1': nothing,
  'pg_get_function_arguments/1': nothing,
  'pg_get_function_identity_arguments/1': nothing,
  'pg_get_function_result/1': nothing,
  'pg_get_function_arg_default/2': nothing,
  'pg_get_function_sqlbody/1': nothing,
  'pg_get_triggerdef/1': nothing,
  'pg_get_triggerdef/2': nothing,
  'pg_get_ruledef/1': nothing,
  'pg_get_ruledef/2': nothing,
  'pg_get_partkeydef/1': nothing,
  'pg_get_partition_constraintdef/1': nothing,
  'pg_get_statisticsobjdef/1': nothing,
  'pg_get_statisticsobjdef_columns/1': nothing,
  'pg_get_serial_sequence/2': nothing,
  'pg_get_userbyid/1': sql`CASE WHEN $1 = ${session(sql`svc_user_oid`)} THEN ${session(sql`svc_user`)} ELSE 'unknown (OID=' || CAST($1 AS VARCHAR) || ')' END`,
  'pg_table_is_visible/1': sql`($1 IN (SELECT svc_oid FROM pg_catalog.pg_svc_visible))`,
  'pg_type_is_visible/1': sql`($1 IN (SELECT svc_oid FROM pg_catalog.pg_svc_types))`,
  'pg_function_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_operator_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_opclass_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_opfamily_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_collation_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_conversion_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_statistics_obj_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_ts_config_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_ts_dict_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_ts_parser_is_visible/1': sql`($1 IS NOT NULL)`,
  'pg_ts_template_is_visible/1': sql`($1 IS NOT NULL)`,
  'obj_description/1': described(one, sql`0`),
  'obj_description/2': described(one, sql`0`),
  'col_description/2': described(one, two),
  'shobj_description/2': nothing,
  'has_table_privilege/2': allowed(table, one, two),
  'has_table_privilege/3': allowed(table, two, three),
  'has_any_column_privilege/2': allowed(table, one, two),
  'has_any_column_privilege/3': allowed(table, two, three),
  'has_column_privilege/3': allowed(table, one, three),
  'has_column_privilege/4': allowed(table, two, sql`$4`),
  'has_schema_privilege/2': allowed(schema, one, two),
  'has_schema_privilege/3': allowed(schema, two, three),
  'has_database_privilege/2': allowed(database, one, two),
  'has_database_privilege/3': allowed(database, two, three),
  'has_sequence_privilege/2': sql`false`,
  'has_sequence_privilege/3': sql`false`,
  'has_function_privilege/2': sql`true`,
  'has_function_privilege/3': sql`true`,
  'has_type_privilege/2': sql`true`,
  'has_type_privilege/3': sql`true`,
  'has_language_privilege/2': sql`false`,
  'has_tablespace_privilege/2': sql`false`,
  'has_foreign_data_wrapper_privilege/2': sql`false`,
  'has_server_privilege/2': sql`false`,
  'pg_has_role/2': sql`(CAST($1 AS VARCHAR) IN (${session(sql`svc_user`)}, CAST(${session(sql`svc_user_oid`)} AS VARCHAR)))`,
  'pg_has_role/3': sql`(CAST($2 AS VARCHAR) IN (${session(sql`svc_user`)}, CAST(${session(sql`svc_user_oid`)} AS VARCHAR)))`,
  'row_security_active/1': sql`false`,
  'pg_relation_size/1': size,
  'pg_relation_size/2': size,
  'pg_table_size/1': size,
  'pg_total_relation_size/1': size,
  'pg_indexes_size/1': zero,
  'pg_database_size/1': sql`(SELECT CAST(coalesce(sum(svc_bytes), 0) AS BIGINT) FROM pg_catalog.pg_svc_sizes)`,
  'pg_tablespace_size/1': zero,
  'pg_size_pretty/1': sql`format_bytes(CAST($1 AS BIGINT))`,
  'pg_relation_filenode/1': sql`CAST(NULL AS BIGINT)`,
  'pg_relation_filepath/1': nothing,
  'pg_tablespace_location/1': sql`''`,
  'pg_relation_is_updatable/2': sql`28`,
  'pg_column_is_updatable/3': sql`true`,
  'pg_relation_is_publishable/1': sql`false`,
  'pg_sequence_last_value/1': sql`CAST(NULL AS BIGINT)`,
  'pg_stat_get_numscans/1': zero,
  'pg_encoding_to_char/1': sql`CASE WHEN $1 = 6 THEN 'UTF8' WHEN $1 = 0 THEN 'SQL_ASCII' ELSE '' END`,
  'pg_char_to_encoding/1': sql`CASE WHEN upper(replace($1, '-', '')) IN ('UTF8', 'UNICODE') THEN 6 ELSE -1 END`,
  'getdatabaseencoding/0': sql`'UTF8'`,
  'pg_client_encoding/0': sql`'UTF8'`,
  'pg_index_column_has_property/3': sql`($3 IN ('asc', 'nulls_last', 'orderable', 'returnable'))`,
  'pg_index_has_property/2': sql`false`,
  'pg_indexam_has_property/2': sql`($2 = 'can_order')`,
  'pg_get_keywords_count/0': zero,
  'pg_blocking_pids/1': sql`CAST([] AS INTEGER[])`,
  'pg_advisory_unlock_all/0': nothing,
  'to_regclass/1': resolved(sql`'class'`),
  'to_regtype/1': resolved(sql`'type'`),
  'to_regproc/1': resolved(sql`'proc'`),
  'to_regnamespace/1': resolved(sql`'namespace'`),
  'to_regrole/1': resolved(sql`'role'`),
};

/** What rewrites of these statements are made of. Functions that users call have nothing to do with these names. */
export const CATALOG_PARTS: Readonly<Record<string, Sql>> = {
  // How the values of the types for names of objects are shown.
  'shown_regclass/1': sql`coalesce(${shown(sql`'class'`)}, CAST($1 AS VARCHAR))`,
  'shown_regtype/1': sql`coalesce(${shown(sql`'type'`)}, CAST($1 AS VARCHAR))`,
  'shown_regproc/1': sql`coalesce(${shown(sql`'proc'`)}, CASE WHEN $1 = 0 THEN '-' ELSE CAST($1 AS VARCHAR) END)`,
  'shown_regnamespace/1': sql`coalesce(${shown(sql`'namespace'`)}, CAST($1 AS VARCHAR))`,
  'shown_regrole/1': sql`coalesce(${shown(sql`'role'`)}, CAST($1 AS VARCHAR))`,
  'oid/1': sql`CAST($1 AS BIGINT)`,
  'one/0': sql`CAST(1 AS BIGINT)`,
  'subscript/2': sql`$1[$2 + 1]`,
  'subscripts/1': sql`CAST(unnest(range(0, len($1))) AS INTEGER)`,
};

export const CATALOG_TABLE_FUNCTIONS: Readonly<Record<string, Sql>> = {
  'pg_get_keywords/0': sql`SELECT word, catcode, barelabel, catdesc, baredesc FROM pg_catalog.pg_svc_keywords`,
  'pg_show_all_settings/0': sql`SELECT * FROM pg_catalog.pg_settings`,
  'pg_options_to_table/1': sql`SELECT CAST(NULL AS VARCHAR) AS option_name, CAST(NULL AS VARCHAR) AS option_value WHERE false`,
  'aclexplode/1': sql`SELECT CAST(NULL AS BIGINT) AS grantor, CAST(NULL AS BIGINT) AS grantee, CAST(NULL AS VARCHAR) AS privilege_type, false AS is_grantable WHERE false`,
  'pg_timezone_names/0': sql`SELECT 'UTC' AS name, 'UTC' AS abbrev, INTERVAL 0 SECONDS AS utc_offset, false AS is_dst`,
  'pg_timezone_abbrevs/0': sql`SELECT 'UTC' AS abbrev, INTERVAL 0 SECONDS AS utc_offset, false AS is_dst`,
  'pg_partition_tree/1': sql`SELECT CAST(NULL AS BIGINT) AS relid, CAST(NULL AS BIGINT) AS parentrelid, true AS isleaf, 0 AS level WHERE false`,
  'pg_partition_ancestors/1': sql`SELECT CAST(NULL AS BIGINT) AS relid WHERE false`,
  'pg_get_publication_tables/1': sql`SELECT CAST(NULL AS BIGINT) AS pubid, CAST(NULL AS BIGINT) AS relid WHERE false`,
  'current_schemas/1': sql`SELECT CASE WHEN $1 THEN svc_all_schemas ELSE svc_schemas END AS current_schemas FROM pg_catalog.pg_svc_session`,
  'current_schema/0': sql`SELECT svc_schema AS current_schema FROM pg_catalog.pg_svc_session`,
  'current_database/0': sql`SELECT svc_database AS current_database FROM pg_catalog.pg_svc_session`,
  'version/0': sql`SELECT svc_version AS version FROM pg_catalog.pg_svc_session`,
};
