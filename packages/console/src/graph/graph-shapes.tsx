import { memo, useMemo } from 'react';
import { visible } from '../text/visible.ts';
import { fittedText, measureIn } from './fitted-text.ts';
import type { GraphNode } from './graph.ts';
import { NODE_HEIGHT, NODE_WIDTH, type Point } from './layout/index.ts';
import type { Emphasis } from './use-graph.ts';

/** Where texts start, and where they do after a dot. */
const TEXT_X = 14;
const DOT_TEXT_X = 30;
const FONT = 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif';
const titleWidth = measureIn(`600 13px ${FONT}`);
const subtitleWidth = measureIn(`11.5px ${FONT}`);
const ARROW = 5;

interface NodeShapeProps {
  node: GraphNode;
  at: Point;
  index: number;
  href: string;
  emphasis: Emphasis;
  isSelected: boolean;
  isTabStop: boolean;
}

/** A node as a link. The graph handles its click. */
export const NodeShape = memo(function NodeShape(props: NodeShapeProps) {
  const { node, at, index, href, emphasis, isSelected, isTabStop } = props;
  const [title, subtitle, label] = [visible(node.title), visible(node.subtitle), visible(node.label)];
  const x = node.tone === undefined ? TEXT_X : DOT_TEXT_X;
  const width = NODE_WIDTH - x - TEXT_X;
  const shownTitle = useMemo(() => fittedText(title, width, titleWidth), [title, width]);
  const shownSubtitle = useMemo(() => fittedText(subtitle, width, subtitleWidth), [subtitle, width]);
  return (
    <a
      href={href}
      className={`graph-node ${node.tone ?? ''} ${emphasis}${node.isOutside ? ' outside' : ''}${isSelected ? ' selected' : ''}`}
      data-index={index}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isSelected ? 'true' : undefined}
    >
      <title>{`${label}, ${subtitle}`}</title>
      <g transform={`translate(${at.x} ${at.y})`}>
        <rect className="box" width={NODE_WIDTH} height={NODE_HEIGHT} rx={8} />
        {node.tone === undefined ? null : <circle className="mark" cx={16} cy={NODE_HEIGHT / 2} r={4} />}
        <text className="title" x={x} y={20}>
          {shownTitle}
        </text>
        <text className="subtitle" x={x} y={36}>
          {shownSubtitle}
        </text>
      </g>
    </a>
  );
});

/** An edge with an arrow at its end: curves between the columns, straight lines past them. */
export const EdgeShape = memo(function EdgeShape({
  points,
  emphasis,
}: {
  points: readonly Point[];
  emphasis: Emphasis;
}) {
  return <path className={`graph-edge ${emphasis}`} d={useMemo(() => pathOf(points), [points])} />;
});

function pathOf(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  let path = `M${round(first)}`;
  let from = first;
  for (const [index, to] of others.entries()) {
    const middle = (from.x + to.x) / 2;
    path +=
      index % 2 === 1
        ? `L${round(to)}`
        : `C${round({ x: middle, y: from.y })} ${round({ x: middle, y: to.y })} ${round(to)}`;
    from = to;
  }
  const back = last.x >= (points.at(-2)?.x ?? last.x) ? -ARROW : ARROW;
  const [above, below] = [
    { x: last.x + back, y: last.y - ARROW * 0.8 },
    { x: last.x + back, y: last.y + ARROW * 0.8 },
  ];
  return `${path}M${round(above)}L${round(last)}L${round(below)}`;
}

const round = ({ x, y }: Point): string => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
