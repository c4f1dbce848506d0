import { SYSTEM_OIDS } from '@svc/lake/queries';
import type { CatalogFacts, CatalogTable } from '../facts.ts';
import { type CatalogRow, relation } from '../relation.ts';
import { quoteName } from '../settings.ts';
import { BASE_TYPES } from './base-types.ts';
import { SYSTEM_SCHEMAS } from './namespaces.ts';
import { PROCEDURES } from './types.ts';

/** An object with the names that mean it, in lower case and without quotes. */
interface Named {
  readonly kind: string;
  readonly oid: number;
  readonly shown: string;
  readonly keys: readonly string[];
}

function tableNames({ oid, name, schema, isVisible, key }: CatalogTable, database: string): Named[] {
  const named = (objectOid: number, objectName: string): Named => ({
    ...{ kind: 'class', oid: objectOid },
    shown: isVisible ? quoteName(objectName) : `${quoteName(schema)}.${quoteName(objectName)}`,
    keys: [`${schema}.${objectName}`, `${database}.${schema}.${objectName}`, ...(isVisible ? [objectName] : [])],
  });
  return [named(oid, name), ...(key === null ? [] : [named(key.indexOid, key.name)])];
}

function objects({ schemas, tables, session, userOid }: CatalogFacts): Named[] {
  const database = session.environment.name;
  return [
    ...Object.entries(SYSTEM_OIDS).map(([name, oid]) => ({
      ...{ kind: 'class', oid, shown: name, keys: [name, `pg_catalog.${name}`] },
    })),
    ...tables.flatMap((table) => tableNames(table, database)),
    ...[...SYSTEM_SCHEMAS, ...schemas].map(({ oid, name }) => ({
      ...{ kind: 'namespace', oid, shown: quoteName(name), keys: [name] },
    })),
    ...BASE_TYPES.map(({ oid, name, sqlName }) => ({
      ...{ kind: 'type', oid, shown: sqlName, keys: [name, sqlName, `pg_catalog.${name}`] },
    })),
    ...PROCEDURES.map(({ oid, proname }) => ({
      ...{ kind: 'proc', oid, shown: proname, keys: [proname, `pg_catalog.${proname}`] },
    })),
    { kind: 'role', oid: userOid, shown: quoteName(session.caller.name), keys: [session.caller.name] },
  ];
}

const keysOf = ({ oid, keys }: Named): string[] => [
  ...new Set([String(oid), ...keys.map((key) => key.toLowerCase().replaceAll('"', ''))]),
];

interface Privilege {
  readonly kind: string;
  readonly keys: readonly string[];
  readonly privileges: readonly string[];
}

function privileges({ tables, schemas, session, databaseOid }: CatalogFacts): Privilege[] {
  const database = session.environment.name;
  return [
    ...tables.map((table) => ({
      kind: 'table',
      keys: keysOf(tableNames(table, database)[0]!),
      privileges: table.mayWrite ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] : ['SELECT'],
    })),
    ...SYSTEM_SCHEMAS.map(({ oid, name }) => ({ kind: 'schema', keys: [String(oid), name], privileges: ['USAGE'] })),
    ...schemas.map(({ oid, name, mayCreate }) => ({
      ...{ kind: 'schema', keys: [String(oid), name.toLowerCase()] },
      privileges: mayCreate ? ['USAGE', 'CREATE'] : ['USAGE'],
    })),
    { kind: 'database', keys: [String(databaseOid), database.toLowerCase()], privileges: ['CONNECT'] },
  ];
}

/** Relations that the functions of the catalog read. */
export const NAME_RELATIONS = {
  pg_svc_names: relation('svc_kind:text svc_key:text svc_oid:oid svc_shown:text', (facts) =>
    objects(facts).flatMap((named) =>
      keysOf(named).map(
        (key): CatalogRow => ({ svc_kind: named.kind, svc_key: key, svc_oid: named.oid, svc_shown: named.shown }),
      ),
    ),
  ),
  pg_svc_visible: relation('svc_oid:oid', ({ tables }) => [
    ...Object.values(SYSTEM_OIDS).map((oid) => ({ svc_oid: oid })),
    ...tables
      .filter(({ isVisible }) => isVisible)
      .flatMap(({ oid, key }) => [{ svc_oid: oid }, ...(key === null ? [] : [{ svc_oid: key.indexOid }])]),
  ]),
  pg_svc_privileges: relation('svc_kind:text svc_key:text svc_privilege:text', (facts) =>
    privileges(facts).flatMap(({ kind, keys, privileges: allowed }) =>
      keys.flatMap((key) => allowed.map((privilege) => ({ svc_kind: kind, svc_key: key, svc_privilege: privilege }))),
    ),
  ),
  pg_svc_sizes: relation('svc_oid:oid svc_bytes:int8', ({ tables }) =>
    tables.map(({ oid, bytes }) => ({ svc_oid: oid, svc_bytes: bytes })),
  ),
  pg_svc_views: relation('svc_key:text svc_definition:text', ({ tables, session }) =>
    tables
      .filter(({ isView }) => isView)
      .flatMap((table) =>
        keysOf(tableNames(table, session.environment.name)[0]!).map((key) => ({
          ...{ svc_key: key, svc_definition: table.definition },
        })),
      ),
  ),
};
