import type { CatalogFacts, CatalogTable } from '../facts.ts';
import { type CatalogRelation, type CatalogRow, relation } from '../relation.ts';

const allowed = ({ mayWrite }: CatalogTable): string[] =>
  mayWrite ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] : ['SELECT'];

function tablePrivileges({ tables, session }: CatalogFacts): CatalogRow[] {
  return tables.flatMap((table) =>
    allowed(table).map((privilege) => ({
      ...{ grantor: session.caller.name, grantee: session.caller.name, table_catalog: session.environment.name },
      ...{ table_schema: table.schema, table_name: table.name, privilege_type: privilege },
      with_hierarchy: privilege === 'SELECT' ? 'YES' : 'NO',
    })),
  );
}

function columnPrivileges({ tables, session }: CatalogFacts): CatalogRow[] {
  return tables.flatMap((table) =>
    allowed(table)
      .filter((privilege) => privilege !== 'DELETE' && privilege !== 'TRUNCATE')
      .flatMap((privilege) =>
        table.columns.map((column) => ({
          ...{ grantor: session.caller.name, grantee: session.caller.name, table_catalog: session.environment.name },
          ...{
            table_schema: table.schema,
            table_name: table.name,
            column_name: column.name,
            privilege_type: privilege,
          },
        })),
      ),
  );
}

const TABLE = `grantor:name grantee:name table_catalog:name table_schema:name table_name:name privilege_type:text
  is_grantable:text with_hierarchy:text`;
const COLUMN = `grantor:name grantee:name table_catalog:name table_schema:name table_name:name column_name:name
  privilege_type:text is_grantable:text`;
const NOT_GRANTABLE = { is_grantable: 'NO' };

export const PRIVILEGE_VIEWS: Readonly<Record<string, CatalogRelation>> = {
  table_privileges: relation(TABLE, tablePrivileges, NOT_GRANTABLE),
  role_table_grants: relation(TABLE, tablePrivileges, NOT_GRANTABLE),
  column_privileges: relation(COLUMN, columnPrivileges, NOT_GRANTABLE),
  role_column_grants: relation(COLUMN, columnPrivileges, NOT_GRANTABLE),
  enabled_roles: relation('role_name:name', ({ session }) => [{ role_name: session.caller.name }]),
  applicable_roles: relation('grantee:name role_name:name is_grantable:text'),
};
