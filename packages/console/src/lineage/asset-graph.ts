import type { ProjectVersion } from '@svc/sdk/browser';
import { tableTarget } from '../catalog/table-target.ts';
import type { Graph, GraphNode } from '../graph/graph.ts';

export type Asset = ProjectVersion['assets'][number] & { readonly repository: string };

/** Names are compared without case. */
export const nameKey = (name: string): string => name.toLowerCase();

/** The assets of project versions by the keys of their names. */
export function assetsOf(versions: readonly ProjectVersion[]): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const { repository, assets: own } of versions)
    for (const asset of own) {
      const key = nameKey(asset.name);
      if (!assets.has(key)) assets.set(key, { ...asset, repository });
    }
  return assets;
}

/** A table, with what it is and where. */
export function tableNode(name: string, kind: string, isOutside: boolean): GraphNode {
  const { namespace, table } = tableTarget('', name).params;
  return { id: nameKey(name), label: name, title: table, subtitle: `${kind} · ${namespace}`, isOutside };
}

/**
 * The assets, and the tables that they read but no asset builds. With a repository, only its assets and their neighbors.
 */
export function assetGraph(assets: ReadonlyMap<string, Asset>, repository: string | undefined): Graph {
  const isOwn = (key: string) => repository === undefined || assets.get(key)?.repository === repository;
  const nodes = new Map<string, GraphNode>();
  const add = (name: string) => {
    const key = nameKey(name);
    const asset = assets.get(key);
    const isOutside = asset === undefined || !isOwn(key);
    if (!nodes.has(key)) nodes.set(key, tableNode(asset?.name ?? name, asset?.kind ?? 'not an asset', isOutside));
    return key;
  };
  const edges: (readonly [string, string])[] = [];
  for (const [key, { name, depends_on }] of assets) {
    if (isOwn(key)) add(name);
    for (const input of depends_on) if (isOwn(key) || isOwn(nameKey(input))) edges.push([add(input), add(name)]);
  }
  return { nodes: [...nodes.values()], edges };
}
