import type { AssetKind } from '@svc/core/deploys';
import type { Transaction } from '../connection/index.ts';

/** What an asset of a project version is built from. */
export interface AssetInputs {
  version_id: string;
  /** Of a version of `svc dev`: names inside it mean tables of the environment too, unless they are built there. */
  dev_namespace: string | null;
  asset: string;
  kind: AssetKind | null;
  depends_on: string[];
  /** What its checks read; null if they have SQL and the version is of an earlier release, which didn't store it. */
  check_reads: string[] | null;
}

/** The dependencies of all assets of the versions. */
export function findAssetInputs(client: Transaction, versionIds: readonly string[]): Promise<AssetInputs[]> {
  return client.$queryRaw<AssetInputs[]>`
    SELECT v.id AS version_id, v.dev_namespace, a->>'name' AS asset, a->>'kind' AS kind,
      coalesce(a->'dependsOn', '[]') AS depends_on,
      coalesce(a->'checkReads', CASE WHEN coalesce(a->'checks', '[]') = '[]' THEN '[]'::jsonb END) AS check_reads
    FROM project_versions v CROSS JOIN LATERAL jsonb_array_elements(v.assets) a
    WHERE v.id = ANY(${[...versionIds]}::uuid[])`;
}

/** A view that exists in an environment, or existed. */
export interface ViewInputs {
  /** `namespace.view`, in lower case. */
  name: string;
  /** What the statement of the deployed project names; null for a view that no deployed project builds. */
  depends_on: string[] | null;
}

/** The views of an environment, dropped ones included. One that several projects build occurs several times. */
export function findViewInputs(client: Transaction, environmentId: string): Promise<ViewInputs[]> {
  return client.$queryRaw<ViewInputs[]>`
    WITH built AS (
      SELECT lower(a->>'name') AS name, coalesce(a->'dependsOn', '[]') AS depends_on
      FROM deployments d JOIN project_versions v ON v.id = d.project_version_id
      CROSS JOIN LATERAL jsonb_array_elements(v.assets) a
      WHERE d.environment_id = ${environmentId}::uuid AND d.ended_at IS NULL AND a->>'kind' = 'view'
    ), views AS (
      SELECT DISTINCT n.path_key || '.' || t.name_key AS name FROM tables t JOIN namespaces n ON n.id = t.namespace_id
      WHERE t.environment_id = ${environmentId}::uuid AND t.kind = 'view'
    )
    SELECT views.name, built.depends_on FROM views LEFT JOIN built ON built.name = views.name`;
}
