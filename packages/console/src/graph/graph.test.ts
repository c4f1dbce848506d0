import { fittedText } from './fitted-text.ts';
import { type Graph, linksOf, matchesOf, neighborsById, reachOf } from './graph.ts';
import { layoutOf } from './layout/index.ts';
import { readingOrder, stepFrom } from './steps.ts';
import { fitted, panned, revealed, started, zoomed } from './view.ts';

const nodeOf = (id: string) => ({ id, label: `shop.${id}`, title: id, subtitle: 'succeeded', tone: 'good' }) as const;

/** a → b → d, a → c → d, and e alone. */
const graph: Graph = {
  nodes: ['a', 'b', 'c', 'd', 'e'].map(nodeOf),
  edges: [
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'd'],
    ['c', 'd'],
    ['a', 'b'],
    ['a', 'a'],
    ['a', 'unknown'],
  ],
};

test('edges of unknown nodes, to themselves and duplicates are left out', () =>
  expect(linksOf(graph).edges).toEqual([
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ]));

test.each([
  ['a', ['a', 'b', 'c', 'd']],
  ['b', ['a', 'b', 'd']],
  ['d', ['a', 'b', 'c', 'd']],
  ['e', ['e']],
])('%s reaches %j', (id, reached) =>
  expect([...reachOf(graph, id)].filter((each) => each !== 'unknown').sort()).toEqual(reached),
);

test('neighbors', () => {
  const { inputs, outputs } = neighborsById({ ...graph, edges: graph.edges.slice(0, 4) }).get('b')!;
  expect([inputs, outputs].map((nodes) => nodes.map(({ id }) => id))).toEqual([['a'], ['d']]);
});

test.each([
  ['', null],
  [' ', null],
  ['SHOP b', ['b']],
  ['succeeded', ['a', 'b', 'c', 'd', 'e']],
  ['absent', []],
])('%j finds %j', (text, found) => expect(matchesOf(graph, text)).toEqual(found));

test('arrow keys follow edges and columns, and stop at the end', () => {
  const { edges, count } = linksOf(graph);
  const layout = layoutOf({ count, edges });
  const step = (from: number, direction: Parameters<typeof stepFrom>[1]) => stepFrom(from, direction, layout, edges);
  const [upper, lower] = layout.nodes[1]!.y < layout.nodes[2]!.y ? [1, 2] : [2, 1];
  expect([step(upper, 'down'), step(lower, 'up'), step(upper, 'right'), step(upper, 'left')]).toEqual([
    lower,
    upper,
    3,
    0,
  ]);
  expect([step(3, 'right'), step(0, 'left'), step(upper, 'up'), step(99, 'up')]).toEqual(Array(4).fill(undefined));
  expect(readingOrder(layout).indexOf(0)).toBeLessThan(readingOrder(layout).indexOf(3));
});

describe('the view', () => {
  const frame = { width: 800, height: 600 };
  const box = { x: 1000, y: 0, width: 200, height: 50 };

  test('fits a graph, and shows a small one as large as it is', () => {
    expect(fitted(frame, { width: 1504, height: 100 })).toEqual({ x: 24, y: 275, k: 0.5 });
    expect(fitted(frame, { width: 100, height: 100 })).toEqual({ x: 350, y: 250, k: 1 });
    expect(fitted(frame, { width: 0, height: 0 }).k).toBe(1);
  });

  test('starts with the whole graph, or with the start of one that would be unreadable', () => {
    expect(started(frame, { width: 1504, height: 100 }).k).toBe(0.5);
    expect(started(frame, { width: 1504, height: 90_000 })).toEqual({ x: 24, y: 24, k: 0.6 });
  });

  test('zooms around a point, within limits', () => {
    expect(zoomed({ x: 0, y: 0, k: 1 }, 2, { x: 100, y: 50 })).toEqual({ x: -100, y: -50, k: 2 });
    expect(zoomed({ x: 0, y: 0, k: 2 }, 100, { x: 0, y: 0 }).k).toBe(2.5);
  });

  test('leaves a part of the graph in the frame', () => {
    const graphSize = { width: 1000, height: 1000 };
    expect(panned({ x: 0, y: 0, k: 1 }, { x: 5000, y: -5000 }, frame, graphSize)).toEqual({ x: 752, y: -952, k: 1 });
  });

  test('reveals what is out of view, at a readable zoom if requested', () => {
    const view = { x: 0, y: 0, k: 0.1 };
    expect(revealed(view, box, frame, false)).toBe(view);
    expect(revealed(view, box, frame, true)).toEqual({ x: -260, y: 285, k: 0.6 });
    expect(revealed({ x: 0, y: 0, k: 1 }, box, frame, false)).toEqual({ x: -700, y: 275, k: 1 });
  });
});

test.each([
  ['orders', 6, 'orders'],
  ['orders_by_day', 8, 'orders_…'],
  ['👩👩👩', 4, '👩…'],
  ['orders', 0, '…'],
])('%s in %i characters is %s', (text, width, shown) =>
  expect(fittedText(text, width, ({ length }) => length)).toBe(shown),
);
