import type { CatalogFacts, CatalogTable } from '../facts.ts';
import { type CatalogRow, relation } from '../relation.ts';
import { describedType } from './names.ts';

const yes = (value: boolean): string => (value ? 'YES' : 'NO');

const tableRow = ({ session }: CatalogFacts, { schema, name, isView, mayWrite }: CatalogTable): CatalogRow => ({
  ...{ table_catalog: session.environment.name, table_schema: schema, table_name: name },
  ...{ table_type: isView ? 'VIEW' : 'BASE TABLE', is_insertable_into: yes(mayWrite) },
});

const columnRows = ({ session }: CatalogFacts, table: CatalogTable): CatalogRow[] =>
  table.columns.map(({ number, name, type, nullable }) => ({
    ...{ table_catalog: session.environment.name, table_schema: table.schema, table_name: table.name },
    ...{ column_name: name, ordinal_position: number, is_nullable: yes(nullable), is_updatable: yes(table.mayWrite) },
    ...{ udt_catalog: session.environment.name, dtd_identifier: String(number), ...describedType(type) },
  }));

const arrays = ({ tables, session }: CatalogFacts): CatalogRow[] =>
  tables.flatMap(({ schema, name, columns }) =>
    columns.flatMap(({ number, type }) =>
      type.element === null
        ? []
        : [
            {
              ...{ object_catalog: session.environment.name, object_schema: schema, object_name: name },
              ...{ object_type: 'TABLE', collection_type_identifier: String(number), udt_schema: 'pg_catalog' },
              ...{
                udt_catalog: session.environment.name,
                dtd_identifier: `a${number}`,
                ...describedType(type.element),
              },
            },
          ],
    ),
  );

export const TABLE_VIEWS = {
  schemata: relation(
    `catalog_name:name schema_name:name schema_owner:name default_character_set_catalog:name
      default_character_set_schema:name default_character_set_name:name sql_path:text`,
    ({ schemas, session }) =>
      ['pg_catalog', 'information_schema', ...schemas.map(({ name }) => name)].map((name) => ({
        ...{ catalog_name: session.environment.name, schema_name: name, schema_owner: session.caller.name },
      })),
  ),
  tables: relation(
    `table_catalog:name table_schema:name table_name:name table_type:text self_referencing_column_name:name
      reference_generation:text user_defined_type_catalog:name user_defined_type_schema:name
      user_defined_type_name:name is_insertable_into:text is_typed:text commit_action:text`,
    (facts) => facts.tables.map((table) => tableRow(facts, table)),
    { is_typed: 'NO' },
  ),
  columns: relation(
    `table_catalog:name table_schema:name table_name:name column_name:name ordinal_position:int4 column_default:text
      is_nullable:text data_type:text character_maximum_length:int4 character_octet_length:int4
      numeric_precision:int4 numeric_precision_radix:int4 numeric_scale:int4 datetime_precision:int4
      interval_type:text interval_precision:int4 character_set_catalog:name character_set_schema:name
      character_set_name:name collation_catalog:name collation_schema:name collation_name:name domain_catalog:name
      domain_schema:name domain_name:name udt_catalog:name udt_schema:name udt_name:name scope_catalog:name
      scope_schema:name scope_name:name maximum_cardinality:int4 dtd_identifier:name is_self_referencing:text
      is_identity:text identity_generation:text identity_start:text identity_increment:text identity_maximum:text
      identity_minimum:text identity_cycle:text is_generated:text generation_expression:text is_updatable:text`,
    (facts) => facts.tables.flatMap((table) => columnRows(facts, table)),
    {
      udt_schema: 'pg_catalog',
      is_self_referencing: 'NO',
      is_identity: 'NO',
      identity_cycle: 'NO',
      is_generated: 'NEVER',
    },
  ),
  views: relation(
    `table_catalog:name table_schema:name table_name:name view_definition:text check_option:text is_updatable:text
      is_insertable_into:text is_trigger_updatable:text is_trigger_deletable:text is_trigger_insertable_into:text`,
    ({ tables, session }) =>
      tables
        .filter(({ isView }) => isView)
        .map(({ schema, name, definition }) => ({
          ...{ table_catalog: session.environment.name, table_schema: schema, table_name: name },
          view_definition: definition,
        })),
    {
      ...{ check_option: 'NONE', is_updatable: 'NO', is_insertable_into: 'NO', is_trigger_updatable: 'NO' },
      ...{ is_trigger_deletable: 'NO', is_trigger_insertable_into: 'NO' },
    },
  ),
  element_types: relation(
    `object_catalog:name object_schema:name object_name:name object_type:text collection_type_identifier:name
      data_type:text character_maximum_length:int4 character_octet_length:int4 character_set_catalog:name
      character_set_schema:name character_set_name:name collation_catalog:name collation_schema:name
      collation_name:name numeric_precision:int4 numeric_precision_radix:int4 numeric_scale:int4
      datetime_precision:int4 interval_type:text interval_precision:int4 domain_default:text udt_catalog:name
      udt_schema:name udt_name:name scope_catalog:name scope_schema:name scope_name:name maximum_cardinality:int4
      dtd_identifier:name`,
    arrays,
  ),
};
