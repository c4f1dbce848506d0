import path from 'node:path';
import { resultKey } from './engine-key.ts';
import type { ExternalEngine } from './external-engine.ts';
import {
  awaitExecution,
  describe,
  type Execute,
  type ExecutedPlan,
  executePlan,
  planStatement,
} from './prepare-query.ts';
import type { QueryOutcome, QueryRequest } from './query-request.ts';
import { withStage } from './query-stage.ts';
import type { ChildLease } from './sandbox/child-lease.ts';
import type { ChildResult } from './sandbox/child-protocol.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** A result up to this size is returned itself, instead of as a file. */
const INLINE = { rows: 1000, bytes: 1024 * 1024 };

/** Number of results that this process has requested, for their names. */
let results = 0;

/** Runs a query for its rows: a cached result, or a new one. */
export async function returnResult(
  sandbox: Sandbox,
  lease: ChildLease,
  request: QueryRequest,
  { external, location }: { readonly external: ExternalEngine | undefined; readonly location: string },
): Promise<QueryOutcome> {
  let file = '';
  const execute: Execute<ChildResult> = (plan, { child, outputDir }) => {
    file = path.join(outputDir!, `result-${++results}.parquet`);
    const { sql, maxRows } = plan;
    // Few rows, or so small tables that running the statement again for a file costs less than writing one each time.
    const isSmall = plan.isSmall || (maxRows !== null && maxRows <= INLINE.rows);
    return child.send({ op: 'result', sql: sql.text, file, inline: INLINE, isSmall });
  };
  const finish = async (
    { tables, result }: Pick<ExecutedPlan<ChildResult>, 'tables' | 'result'>,
    isCached = false,
  ): Promise<QueryOutcome> => {
    const { columns, rows, bytes, cells } = result;
    // Results are kept for a day and running the query again recreates them, so it isn't worth waiting for the disk.
    if (bytes !== null) await sandbox.options.store.moveInto(file, location, { durable: false });
    const written = { stored: bytes !== null, sizeBytes: bytes ?? 0 };
    return {
      ok: true,
      columns,
      rowCount: rows,
      tables,
      ...written,
      rows: cells,
      isCached,
      files: [],
      fields: [],
      staged: null,
    };
  };
  if (external === undefined) {
    const plan = await planStatement(sandbox, lease, request);
    const { limits, signal } = request;
    const run = () => executePlan(sandbox, lease, plan, { ...(limits && { limits }), stage: 'child', execute });
    const key = request.cache === false ? null : resultKey(plan, request);
    if (key === null || !sandbox.results.has(key)) await request.beforeRun?.(plan);
    if (key === null) return finish({ ...plan, result: await run() });
    const { result, isCached } = await sandbox.results.get(key, signal, run);
    return finish({ ...plan, result }, isCached);
  }
  return withStage(sandbox, async (stage) => {
    const described = await describe(sandbox, lease, request, { stage, external });
    const child = await lease.child();
    const stageDir = await stage;
    const plan = await external.rowsOf(described, { child, stageDir, request });
    return finish({ ...plan, result: await awaitExecution(plan, execute(plan, { child, outputDir: stageDir })) });
  });
}
