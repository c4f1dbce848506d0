import { describe, inSandbox, type TableRequest } from '../queries/prepare-query.ts';
import { QueryRejectedError } from '../queries/query-errors.ts';
import { typedColumns } from '../queries/relations/relation-sql.ts';
import type { Relation, Resolve } from '../queries/relations/relations.ts';
import { stubTable } from '../queries/relations/stub-tables.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import { literal, sql, typeName } from '../queries/sql-text.ts';
import type { TableName } from '../queries/statement/guard.ts';
import { readPlan } from '../trino/plan-nodes.ts';
import { planColumns } from './plan-columns.ts';

/** A table with its columns, which isn't read; or a view, whose statement is read. */
export type NamedColumns =
  | { readonly kind: 'table'; readonly columns: readonly { readonly name: string; readonly type: string }[] }
  | Extract<Relation, { kind: 'view' }>;

/** A column of the statement, and the column of a table from which it is computed. */
export interface ColumnInput {
  readonly output: string;
  readonly table: TableName;
  readonly input: string;
}

export type ColumnRequest = Omit<TableRequest, 'resolve' | 'onProgress'> & {
  readonly resolve: (name: TableName) => NamedColumns | null;
  /** The columns that the statement returned: if the given ones lead to others, they are out of date. */
  readonly outputs: readonly string[];
};

/** From which columns each column of a statement is computed, without reading its tables; null if unknown. */
export async function columnInputs(sandbox: Sandbox, request: ColumnRequest): Promise<ColumnInput[] | null> {
  const tables = new Map<string, TableName>();
  const readTable = async ({ name, relation }: { name: TableName; relation: Exclude<Relation, { kind: 'view' }> }) => {
    if (relation.kind !== 'external') throw new Error('only tables with given columns are resolved');
    const id = `t${tables.size}`;
    tables.set(id, name);
    return stubTable(
      id,
      typedColumns(relation).map(({ name: column, type }) => [column, typeName(type)]),
    );
  };
  const external = { start: async () => undefined, readTable };
  const outcome = await inSandbox(sandbox, request, async (lease) => {
    const resolve = resolver(request.resolve);
    const { sql: statement, columns } = await describe(
      sandbox,
      lease,
      { ...request, resolve },
      { stage: null, external },
    );
    const planning = sql`SELECT json_serialize_plan(${literal(statement.text)})`;
    const [row] = await (await lease.child()).send({ op: 'texts', sql: planning.text });
    const sources = sourcesOf(String(row![0]));
    const { outputs } = request;
    const isSame = columns.length === outputs.length && columns.every(({ name }, i) => name === outputs[i]);
    if (sources === null || !isSame || sources.length !== outputs.length) return { ok: true as const, found: null };
    const found = sources.flatMap((inputs, i) =>
      inputs.map(({ table, column }) => ({ output: outputs[i]!, table: tables.get(table)!, input: column })),
    );
    return { ok: true as const, found };
  });
  return outcome.ok ? outcome.found : null;
}

const resolver =
  (resolve: ColumnRequest['resolve']): Resolve =>
  async (requested) =>
    requested.map(({ name }) => {
      const found = resolve(name);
      if (found === null || found.kind === 'view') return found;
      return { kind: 'external', format: 'parquet', locations: [], columns: found.columns };
    });

/** Null for a plan that isn't known exactly, or that has an unexpected form. */
function sourcesOf(serialized: string): ReturnType<typeof planColumns> | null {
  try {
    return planColumns(readPlan(serialized));
  } catch (error) {
    const isUnknown = error instanceof QueryRejectedError || error instanceof TypeError || error instanceof SyntaxError;
    if (isUnknown) return null;
    throw error;
  }
}
