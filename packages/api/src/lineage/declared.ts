import { nameKey } from '@svc/core/access';
import type { DeployedAsset } from '@svc/db/lineage';

/** The inputs that the assets of active project versions declare. Keys are names in lower case. */
export class DeclaredInputs {
  private readonly assets = new Map<string, DeployedAsset>();
  private readonly inputs = new Map<string, Map<string, string>>();
  private readonly outputs = new Map<string, Map<string, string>>();

  constructor(assets: readonly DeployedAsset[]) {
    for (const asset of assets) {
      if (!this.assets.has(nameKey(asset.name))) this.assets.set(nameKey(asset.name), asset);
      for (const input of asset.dependsOn) {
        add(this.inputs, asset.name, input);
        add(this.outputs, input, asset.name);
      }
    }
  }

  /** The names at the other end of a name's declared inputs or outputs, as written, by key. */
  of(direction: 'upstream' | 'downstream', name: string): ReadonlyMap<string, string> {
    return (direction === 'upstream' ? this.inputs : this.outputs).get(nameKey(name)) ?? NONE;
  }

  asset(name: string): DeployedAsset | undefined {
    return this.assets.get(nameKey(name));
  }

  /** Whether an asset has this name, or reads a table of it. */
  knows(name: string): boolean {
    return this.assets.has(nameKey(name)) || this.outputs.has(nameKey(name));
  }

  names(): string[] {
    return [...this.assets.values()].map(({ name }) => name);
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

function add(lists: Map<string, Map<string, string>>, from: string, to: string): void {
  const key = nameKey(from);
  const list = lists.get(key) ?? new Map<string, string>();
  lists.set(key, list);
  if (nameKey(to) !== key) list.set(nameKey(to), to);
}
