import { formatColumnType, parseColumnType } from '@svc/core/column-types';
import type { Column, IcebergField } from '@svc/iceberg';
import { duckdbType } from '../tables/index.ts';
import { readPolicy } from './policies.ts';
import { describe, inSandbox } from './prepare-query.ts';
import { bindFields, columnNamed } from './relations/policy-fields.ts';
import type { ColumnMask, Policies, PolicyField, Relation, RowFilter } from './relations/relations.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { identifier, type Sql, sql, trustedSql } from './sql-text.ts';
import type { TableName } from './statement/guard.ts';
import type { PolicyExpression } from './statement/policy-expression.ts';

/** The table or view that a new policy is for. */
export interface PolicyTable {
  readonly name: TableName;
  readonly columns: readonly Column[];
  /** The fields of a managed table; otherwise null. */
  readonly fields: readonly IcebergField[] | null;
}

export type PolicyResult =
  | {
      readonly ok: true;
      /** The fields that the policy is bound to from now on; null for a table without field ids. */
      readonly fields: readonly PolicyField[] | null;
    }
  | { readonly ok: false; readonly message: string };

type NewPolicy = { readonly filter: RowFilter } | { readonly mask: ColumnMask };

/**
 * Tests a policy on the table's columns before it is stored, with the same guard and engine that will apply it: it must
 * be one scalar expression, a filter must be boolean, and a mask must have its column's type unless it is a CAST.
 *
 * @param owner the principal that sets the policy; one process runs all steps for it
 */
export async function validatePolicy(
  sandbox: Sandbox,
  table: PolicyTable,
  policy: NewPolicy,
  owner: string,
): Promise<PolicyResult> {
  const column = 'mask' in policy ? policy.mask.column : null;
  const text = 'mask' in policy ? policy.mask.expression : policy.filter.predicate;
  const read = await inSandbox(sandbox, { owner }, (lease) => readPolicy(sandbox.syntax, lease, text));
  if (!read.ok)
    return refused('error' in read ? read.error.message : `This is not one scalar expression: ${read.reason}`);
  const missing = read.columns.find((name) => columnNamed(table.columns, name) === undefined);
  if (missing !== undefined) {
    const known = table.columns.map(({ name }) => name).join(', ');
    return refused(`The table has no column "${missing}". Available columns: ${known.slice(0, 1000)}`);
  }
  const engine = { sandbox, owner };
  const alone = await described(engine, table, sql`SELECT (\n${trustedSql(text)}\n)`, {});
  if (!alone.ok) return refused(alone.message);
  if (column === null && alone.types[0] !== 'boolean')
    return refused(`A row filter must be boolean, but this expression is ${alone.types[0]}. Write a comparison`);
  const policies = 'mask' in policy ? { masks: [policy.mask] } : { rowFilters: [policy.filter] };
  const applied = await described(engine, table, sql`SELECT *`, policies);
  if (!applied.ok) return refused(applied.message);
  const fault = column === null ? null : typeError(table, column, read, applied.types);
  if (fault !== null) return refused(fault);
  if (table.fields === null) return { ok: true, fields: null };
  const bound = bindFields({ fields: table.fields, schemas: [] }, { column, expression: read, fields: null });
  return bound.ok ? bound : refused(`The column "${bound.column}" cannot be used: ${bound.reason}`);
}

const refused = (message: string): PolicyResult => ({ ok: false, message });

type Described =
  | { readonly ok: true; readonly types: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The types that a SELECT from the table returns; the table has no rows here. */
async function described(
  { sandbox, owner }: { sandbox: Sandbox; owner: string },
  table: PolicyTable,
  select: Sql,
  policies: Policies,
): Promise<Described> {
  const [namespace, name] = [table.name.slice(0, -1).join('.'), table.name.at(-1)!];
  const statement = sql`${select} FROM ${identifier(namespace)}.${identifier(name)}`;
  const relation: Relation = {
    kind: 'external',
    format: 'parquet',
    locations: [],
    columns: table.columns,
    ...policies,
  };
  const outcome = await inSandbox(sandbox, { owner }, async (lease) => {
    const request = { sql: statement.text, resolve: async () => [relation] };
    const { columns } = await describe(sandbox, lease, request, { stage: null });
    return { ok: true as const, types: columns.map(({ type }) => type) };
  });
  return outcome.ok ? outcome : { ok: false, message: outcome.error.message };
}

function typeError(
  { columns }: PolicyTable,
  name: string,
  { statesType }: PolicyExpression,
  types: readonly string[],
): string | null {
  const column = columnNamed(columns, name)!;
  const masked = types[columns.indexOf(column)]!;
  const parsed = parseColumnType(column.type);
  if (statesType || !parsed.ok || masked === formatColumnType(parsed.type)) return null;
  const written = parseColumnType(masked);
  const changed = written.ok ? duckdbType(written.type) : masked;
  return `The mask is ${masked}, but the column "${column.name}" is ${column.type}. Write CAST(… AS ${duckdbType(parsed.type)}) to keep the column's type, or CAST(… AS ${changed}) to change it`;
}
