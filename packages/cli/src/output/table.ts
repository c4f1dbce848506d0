import stringWidth from 'string-width';
import { escaped } from './escape.ts';

export interface TableColumn<T> {
  header: string;
  /** The cell; several lines by a list of texts. */
  cell: (row: T) => string | number | boolean | null | undefined | readonly string[];
  right?: boolean;
  /** Columns with a number may be left out on narrow terminals, the lowest first. */
  hide?: number;
  /** Goes at once where the whole table does not fit and the terminal is narrower than this. */
  hideBelow?: number;
}

export interface RenderedTable {
  text: string;
  /** Headers of the columns left out. */
  hidden: string[];
}

/** What stands between two columns. */
const GAP = '  ';

/** A column as it is shown. */
interface Drawn {
  header: string;
  right: boolean;
  /** Of each row, its lines. */
  cells: (readonly string[])[];
  /** Of the widest line, in columns of the terminal. */
  width: number;
}

/** A table without lines, of at most `width` columns where hiding columns can reach that (undefined: no limit). */
export function renderTable<T>(
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  width: number | undefined,
): RenderedTable {
  let shown = columns.map((column) => drawn(column, rows));
  const goes = columns.filter(({ hide }) => hide !== undefined).sort((a, b) => a.hide! - b.hide!);
  const atOnce = goes.filter(({ hideBelow }) => width !== undefined && width < (hideBelow ?? 0)).length;
  const hidden: string[] = [];
  while (width !== undefined && widthOf(shown) > width && hidden.length < goes.length) {
    hidden.push(...goes.slice(hidden.length, Math.max(hidden.length + 1, atOnce)).map(({ header }) => header));
    shown = shown.filter(({ header }) => !hidden.includes(header));
  }
  const lines = [shown.map(({ header }) => [header]), ...rows.map((_, row) => shown.map(({ cells }) => cells[row]!))];
  return { text: lines.flatMap((cells) => lineUp(shown, cells)).join('\n'), hidden };
}

function drawn<T>({ header, cell, right = false }: TableColumn<T>, rows: readonly T[]): Drawn {
  const cells = rows.map((row) => cellLines(cell(row)));
  let width = widthOfText(header);
  for (const lines of cells) for (const line of lines) width = Math.max(width, widthOfText(line));
  return { header, right, cells, width };
}

const widthOf = (shown: readonly Drawn[]) => shown.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);

/** The lines of one row; cells with fewer lines than others are empty below. */
function lineUp(shown: readonly Drawn[], cells: readonly (readonly string[])[]): string[] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    shown
      .map(({ width, right }, column) => {
        const text = cells[column]![at] ?? '';
        const space = ' '.repeat(width - widthOfText(text));
        return right ? space + text : text + space;
      })
      .join(GAP)
      .trimEnd(),
  );
}

// Nearly every text is plain, and the tables of the others take long to load.
const PLAIN = /^[\x20-\x7e]*$/;
const widthOfText = (text: string) => (PLAIN.test(text) ? text.length : stringWidth(text));

function cellLines(value: ReturnType<TableColumn<unknown>['cell']>): readonly string[] {
  if (value === null || value === undefined) return ['-'];
  return Array.isArray(value) ? value.map((line: string) => escaped(line)) : [escaped(String(value))];
}
