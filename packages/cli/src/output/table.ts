import Table from 'cli-table3';
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

const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((name) => [name, '']),
);

/** A table without lines, of at most `width` columns where hiding columns can reach that (undefined: no limit). */
export function renderTable<T>(
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  width: number | undefined,
): RenderedTable {
  const goes = columns.filter(({ hide }) => hide !== undefined).sort((a, b) => a.hide! - b.hide!);
  const atOnce = goes.filter(({ hideBelow }) => width !== undefined && width < (hideBelow ?? 0)).length;
  const hidden: string[] = [];
  for (;;) {
    const shown = columns.filter(({ header }) => !hidden.includes(header));
    const lines = draw(shown, rows).split('\n');
    const next = goes[hidden.length];
    // Headers are plain ASCII and padded, so the first line is as long as the table is wide.
    if (width === undefined || lines[0]!.length <= width || !next) {
      return { text: lines.map((line) => line.trimEnd()).join('\n'), hidden };
    }
    hidden.push(...goes.slice(hidden.length, Math.max(hidden.length + 1, atOnce)).map(({ header }) => header));
  }
}

function draw<T>(columns: readonly TableColumn<T>[], rows: readonly T[]): string {
  const table = new Table({
    head: columns.map(({ header }) => header),
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colAligns: columns.map(({ right }) => (right ? 'right' : 'left')),
  });
  for (const row of rows) table.push(columns.map(({ cell }) => cellText(cell(row))));
  return table.toString();
}

function cellText(value: ReturnType<TableColumn<unknown>['cell']>): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map((line: string) => escaped(line)).join('\n');
  return escaped(String(value));
}
