import type { TokenScope } from '@svc/core/access';
import { Prisma } from '../generated/client.ts';

/** The scope of a new token. Environments are stored by id, so that a later one with the same name isn't included. */
export interface NewTokenScope extends TokenScope {
  readonly environmentIds: readonly string[] | null;
}

/** The value of the column `scope`. */
export const storedScope = ({ environmentIds, actions }: NewTokenScope): object => ({
  environments: environmentIds,
  actions,
});

/** Selects the scope of the token `t` with the names of its environments; null if it has none. */
export const SCOPE_OF_TOKEN: Prisma.Sql = Prisma.sql`
  CASE WHEN t.scope IS NOT NULL THEN jsonb_build_object('actions', t.scope->'actions', 'environments',
    CASE WHEN jsonb_typeof(t.scope->'environments') = 'array' THEN
      (SELECT coalesce(jsonb_agg(e.name ORDER BY e.name), '[]') FROM environments e
       WHERE e.purged_at IS NULL
         AND e.id IN (SELECT x::uuid FROM jsonb_array_elements_text(t.scope->'environments') x)) END) END`;
