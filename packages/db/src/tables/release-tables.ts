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

/** Tables that the project's current version names are built by it from now on, whoever made them: they never expire. */
export async function claimTables(
  client: Transaction,
  { environmentId, repositoryId, names }: { environmentId: string; repositoryId: string; names: readonly string[] },
): Promise<void> {
  await client.$executeRaw`
    UPDATE tables t SET built_by_repository = ${repositoryId}::uuid FROM namespaces n
    WHERE n.id = t.namespace_id AND t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL
      AND t.built_by_repository IS NULL AND n.path_key || '.' || t.name_key = ANY(${names.map(nameKey)}::text[])`;
}

/** Tables of a project that exist only with rows a check refused, and that the given assets do not name any more. */
export async function tablesKeptAside(
  client: Transaction,
  { environmentId, repositoryId, names }: { environmentId: string; repositoryId: string; names: readonly string[] },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT n.path || '.' || t.name AS name FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.built_by_repository = ${repositoryId}::uuid
      AND t.kind = 'managed' AND t.snapshot_id IS NULL AND t.dropped_at IS NULL
      AND NOT (n.path_key || '.' || t.name_key = ANY(${names.map(nameKey)}::text[])) ORDER BY 1`;
  return rows.map(({ name }) => name);
}

/** Those of the names (lower case) under which there was a view that is dropped now. */
export async function wereViews(
  client: Transaction,
  { environmentId, names }: { environmentId: string; names: readonly string[] },
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT n.path_key || '.' || t.name_key AS name FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${environmentId}::uuid AND t.kind = 'view' AND t.dropped_at IS NOT NULL
      AND n.path_key || '.' || t.name_key = ANY(${names.map(nameKey)}::text[])`;
  return new Set(rows.map(({ name }) => name));
}
