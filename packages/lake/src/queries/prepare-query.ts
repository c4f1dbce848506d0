import { StorageError, UnsupportedTableError } from '@svc/iceberg';
import { createViews, needsColumns } from './create-views.ts';
import { engineKey } from './engine-key.ts';
import { planQuery, type QueryPlan } from './plan-query.ts';
import {
  childExitError,
  engineError,
  FILE_GONE,
  FILE_OUTSIDE,
  type QueryError,
  QueryRejectedError,
} from './query-errors.ts';
import type { RelationSql } from './relations/managed-sql.ts';
import type { Relation, Resolve } from './relations/relations.ts';
import { type OutputColumn, outputColumns } from './results/result-columns.ts';
import { ChildExitedError, EngineError } from './sandbox/child-errors.ts';
import { ChildLease } from './sandbox/child-lease.ts';
import type { ChildSource, EngineChild } from './sandbox/child-process.ts';
import { confine } from './sandbox/confine.ts';
import type { EngineColumn } from './sandbox/engine-types.ts';
import { ENGINE_THREADS, type SandboxLimits } from './sandbox/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { TableName } from './statement/guard.ts';
import type { Dialect } from './statement/postgres/rewriter.ts';
import type { StatementParams } from './statement/read-statement.ts';

/** What a request must state for its statement to be prepared. */
export type TableRequest = {
  readonly sql: string;
  /** The values of its parameters, or `unbound` to describe it without them. */
  readonly params?: StatementParams;
  /** The syntax and functions of the statement (default: the engine's own). */
  readonly dialect?: Dialect;
  readonly resolve: Resolve;
  /** The principal that the query runs for: queries of one owner may share a process, one after the other. */
  readonly owner?: string;
  readonly limits?: Partial<Omit<SandboxLimits, 'threads'>>;
  readonly signal?: AbortSignal;
  /** Called before a process is taken, for which it may wait. If it throws, none is taken. */
  readonly beforeChild?: (() => Promise<void>) | undefined;
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
    readonly relation: Exclude<Relation, { kind: 'view' | 'rows' }>;
  }) => Promise<RelationSql>;
}

type Outcome<R> = R | { readonly ok: false; readonly error: QueryError };

/** Runs `work` with a watched child, taken when it is needed. Returns every failure that the statement causes as a value. */
export async function inSandbox<R>(
  sandbox: Sandbox,
  request: Omit<TableRequest, 'sql' | 'resolve'>,
  work: (lease: ChildLease) => Promise<R>,
): Promise<Outcome<R>> {
  const lease = openLease(sandbox, request);
  try {
    return await failuresOf(() => work(lease));
  } finally {
    await lease.end();
  }
}

/** The lease of a child within a request's limits. The caller must call `end`. */
export function openLease(sandbox: Sandbox, request: Omit<TableRequest, 'sql' | 'resolve'>): ChildLease {
  const { memoryLimit, timeoutMs } = { ...sandbox.options, ...request.limits };
  const { owner, signal, beforeChild, onProgress } = request;
  return new ChildLease(sandbox, owner, { memoryLimit, timeoutMs, signal, beforeChild, onProgress });
}

/** Returns every failure that a statement causes as a value. */
export async function failuresOf<R>(work: () => Promise<R>): Promise<Outcome<R>> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, error: asQueryError(error) };
  }
}

function asQueryError(error: unknown): QueryError {
  if (error instanceof QueryRejectedError) return error.error;
  if (error instanceof ChildExitedError) return childExitError(error.reason);
  // A link, or a location whose form doesn't match the storage: a retry would fail the same way.
  if (error instanceof StorageError && error.reason === 'outside')
    return { code: 'execution-error', message: FILE_OUTSIDE };
  if (error instanceof UnsupportedTableError) return { code: 'execution-error', message: error.message };
  if (error instanceof EngineError) return engineError(error.message, { restricted: true });
  throw error;
}

/** A plan, and the response of the child that is ready to run it. */
export type ExecutedPlan<R> = QueryPlan & { readonly result: R };

export type Preparation = {
  /** Folder that the child may write to; `child` for the child's own. */
  readonly stage: Promise<string> | 'child' | null;
  readonly external?: ExternalTables | undefined;
  /** Whether the statement writes rows in order: with several threads, the engine mixes the row groups of its files. */
  readonly isOrdered?: boolean | undefined;
};

/** Requests information about a statement from the child, or runs it there. */
export type Execute<R> = (
  statement: Pick<QueryPlan, 'sql' | 'maxRows' | 'isSmall'>,
  at: { readonly child: EngineChild; readonly outputDir: string | null },
) => Promise<R>;

