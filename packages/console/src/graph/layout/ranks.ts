/** Edges between the nodes 0 … count-1. */
export interface Links {
  readonly count: number;
  readonly edges: readonly (readonly [from: number, to: number])[];
}

/** The neighbors of each node: those that its edges lead to, or with `reversed` those that they come from. */
export function neighborsOf({ count, edges }: Links, reversed = false): number[][] {
  const lists: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) lists[reversed ? to : from]?.push(reversed ? from : to);
  return lists;
}

/** The edges, with those turned around that would close a cycle. */
export function withoutCycles(links: Links): Links {
  const next = neighborsOf(links);
  const state = new Uint8Array(links.count); // 1: on the path, 2: done
  const position = new Map<number, number>();
  const back = new Set<string>();
  for (let root = 0; root < links.count; root++) {
    if (state[root] !== 0) continue;
    const path = [root];
    state[root] = 1;
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const at = position.get(node) ?? 0;
      position.set(node, at + 1);
      const to = next[node]?.[at];
      if (to === undefined) {
        state[node] = 2;
        path.pop();
      } else if (state[to] === 1) back.add(`${node} ${to}`);
      else if (state[to] === 0) {
        state[to] = 1;
        path.push(to);
      }
    }
  }
  const edges = links.edges.map(([from, to]) =>
    back.has(`${from} ${to}`) ? ([to, from] as const) : ([from, to] as const),
  );
  return { count: links.count, edges };
}

/**
 * The column of each node, from 0: right of everything that it depends on. What depends on nothing moves right, next to the first that
 * needs it, which keeps edges short. The edges must not have cycles.
 */
export function ranksOf(links: Links): number[] {
  const [next, previous] = [neighborsOf(links), neighborsOf(links, true)];
  const waiting = previous.map((list) => list.length);
  const order = waiting.flatMap((inputs, node) => (inputs === 0 ? [node] : []));
  const ranks = new Array<number>(links.count).fill(0);
  for (let at = 0; at < order.length; at++) {
    const node = order[at] ?? 0;
    for (const to of next[node] ?? []) {
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[node] ?? 0) + 1);
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) order.push(to);
    }
  }
  for (const node of order) {
    const outputs = next[node] ?? [];
    if (previous[node]?.length === 0 && outputs.length > 0)
      ranks[node] = Math.min(...outputs.map((to) => ranks[to] ?? 0)) - 1;
  }
  return ranks;
}

/** The nodes of each connected part, largest first. */
export function componentsOf(links: Links): number[][] {
  const [next, previous] = [neighborsOf(links), neighborsOf(links, true)];
  const seen = new Uint8Array(links.count);
  const components: number[][] = [];
  for (let root = 0; root < links.count; root++) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    const component = [root];
    for (const node of component)
      for (const other of [...(next[node] ?? []), ...(previous[node] ?? [])])
        if (seen[other] === 0) {
          seen[other] = 1;
          component.push(other);
        }
    components.push(component.sort((a, b) => a - b));
  }
  return components.sort((a, b) => b.length - a.length);
}
