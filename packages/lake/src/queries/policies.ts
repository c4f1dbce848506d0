import type { IcebergField } from '@svc/iceberg';
import { QueryRejectedError } from './query-errors.ts';
import { bindFields, columnNamed } from './relations/policy-fields.ts';
import type { ReadPolicies } from './relations/policy-sql.ts';
import type { ColumnMask, PolicyUse, Relation, RowFilter } from './relations/relations.ts';
import type { ChildSource } from './sandbox/child-process.ts';
import type { TableName } from './statement/guard.ts';
import type { PolicyExpression, PolicyFailure } from './statement/policy-expression.ts';
import type { StatementParser } from './statement/statement-parser.ts';

export const isBound = (relation: Relation): boolean =>
  (relation.rowFilters?.length ?? 0) + (relation.masks?.length ?? 0) > 0;

/** Parses a policy and checks that it is one scalar expression. */
export async function readPolicy(
  syntax: StatementParser,
  source: ChildSource,
  text: string,
): Promise<PolicyExpression | PolicyFailure> {
  if (text.includes('\0')) return { ok: false, reason: 'it contains a NUL character' };
  return syntax.policy(source, text);
}

/**
 * Reads the policies of a relation and checks that they apply to the columns they were made for.
 *
 * @throws QueryRejectedError
 */
export async function readPolicies(
  name: TableName,
  relation: Relation,
  read: (text: string) => Promise<PolicyExpression | PolicyFailure>,
): Promise<ReadPolicies> {
  const rowFilters: ReadPolicies['rowFilters'][number][] = [];
  for (const filter of relation.rowFilters ?? []) {
    rowFilters.push({ ...filter, read: await readOne(name, relation, { filter, text: filter.predicate }, read) });
  }
  const masks: ReadPolicies['masks'][number][] = [];
  for (const mask of relation.masks ?? []) {
    masks.push({ ...mask, read: await readOne(name, relation, { mask, text: mask.expression }, read) });
  }
  return { rowFilters, masks };
}

type Read = { readonly text: string; readonly filter?: RowFilter; readonly mask?: ColumnMask };

async function readOne(
  name: TableName,
  relation: Relation,
  { text, filter, mask }: Read,
  read: (text: string) => Promise<PolicyExpression | PolicyFailure>,
): Promise<PolicyExpression> {
  const { record } = { ...filter, ...mask };
  const expression = await read(text);
  const use = expression.ok
    ? policyUse(relation, expression, { column: mask?.column ?? null, record })
    : unfit(expression);
  await record?.onPolicyUse(use);
  if (expression.ok && use.applies) return expression;
  throw policyInvalid(name, { kind: mask === undefined ? 'row filter' : 'column mask', use });
}

const unfit = ({ reason }: PolicyFailure): PolicyUse => ({ applies: false, column: null, reason });

/** External tables and views have no field ids, so their columns are matched by name only. */
function policyUse(
  relation: Relation,
  expression: PolicyExpression,
  { column, record }: { column: string | null; record: RowFilter['record'] | undefined },
): PolicyUse {
  if (relation.kind === 'managed') {
    const table = { fields: currentFields(relation), schemas: relation.formerSchemas ?? [] };
    const bound = bindFields(table, { column, expression, fields: record?.fields ?? null });
    if (bound.ok) return { applies: true, fields: bound.fields };
    return { applies: false, column: bound.column, reason: bound.reason };
  }
  const columns = [...(column === null ? [] : [column]), ...expression.columns];
  const missing =
    relation.kind === 'external' ? columns.find((n) => columnNamed(relation.columns, n) === undefined) : undefined;
  return missing === undefined
    ? { applies: true, fields: [] }
    : { applies: false, column: missing, reason: 'the table has no column of that name' };
}

/** The table's current columns, also for an older version. */
export const currentFields = (relation: Extract<Relation, { kind: 'managed' }>): readonly IcebergField[] =>
  relation.present ?? relation.fields;

/** @param found what is wrong, if known */
export function policyInvalid(
  name: TableName,
  found?: { readonly kind: 'row filter' | 'column mask'; readonly use: PolicyUse },
): QueryRejectedError {
  const policy = `A ${found?.kind ?? 'row filter or column mask'} that applies to you on ${name.join('.')} can't be applied`;
  const use = found?.use;
  const cause =
    use === undefined || use.applies
      ? ''
      : use.column === null
        ? `: ${use.reason}`
        : `: it was made for the column "${use.column}", and ${use.reason}`;
  const remedy = 'A user with MANAGE_POLICY must delete it and create it again.';
  return new QueryRejectedError('policy-invalid', `${policy}${cause.replace(/\.$/, '')}. ${remedy}`);
}
