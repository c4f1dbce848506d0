import { layoutOf } from './index.ts';
import { crossings, withFewCrossings } from './order.ts';
import { spread } from './positions.ts';
import { columnX, NODE_HEIGHT, NODE_WIDTH } from './sizes.ts';

type Edges = (readonly [number, number])[];

const columnsOf = (count: number, edges: Edges) => layoutOf({ count, edges }).nodes.map(({ x }) => x / columnX(1));

test.each<[string, number, Edges, number[]]>([
  [
    'a chain',
    3,
    [
      [0, 1],
      [1, 2],
    ],
    [0, 1, 2],
  ],
  [
    'a node is right of all of its inputs',
    4,
    [
      [0, 1],
      [1, 2],
      [0, 3],
      [2, 3],
    ],
    [0, 1, 2, 3],
  ],
  [
    'a source is next to the first node that needs it',
    4,
    [
      [0, 1],
      [1, 2],
      [3, 2],
    ],
    [0, 1, 2, 1],
  ],
  [
    'a cycle',
    3,
    [
      [0, 1],
      [1, 2],
      [2, 0],
    ],
    [0, 1, 2],
  ],
  ['nodes without edges are in rows', 3, [], [0, 0, 0]],
  ['an empty graph', 0, [], []],
])('columns of %s', (_, count, edges, columns) => expect(columnsOf(count, edges)).toEqual(columns));

/** A layered graph of so many nodes, always the same one. */
function sample(count: number): { count: number; edges: Edges } {
  let state = 7;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const edges = new Map<string, readonly [number, number]>();
  for (let node = Math.ceil(count / 8); node < count; node++)
    for (let edge = random() * 3; edge >= 0; edge--) {
      const from = Math.floor(random() * node);
      edges.set(`${from} ${node}`, [from, node]);
    }
  return { count, edges: [...edges.values()] };
}

test('no two of a thousand nodes overlap, and edges start and end at their nodes', () => {
  const links = sample(1000);
  const { nodes, edges, width, height } = layoutOf(links);
  const sorted = [...nodes].sort((a, b) => a.x - b.x || a.y - b.y);
  const overlaps = sorted.filter(({ x, y }, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.x === x && next.y - y < NODE_HEIGHT;
  });
  expect(overlaps).toEqual([]);
  expect(Math.min(...nodes.map(({ y }) => y))).toBeCloseTo(0);
  expect(Math.max(...nodes.map(({ y }) => y))).toBeCloseTo(height - NODE_HEIGHT);
  expect(Math.max(...nodes.map(({ x }) => x))).toBe(width - NODE_WIDTH);
  for (const [index, [from, to]] of links.edges.entries()) {
    const [start, end] = [nodes[from], nodes[to]];
    expect(edges[index]?.[0]).toEqual({ x: start!.x + NODE_WIDTH, y: start!.y + NODE_HEIGHT / 2 });
    expect(edges[index]?.at(-1)).toEqual({ x: end!.x, y: end!.y + NODE_HEIGHT / 2 });
  }
});

test('the same graph has the same layout', () => expect(layoutOf(sample(200))).toEqual(layoutOf(sample(200))));

test('an edge that closes a cycle is drawn in its own direction', () => {
  const { edges, nodes } = layoutOf({
    count: 2,
    edges: [
      [0, 1],
      [1, 0],
    ],
  });
  expect(edges[1]).toEqual(edges[0]?.toReversed());
  expect(edges[1]?.[0]?.x).toBe(nodes[1]?.x);
});

test('nodes that no edge connects have a place each', () => {
  const { nodes } = layoutOf({ count: 40, edges: [[0, 1]] });
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(40);
});

test('crossings are counted and avoided', () => {
  const right = [[5], [4], [3], [], [], []];
  const left = [[], [], [], [2], [1], [0]];
  const columns = [
    [0, 1, 2],
    [3, 4, 5],
  ];
  expect(crossings(columns, right)).toBe(3);
  expect(crossings(withFewCrossings({ columns, left, right }), right)).toBe(0);
  expect(crossings(columns, [[3, 4], [3, 4], [], [], [], []])).toBe(1);
});

test.each([
  [
    [0, 100],
    [10, 10],
    [0, 100],
  ],
  [
    [50, 50],
    [10, 10],
    [45, 55],
  ],
  [
    [50, 50, 50],
    [10, 20, 10],
    [35, 50, 65],
  ],
  [
    [100, 0],
    [10, 10],
    [45, 55],
  ],
  [[], [], []],
])('wanted centers %j with heights %j become %j', (wanted, heights, centers) =>
  expect(spread(wanted, heights)).toEqual(centers),
);
