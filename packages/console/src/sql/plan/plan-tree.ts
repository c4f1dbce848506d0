import { count } from '../../text/numbers.ts';

/** A row of EXPLAIN. */
export interface PlanRow {
  readonly depth: number;
  readonly operator: string;
  readonly table: string | null;
  readonly details: string | null;
  readonly estimated_rows: number | null;
}

export interface PlanNode extends PlanRow {
  readonly children: readonly PlanNode[];
}

/** The tree of a plan, whose rows are in depth-first order. */
export function planTree(rows: readonly PlanRow[]): readonly PlanNode[] {
  const roots: PlanNode[] = [];
  // The lists of children by depth: those of the nodes that lead to the current row.
  const lists: PlanNode[][] = [roots];
  for (const row of rows) {
    const children: PlanNode[] = [];
    const depth = Math.min(row.depth, lists.length - 1);
    lists[depth]!.push({ ...row, children });
    lists.length = depth + 1;
    lists.push(children);
  }
  return roots;
}

/** `about 1,200 rows`; null without an estimate. */
export const estimateOf = ({ estimated_rows: rows }: PlanRow): string | null =>
  rows === null ? null : `about ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;

/** A plan as text, to be copied. */
export function planText(rows: readonly PlanRow[]): string {
  return rows
    .map((row) => {
      const indent = '  '.repeat(row.depth);
      const title = [row.operator, row.table, estimateOf(row)].filter((part) => part !== null).join(' · ');
      const details = row.details?.split('\n').map((line) => `${indent}    ${line}`) ?? [];
      return [indent + title, ...details].join('\n');
    })
    .join('\n');
}
