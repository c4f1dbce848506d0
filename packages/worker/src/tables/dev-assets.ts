import { assetKey } from '@svc/core/deploys';
import type { StoredVersion } from '@svc/db/deploys';

/** The assets of a project version in a development namespace. */
export interface DevAssets {
  devNamespace: string;
  /** Keys of their names inside it. */
  keys: ReadonlySet<string>;
}

export const devAssetsOf = ({ dev_namespace: devNamespace, assets }: StoredVersion): DevAssets | null =>
  devNamespace === null ? null : { devNamespace, keys: new Set(assets.map(({ name }) => assetKey(name))) };

/** Whether a namespace is the development namespace or inside of it. */
export const isInDevNamespace = ({ devNamespace }: DevAssets, namespace: string): boolean =>
  `${assetKey(namespace)}.`.startsWith(`${assetKey(devNamespace)}.`);

/** The name inside the namespace of what is an asset of the version; null for other tables. */
export function nameInDevNamespace({ devNamespace, keys }: DevAssets, name: string): string | null {
  const inside = `${devNamespace}.${name}`;
  return keys.has(assetKey(inside)) ? inside : null;
}
