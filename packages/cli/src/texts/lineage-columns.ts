import type { TableLineage } from '@svc/sdk';
import type { TableColumn } from '../output/table.ts';

interface ColumnRow {
  readonly direction: 'upstream' | 'downstream';
  readonly table: string;
  readonly column: string;
}

export const LINEAGE_COLUMNS: readonly TableColumn<ColumnRow>[] = [
  { header: 'direction', cell: ({ direction }) => direction },
  { header: 'table', cell: ({ table }) => table },
  { header: 'column', cell: ({ column }) => column },
];

/** The columns one step from a column of the table, and the tables for which they are unknown. */
export function columnsOf({ table, edges }: TableLineage, column: string): { rows: ColumnRow[]; unknown: string[] } {
  const isColumn = (name: string) => name.toLowerCase() === column.toLowerCase();
  const rows: ColumnRow[] = [];
  const unknown: string[] = [];
  for (const { input, output, columns } of edges) {
    if (input !== table && output !== table) continue;
    const [direction, other] = output === table ? (['upstream', input] as const) : (['downstream', output] as const);
    if (columns === null) unknown.push(other);
    for (const pair of columns ?? []) {
      if (direction === 'upstream' && isColumn(pair.output)) rows.push({ direction, table: other, column: pair.input });
      if (direction === 'downstream' && isColumn(pair.input))
        rows.push({ direction, table: other, column: pair.output });
    }
  }
  return { rows: rows.sort((a, b) => b.direction.localeCompare(a.direction)), unknown };
}
