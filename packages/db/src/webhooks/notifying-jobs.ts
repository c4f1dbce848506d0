import type { Transaction } from '../connection/index.ts';

/** Lists an environment's deployed jobs whose notification uses the secret, by name. */
export async function notifyingJobs(
  client: Transaction,
  { environmentId, secret }: { environmentId: string; secret: string },
): Promise<string[]> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT j.job->>'name' AS name
    FROM deployments d JOIN project_versions v ON v.id = d.project_version_id
    CROSS JOIN LATERAL jsonb_array_elements(v.jobs) AS j(job)
    WHERE d.environment_id = ${environmentId}::uuid AND d.ended_at IS NULL AND j.job->>'webhook' = ${secret} ORDER BY 1`;
  return rows.map(({ name }) => name);
}
