import type { MergeClause } from '@svc/core/statements';
import type { IcebergField } from '@svc/iceberg';
import { identifier, joined, type Sql, sql, trustedSql } from '../sql-text.ts';
import {
  assignedTo,
  changedColumns,
  changeTable,
  insertedValues,
  isTrue,
  type Rewriting,
  valueFor,
  withPrefix,
} from './change-sql.ts';

/*
 * A statement that changes rows as a SELECT of its expressions, over the table that changes and its source. An engine that changes
 * rows itself takes their meaning from the plan of this SELECT, which never runs.
 */

/** What happens to the rows of a clause; numbers are positions of expressions. */
export type ChangeClause =
  | { readonly kind: 'nothing' | 'delete'; readonly isMatched: boolean; readonly condition: number }
  | {
      readonly kind: 'update' | 'insert';
      readonly isMatched: boolean;
      readonly condition: number;
      readonly set: readonly { readonly field: IcebergField; readonly value: number }[];
    };

export interface ChangeExpressions {
  readonly sql: string;
  /** Whether the SELECT reads a source besides the table. */
  readonly hasSource: boolean;
  /** The condition that relates rows to the source, or chooses them; null: all rows. */
  readonly on: number | null;
  readonly clauses: readonly ChangeClause[];
}

/** @throws QueryRejectedError for columns that the table doesn't have */
export function changeExpressions(change: Rewriting, fields: readonly IcebergField[]): ChangeExpressions {
  const expressions: Sql[] = [];
  const add = (expression: Sql): number => expressions.push(expression) - 1;
  const condition = change.kind === 'merge' ? change.on : change.condition;
  const on = condition === null ? null : add(sql`CAST((${trustedSql(condition)}) AS BOOLEAN)`);
  const clauses = clausesOf(change, fields, add);
  const source = change.kind === 'merge' ? change.source : change.kind === 'update' ? change.from : change.using;
  const from = source === null ? sql`` : sql`, ${trustedSql(source)}`;
  const target = sql`${changeTable('target')} AS ${identifier(change.alias)}`;
  const list = expressions.length === 0 ? sql`1` : joined(expressions);
  const select = withPrefix(change, sql`SELECT ${list} FROM ${target}${from}`);
  return { sql: select.text, hasSource: source !== null, on, clauses };
}

function clausesOf(change: Rewriting, fields: readonly IcebergField[], add: (of: Sql) => number): ChangeClause[] {
  const always = () => add(isTrue(null));
  if (change.kind === 'delete') return [{ kind: 'delete', isMatched: true, condition: always() }];
  const changed = changedColumns(change, fields);
  if (change.kind === 'update') {
    const set = changed.map(({ field, expression }) => ({ field, value: add(valueFor(field, expression)) }));
    return [{ kind: 'update', isMatched: true, condition: always(), set }];
  }
  return change.clauses.map((clause) => mergeClause(clause, fields, changed, add));
}

function mergeClause(
  clause: MergeClause,
  fields: readonly IcebergField[],
  changed: ReturnType<typeof changedColumns>,
  add: (of: Sql) => number,
): ChangeClause {
  const condition = add(isTrue(clause.condition));
  switch (clause.kind) {
    case 'update': {
      const set = changed.flatMap(({ field }) => {
        const assigned = assignedTo(clause.set, field);
        return assigned === undefined ? [] : [{ field, value: add(valueFor(field, assigned.expression)) }];
      });
      return { kind: 'update', isMatched: true, condition, set };
    }
    case 'insert': {
      const values = insertedValues(clause, fields);
      const set = values.map(({ field, value }) => ({ field, value: add(value) }));
      return { kind: 'insert', isMatched: false, condition, set };
    }
    default:
      return { kind: clause.kind, isMatched: clause.isMatched, condition };
  }
}
