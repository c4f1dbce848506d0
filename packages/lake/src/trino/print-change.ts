import type { IcebergField } from '@svc/iceberg';
import type { ChangeClause, ChangeExpressions } from '../queries/row-changes/change-expressions.ts';
import { joinedTrino, type TrinoSql, trino } from '../queries/sql-text.ts';
import type { Printed } from './constants.ts';
import { printAll } from './expressions.ts';
import { printMatch } from './joins.ts';
import { childrenOf, indexOf, type Node, nodesOf, requireFields, unknownPart } from './plan-nodes.ts';
import { typeOf } from './plan-types.ts';
import { printPlan } from './print-plan.ts';
import { columnsOf, from } from './relations.ts';
import type { TableSource } from './scans.ts';
import { identifier } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/** The table that changes. */
export interface ChangedTable {
  readonly name: TrinoSql;
  readonly fields: readonly IcebergField[];
}

/**
 * An UPDATE, DELETE or MERGE for Trino, from the plan of its expressions. The plan must be a projection of the table, or of its product
 * with the source. Without a source, expressions may contain subqueries that don't refer to the table's rows; the plan joins them.
 *
 * @throws QueryRejectedError
 */
export function printChange(
  plan: Node,
  source: TableSource,
  { hasSource, on, clauses }: Omit<ChangeExpressions, 'sql'>,
  table: ChangedTable,
): TrinoSql {
  if (plan['type'] !== 'LOGICAL_PROJECTION') throw withSubquery();
  requireFields(plan, 'type children table_index expressions');
  const [below] = childrenOf(plan, 1);
  const [target, other] = hasSource ? productOf(below!) : [below!];
  const relation = other === undefined ? null : printPlan(other, source);
  // A statement without a source names its table's columns alone.
  const qualifier = relation === null ? trino`` : trino`l.`;
  const own = targetColumns(target!, { fields: table.fields, qualifier, source: relation === null ? source : null });
  const columns = relation === null ? own : [...own, ...columnsOf(relation, 'r')];
  const expressions = printAll(plan['expressions'], columns).map(({ sql }) => sql);
  const at = (index: number): TrinoSql => expressions[index]!;
  const condition = on === null ? trino`true` : at(on);
  if (relation === null) return single(clauses[0]!, { table, condition, at });
  const whens = printClauses(clauses, at);
  return trino`MERGE INTO ${table.name} l USING ${from(relation, 'r')} ON ${condition}${joinedTrino(whens, '')}`;
}

function productOf(node: Node): readonly Node[] {
  if (node['type'] !== 'LOGICAL_CROSS_PRODUCT') throw withSubquery();
  requireFields(node, 'type children');
  return childrenOf(node, 2);
}

const withSubquery = () =>
  untranslated('This form of subquery in a condition or a new value of UPDATE, DELETE or MERGE');

interface TargetColumns {
  readonly fields: readonly IcebergField[];
  readonly qualifier: TrinoSql;
  /** For the tables of subqueries; null if there can't be any. */
  readonly source: TableSource | null;
}

