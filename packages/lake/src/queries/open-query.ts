import type { ExternalEngine, ExternalRows } from './external-engine.ts';
import type { QueryPlan } from './plan-query.ts';
import { describe, failuresOf, openLease } from './prepare-query.ts';
import type { QueryError } from './query-errors.ts';
import type { DataFileOutput, OpenRequest, QueryOutcome } from './query-request.ts';
import { openStage } from './query-stage.ts';
import type { OutputColumn, ResultColumn } from './results/result-columns.ts';
import { ENGINE_THREADS } from './sandbox/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { dataFiles, type WrittenRows, writeExternally, writtenOutcome } from './write-data-files.ts';

/** A statement that is ready to run, with its result columns. */
export type OpenQuery = {
  readonly ok: true;
  readonly columns: readonly ResultColumn[];
  /** Runs it once. The rows of an external engine can then be read in its catalog until the query is closed. */
  readonly write: (output: DataFileOutput) => Promise<QueryOutcome>;
  readonly close: () => Promise<void>;
};

/**
 * Prepares a query whose columns decide where its rows are written. It occupies a process until it is written or closed, and
 * reads the versions of its tables that are current now.
 */
export async function openQuery(
  sandbox: Sandbox,
  request: OpenRequest,
  external?: ExternalEngine,
): Promise<OpenQuery | { readonly ok: false; readonly error: QueryError }> {
  const lease = openLease(sandbox, request);
  const stage = openStage(sandbox);
  let staged: (WrittenRows & ExternalRows) | null = null;
  const release = async () => {
    stage.close();
    await lease.end();
  };
  const close = async () => {
    await release();
    await staged?.close();
    staged = null;
  };
  const opened = await failuresOf(async () => {
    const plan = await describe(sandbox, lease, request, { stage: stage.dir, external });
    const write: OpenQuery['write'] = (output) =>
      failuresOf(async () => {
        const child = await lease.child();
        if (external !== undefined) {
          staged = await writeExternally(external, plan, { child, output, request });
          return writtenOutcome(plan, staged);
        }
        const files = { ...output, ...honestOrder(sandbox, plan, output) };
        return dataFiles(sandbox, child, plan, { output: files, stageDir: await stage.dir });
      }).finally(release);
    return { ok: true as const, columns: plan.columns.map(resultColumn), write, close };
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (!opened.ok) await close();
  return opened;
}

/**
 * The engine got its threads before the layout was known, and with several, it mixes the row groups of the files that it
 * writes. So the files claim no order.
 */
function honestOrder(
  { options }: Sandbox,
  { isSmall }: Pick<QueryPlan, 'isSmall'>,
  { layout }: DataFileOutput,
): Pick<DataFileOutput, 'layout'> {
  if (layout === undefined || isSmall || options.threads === ENGINE_THREADS) return {};
  return { layout: { ...layout, sortOrderId: 0 } };
}

const resultColumn = ({ name, type }: OutputColumn): ResultColumn => ({ name, type });
