import type { CatalogRelation } from '../relation.ts';
import { OTHER_RELATIONS } from './absent.ts';
import { ATTRIBUTE_RELATIONS } from './attributes.ts';
import { CLASS_RELATIONS } from './classes.ts';
import { DESCRIPTION_RELATIONS } from './descriptions.ts';
import { INSTANCE_RELATIONS } from './instance.ts';
import { KEY_RELATIONS } from './keys.ts';
import { KEYWORD_RELATIONS } from './keywords.ts';
import { NAME_RELATIONS } from './names.ts';
import { NAMESPACE_RELATIONS } from './namespaces.ts';
import { ROLE_RELATIONS } from './roles.ts';
import { TYPE_RELATIONS } from './types.ts';

/** The relations of the schema pg_catalog by name. */
export const PG_RELATIONS: ReadonlyMap<string, CatalogRelation> = new Map(
  Object.entries({
    ...OTHER_RELATIONS,
    ...ATTRIBUTE_RELATIONS,
    ...CLASS_RELATIONS,
    ...DESCRIPTION_RELATIONS,
    ...INSTANCE_RELATIONS,
    ...KEY_RELATIONS,
    ...KEYWORD_RELATIONS,
    ...NAME_RELATIONS,
    ...NAMESPACE_RELATIONS,
    ...ROLE_RELATIONS,
    ...TYPE_RELATIONS,
    pg_stat_all_tables: CLASS_RELATIONS.pg_stat_user_tables,
    pg_statio_all_tables: CLASS_RELATIONS.pg_statio_user_tables,
  }),
);

/** Relations that need no table or namespace of the environment. */
const INDEPENDENT = new Set([
  ...Object.keys(OTHER_RELATIONS),
  ...Object.keys(KEYWORD_RELATIONS),
  ...Object.keys(ROLE_RELATIONS),
  ...Object.keys(TYPE_RELATIONS),
  ...['pg_database', 'pg_settings', 'pg_svc_settings', 'pg_stat_activity', 'pg_stat_database', 'pg_stat_ssl'],
  ...['pg_tablespace', 'pg_attrdef'],
]);

export const needsTables = (name: string): boolean => !INDEPENDENT.has(name);
