import { type Asset, assetKey } from './asset.ts';

/**
 * The assets as `svc dev` builds them (DEPLOY-24): in the same namespaces, but inside a namespace of the developer. Views become
 * tables, because the names in a view always mean the environment's tables.
 */
export function inDevNamespace(assets: readonly Asset[], devNamespace: string): Asset[] {
  const own = new Set(assets.map(({ name }) => assetKey(name)));
  const inside = (name: string) => `${devNamespace}.${name}`;
  const moved = (names: readonly string[]) => names.map((name) => (own.has(assetKey(name)) ? inside(name) : name));
  return assets.map((asset) => ({
    ...asset,
    name: inside(asset.name),
    namespace: inside(asset.namespace),
    kind: asset.kind === 'view' ? 'table' : asset.kind,
    dependsOn: moved(asset.dependsOn),
    ...(asset.checkReads === undefined ? {} : { checkReads: moved(asset.checkReads) }),
  }));
}

/** A pattern on the names of a project's assets, for the names that they have in a development namespace. */
export const patternInDevNamespace = (pattern: string, devNamespace: string): string =>
  pattern.startsWith('tag:') ? pattern : `${devNamespace}.${pattern}`;
