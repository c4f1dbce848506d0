import type { Transaction } from '../connection/index.ts';
import { ACTIVE_OR_DROPPED, bindingPolicies } from './binding.ts';

/**
 * The locations of external tables, in all environments, with a row filter or column mask for the principal. Those of dropped tables
 * count: their files are still there.
 */
export async function boundExternalLocations(client: Transaction, principalId: string): Promise<string[]> {
  const rows = await client.$queryRaw<{ location: string }[]>`
    WITH ${bindingPolicies(principalId, ACTIVE_OR_DROPPED)}
    SELECT DISTINCT t.location FROM binding b JOIN tables t ON t.id = b.table_id
    WHERE t.kind = 'external' AND t.location IS NOT NULL`;
  return rows.map(({ location }) => location);
}
