import { StorageError, UnsupportedTableError } from '@svc/iceberg';
import { createViews, needsColumns } from './create-views.ts';
import { planQuery, type QueryPlan } from './plan-query.ts';
import { endOf, engineError, FILE_GONE, FILE_OUTSIDE, type QueryError, QueryRejectedError } from './query-errors.ts';
import type { RelationSql } from './relations/managed-sql.ts';
import type { Relation, Resolve } from './relations/relations.ts';
import { type OutputColumn, outputColumns } from './results/result-columns.ts';
import { ChildExitedError, type EngineChild, EngineError } from './sandbox/child-process.ts';
import { confine } from './sandbox/confine.ts';
import type { EngineColumn } from './sandbox/engine-types.ts';
import { ENGINE_THREADS, type SandboxLimits } from './sandbox/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';

/** What a request must state for its statement to be prepared. */
export type TableRequest = {
  readonly sql: string;
  readonly resolve: Resolve;
  /** The principal that the query runs for: queries of one owner may share a process, one after the other. */
  readonly owner?: string;
  readonly limits?: Partial<Omit<SandboxLimits, 'threads'>>;
  readonly signal?: AbortSignal;
  /** 0 to 100, or null if the engine can't estimate it; called from time to time while the query runs. */
  readonly onProgress?: (percentage: number | null) => void;
};

/** Tables that are not read from their files: DuckDB knows them, but an external engine reads them. */
export interface ExternalTables {
  /** Runs before everything else in the child. */
  readonly start: (child: EngineChild) => Promise<void>;
  /** The source that represents a table in DuckDB. @throws QueryRejectedError, UnsupportedTableError */
  readonly readTable: (table: {
    readonly name: TableName;
    readonly relation: Exclude<Relation, { kind: 'view' }>;
  }) => Promise<RelationSql>;
}

type Outcome<R> = R | { readonly ok: false; readonly error: QueryError };

/** Runs `work` with a watched child. Returns every failure that the statement causes as a value. */
export async function inSandbox<R>(
  sandbox: Sandbox,
  request: Omit<TableRequest, 'sql' | 'resolve'>,
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
  if (error instanceof QueryRejectedError) return error.error;
  if (error instanceof ChildExitedError) return endOf(error.reason);
  // A link, or a location whose form doesn't match the storage: a retry would fail the same way.
  if (error instanceof StorageError && error.reason === 'outside')
    return { code: 'execution-error', message: FILE_OUTSIDE };
  if (error instanceof UnsupportedTableError) return { code: 'execution-error', message: error.message };
  if (error instanceof EngineError) return engineError(error.message, { restricted: true });
  throw error;
}

/** A plan, and the response of the child that is ready to run it. */
export type Answered<R> = QueryPlan & { readonly answer: R };

export type Preparation = {
  /** Folder that the child may write to. */
  readonly stage: Promise<string> | null;
  readonly external?: ExternalTables | undefined;
};

/** Requests information about a statement from the child, or runs it there. */
export type Execute<R> = (statement: Pick<Answered<R>, 'sql' | 'maxRows'>) => Promise<R>;

/** Plans a statement, confines the child permanently, and sends it the request. @throws QueryRejectedError */
export async function prepare<R>(
  sandbox: Sandbox,
  child: EngineChild,
  request: Pick<TableRequest, 'sql' | 'resolve' | 'limits'>,
  { stage, external, execute }: Preparation & { readonly execute: Execute<R> },
): Promise<Answered<R>> {
  const limits = { ...sandbox.options, ...request.limits };
  const localPath = (location: string) => sandbox.options.store.localPath(location);
  const { layouts, syntax } = sandbox;
  await external?.start(child);
  const access = { localPath, layouts, syntax, ...(external && { readTable: external.readTable }) };
  const plan = await planQuery(child, request.sql, request.resolve, access).catch((error: unknown) => {
    const gone = error instanceof StorageError && error.reason === 'missing';
    throw gone ? new QueryRejectedError('execution-error', FILE_GONE) : error;
  });
  const outputDir = await stage;
  // Sent in sequence without waiting for the responses: the child processes them in this order, and rejects the rest if
  // the confinement fails.
  const confined = confine(child, limits, {
    files: plan.paths,
    outputDir,
    ...(plan.readsLittle ? { threads: ENGINE_THREADS } : {}),
  });
  const ready = Promise.all([confined, createViews(child, plan)]);
  ready.catch(() => undefined);
  if (needsColumns(plan)) await ready;
  const answering = execute(plan);
  answering.catch(() => undefined);
  await ready;
  return { ...plan, answer: await answerOf(plan, answering) };
}

/** A plan in a child that is ready to run it, and its result columns. */
export type Prepared = QueryPlan & { readonly columns: readonly OutputColumn[] };

/** Plans a statement, confines the child permanently, and determines its result columns. @throws QueryRejectedError */
export async function describe(
  sandbox: Sandbox,
  child: EngineChild,
  request: Pick<TableRequest, 'sql' | 'resolve' | 'limits'>,
  preparation: Preparation,
): Promise<Prepared> {
  const execute: Execute<readonly EngineColumn[]> = ({ sql }) => child.send({ op: 'describe', sql: sql.text });
  const { answer, ...plan } = await prepare(sandbox, child, request, { ...preparation, execute });
  return { ...plan, columns: outputColumns(answer) };
}

/** Reports engine errors of the user's own query in as much detail as the policies on its tables allow. */
export async function answerOf<R>(plan: Pick<QueryPlan, 'restricted'>, answer: Promise<R>): Promise<R> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const known = engineError(error.message, { restricted: plan.restricted });
    throw new QueryRejectedError(known.code, known.message);
  }
}
