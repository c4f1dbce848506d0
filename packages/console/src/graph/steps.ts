import type { Layout } from './layout/index.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

export const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The indexes of the nodes, column by column: what comes first is needed by what comes later. */
export const readingOrder = ({ nodes }: Pick<Layout, 'nodes'>): number[] =>
  [...nodes.keys()].sort((a, b) => {
    const [first, second] = [nodes[a], nodes[b]];
    return (first?.x ?? 0) - (second?.x ?? 0) || (first?.y ?? 0) - (second?.y ?? 0);
  });

/** The node at which an arrow key leads: left and right follow edges, up and down the column. */
export function stepFrom(
  from: number,
  direction: Direction,
  { nodes }: Pick<Layout, 'nodes'>,
  edges: readonly (readonly [from: number, to: number])[],
): number | undefined {
  const start = nodes[from];
  if (start === undefined) return undefined;
  const isVertical = direction === 'up' || direction === 'down';
  const candidates = isVertical
    ? [...nodes.keys()].filter((node) => {
        const { x, y } = nodes[node] ?? start;
        return x === start.x && (direction === 'up' ? y < start.y : y > start.y);
      })
    : edges.flatMap(([source, target]) =>
        direction === 'right' ? (source === from ? [target] : []) : target === from ? [source] : [],
      );
  const distance = (node: number) => Math.abs((nodes[node]?.y ?? 0) - start.y);
  return candidates.sort((a, b) => distance(a) - distance(b))[0];
}
