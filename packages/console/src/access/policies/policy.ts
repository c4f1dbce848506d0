import type { ColumnMask, RowFilter, Table } from '@svc/sdk/browser';
import { svcCommand } from '../../text/commands.ts';
import { identifier, tableIdentifier } from '../../text/identifiers.ts';

export type PolicyKind = 'filter' | 'mask';

/** A row filter or a column mask. */
export interface Policy {
  readonly kind: PolicyKind;
  readonly id: string;
  readonly principal: string | null;
  readonly group: string | null;
  /** Of a mask. */
  readonly column: string | null;
  /** The predicate of a filter. */
  readonly expression: string;
}

/** The filters, then the masks in the order in which they apply. */
export const policiesOf = (filters: readonly RowFilter[], masks: readonly ColumnMask[]): Policy[] => [
  ...filters.map(({ id, principal, group, predicate }) => ({
    ...{ kind: 'filter' as const, id, principal, group, column: null, expression: predicate },
  })),
  ...masks.map(({ id, principal, group, column, expression }) => ({
    ...{ kind: 'mask' as const, id, principal, group, column, expression },
  })),
];

export const VERBS = { filter: 'policy row-filter', mask: 'policy column-mask' } as const;

/** A policy that isn't saved yet. */
export interface PolicyDraft {
  readonly kind: PolicyKind;
  readonly to: 'principal' | 'group';
  readonly name: string;
  readonly column: string;
  readonly expression: string;
}

/** The command that creates the policy, and replaces another one if there is one. */
export function createPolicyCommand(
  env: string,
  table: string,
  { kind, to, name, column, expression }: PolicyDraft,
  replaced: Policy | null,
): string {
  const text = expression.trim() || 'SQL';
  const content = kind === 'filter' ? { predicate: text } : { column, expression: text };
  return svcCommand(`${VERBS[kind]} create`, table, {
    env,
    [to]: name.trim() || 'NAME',
    ...content,
    replace: replaced?.id,
  });
}

/** Rows whose values before and after a mask are shown. */
const EXAMPLES = 5;

/** The statement that shows what a policy would do. The line breaks end a comment in the expression. */
export function effectSql(
  table: Pick<Table, 'namespace' | 'name'>,
  { kind, column, expression }: Pick<PolicyDraft, 'kind' | 'column' | 'expression'>,
): string {
  const from = tableIdentifier(table.namespace, table.name);
  if (kind === 'filter')
    return `SELECT count(*) AS all_rows, count(*) FILTER (WHERE (\n${expression}\n)) AS visible_rows\nFROM ${from}`;
  return `SELECT ${identifier(column)} AS before, (\n${expression}\n) AS after\nFROM ${from} LIMIT ${EXAMPLES}`;
}
