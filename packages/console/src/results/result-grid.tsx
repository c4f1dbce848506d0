import type { ResultPage } from '@svc/sdk/browser';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useMemo, useRef, useState } from 'react';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { visible } from '../text/visible.ts';
import { cellText, columnWidth, isNumeric } from './cell-text.ts';
import { nextOrder, type RowOrder, sortedIndexes } from './sort-rows.ts';
import './result-grid.css';

interface ResultGridProps {
  label: string;
  columns: ResultPage['columns'];
  rows: ResultPage['rows'];
  /** The number of the first row, from 1. */
  start?: number;
  /** The columns whose values a mask replaces. */
  masked?: ReadonlySet<string> | undefined;
}

const ROW_HEIGHT = 28;
/** Of a cell, on both sides together. */
const PADDING = 26;
/** The first rows decide the widths. */
const MEASURED_ROWS = 50;

function Cell({ value, type }: { value: unknown; type: string }) {
  const text = cellText(value);
  return (
    <span role="cell" className={isNumeric(type) ? 'end' : undefined} title={text ?? undefined}>
      {text === null ? <i>null</i> : <bdi>{text}</bdi>}
    </span>
  );
}

interface HeaderProps extends Pick<ResultGridProps, 'columns' | 'masked'> {
  order: RowOrder | null;
  onSort: (column: number) => void;
}

/** The titles of the columns. Each is a button that sorts the rows. */
function Header({ columns, masked, order, onSort }: HeaderProps) {
  return (
    <div role="row" className="grid-row header" aria-rowindex={1}>
      <span role="columnheader" className="end index">
        <span className="hidden">Row</span>
      </span>
      {columns.map(({ name, type }, index) => {
        const sort = order?.column !== index ? undefined : order.isDescending ? 'descending' : 'ascending';
        return (
          <span
            key={index}
            role="columnheader"
            aria-sort={sort}
            className={isNumeric(type) ? 'end' : undefined}
            title={`${visible(type)}: sort the rows shown`}
          >
            <button type="button" onClick={() => onSort(index)}>
              <span className="sorted">
                <Name>{name}</Name>
                {sort === undefined ? null : <Icon name={sort === 'ascending' ? 'up' : 'down'} />}
              </span>
              <small>{masked?.has(name) ? 'masked' : visible(type)}</small>
            </button>
          </span>
        );
      })}
    </div>
  );
}

/** Rows of a result, which can be sorted. Only those in view are in the document. */
export function ResultGrid({ label, columns, rows, start = 1, masked }: ResultGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const widths = useMemo(() => {
    const measured = rows.slice(0, MEASURED_ROWS);
    return columns.map(({ name }, index) =>
      columnWidth(
        name,
        measured.map((row) => row[index]),
      ),
    );
  }, [columns, rows]);
  const [order, setOrder] = useState<RowOrder | null>(null);
  const indexes = useMemo(() => {
    const type = columns[order?.column ?? -1]?.type;
    return order === null || type === undefined ? null : sortedIndexes(rows, type, order);
  }, [columns, rows, order]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const all = [String(start + rows.length).length + 1, ...widths];
  const style = {
    '--columns': all.map((width) => `calc(${width}ch + ${PADDING}px)`).join(' '),
    '--width': `calc(${all.reduce((sum, width) => sum + width, 0)}ch + ${all.length * PADDING}px)`,
  } as CSSProperties;
  return (
    <div
      className="result-grid"
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      style={style}
    >
      <div role="rowgroup" className="head">
        <Header
          columns={columns}
          masked={masked}
          order={order}
          onSort={(column) => setOrder(nextOrder(order, column))}
        />
      </div>
      <div role="rowgroup" className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start: top }) => {
          const row = indexes?.[index] ?? index;
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className="grid-row"
              style={{ transform: `translateY(${top}px)` }}
            >
              <span role="cell" className="end index">
                {start + row}
              </span>
              {columns.map(({ type }, column) => (
                <Cell key={column} value={rows[row]?.[column]} type={type} />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
