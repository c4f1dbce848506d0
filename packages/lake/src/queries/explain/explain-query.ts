import type { PlannedView } from '../plan-query.ts';
import { isBound } from '../policies.ts';
import { executePlan, inSandbox, planStatement, type TableRequest } from '../prepare-query.ts';
import type { QueryError } from '../query-errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { identifier, type Sql, sql } from '../sql-text.ts';
import { type PlanNode, planNodes } from './plan-nodes.ts';

export type ExplainOutcome =
  | { readonly ok: true; readonly nodes: readonly PlanNode[] }
  | { readonly ok: false; readonly error: QueryError };

/**
 * The plan of a query, which doesn't run. The engine plans it over an empty table instead of each view and each table with a policy
 * that applies to the reader, so nothing behind them can be in the plan.
 */
export async function explainQuery(
  sandbox: Sandbox,
  request: Omit<TableRequest, 'onProgress'>,
): Promise<ExplainOutcome> {
  return inSandbox(sandbox, request, async (lease) => {
    const plan = await planStatement(sandbox, lease, request);
    const replaced = plan.views.filter(hidesRows);
    if (replaced.length > 0) await (await lease.child()).engines.disableOptimizers('statistics');
    const { limits } = request;
    const json = await executePlan(sandbox, lease, plan, {
      ...(limits && { limits }),
      stage: null,
      execute: async ({ sql: query }, { child }) => {
        await child.send({ op: 'run', statements: emptyTables(replaced).map(({ text }) => text) });
        const rows = await child.send({ op: 'texts', sql: sql`EXPLAIN (FORMAT JSON) ${query}`.text });
        return rows[0]![1]!;
      },
    });
    const nodes = planNodes(json, { tableOf: tableNames(plan.views, replaced), withEstimates: replaced.length === 0 });
    return { ok: true, nodes };
  });
}

/** Whether what the reader sees of a table differs from what it consists of. */
const hidesRows = ({ relation }: PlannedView): boolean =>
  isBound(relation) || relation.kind === 'view' || relation.kind === 'rows';

const PREFIX = ' empty ';

/** Replaces views by empty tables with the same columns: all are made first, because they may read each other. */
function emptyTables(views: readonly PlannedView[]): readonly Sql[] {
  const named = views.map(({ view: [schema, name] }) => ({
    view: sql`lake.${identifier(schema)}.${identifier(name)}`,
    empty: sql`lake.${identifier(schema)}.${identifier(PREFIX + name)}`,
    name: identifier(name),
  }));
  return [
    ...named.map(({ view, empty }) => sql`CREATE TABLE ${empty} AS SELECT * FROM ${view} LIMIT 0`),
    ...named.flatMap(({ view, empty, name }) => [sql`DROP VIEW ${view}`, sql`ALTER TABLE ${empty} RENAME TO ${name}`]),
  ];
}

/** The names of tables in a plan. Files belong to a table only if the statement reads no other one from files. */
function tableNames(views: readonly PlannedView[], replaced: readonly PlannedView[]) {
  const byName = new Map(replaced.map(({ view, name }) => [['lake', ...view].join('.'), name.join('.')]));
  const fromFiles = views.filter((view) => !replaced.includes(view));
  const only = fromFiles.length === 1 ? fromFiles[0]!.name.join('.') : null;
  return (name: string | null): string | null => (name === null ? only : (byName.get(name) ?? null));
}
