import { type Decision, INSTANCE } from '@svc/core/access';
import { assetKey, splitAssetName } from '@svc/core/deploys';
import type { Failure, FailureCode } from '@svc/core/errors';
import { isFailureLine, type LogLine, type Run, type TaskAttempt } from '@svc/core/runs';
import { boundTableNames } from '@svc/db/policies';
import { findAssetInputs, findViewInputs, runRecord, type StoredRun } from '@svc/db/runs';
import { quotesNothing } from '@svc/lake/queries';
import type { Context } from '../http/context.ts';
import { ReadNames } from './read-names.ts';

type RunOfContent = Pick<StoredRun, 'id' | 'principal_id' | 'project_version_id'>;

/** Whether the caller may see what a task of a run printed and what its errors quote, by the name of the asset. */
export type SeesContent = (run: RunOfContent, asset: string) => boolean;

/**
 * Callers see the content of runs that act as themselves, of every run with READ_QUERY_TEXT, and otherwise of tasks whose
 * table and inputs, those of views among them included, they can read without a row filter or column mask (RUN-21).
 */
export async function contentVisibility(ctx: Context, runs: readonly RunOfContent[]): Promise<SeesContent> {
  // A scope without READ_TABLE doesn't include the rows that the principal's own runs have read.
  const seesOwn = ctx.tokenLimit('READ_TABLE', ctx.scope()) === null;
  const isOwn = (run: RunOfContent): boolean => seesOwn && run.principal_id === ctx.caller.id;
  const others = runs.filter((run) => !isOwn(run));
  if (others.length === 0) return () => true;
  // The grants of now: a log that is followed decides again.
  const grants = await ctx.listGrants(ctx.environment.id, { now: ctx.deps.clock() });
  if (ctx.decide('READ_QUERY_TEXT', INSTANCE, grants).allowed) return () => true;
  const bound = await boundNames(ctx);
  const read = (names: { namespace?: string; table?: string }): Decision =>
    ctx.decide('READ_TABLE', ctx.scope(names), grants);
  if (bound.size === 0 && read({}).allowed) return () => true;
  const canRead = (name: string): boolean => {
    const names = splitAssetName(name);
    return names !== null && !bound.has(assetKey(name)) && read(names).allowed;
  };
  const versions = [...new Set(others.map((run) => run.project_version_id))];
  const [assets, views] = await Promise.all([
    findAssetInputs(ctx.db, versions),
    findViewInputs(ctx.db, ctx.environment.id),
  ]);
  const reads = new ReadNames(assets, views);
  const visible = new Map<string, boolean>();
  return (run, asset) => {
    if (isOwn(run)) return true;
    const key = `${run.project_version_id} ${assetKey(asset)}`;
    let sees = visible.get(key);
    if (sees === undefined) {
      // The inputs of an unknown version are unknown, and so are those of some views.
      const names = reads.of(run.project_version_id, asset);
      sees = names !== null && [...names].every(canRead);
      visible.set(key, sees);
    }
    return sees;
  };
}

/** Codes of tasks whose messages name objects, columns and limits, but never quote rows. */
const NAMES_ONLY: ReadonlySet<string> = new Set<FailureCode>([
  'already-exists',
  'check-failed',
  'environment-deleted',
  'kind-changed',
  'no-columns',
  'no-watermark-column',
  'not-allowed',
  'not-found',
  'quota-exceeded',
  'skipped',
  'superseded',
  'table-not-found',
  'task-disk-exceeded',
  'task-memory-exceeded',
  'task-open-files-exceeded',
  'task-processes-exceeded',
  'tasks-failed',
  'version-not-found',
  'worker-lost',
  'write-conflict',
]);

const quotesRows = ({ code }: Failure): boolean => !quotesNothing(code) && !NAMES_ONLY.has(code);

const hasContent = (run: Pick<Run, 'tasks'>): boolean =>
  run.tasks.some(({ error }) => error !== null && quotesRows(error));

/**
 * The records of runs as the caller may see them. The rows that a task wrote count those that a policy of its table hides (TABLE-8).
 */
export async function visibleRuns(ctx: Context, rows: readonly StoredRun[]): Promise<Run[]> {
  const sees = await contentVisibility(ctx, rows.filter(hasContent));
  const isOthers = (row: StoredRun) => row.principal_id !== ctx.caller.id;
  const bound = rows.some(isOthers) ? await boundNames(ctx) : NONE;
  return rows.map((row) => {
    const run = runRecord(row);
    const tasks = run.tasks.map((task) => ({
      ...task,
      rows: isOthers(row) && bound.has(assetKey(task.asset)) ? null : task.rows,
      error: visibleError(task.error, sees(row, task.asset)),
    }));
    return { ...run, tasks };
  });
}

const NONE: ReadonlySet<string> = new Set();

/** The names of the tables with a policy that binds the caller. */
const boundNames = (ctx: Context): Promise<ReadonlySet<string>> =>
  boundTableNames(ctx.db, { environmentId: ctx.environment.id, principalId: ctx.caller.id });

export async function visibleRun(ctx: Context, row: StoredRun): Promise<Run> {
  const [run] = await visibleRuns(ctx, [row]);
  return run!;
}

export function visibleError(error: Failure | null, sees: boolean): Failure | null {
  const who = 'callers who can read the table and its inputs without row filters and column masks';
  return sees ? error : withoutRows(error, who);
}

/** An error without a message that can quote rows. */
export function withoutRows(error: Failure | null, who: string): Failure | null {
  if (error === null || !quotesRows(error)) return error;
  return { code: error.code, detail: `The error can quote rows. Only ${who} see it.`, remedy: null };
}

export const visibleAttempt = (attempt: TaskAttempt, sees: boolean): TaskAttempt => ({
  ...attempt,
  error: visibleError(attempt.error, sees),
});

const HIDDEN_LINE = '(hidden: requires READ_TABLE on the table and its inputs, without row filters and column masks)';

/** A line of the log as the caller may see it: what the task printed, and lines about its errors, can quote rows. */
export function visibleLine(line: LogLine, sees: (asset: string) => boolean): LogLine {
  const canQuote = line.stream !== 'service' || isFailureLine(line.line);
  return line.asset === null || !canQuote || sees(line.asset) ? line : { ...line, line: HIDDEN_LINE };
}
