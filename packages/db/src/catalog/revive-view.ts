import { nameKey } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { lockTarget, type RestoredPolicy, restorePolicies } from '../drops/index.ts';

export interface RevivedView {
  metadataLocation: string | null;
  droppedName: string;
  droppedNamespace: string;
  droppedAt: Date;
  restored: RestoredPolicy[];
}

/**
 * Restores a dropped view with the policies that its drop revoked. Returns null if no dropped view has the id.
 * @throws ApiError `not-found` if the namespace or the environment was dropped concurrently
 */
export async function reviveView(
  client: Transaction,
  view: { id: string; environmentId: string; namespaceId: string; name: string; now: Date },
): Promise<RevivedView | null> {
  const rows = await client.$queryRaw<(Omit<RevivedView, 'restored'> & { dropId: string })[]>`
    SELECT t.metadata_location AS "metadataLocation", t.name AS "droppedName", n.path AS "droppedNamespace",
           t.dropped_at AS "droppedAt", t.drop_id AS "dropId"
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.id = ${view.id}::uuid AND t.environment_id = ${view.environmentId}::uuid AND t.kind = 'view'
      AND t.dropped_at IS NOT NULL FOR UPDATE OF t`;
  const found = rows[0];
  if (found === undefined) return null;
  await lockTarget(client, view.namespaceId);
  await client.$executeRaw`
    UPDATE tables SET dropped_at = NULL, dropped_by = NULL, drop_id = NULL, drop_reason = NULL, purge_after = NULL,
      purged_at = NULL, namespace_id = ${view.namespaceId}::uuid, name = ${view.name},
      name_key = ${nameKey(view.name)}, updated_at = ${view.now}, restored_at = ${view.now}
    WHERE id = ${view.id}::uuid`;
  const restored = await restorePolicies(client, [found.dropId]);
  await client.grant.updateMany({ where: { object_id: view.id }, data: { namespace_id: view.namespaceId } });
  return { ...found, restored };
}
