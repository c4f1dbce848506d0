import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../design/icons.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { plural } from '../text/numbers.ts';
import { DependencyList } from './dependency-list.tsx';
import type { Graph } from './graph.ts';
import { GraphCanvas, ZOOM_STEP } from './graph-canvas.tsx';
import { saveSvg } from './svg-file.ts';
import { useEmphasis, useLayout, useViewport } from './use-graph.ts';
import { boxOf } from './viewport.ts';
import './graph.css';

export interface GraphViewProps {
  label: string;
  graph: Graph;
  /** The id of the selected node. */
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
  /** The address of a selection. */
  hrefOf: (id: string) => string;
  find: string;
  onFind: (text: string) => void;
  /** Of an exported file, without the ending. */
  fileName: string;
  /** More controls. */
  controls?: ReactNode;
  /** About the selected node. */
  children?: ReactNode;
}

function ToolButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" className="button small square" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** A graph that can be moved, searched and saved as a file. The list below it has the same as text. */
export function GraphView(props: GraphViewProps) {
  const { label, graph, selected, onSelect, hrefOf, find, onFind, fileName, controls, children } = props;
  const placed = useLayout(graph);
  const { frame, layer, viewport } = useViewport(placed);
  const { matches, emphasis } = useEmphasis(graph, selected, find);
  const [isListed, setListed] = useState(false);
  const index = graph.nodes.findIndex(({ id }) => id === selected);
  const clicked = useRef<string>(undefined);

  useEffect(() => {
    const at = placed.layout.nodes[index];
    // What was clicked is readable enough.
    if (at !== undefined) viewport.current?.reveal(boxOf(at), clicked.current !== selected);
  }, [placed, index, selected, viewport]);

  const select = (id: string | undefined) => {
    clicked.current = id;
    onSelect(id);
  };
  const selectMatch = () => {
    const next = matches?.[(matches.indexOf(selected ?? '') + 1) % matches.length];
    if (next !== undefined) onSelect(next);
  };
  const save = () => {
    if (frame.current !== null && layer.current !== null)
      saveSvg(frame.current, layer.current, placed.layout, fileName);
  };
  return (
    <>
      <div className="row toolbar">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: handles Enter of the field */}
        <div className="graph-find" onKeyDown={(event) => event.key === 'Enter' && selectMatch()}>
          <SearchBox label="Find in the graph" value={find} onChange={onFind} />
        </div>
        {controls}
        <span className="soft number" role="status">
          {matches === null ? plural(graph.nodes.length, 'node') : plural(matches.length, 'match', 'matches')}
        </span>
        <span className="grow" />
        <span className="row">
          <ToolButton icon="minus" label="Zoom out" onClick={() => viewport.current?.zoomBy(1 / ZOOM_STEP)} />
          <ToolButton icon="plus" label="Zoom in" onClick={() => viewport.current?.zoomBy(ZOOM_STEP)} />
          <ToolButton icon="fit" label="Fit the window" onClick={() => viewport.current?.fit()} />
          <button type="button" className="button small" onClick={save}>
            <Icon name="download" /> SVG
          </button>
        </span>
      </div>
      <div className="graph-area" style={{ '--graph-height': `${placed.layout.height + 64}px` } as CSSProperties}>
        <GraphCanvas
          {...{ label, graph, placed, emphasis, hrefOf, frame, layer, viewport }}
          selected={index}
          onSelect={select}
        />
        {children ? (
          <aside className="graph-details" aria-label="Selection">
            {children}
          </aside>
        ) : null}
      </div>
      <details className="graph-list" onToggle={(event) => setListed(event.currentTarget.open)}>
        <summary>List of dependencies</summary>
        {isListed ? <DependencyList graph={graph} order={placed.order} hrefOf={hrefOf} onSelect={onSelect} /> : null}
      </details>
    </>
  );
}
