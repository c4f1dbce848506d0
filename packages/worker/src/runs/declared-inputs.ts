import { type Asset, splitAssetName } from '@svc/core/deploys';
import type { Transaction } from '@svc/db/connection';
import type { StoredVersion } from '@svc/db/deploys';
import { findTable } from '@svc/db/tables';

/** The tables that an asset depends on: of assets in a development namespace those that exist there, otherwise the environment's. */
export async function declaredInputs(tx: Transaction, version: StoredVersion, asset: Asset): Promise<string[]> {
  const { dev_namespace: devNamespace, environment_id: environmentId } = version;
  if (devNamespace === null) return [...asset.dependsOn];
  const inputs: string[] = [];
  for (const name of asset.dependsOn) {
    const isInside = name.startsWith(`${devNamespace}.`);
    const { namespace, table } = splitAssetName(name)!;
    const exists = !isInside || (await findTable(tx, { environmentId, namespace, name: table })) !== null;
    inputs.push(exists ? name : name.slice(devNamespace.length + 1));
  }
  return inputs;
}
