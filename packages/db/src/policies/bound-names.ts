import type { Transaction } from '../connection/index.ts';
import { ACTIVE_OR_DROPPED, bindingPolicies } from './binding.ts';

/**
 * The names of an environment's tables (`namespace.table`, in lower case) with a row filter or column mask for the principal. Those of
 * dropped tables count: what was read from them remains.
 */
export async function boundTableNames(
  client: Transaction,
  { environmentId, principalId }: { environmentId: string; principalId: string },
): Promise<Set<string>> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    WITH ${bindingPolicies(principalId, ACTIVE_OR_DROPPED)}
    SELECT DISTINCT n.path_key || '.' || t.name_key AS name FROM binding b
    JOIN tables t ON t.id = b.table_id AND t.environment_id = ${environmentId}::uuid
    JOIN namespaces n ON n.id = t.namespace_id`;
  return new Set(rows.map(({ name }) => name));
}
