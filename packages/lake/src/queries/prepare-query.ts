import { StorageError } from '../storage/index.ts';
import { UnsupportedTableError } from '../tables/index.ts';
import { createViews, needsColumns } from './create-views.ts';
import { planQuery, type QueryPlan } from './plan-query.ts';
import { endOf, engineError, FILE_GONE, FILE_OUTSIDE, type QueryError, QueryRefused } from './query-errors.ts';
import type { RelationSql } from './relations/managed-sql.ts';
import type { Relation, Resolve } from './relations/relations.ts';
import { type OutputColumn, outputColumns } from './results/result-columns.ts';
import { ChildGone, type EngineChild, EngineFailure } from './sandbox/child-process.ts';
import { confine } from './sandbox/confine.ts';
import type { EngineColumn } from './sandbox/engine-types.ts';
import { ENGINE_THREADS, type SandboxLimits } from './sandbox/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';

/** What preparing a statement needs to know of its request. */
export type Asked = {
  readonly sql: string;
  readonly resolve: Resolve;
  /** On whose behalf: queries of one owner may share a process, one after the other. */
  readonly owner?: string;
  readonly limits?: Partial<Omit<SandboxLimits, 'threads'>>;
  readonly signal?: AbortSignal;
  /** 0 to 100, null where the engine cannot tell; called now and then while the query runs. */
  readonly onProgress?: (percentage: number | null) => void;
};

/** Tables that are not read from their files: DuckDB knows them, but another engine reads them. */
export interface TablesElsewhere {
  /** Comes before everything else in the child. */
  readonly begin: (child: EngineChild) => Promise<void>;
  /** What stands for a table in DuckDB. @throws QueryRefused, UnsupportedTableError */
  readonly readTable: (table: {
    readonly name: TableName;
    readonly relation: Exclude<Relation, { kind: 'view' }>;
  }) => Promise<RelationSql>;
}

type Outcome<R> = R | { readonly ok: false; readonly error: QueryError };

/** Does `work` with a child that is watched; every failure that is the statement's is a value. */
export async function inSandbox<R>(
  sandbox: Sandbox,
  request: Omit<Asked, 'sql' | 'resolve'>,
  work: (child: EngineChild) => Promise<R>,
): Promise<Outcome<R>> {
  return sandbox.withChild(async (child) => {
    const limits = { ...sandbox.options, ...request.limits };
    const { signal, onProgress } = request;
    child.watch({ memoryLimit: limits.memoryLimit, timeoutMs: limits.timeoutMs, signal, onProgress });
    try {
      return await work(child);
    } catch (error) {
      return { ok: false, error: asQueryError(error) };
    }
  }, request.owner);
}

function asQueryError(error: unknown): QueryError {
  if (error instanceof QueryRefused) return error.error;
  if (error instanceof ChildGone) return endOf(error.reason);
  // A link, or a location of another form than the storage's: trying again would end alike.
  if (error instanceof StorageError && error.reason === 'outside')
    return { code: 'execution-error', message: FILE_OUTSIDE };
  if (error instanceof UnsupportedTableError) return { code: 'execution-error', message: error.message };
  if (error instanceof EngineFailure) return engineError(error.message, { restricted: true });
  throw error;
}

/** A plan, and what the child, ready to run it, answered. */
export type Answered<R> = QueryPlan & { readonly answer: R };

export type Preparation = {
  /** Folder that the child may write into. */
  readonly stage: Promise<string> | null;
  readonly elsewhere?: TablesElsewhere | undefined;
};

/** Asks the child about a statement, or to run it. */
export type Ask<R> = (statement: Pick<Answered<R>, 'sql' | 'mostRows'>) => Promise<R>;

/** Plans a statement, confines the child for good, and asks it. @throws QueryRefused */
export async function prepare<R>(
  sandbox: Sandbox,
  child: EngineChild,
  request: Pick<Asked, 'sql' | 'resolve' | 'limits'>,
  { stage, elsewhere, ask }: Preparation & { readonly ask: Ask<R> },
): Promise<Answered<R>> {
  const limits = { ...sandbox.options, ...request.limits };
  const localPath = (location: string) => sandbox.options.store.localPath(location);
  const { layouts, syntax } = sandbox;
  await elsewhere?.begin(child);
  const access = { localPath, layouts, syntax, ...(elsewhere && { readTable: elsewhere.readTable }) };
  const plan = await planQuery(child, request.sql, request.resolve, access).catch((error: unknown) => {
    const gone = error instanceof StorageError && error.reason === 'missing';
    throw gone ? new QueryRefused('execution-error', FILE_GONE) : error;
  });
  const outputDir = await stage;
  // Requested one behind the other without waiting for the answers: the child takes them in this order, and does nothing
  // more once it could not be confined.
  const confined = confine(child, limits, {
    files: plan.paths,
    outputDir,
    ...(plan.readsLittle ? { threads: ENGINE_THREADS } : {}),
  });
  const ready = Promise.all([confined, createViews(child, plan)]);
  ready.catch(() => undefined);
  if (needsColumns(plan)) await ready;
  const asked = ask(plan);
  asked.catch(() => undefined);
  await ready;
  return { ...plan, answer: await told(plan, asked) };
}

/** A plan, in a child that is ready to run it, and the columns it gives. */
export type Prepared = QueryPlan & { readonly columns: readonly OutputColumn[] };

/** Plans a statement, confines the child for good, and finds the columns it gives. @throws QueryRefused */
export async function describe(
  sandbox: Sandbox,
  child: EngineChild,
  request: Pick<Asked, 'sql' | 'resolve' | 'limits'>,
  preparation: Preparation,
): Promise<Prepared> {
  const ask: Ask<readonly EngineColumn[]> = ({ sql }) => child.ask({ op: 'describe', sql: sql.text });
  const { answer, ...plan } = await prepare(sandbox, child, request, { ...preparation, ask });
  return { ...plan, columns: outputColumns(answer) };
}

/** Engine errors of the person's own query, told as far as the policies on what it reads allow. */
export async function told<R>(plan: Pick<QueryPlan, 'restricted'>, answer: Promise<R>): Promise<R> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    const known = engineError(error.message, { restricted: plan.restricted });
    throw new QueryRefused(known.code, known.message);
  }
}
