import { useEffect, useMemo, useRef } from 'react';
import { type Graph, linksOf, matchesOf, reachOf } from './graph.ts';
import { type Layout, layoutOf } from './layout/index.ts';
import { readingOrder } from './steps.ts';
import { attachViewport, type Viewport } from './viewport.ts';

/** Whether the selection or the search is about a node or an edge. */
export type Emphasis = 'normal' | 'dimmed' | 'reached' | 'matched';

export interface PlacedGraph {
  readonly links: ReturnType<typeof linksOf>;
  readonly layout: Layout;
  /** The indexes of the nodes from left to right. */
  readonly order: readonly number[];
}

/** The layout depends on the nodes and edges only, so a changed state moves nothing. */
export function useLayout(graph: Graph): PlacedGraph {
  const structure = JSON.stringify([graph.nodes.map(({ id }) => id), graph.edges]);
  return useMemo(() => {
    const links = linksOf(graph);
    const layout = layoutOf(links);
    return { links, layout, order: readingOrder(layout) };
  }, [structure]);
}

export function useViewport({ layout }: PlacedGraph) {
  const frame = useRef<SVGSVGElement>(null);
  const layer = useRef<SVGGElement>(null);
  const viewport = useRef<Viewport>(null);
  useEffect(() => {
    if (frame.current === null || layer.current === null) return;
    const attached = attachViewport(frame.current, layer.current, layout);
    viewport.current = attached;
    return () => attached.detach();
  }, [layout]);
  return { frame, layer, viewport };
}

/** What the search finds, and how each node is shown. */
export function useEmphasis(graph: Graph, selected: string | undefined, find: string) {
  const matches = useMemo(() => matchesOf(graph, find), [graph, find]);
  const reach = useMemo(() => (selected === undefined ? null : reachOf(graph, selected)), [graph, selected]);
  const emphasis = useMemo(() => {
    const matched = matches === null ? null : new Set(matches);
    return graph.nodes.map(({ id }): Emphasis => {
      if (matched !== null) return matched.has(id) ? 'matched' : 'dimmed';
      return reach === null ? 'normal' : reach.has(id) ? 'reached' : 'dimmed';
    });
  }, [graph, matches, reach]);
  return { matches, emphasis };
}
