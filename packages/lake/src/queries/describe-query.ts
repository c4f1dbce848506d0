import { describe, type Execute, inSandbox, prepare, type TableRequest } from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import { type OutputColumn, outputColumns, type ResultColumn } from './results/result-columns.ts';
import type { ChildLease } from './sandbox/child-lease.ts';
import type { ChildResults } from './sandbox/child-protocol.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';

export type DescribeOutcome =
  | {
      readonly ok: true;
      readonly columns: readonly ResultColumn[];
      readonly tables: readonly TableName[];
      /** As in a plan. */
      readonly usesCatalog: boolean;
      /** The engine's types of its parameters in order, if they are unbound; VARCHAR if it can't infer one. */
      readonly parameterTypes: readonly string[];
    }
  | { readonly ok: false; readonly error: QueryError };

/** The columns that a query would return, without running it. Used for views. */
export async function describeQuery(
  sandbox: Sandbox,
  request: Omit<TableRequest, 'onProgress'>,
): Promise<DescribeOutcome> {
  return inSandbox(sandbox, request, async (lease) => {
    if (request.params === 'unbound') return describeParameters(sandbox, lease, request);
    const { columns, tables, usesCatalog } = await describe(sandbox, lease, request, { stage: null });
    return { ok: true, columns: columns.map(resultColumn), tables, usesCatalog, parameterTypes: [] };
  });
}

async function describeParameters(
  sandbox: Sandbox,
  lease: ChildLease,
  request: TableRequest,
): Promise<DescribeOutcome> {
  const execute: Execute<ChildResults['describe-unbound']> = ({ sql }, { child }) =>
    child.send({ op: 'describe-unbound', sql: sql.text });
  const { result, tables, usesCatalog } = await prepare(sandbox, lease, request, { stage: null, execute });
  const { columns, parameterTypes } = result;
  return { ok: true, columns: outputColumns(columns).map(resultColumn), tables, usesCatalog, parameterTypes };
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });
