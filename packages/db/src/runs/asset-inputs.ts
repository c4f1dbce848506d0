import type { Transaction } from '../connection/index.ts';

/** What an asset of a project version is built from. */
export interface AssetInputs {
  version_id: string;
  asset: string;
  depends_on: string[];
}

/** The dependencies of all assets of the versions. */
export function findAssetInputs(client: Transaction, versionIds: readonly string[]): Promise<AssetInputs[]> {
  return client.$queryRaw<AssetInputs[]>`
    SELECT v.id AS version_id, a->>'name' AS asset, coalesce(a->'dependsOn', '[]') AS depends_on
    FROM project_versions v CROSS JOIN LATERAL jsonb_array_elements(v.assets) a
    WHERE v.id = ANY(${[...versionIds]}::uuid[])`;
}
