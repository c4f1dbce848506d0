import { type Secret, type SecretFacts, type SecretUse, secretWarnings } from '@svc/core/secrets';
import { Prisma } from '../generated/client.ts';

/** A live secret as this folder's queries select it, without its values. */
export interface StoredSecret {
  id: string;
  environment_id: string;
  environment: string;
  name: string;
  facts: SecretFacts;
  use: SecretUse | null;
  package_index_id: string | null;
  index: string | null;
  repository_id: string | null;
  repository: string | null;
  created_at: Date;
  created_by: string | null;
  rotated_at: Date | null;
  rotated_by: string | null;
}

export const SELECT_SECRET = Prisma.sql`
  SELECT s.id, s.environment_id, e.name AS environment, s.name, s.facts, s.use, s.package_index_id, i.name AS index,
         s.repository_id, r.name AS repository, s.created_at, c.name AS created_by, s.rotated_at, t.name AS rotated_by
  FROM secrets s JOIN environments e ON e.id = s.environment_id
  LEFT JOIN package_indexes i ON i.id = s.package_index_id LEFT JOIN repositories r ON r.id = s.repository_id
  LEFT JOIN principals c ON c.id = s.created_by LEFT JOIN principals t ON t.id = s.rotated_by`;

export function secretRecord(row: StoredSecret): Secret {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    use: row.use,
    index: row.index,
    repository: row.repository,
    keys: [...row.facts.keys],
    warnings: secretWarnings(row.facts, row.use),
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    rotated_at: row.rotated_at?.toISOString() ?? null,
    rotated_by: row.rotated_by,
  };
}
