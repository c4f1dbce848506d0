import { relation } from '../relation.ts';

/** The OIDs of PostgreSQL's own schemas. */
export const PG_CATALOG = 11;
export const INFORMATION_SCHEMA = 13_000;
/** The user that PostgreSQL's own objects belong to. */
export const BOOTSTRAP_USER = 10;

export const SYSTEM_SCHEMAS = [
  { oid: PG_CATALOG, name: 'pg_catalog' },
  { oid: INFORMATION_SCHEMA, name: 'information_schema' },
] as const;

export const NAMESPACE_RELATIONS = {
  pg_namespace: relation('oid:oid nspname:name nspowner:oid nspacl:text[]', ({ schemas, userOid }) => [
    ...SYSTEM_SCHEMAS.map(({ oid, name }) => ({ oid, nspname: name, nspowner: BOOTSTRAP_USER })),
    ...schemas.map(({ oid, name }) => ({ oid, nspname: name, nspowner: userOid })),
  ]),
};
