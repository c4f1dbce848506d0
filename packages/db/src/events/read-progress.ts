import type { Transaction } from '../connection/index.ts';

/** A run or deploy that has progressed without an event of the audit log. */
export interface Progress {
  kind: 'runs' | 'deploys';
  id: string;
  environmentId: string;
  requestedBy: string | null;
  repository: string;
}

/** Reads up to `limit` runs of an environment that are queued or running, newest first. */
export async function readActiveRuns(
  client: Transaction,
  { environmentId, limit }: { environmentId: string; limit: number },
): Promise<Progress[]> {
  return client.$queryRaw<Progress[]>`
    SELECT 'runs' AS kind, w.id, w.environment_id AS "environmentId", w.requested_by AS "requestedBy", r.name AS repository
    FROM runs w JOIN repositories r ON r.id = w.repository_id
    WHERE w.environment_id = ${environmentId}::uuid AND w.ended_at IS NULL ORDER BY w.created_at DESC LIMIT ${limit}`;
}

/** Reads what is behind the payloads of `announceProgress`. */
export async function readProgress(client: Transaction, payloads: readonly string[]): Promise<Progress[]> {
  if (payloads.length === 0) return [];
  const idsOf = (kind: Progress['kind']) =>
    payloads.filter((payload) => payload.startsWith(`${kind} `)).map((payload) => payload.slice(kind.length + 1));
  return client.$queryRaw<Progress[]>`
    SELECT 'runs' AS kind, w.id, w.environment_id AS "environmentId", w.requested_by AS "requestedBy", r.name AS repository
    FROM runs w JOIN repositories r ON r.id = w.repository_id WHERE w.id = ANY (${idsOf('runs')}::uuid[])
    UNION ALL
    SELECT 'deploys', w.id, w.environment_id, NULL, r.name
    FROM deploys w JOIN repositories r ON r.id = w.repository_id
    WHERE w.id = ANY (${idsOf('deploys')}::uuid[]) AND NOT w.dry_run`;
}
