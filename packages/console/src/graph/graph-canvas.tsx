import { type KeyboardEvent, type MouseEvent, memo, type RefObject, useMemo, useState } from 'react';
import type { Graph } from './graph.ts';
import { EdgeShape, NodeShape } from './graph-shapes.tsx';
import { DIRECTIONS, type Direction, stepFrom } from './steps.ts';
import type { Emphasis, PlacedGraph } from './use-graph.ts';
import { boxOf, type Viewport } from './viewport.ts';

interface GraphCanvasProps {
  label: string;
  graph: Graph;
  placed: PlacedGraph;
  emphasis: readonly Emphasis[];
  /** The index of the selected node; -1 without one. */
  selected: number;
  onSelect: (id: string | undefined) => void;
  hrefOf: (id: string) => string;
  frame: RefObject<SVGSVGElement | null>;
  layer: RefObject<SVGGElement | null>;
  viewport: RefObject<Viewport | null>;
}

export const ZOOM_STEP = 1.3;
const PANS: Readonly<Record<Direction, readonly [x: number, y: number]>> = {
  left: [80, 0],
  right: [-80, 0],
  up: [0, 80],
  down: [0, -80],
};

/** Whether the key changes the zoom. */
function zoomWith(key: string, viewport: Viewport): boolean {
  if (key === '0') viewport.fit();
  else if (key === '+' || key === '=') viewport.zoomBy(ZOOM_STEP);
  else if (key === '-') viewport.zoomBy(1 / ZOOM_STEP);
  else return false;
  return true;
}

/** The node that an event is about. */
function indexOf({ target }: { target: EventTarget }): number {
  const node = target instanceof Element ? target.closest('[data-index]') : null;
  return node === null ? -1 : Number(node.getAttribute('data-index'));
}

function edgeEmphasis(from: Emphasis | undefined, to: Emphasis | undefined): Emphasis {
  if (from === 'matched' || to === 'matched') return 'normal';
  return from === to && from !== undefined ? from : 'dimmed';
}

const Edges = memo(function Edges({ placed, emphasis }: Pick<GraphCanvasProps, 'placed' | 'emphasis'>) {
  return placed.links.edges.map(([from, to], index) => (
    <EdgeShape
      key={`${from} ${to}`}
      points={placed.layout.edges[index] ?? []}
      emphasis={edgeEmphasis(emphasis[from], emphasis[to])}
    />
  ));
});

/** The nodes of a graph as links, and its edges. One node can be reached with Tab, and the arrow keys lead from it to the others. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { label, graph, placed, emphasis, selected, onSelect, hrefOf, frame, layer, viewport } = props;
  const [focused, setFocused] = useState(-1);
  const { order, layout, links } = placed;
  // A state that changes leaves the addresses as they are.
  const hrefs = useMemo(() => graph.nodes.map(({ id }) => hrefOf(id)), [placed, hrefOf]);
  const tabStop = [focused, selected, order[0] ?? 0].find((index) => index >= 0 && index < graph.nodes.length);

  const onClick = (event: MouseEvent) => {
    // With a modifier, the browser opens the link elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onSelect(graph.nodes[indexOf(event)]?.id);
  };
  const step = (direction: Direction, from: number) => {
    const next = stepFrom(from, direction, layout, links.edges);
    if (next !== undefined)
      frame.current?.querySelector<SVGAElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || viewport.current === null) return;
    const direction = DIRECTIONS[event.key];
    const at = indexOf(event);
    if (direction !== undefined && at >= 0 && !event.shiftKey) step(direction, at);
    else if (direction !== undefined) viewport.current.panBy(...PANS[direction]);
    else if (event.key === 'Escape' && selected >= 0) onSelect(undefined);
    else if (!zoomWith(event.key, viewport.current)) return;
    event.preventDefault();
  };
  const onFocus = (event: { target: EventTarget }) => {
    const index = indexOf(event);
    if (index >= 0) setFocused(index);
    const isKeyboard = event.target instanceof Element && event.target.matches(':focus-visible');
    const at = layout.nodes[index];
    if (at !== undefined && isKeyboard) viewport.current?.reveal(boxOf(at), false);
  };

  return (
    <svg
      ref={frame}
      className="graph-canvas"
      role="group"
      aria-label={label}
      tabIndex={0}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <g ref={layer}>
        <Edges placed={placed} emphasis={emphasis} />
        {order.map((index) => {
          const node = graph.nodes[index];
          const at = layout.nodes[index];
          return node === undefined || at === undefined ? null : (
            <NodeShape
              key={node.id}
              node={node}
              at={at}
              index={index}
              href={hrefs[index] ?? ''}
              emphasis={emphasis[index] ?? 'normal'}
              isSelected={index === selected}
              isTabStop={index === tabStop}
            />
          );
        })}
      </g>
    </svg>
  );
}
