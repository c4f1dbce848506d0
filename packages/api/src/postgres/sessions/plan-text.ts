import type { ResultColumn } from './row-output.ts';

/** As PostgreSQL calls it. */
export const PLAN_COLUMNS: readonly ResultColumn[] = [{ name: 'QUERY PLAN', type: 'string' }];

/** An operator of a plan (QUERY-19). */
export type PlanRow = readonly [
  depth: number,
  operator: string,
  table: string | null,
  details: string | null,
  estimatedRows: number | string | null,
];

const STEP = 6;

/** A plan as PostgreSQL writes it: each operator after an arrow, then its details, then the operators that it reads from. */
export const planLines = (rows: readonly PlanRow[]): readonly string[] =>
  rows.flatMap(([depth, operator, table, details, estimatedRows]) => {
    const arrow = depth === 0 ? '' : `${' '.repeat(STEP * depth - 4)}->  `;
    const source = table === null ? '' : ` on ${table}`;
    const estimate = estimatedRows === null ? '' : `  (rows=${estimatedRows})`;
    const indent = ' '.repeat(STEP * depth + 2);
    return [arrow + operator + source + estimate, ...(details?.split('\n') ?? []).map((line) => indent + line)];
  });
