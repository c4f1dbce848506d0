import { nameKey } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';

/** Tables that a project built and that its current version no longer names are built by no project any more. */
export async function releaseTables(
  client: Transaction,
  { environmentId, repositoryId, kept }: { environmentId: string; repositoryId: string; kept: readonly string[] },
): Promise<void> {
  await client.$executeRaw`
    UPDATE tables t SET built_by_repository = NULL FROM namespaces n
    WHERE n.id = t.namespace_id AND t.environment_id = ${environmentId}::uuid
      AND t.built_by_repository = ${repositoryId}::uuid
      AND NOT (n.path_key || '.' || t.name_key = ANY(${kept.map(nameKey)}::text[]))`;
}
