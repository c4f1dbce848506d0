import stringWidth from 'string-width';
import { escaped } from './escape.ts';
import { coloredState } from './state-color.ts';

export interface TableColumn<T> {
  header: string;
  /** Text of the cell; an array has one entry per line. */
  cell: (row: T) => string | number | boolean | null | undefined | readonly string[];
  right?: boolean;
  /** Columns with a number can be hidden on narrow terminals, lowest first. */
  hide?: number;
  /** The cells are states, which have a color on terminals. */
  state?: boolean;
  /** Never shortened, because a part of it is useless or the specification hides it instead. */
  whole?: boolean;
  /** The cells are ids that commands accept in part. If the table is too wide, only their ends are shown, which differ most. */
  id?: boolean;
  /** Never hidden, because the user chose it. */
  chosen?: boolean;
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
/** A shortened column has at least this width, that of a time. Times, numbers and states are therefore never shortened. */
const SHORTEST = 20;
/** Characters of an id that is shown in part: the last group of a UUID. */
const ID_END = 12;

/** A column with its formatted cells. */
interface RenderedColumn {
  header: string;
  right: boolean;
  /** The lines of each row. */
  cells: (readonly string[])[];
  /** Width of the widest line, in columns of the terminal. */
  width: number;
  shortenable: boolean;
  /** Styles a line of a cell, which must not change its width. */
  style: (line: string) => string;
}

/**
 * Renders a table without rules. To reach `width` (undefined: no limit), it shows only the ends of ids, then shortens the
 * widest columns that can be hidden, and then hides columns.
 */
export function renderTable<T>(
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  width = Number.POSITIVE_INFINITY,
  styled = false,
): RenderedTable {
  const whole = columns.map((column) => renderColumn(column, rows, styled));
  const all = widthOf(whole) <= width ? whole : columns.map((column) => renderColumn(withIdEnds(column), rows, styled));
  const hideable = columns
    .filter(({ hide, chosen }) => hide !== undefined && !chosen)
    .sort((a, b) => a.hide! - b.hide!);
  const hiddenFirst = hideable.filter(({ hideBelow }) => width < (hideBelow ?? 0)).length;
  const hidden: string[] = [];
  let visible = shorten(all, width);
  while (widthOf(visible) > width && hidden.length < hideable.length) {
    hidden.push(...hideable.slice(hidden.length, Math.max(hidden.length + 1, hiddenFirst)).map(({ header }) => header));
    visible = shorten(
      all.filter(({ header }) => !hidden.includes(header)),
      width,
    );
  }
  const lines = [
    visible.map(({ header }) => [escaped(header)]),
    ...rows.map((_, row) => visible.map(({ cells }) => cells[row]!)),
  ];
  return { text: lines.flatMap((cells) => lineUp(visible, cells)).join('\n'), hidden };
}

function withIdEnds<T>(column: TableColumn<T>): TableColumn<T> {
  const { id, cell } = column;
  return id ? { ...column, cell: (row) => cell(row)?.toString().slice(-ID_END) } : column;
}

function renderColumn<T>(
  { header, cell, right = false, hide, whole = false, state = false }: TableColumn<T>,
  rows: readonly T[],
  styled: boolean,
): RenderedColumn {
  const cells = rows.map((row) => cellLines(cell(row)));
  let width = widthOfText(escaped(header));
  for (const lines of cells) for (const line of lines) width = Math.max(width, widthOfText(line));
  const style = styled && state ? coloredState : (line: string) => line;
  return { header, right, cells, width, shortenable: hide !== undefined && !whole, style };
}

const widthOf = (visible: readonly RenderedColumn[]) =>
  visible.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);

/** Shortens the widest columns, as far as necessary and possible. */
function shorten(visible: readonly RenderedColumn[], limit: number): RenderedColumn[] {
  const widths = visible.map(({ width }) => width);
  const shrinkable = (i: number) => (visible[i]!.shortenable ? widths[i]! - SHORTEST : 0);
  for (let excess = widthOf(visible) - limit; excess > 0; ) {
    const widest = widths.reduce((best, _, i) => (shrinkable(i) > shrinkable(best) ? i : best), 0);
    const cut = Math.min(excess, shrinkable(widest));
    if (cut <= 0) break;
    widths[widest]! -= cut;
    excess -= cut;
  }
  return visible.map((column, i) => {
    const width = widths[i]!;
    if (width === column.width) return column;
    return { ...column, width, cells: column.cells.map((lines) => lines.map((line) => shortened(line, width))) };
  });
}

/** Joins the cells of a row; shorter cells are padded with empty lines. */
function lineUp(visible: readonly RenderedColumn[], cells: readonly (readonly string[])[]): string[] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    visible
      .map(({ width, right, style }, column) => {
        const text = cells[column]![at] ?? '';
        const space = ' '.repeat(width - widthOfText(text));
        return right ? space + style(text) : style(text) + space;
      })
      .join(GAP)
      .trimEnd(),
  );
}

// Nearly every text is plain ASCII, and the width tables for other characters are slow to load.
const PLAIN = /^[\x20-\x7e]*$/;
const widthOfText = (text: string) => (PLAIN.test(text) ? text.length : stringWidth(text));

/** The start of a text with `…`, if it is wider than `width`. */
function shortened(text: string, width: number): string {
  if (widthOfText(text) <= width) return text;
  let start = '';
  for (const char of text) {
    if (widthOfText(start + char) >= width) break;
    start += char;
  }
  return `${start}…`;
}

function cellLines(value: ReturnType<TableColumn<unknown>['cell']>): readonly string[] {
  if (value === null || value === undefined) return ['-'];
  return Array.isArray(value) ? value.map((line: string) => escaped(line)) : [escaped(String(value))];
}
