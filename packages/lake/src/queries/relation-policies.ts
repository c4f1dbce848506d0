import { currentFields, isBound, policyInvalid } from './policies.ts';
import { columnNamed } from './relations/policy-fields.ts';
import {
  historicalPolicySql,
  policySql,
  type ReadPolicies,
  type TypedColumn,
  typedFields,
} from './relations/policy-sql.ts';
import { typedColumns } from './relations/relation-sql.ts';
import type { Relation } from './relations/relations.ts';
import type { Sql } from './sql-text.ts';
import type { TableName } from './statement/guard.ts';

type ManagedRelation = Extract<Relation, { kind: 'managed' }>;

/** If a policy applies to the reader of an older version, its rows are read with the current columns. */
export function readAs(relation: ManagedRelation): ManagedRelation {
  if (relation.present === undefined || !isBound(relation)) return relation;
  return { ...relation, fields: relation.present, files: relation.files.map((f) => ({ ...f, sameColumns: false })) };
}

/** The rows of a table as its policies leave them to the reader. */
export function boundSql(
  base: Sql,
  relation: Exclude<Relation, { kind: 'view' | 'rows' }>,
  policies: ReadPolicies,
): Sql {
  if (relation.kind === 'external') return policySql(base, typedColumns(relation), policies);
  if (relation.present === undefined) return policySql(base, typedFields(currentFields(relation)), policies);
  return historicalPolicySql(base, relation.present, relation, policies);
}

/** The same for a view, whose columns are unknown until the engine has determined them. */
export function viewPolicySql(
  name: TableName,
  base: Sql,
  columns: readonly TypedColumn[],
  policies: ReadPolicies,
): Sql {
  const requireColumns = (kind: 'row filter' | 'column mask', names: readonly string[]) => {
    const column = names.find((one) => columnNamed(columns, one) === undefined);
    if (column === undefined) return;
    const reason = 'the view no longer has a column of that name';
    throw policyInvalid(name, { kind, use: { applies: false, column, reason } });
  };
  // The engine would read some names, such as "user", as functions.
  for (const { read } of policies.rowFilters) requireColumns('row filter', read.columns);
  for (const { column, read } of policies.masks) requireColumns('column mask', [column, ...read.columns]);
  return policySql(base, columns, policies);
}