/** The output of an operator that only passes on columns of the table, and results of subqueries. */
function targetColumns(node: Node, target: TargetColumns): Printed[] {
  const { fields, qualifier, source } = target;
  if (node['type'] === 'LOGICAL_PROJECTION') {
    requireFields(node, 'type children table_index expressions');
    const below = targetColumns(childrenOf(node, 1)[0]!, target);
    return nodesOf(node['expressions']).map((expression) => {
      const column = expression['expression_class'] === 'BOUND_REF' ? below[indexOf(expression['index'])] : undefined;
      if (column === undefined) throw withSubquery();
      return column;
    });
  }
  if (source !== null && (node['type'] === 'LOGICAL_COMPARISON_JOIN' || node['type'] === 'LOGICAL_CROSS_PRODUCT')) {
    const [below, subquery] = childrenOf(node, 2);
    const columns = targetColumns(below!, target);
    const relation = printPlan(subquery!, source);
    // Only a condition is certain to be printed once.
    const isCondition = relation.types.length === 1 && relation.types[0]!.id === 'BOOLEAN';
    if (!relation.stable && !isCondition)
      throw untranslated('A subquery whose rows may differ each time in UPDATE or DELETE');
    if (node['type'] === 'LOGICAL_COMPARISON_JOIN') return [...columns, printMatch(node, columns, relation)];
    requireFields(node, 'type children');
    if (!hasOneRow(subquery!)) throw withSubquery();
    const values = columnsOf(relation, 'r').map(({ sql, type }) => ({
      sql: trino`(SELECT ${sql} FROM ${from(relation, 'r')})`,
      type,
    }));
    return [...columns, ...values];
  }
  if (node['type'] !== 'LOGICAL_GET' || node['name'] !== 'seq_scan') throw withSubquery();
  if (nodesOf((node['table_filters'] as Node | null)?.['filters']).length > 0) throw unknownPart(node);
  const names = node['names'] as unknown as string[];
  const types = nodesOf(node['returned_types']);
  return nodesOf(node['column_indexes']).map((column): Printed => {
    const index = indexOf(column['index']);
    const field = fields.find(({ name }) => name === names[index]);
    if (field === undefined) throw withSubquery();
    return { sql: trino`${qualifier}${identifier(field.name.toLowerCase())}`, type: typeOf(types[index]) };
  });
}

/** Whether an operator has one row whatever the data is, as DuckDB's plan of a scalar subquery and of EXISTS has. */
function hasOneRow(node: Node): boolean {
  if (node['type'] === 'LOGICAL_PROJECTION') return hasOneRow(childrenOf(node, 1)[0]!);
  return node['type'] === 'LOGICAL_AGGREGATE_AND_GROUP_BY' && nodesOf(node['groups']).length === 0;
}

interface Statement {
  readonly table: ChangedTable;
  readonly condition: TrinoSql;
  readonly at: (index: number) => TrinoSql;
}

function single(clause: ChangeClause, { table, condition, at }: Statement): TrinoSql {
  return clause.kind === 'update'
    ? trino`UPDATE ${table.name} SET ${assignments(clause.set, at)} WHERE ${condition}`
    : trino`DELETE FROM ${table.name} WHERE ${condition}`;
}

/** Trino has no clause that does nothing: the conditions of the later clauses exclude its rows. */
function printClauses(clauses: readonly ChangeClause[], at: Statement['at']): TrinoSql[] {
  const skipped: Record<'true' | 'false', TrinoSql> = { true: trino``, false: trino`` };
  return clauses.flatMap((clause): TrinoSql[] => {
    const side = clause.isMatched ? 'true' : 'false';
    if (clause.kind === 'nothing') {
      skipped[side] = trino`${skipped[side]} AND NOT ${at(clause.condition)}`;
      return [];
    }
    const when = clause.isMatched ? trino`WHEN MATCHED` : trino`WHEN NOT MATCHED`;
    return [trino` ${when} AND ${at(clause.condition)}${skipped[side]} THEN ${action(clause as Acting, at)}`];
  });
}

type Acting = Exclude<ChangeClause, { kind: 'nothing' }>;

function action(clause: Acting, at: Statement['at']): TrinoSql {
  switch (clause.kind) {
    case 'update':
      return trino`UPDATE SET ${assignments(clause.set, at)}`;
    case 'insert': {
      const names = clause.set.map(({ field }) => identifier(field.name.toLowerCase()));
      return trino`INSERT (${joinedTrino(names)}) VALUES (${joinedTrino(clause.set.map(({ value }) => at(value)))})`;
    }
    default:
      return trino`DELETE`;
  }
}

type SetColumns = Extract<ChangeClause, { set: unknown }>['set'];

const assignments = (set: SetColumns, at: Statement['at']): TrinoSql =>
  joinedTrino(set.map(({ field, value }) => trino`${identifier(field.name.toLowerCase())} = ${at(value)}`));
