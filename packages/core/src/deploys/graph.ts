import { type Asset, assetKey } from './asset.ts';
import type { ProjectDiagnostic } from './diagnostics.ts';

/** A project's assets in build order. Keys are names in lower case. */
export interface AssetGraph {
  /** Every asset after the assets it depends on; ties in the order of names. */
  readonly order: readonly string[];
  readonly assets: ReadonlyMap<string, Asset>;
  /** The assets that each asset and its checks read, except those that a check reads and that are built from its asset. */
  readonly upstream: ReadonlyMap<string, readonly string[]>;
  readonly downstream: ReadonlyMap<string, readonly string[]>;
  /**
   * Tables outside the project that assets read, as written, sorted by name. Whether they exist is for the deploy to
   * check.
   */
  readonly external: readonly { readonly table: string; readonly readBy: readonly string[] }[];
}

/**
 * Builds the graph of the assets. Duplicate names and cycles are problems, and the graph is then null; a dependency on
 * a table outside the project is allowed and listed as external.
 */
export function buildGraph(assets: readonly Asset[]): {
  readonly graph: AssetGraph | null;
  readonly problems: readonly ProjectDiagnostic[];
} {
  const byKey = new Map<string, Asset>();
  const problems: ProjectDiagnostic[] = [];
  for (const asset of [...assets].sort(byName)) {
    const key = assetKey(asset.name);
    const other = byKey.get(key);
    if (other === undefined) byKey.set(key, asset);
    else problems.push(duplicate(asset, other));
  }
  const upstream = new Map<string, string[]>();
  const downstream = new Map<string, string[]>([...byKey.keys()].map((key) => [key, []]));
  const external = new Map<string, { table: string; readBy: string[] }>();
  for (const [key, asset] of byKey) {
    const inside: string[] = [];
    for (const name of asset.dependsOn) {
      const dependencyKey = assetKey(name);
      if (byKey.has(dependencyKey)) {
        inside.push(dependencyKey);
        downstream.get(dependencyKey)!.push(key);
      } else {
        const entry = external.get(dependencyKey) ?? { table: name, readBy: [] };
        entry.readBy.push(asset.name);
        external.set(dependencyKey, entry);
      }
    }
    upstream.set(key, inside);
  }
  for (const [key, { checkReads }] of byKey) addCheckReads(key, checkReads ?? [], { upstream, downstream });
  const { order, unsorted } = sort(upstream, downstream);
  if (unsorted.length > 0) problems.push(cycleProblem(findCycle(unsorted, upstream), byKey));
  if (problems.length > 0) return { graph: null, problems };
  const outside = [...external.keys()].sort().map((key) => external.get(key)!);
  return { graph: { order, assets: byKey, upstream, downstream, external: outside }, problems };
}

/** A check of `key` can read an asset that is built from `key`, and then reads what the previous run built. */
function addCheckReads(
  key: string,
  checkReads: readonly string[],
  { upstream, downstream }: { upstream: Map<string, string[]>; downstream: Map<string, string[]> },
): void {
  const inputs = upstream.get(key)!;
  const added = checkReads.map(assetKey).filter((read) => upstream.has(read) && !inputs.includes(read));
  if (added.length === 0) return;
  const builtFromIt = reachable([key], downstream);
  for (const read of added.filter((one) => !builtFromIt.has(one))) {
    inputs.push(read);
    downstream.get(read)!.push(key);
  }
}

/** These assets and everything that the edges lead to. */
export function reachable(from: Iterable<string>, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(from);
  const open = [...reached];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const next of edges.get(key) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

function byName(a: Asset, b: Asset): number {
  const [x, y] = [assetKey(a.name), assetKey(b.name)];
  if (x !== y) return x < y ? -1 : 1;
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line;
}

function duplicate(asset: Asset, other: Asset): ProjectDiagnostic {
  return {
    file: asset.file,
    line: asset.line,
    message: `the asset ${asset.name} is also defined in ${other.file}:${other.line}`,
    remedy: 'rename or remove one of them; names are case-insensitive',
  };
}

/** Kahn's algorithm. Ready assets are taken in the order of names, so that the plan is deterministic. */
function sort(
  upstream: ReadonlyMap<string, readonly string[]>,
  downstream: ReadonlyMap<string, readonly string[]>,
): { order: string[]; unsorted: string[] } {
  const waiting = new Map([...upstream].map(([key, dependencies]) => [key, new Set(dependencies).size]));
  let ready = [...waiting].filter(([, count]) => count === 0).map(([key]) => key);
  const order: string[] = [];
  while (ready.length > 0) {
    const next: string[] = [];
    for (const key of ready.sort()) {
      order.push(key);
      waiting.delete(key);
      for (const after of new Set(downstream.get(key))) {
        const count = waiting.get(after)! - 1;
        waiting.set(after, count);
        if (count === 0) next.push(after);
      }
    }
    ready = next;
  }
  return { order, unsorted: [...waiting.keys()].sort() };
}

/** Follows unsorted dependencies from an unsorted asset until one repeats. */
function findCycle(unsorted: readonly string[], upstream: ReadonlyMap<string, readonly string[]>): string[] {
  const inCycle = new Set(unsorted);
  const path: string[] = [];
  let key = unsorted[0]!;
  while (!path.includes(key)) {
    path.push(key);
    key = upstream.get(key)!.find((dependencies) => inCycle.has(dependencies))!;
  }
  const cycle = path.slice(path.indexOf(key)).reverse();
  // Starts with the cycle's first name in order, so that the message for a cycle is always the same.
  const first = cycle.indexOf([...cycle].sort()[0]!);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

/** Maximum names in the message about a circle. */
const MAX_CYCLE_NAMES = 20;

function cycleProblem(cycle: readonly string[], assets: ReadonlyMap<string, Asset>): ProjectDiagnostic {
  const first = assets.get(cycle[0]!)!;
  const names = [...cycle, cycle[0]!].map((key) => assets.get(key)!.name);
  // The dependency that closes the circle stays visible.
  if (names.length > MAX_CYCLE_NAMES) names.splice(MAX_CYCLE_NAMES - 2, names.length - MAX_CYCLE_NAMES, '…');
  return {
    file: first.file,
    line: first.line,
    message:
      cycle.length === 1
        ? `the asset ${first.name} depends on itself`
        : `assets depend on each other in a circle: ${names.join(' → ')}`,
    remedy: 'remove one of these dependencies',
  };
}
