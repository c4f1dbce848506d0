import { assetKey } from '@svc/core/deploys';
import type { AssetInputs, ViewInputs } from '@svc/db/runs';

/** The names of what assets read when they are built and checked: tables, and what the views among them read. */
export class ReadNames {
  private readonly assets: ReadonlyMap<string, AssetInputs>;
  private readonly views = new Map<string, string[] | null>();

  constructor(assets: readonly AssetInputs[], views: readonly ViewInputs[]) {
    this.assets = new Map(assets.map((inputs) => [assetOf(inputs.version_id, inputs.asset), inputs]));
    for (const { name, depends_on: inputs } of views) {
      const known = this.views.get(name);
      this.views.set(name, known == null ? inputs : [...known, ...(inputs ?? [])]);
    }
  }

  /** The asset itself, and everything that it reads; null if that isn't known. */
  of(versionId: string, asset: string): ReadonlySet<string> | null {
    const own = this.assets.get(assetOf(versionId, asset));
    if (own === undefined || own.check_reads === null) return null;
    const names = new Set([asset]);
    const pending = [...own.depends_on, ...own.check_reads];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (names.has(name)) continue;
      names.add(name);
      const inputs = this.behind(own, name);
      if (inputs === null) return null;
      pending.push(...inputs);
    }
    return names;
  }

  /** What is read together with a table or view of this name; null for a view whose statement isn't known. */
  private behind({ version_id, dev_namespace }: AssetInputs, name: string): readonly string[] | null {
    const asset = this.assets.get(assetOf(version_id, name));
    if (asset !== undefined && dev_namespace !== null)
      return isInside(dev_namespace, name) ? [name.slice(dev_namespace.length + 1)] : [];
    if (asset !== undefined) return asset.kind === 'view' ? asset.depends_on : [];
    const inputs = this.views.get(assetKey(name));
    return inputs === undefined ? [] : inputs;
  }
}

const assetOf = (versionId: string, asset: string): string => `${versionId} ${assetKey(asset)}`;

const isInside = (namespace: string, name: string): boolean => assetKey(name).startsWith(`${assetKey(namespace)}.`);
