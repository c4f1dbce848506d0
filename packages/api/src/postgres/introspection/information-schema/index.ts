import type { CatalogRelation } from '../relation.ts';
import { ABSENT_VIEWS } from './absent.ts';
import { CONSTRAINT_VIEWS } from './constraints.ts';
import { PRIVILEGE_VIEWS } from './privileges.ts';
import { TABLE_VIEWS } from './tables.ts';

/** The views of information_schema by name. */
export const INFORMATION_VIEWS: ReadonlyMap<string, CatalogRelation> = new Map(
  Object.entries({ ...ABSENT_VIEWS, ...CONSTRAINT_VIEWS, ...PRIVILEGE_VIEWS, ...TABLE_VIEWS }),
);
