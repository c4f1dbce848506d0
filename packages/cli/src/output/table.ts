import stringWidth from 'string-width';
import { escaped } from './escape.ts';

export interface TableColumn<T> {
  header: string;
  /** Text of the cell; an array has one entry per line. */
  cell: (row: T) => string | number | boolean | null | undefined | readonly string[];
  right?: boolean;
  /** Columns with a number can be hidden on narrow terminals, lowest first. */
  hide?: number;
  /** Hidden immediately if the whole table doesn't fit and the terminal is narrower than this. */
  hideBelow?: number;
}

export interface RenderedTable {
  text: string;
  /** Headers of the hidden columns. */
  hidden: string[];
}

/** Separator between two columns. */
const GAP = '  ';

/** A column with its formatted cells. */
interface RenderedColumn {
  header: string;
  right: boolean;
  /** The lines of each row. */
  cells: (readonly string[])[];
  /** Width of the widest line, in columns of the terminal. */
  width: number;
}

/** Renders a table without rules. Hides columns to reach `width` (undefined: no limit), as far as possible. */
export function renderTable<T>(
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  width: number | undefined,
): RenderedTable {
  let visible = columns.map((column) => renderColumn(column, rows));
  const hideable = columns.filter(({ hide }) => hide !== undefined).sort((a, b) => a.hide! - b.hide!);
  const hiddenFirst = hideable.filter(({ hideBelow }) => width !== undefined && width < (hideBelow ?? 0)).length;
  const hidden: string[] = [];
  while (width !== undefined && widthOf(visible) > width && hidden.length < hideable.length) {
    hidden.push(...hideable.slice(hidden.length, Math.max(hidden.length + 1, hiddenFirst)).map(({ header }) => header));
    visible = visible.filter(({ header }) => !hidden.includes(header));
  }
  const lines = [
    visible.map(({ header }) => [header]),
    ...rows.map((_, row) => visible.map(({ cells }) => cells[row]!)),
  ];
  return { text: lines.flatMap((cells) => lineUp(visible, cells)).join('\n'), hidden };
}

function renderColumn<T>({ header, cell, right = false }: TableColumn<T>, rows: readonly T[]): RenderedColumn {
  const cells = rows.map((row) => cellLines(cell(row)));
  let width = widthOfText(header);
  for (const lines of cells) for (const line of lines) width = Math.max(width, widthOfText(line));
  return { header, right, cells, width };
}

const widthOf = (visible: readonly RenderedColumn[]) =>
  visible.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);

/** Joins the cells of a row; shorter cells are padded with empty lines. */
function lineUp(visible: readonly RenderedColumn[], cells: readonly (readonly string[])[]): string[] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    visible
      .map(({ width, right }, column) => {
        const text = cells[column]![at] ?? '';
        const space = ' '.repeat(width - widthOfText(text));
        return right ? space + text : text + space;
      })
      .join(GAP)
      .trimEnd(),
  );
}

// Nearly every text is plain ASCII, and the width tables for other characters are slow to load.
const PLAIN = /^[\x20-\x7e]*$/;
const widthOfText = (text: string) => (PLAIN.test(text) ? text.length : stringWidth(text));

function cellLines(value: ReturnType<TableColumn<unknown>['cell']>): readonly string[] {
  if (value === null || value === undefined) return ['-'];
  return Array.isArray(value) ? value.map((line: string) => escaped(line)) : [escaped(String(value))];
}
