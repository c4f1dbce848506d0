import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import type { Printed } from './constants.ts';
import type { Columns } from './expressions.ts';
import type { PlanType } from './plan-types.ts';
import { numbered } from './trino-text.ts';

/** Names of relations within a statement. */
const ALIASES = { t: trino`t`, l: trino`l`, r: trino`r` } as const;

/**
 * A query in Trino's SQL with the columns c0, c1, …, and the sort columns o0, o1, … if its rows are ordered. If it is
 * `stable`, it returns the same rows every time, so a statement may contain it twice.
 */
export type Relation = {
  readonly sql: TrinoSql;
  readonly types: readonly PlanType[];
  readonly order: readonly TrinoSql[];
  readonly stable: boolean;
};

/** The columns as expressions over the relation under an alias. */
export function columnsOf({ types }: Relation, alias: keyof typeof ALIASES): Columns {
  return types.map((type, i): Printed => ({ sql: trino`${ALIASES[alias]}.${numbered('c', i)}`, type }));
}

/** As an item of FROM. */
export const from = ({ sql }: Relation, alias: keyof typeof ALIASES): TrinoSql => trino`(${sql}) ${ALIASES[alias]}`;

/** A SELECT list that names its expressions like a relation's columns. */
export function selectList(expressions: readonly Printed[], order: readonly TrinoSql[] = []): TrinoSql {
  const all = [
    ...expressions.map(({ sql }, i) => trino`${sql} AS ${numbered('c', i)}`),
    ...order.map((_, i) => trino`t.${numbered('o', i)}`),
  ];
  return joinedTrino(all);
}

export const typesOf = (expressions: readonly Printed[]): PlanType[] => expressions.map(({ type }) => type);

/** ORDER BY on the sort columns; empty without sort columns. */
export function orderBy({ order }: Relation, alias: keyof typeof ALIASES): TrinoSql {
  return order.length === 0
    ? trino``
    : trino` ORDER BY ${joinedTrino(order.map((direction, i) => trino`${ALIASES[alias]}.${numbered('o', i)} ${direction}`))}`;
}
