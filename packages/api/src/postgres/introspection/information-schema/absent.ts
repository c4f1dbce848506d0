import { type CatalogRelation, relation } from '../relation.ts';

/** Views of objects that svc doesn't have. */
const COLUMNS: Readonly<Record<string, string>> = {
  referential_constraints: `constraint_catalog:name constraint_schema:name constraint_name:name
    unique_constraint_catalog:name unique_constraint_schema:name unique_constraint_name:name match_option:text
    update_rule:text delete_rule:text`,
  check_constraints: 'constraint_catalog:name constraint_schema:name constraint_name:name check_clause:text',
  routines: `specific_catalog:name specific_schema:name specific_name:name routine_catalog:name routine_schema:name
    routine_name:name routine_type:text module_catalog:name module_schema:name module_name:name udt_catalog:name
    udt_schema:name udt_name:name data_type:text character_maximum_length:int4 character_octet_length:int4
    character_set_catalog:name character_set_schema:name character_set_name:name collation_catalog:name
    collation_schema:name collation_name:name numeric_precision:int4 numeric_precision_radix:int4 numeric_scale:int4
    datetime_precision:int4 interval_type:text interval_precision:int4 type_udt_catalog:name type_udt_schema:name
    type_udt_name:name scope_catalog:name scope_schema:name scope_name:name maximum_cardinality:int4
    dtd_identifier:name routine_body:text routine_definition:text external_name:text external_language:text
    parameter_style:text is_deterministic:text sql_data_access:text is_null_call:text sql_path:text
    schema_level_routine:text max_dynamic_result_sets:int4 is_user_defined_cast:text is_implicitly_invocable:text
    security_type:text`,
  parameters: `specific_catalog:name specific_schema:name specific_name:name ordinal_position:int4
    parameter_mode:text is_result:text as_locator:text parameter_name:name data_type:text
    character_maximum_length:int4 character_octet_length:int4 numeric_precision:int4 numeric_precision_radix:int4
    numeric_scale:int4 datetime_precision:int4 udt_catalog:name udt_schema:name udt_name:name dtd_identifier:name
    parameter_default:text`,
  sequences: `sequence_catalog:name sequence_schema:name sequence_name:name data_type:text numeric_precision:int4
    numeric_precision_radix:int4 numeric_scale:int4 start_value:text minimum_value:text maximum_value:text
    increment:text cycle_option:text`,
  triggers: `trigger_catalog:name trigger_schema:name trigger_name:name event_manipulation:text
    event_object_catalog:name event_object_schema:name event_object_table:name action_order:int4
    action_condition:text action_statement:text action_orientation:text action_timing:text
    action_reference_old_table:name action_reference_new_table:name action_reference_old_row:name
    action_reference_new_row:name created:timestamptz`,
  view_table_usage: `view_catalog:name view_schema:name view_name:name table_catalog:name table_schema:name
    table_name:name`,
  view_column_usage: `view_catalog:name view_schema:name view_name:name table_catalog:name table_schema:name
    table_name:name column_name:name`,
  column_domain_usage: `domain_catalog:name domain_schema:name domain_name:name table_catalog:name
    table_schema:name table_name:name column_name:name`,
  column_udt_usage: `udt_catalog:name udt_schema:name udt_name:name table_catalog:name table_schema:name
    table_name:name column_name:name`,
  domains: `domain_catalog:name domain_schema:name domain_name:name data_type:text udt_catalog:name
    udt_schema:name udt_name:name domain_default:text`,
  domain_constraints: `constraint_catalog:name constraint_schema:name constraint_name:name domain_catalog:name
    domain_schema:name domain_name:name is_deferrable:text initially_deferred:text`,
  attributes: `udt_catalog:name udt_schema:name udt_name:name attribute_name:name ordinal_position:int4
    attribute_default:text is_nullable:text data_type:text attribute_udt_name:name`,
  user_defined_types: `user_defined_type_catalog:name user_defined_type_schema:name user_defined_type_name:name
    user_defined_type_category:text`,
  foreign_tables: `foreign_table_catalog:name foreign_table_schema:name foreign_table_name:name
    foreign_server_catalog:name foreign_server_name:name`,
  foreign_servers: `foreign_server_catalog:name foreign_server_name:name foreign_data_wrapper_catalog:name
    foreign_data_wrapper_name:name foreign_server_type:text foreign_server_version:text
    authorization_identifier:name`,
  routine_privileges: `grantor:name grantee:name specific_catalog:name specific_schema:name specific_name:name
    routine_catalog:name routine_schema:name routine_name:name privilege_type:text is_grantable:text`,
  usage_privileges: `grantor:name grantee:name object_catalog:name object_schema:name object_name:name
    object_type:text privilege_type:text is_grantable:text`,
  role_usage_grants: `grantor:name grantee:name object_catalog:name object_schema:name object_name:name
    object_type:text privilege_type:text is_grantable:text`,
};

export const ABSENT_VIEWS: Readonly<Record<string, CatalogRelation>> = {
  ...Object.fromEntries(Object.entries(COLUMNS).map(([name, columns]) => [name, relation(columns)])),
  character_sets: relation(
    `character_set_catalog:name character_set_schema:name character_set_name:name character_repertoire:name
      form_of_use:name default_collate_catalog:name default_collate_schema:name default_collate_name:name`,
    ({ session }) => [
      {
        ...{ character_set_name: 'UTF8', character_repertoire: 'UCS', form_of_use: 'UTF8' },
        ...{ default_collate_catalog: session.environment.name, default_collate_schema: 'pg_catalog' },
        default_collate_name: 'C',
      },
    ],
  ),
  collations: relation(
    'collation_catalog:name collation_schema:name collation_name:name pad_attribute:text',
    ({ session }) =>
      ['default', 'C'].map((name) => ({
        ...{ collation_catalog: session.environment.name, collation_schema: 'pg_catalog' },
        ...{ collation_name: name, pad_attribute: 'NO PAD' },
      })),
  ),
  information_schema_catalog_name: relation('catalog_name:name', ({ session }) => [
    { catalog_name: session.environment.name },
  ]),
};
