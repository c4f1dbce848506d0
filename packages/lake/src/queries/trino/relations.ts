import type { Printed } from './constants.ts';
import type { Columns } from './expressions.ts';
import type { PlanType } from './plan-types.ts';

/**
 * A query in Trino's SQL whose columns are c0, c1, …, and, where its rows have an order, o0, o1, … to be sorted by. `stable`
 * tells that it gives the same rows however often it is run, so that it may stand in a statement twice.
 */
export type Relation = {
  readonly sql: string;
  readonly types: readonly PlanType[];
  readonly order: readonly string[];
  readonly stable: boolean;
};

/** The columns as expressions over the relation under an alias. */
export function columnsOf({ types }: Relation, alias: string): Columns {
  return types.map((type, i): Printed => ({ sql: `${alias}.c${i}`, type }));
}

/** As an item of FROM. */
export const from = ({ sql }: Relation, alias: string): string => `(${sql}) ${alias}`;

/** A SELECT list that names its expressions as a relation's columns. */
export function selectList(expressions: readonly Printed[], order: readonly string[] = [], alias = 't'): string {
  const all = [...expressions.map(({ sql }, i) => `${sql} AS c${i}`), ...order.map((_, i) => `${alias}.o${i}`)];
  return all.join(', ');
}

export const typesOf = (expressions: readonly Printed[]): PlanType[] => expressions.map(({ type }) => type);

/** ORDER BY of the hidden columns; empty without them. */
export function orderBy({ order }: Relation, alias: string): string {
  return order.length === 0 ? '' : ` ORDER BY ${order.map((direction, i) => `${alias}.o${i} ${direction}`).join(', ')}`;
}
