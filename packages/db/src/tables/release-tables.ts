import { nameKey } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { builderSql } from './builder.ts';

/**
 * Releases tables that the project built and that its active version no longer names. Those of assets that another project
 * has too become tables of that project (RETAIN-4).
 */
export async function releaseTables(
  client: Transaction,
  {
    environmentId,
    repositoryId,
    remaining,
  }: { environmentId: string; repositoryId: string; remaining: readonly string[] },
): Promise<void> {
  const name = Prisma.sql`n.path_key || '.' || t.name_key`;
  await client.$executeRaw`
    UPDATE tables t SET built_by_repository = ${builderSql(name)} FROM namespaces n
    WHERE n.id = t.namespace_id AND t.environment_id = ${environmentId}::uuid
      AND t.built_by_repository = ${repositoryId}::uuid AND NOT (${name} = ANY(${remaining.map(nameKey)}::text[]))`;
}

/**
 * Marks the tables that the project's active version names as built by it, so that they never expire (RETAIN-4). It
 * doesn't matter who created them, but tables that another project builds stay as they are.
 */
export async function claimTables(
  client: Transaction,
  { environmentId, repositoryId, names }: { environmentId: string; repositoryId: string; names: readonly string[] },
): Promise<void> {
  await client.$executeRaw`
    UPDATE tables t SET built_by_repository = ${repositoryId}::uuid FROM namespaces n
    WHERE n.id = t.namespace_id AND t.environment_id = ${environmentId}::uuid AND t.dropped_at IS NULL
      AND t.built_by_repository IS NULL AND n.path_key || '.' || t.name_key = ANY(${names.map(nameKey)}::text[])`;
}

/** Tables of a project that exist only with rows that a check rejected, and that none of the given assets names. */
export async function listTablesWithFailedCheck(
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

/** Returns those of the names (in lower case) that belonged to a dropped view. */
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
