import type { CatalogFacts, CatalogKey, CatalogTable } from '../facts.ts';
import { type CatalogRow, relation } from '../relation.ts';

/** One row for each primary key. */
function keys(
  facts: CatalogFacts,
  row: (table: CatalogTable, key: CatalogKey, database: string) => CatalogRow[],
): CatalogRow[] {
  return facts.tables.flatMap((table) =>
    table.key === null ? [] : row(table, table.key, facts.session.environment.name),
  );
}

const constraintOf = ({ schema, name }: CatalogTable, key: CatalogKey, database: string): CatalogRow => ({
  ...{ constraint_catalog: database, constraint_schema: schema, constraint_name: key.name },
  ...{ table_catalog: database, table_schema: schema, table_name: name },
});

export const CONSTRAINT_VIEWS = {
  table_constraints: relation(
    `constraint_catalog:name constraint_schema:name constraint_name:name table_catalog:name table_schema:name
      table_name:name constraint_type:text is_deferrable:text initially_deferred:text enforced:text
      nulls_distinct:text`,
    (facts) => keys(facts, (...key) => [constraintOf(...key)]),
    { constraint_type: 'PRIMARY KEY', is_deferrable: 'NO', initially_deferred: 'NO', enforced: 'NO' },
  ),
  key_column_usage: relation(
    `constraint_catalog:name constraint_schema:name constraint_name:name table_catalog:name table_schema:name
      table_name:name column_name:name ordinal_position:int4 position_in_unique_constraint:int4`,
    (facts) =>
      keys(facts, (table, key, database) =>
        key.columns.map(({ name }, i) => ({
          ...constraintOf(table, key, database),
          ...{ column_name: name, ordinal_position: i + 1 },
        })),
      ),
  ),
  constraint_column_usage: relation(
    `table_catalog:name table_schema:name table_name:name column_name:name constraint_catalog:name
      constraint_schema:name constraint_name:name`,
    (facts) =>
      keys(facts, (table, key, database) =>
        key.columns.map(({ name }) => ({ ...constraintOf(table, key, database), column_name: name })),
      ),
  ),
  constraint_table_usage: relation(
    `table_catalog:name table_schema:name table_name:name constraint_catalog:name constraint_schema:name
      constraint_name:name`,
    (facts) => keys(facts, (...key) => [constraintOf(...key)]),
  ),
};