type Planned = Pick<TableRequest, 'sql' | 'params' | 'dialect' | 'resolve' | 'limits'>;

/** Plans a statement with the sandbox's caches. @throws QueryRejectedError */
export async function planStatement(
  { options, layouts, syntax }: Sandbox,
  lease: ChildSource,
  request: Planned,
  external?: ExternalTables,
): Promise<QueryPlan> {
  await external?.start(await lease.child());
  const localPath = (location: string) => options.store.localPath(location);
  const access = { localPath, layouts, syntax, ...(external && { readTable: external.readTable }) };
  return planQuery(lease, request.sql, request.resolve, access, request).catch((error: unknown) => {
    const isMissing = error instanceof StorageError && error.reason === 'missing';
    throw isMissing ? new QueryRejectedError('execution-error', FILE_GONE) : error;
  });
}

/**
 * Sends the request for a planned statement to an engine that is confined to what the plan needs: a fresh one, or, if the
 * engine writes only to its child's own folder, one that ran an earlier query of the owner for which it was confined in
 * exactly the same way.
 */
export async function executePlan<R>(
  sandbox: Sandbox,
  lease: ChildLease,
  plan: QueryPlan,
  {
    limits,
    stage,
    isOrdered,
    execute,
  }: Pick<Planned, 'limits'> & Omit<Preparation, 'external'> & { readonly execute: Execute<R> },
): Promise<R> {
  const confinement = { ...sandbox.options, ...limits };
  if (stage !== 'child') {
    return executeFresh(await lease.child(), plan, { limits: confinement, outputDir: await stage, isOrdered, execute });
  }
  const key = engineKey(plan, limits);
  const child = await (key === null ? lease.child() : lease.childFor(key));
  const outputDir = await child.resultDir(sandbox.options.store);
  try {
    const result =
      key !== null && (await child.engines.use(key))
        ? await awaitExecution(plan, execute(plan, { child, outputDir }))
        : await executeFresh(child, plan, { limits: confinement, outputDir, execute });
    if (key !== null) child.engines.bind(key);
    return result;
  } catch (error) {
    await child.checkResultDir();
    throw error;
  }
}

async function executeFresh<R>(
  child: EngineChild,
  plan: QueryPlan,
  at: Pick<Preparation, 'isOrdered'> & {
    readonly limits: SandboxLimits;
    readonly outputDir: string | null;
    readonly execute: Execute<R>;
  },
): Promise<R> {
  const { limits, outputDir, isOrdered, execute } = at;
  // Sent in sequence without waiting for the responses: the child processes them in this order, and rejects the rest if
  // the confinement fails.
  const confined = confine(child, limits, {
    files: plan.paths,
    outputDir,
    ...(plan.isSmall || isOrdered ? { threads: ENGINE_THREADS } : {}),
  });
  const ready = Promise.all([confined, createViews(child, plan)]);
  ready.catch(() => undefined);
  if (needsColumns(plan)) await ready;
  const execution = execute(plan, { child, outputDir });
  execution.catch(() => undefined);
  await ready;
  return awaitExecution(plan, execution);
}

/** Plans a statement, confines an engine permanently, and sends it the request. @throws QueryRejectedError */
export async function prepare<R>(
  sandbox: Sandbox,
  lease: ChildLease,
  request: Planned,
  { stage, external, isOrdered, execute }: Preparation & { readonly execute: Execute<R> },
): Promise<ExecutedPlan<R>> {
  const plan = await planStatement(sandbox, lease, request, external);
  const { limits } = request;
  const result = await executePlan(sandbox, lease, plan, { ...(limits && { limits }), stage, isOrdered, execute });
  return { ...plan, result };
}

/** A plan in a child that is ready to run it, and its result columns. */
export type Prepared = QueryPlan & { readonly columns: readonly OutputColumn[] };

/** Plans a statement, confines the child permanently, and determines its result columns. @throws QueryRejectedError */
export async function describe(
  sandbox: Sandbox,
  lease: ChildLease,
  request: Planned,
  preparation: Preparation,
): Promise<Prepared> {
  const execute: Execute<readonly EngineColumn[]> = ({ sql }, { child }) =>
    child.send({ op: 'describe', sql: sql.text });
  const { result, ...plan } = await prepare(sandbox, lease, request, { ...preparation, execute });
  return { ...plan, columns: outputColumns(result) };
}

/** Reports engine errors of the user's own query in as much detail as the policies on its tables allow. */
export async function awaitExecution<R>(plan: Pick<QueryPlan, 'restricted'>, result: Promise<R>): Promise<R> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const engineFailure = engineError(error.message, { restricted: plan.restricted });
    throw new QueryRejectedError(engineFailure.code, engineFailure.message);
  }
}
