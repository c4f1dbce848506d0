import type { QueryParams } from '@svc/core/queries';
import type { SessionStatement } from '../statements/session-statement.ts';
import type { Cancellable } from './cancellation.ts';
import { CatalogStatements } from './catalog-statements.ts';
import { changeTag, done } from './executions.ts';
import { castParameters, inferredTypes } from './parameter-casts.ts';
import { PLAN_COLUMNS, type PlanRow, planLines } from './plan-text.ts';
import type { Description, Execution } from './portals.ts';
import { completeRows, RowCursor, type WriteRows } from './row-output.ts';
import { SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import { sqlState } from './sqlstates.ts';
import { StatementRun } from './statement-run.ts';

export type QueryStatement = Extract<SessionStatement, { kind: 'query' | 'create-table' }>;

/** A statement whose result the table `into` gets, if it creates one. */
export type RunnableStatement = QueryStatement & { readonly into?: string };

/** The verb of a statement that changes rows or tables, otherwise null. */
export const changesOf = (statement: QueryStatement): string | null =>
  statement.kind === 'create-table' ? 'CREATE TABLE AS' : statement.changes;

/** Runs the statements that are queries, and those that only read the catalog. */
export class QueryStatements {
  private readonly options: SessionOptions;
  private readonly catalog: CatalogStatements;
  private active: Cancellable | null = null;

  constructor(options: SessionOptions) {
    this.options = options;
    this.catalog = new CatalogStatements(options, (request) => {
      this.active = request;
    });
  }

  cancel(): void {
    this.active?.cancel();
  }

  /** Nothing runs that a request could cancel. */
  idle(): void {
    this.active = null;
  }

  /** @param types of the parameters. @throws SessionError, ServiceError */
  async start(statement: RunnableStatement, params: QueryParams | null, types: readonly number[]): Promise<Execution> {
    const sql = castParameters(statement.sql, types, params);
    const changes = changesOf(statement);
    const answer = changes === null ? await this.catalog.answer(sql, params) : null;
    if (answer !== null) return answer;
    const { into } = statement;
    const run = this.newRun();
    const running = run.run({ sql, params, ...(into !== undefined && { into }) });
    const { query, batches } = await (statement.kind === 'query' && changes !== null
      ? running.catch(asMissing)
      : running);
    if (changes !== null) return done(changeTag(changes, query));
    return { columns: query.columns, rows: new RowCursor(batches), run, tag: (rows) => `SELECT ${rows}`, warnings: [] };
  }

  /** EXPLAIN: the plan as PostgreSQL shows it. @param query what follows the word. @throws SessionError, ServiceError */
  async explain(query: string, params: QueryParams | null, types: readonly number[]): Promise<Execution> {
    const sql = castParameters(`EXPLAIN${query}`, types, params);
    const operators = (await this.newRun().firstRows({ sql, params })) as unknown as readonly PlanRow[];
    const lines = planLines(operators).map((line) => [line]);
    const rows = completeRows(PLAN_COLUMNS, lines);
    return { columns: PLAN_COLUMNS, rows, run: null, tag: () => 'EXPLAIN', warnings: [] };
  }

  /**
   * The columns of a query and the types of its parameters. It doesn't run.
   *
   * @param declared types of its parameters, as far as the client declares them
   * @throws SessionError, ServiceError
   */
  async describe(statement: string, declared: readonly number[]): Promise<Description> {
    const sql = castParameters(statement, declared, null);
    const described = await this.catalog.describe(sql);
    if (described !== null) return described;
    const { columns, parameter_types: types = [] } = await this.newRun().describe(sql);
    return { columns, parameterTypes: inferredTypes(sql, types).map(({ oid }) => oid) };
  }

  /** Passes up to `max` rows on. Returns how many there were. */
  async read(execution: Execution, max: number, write: WriteRows): Promise<number> {
    this.active = execution.run;
    return execution.rows!.read(max, write);
  }

  private newRun(): StatementRun {
    const { client, signedIn, origin, settings, isDraining } = this.options;
    const run = new StatementRun({
      ...{ client, signedIn, isDraining },
      origin: { ...origin, application: settings.get('application_name') || null },
      searchPath: settings.searchPath,
      timeoutMs: settings.statementTimeoutMs,
    });
    this.active = run;
    return run;
  }
}

/** What a change doesn't find is its table or namespace. */
function asMissing(error: unknown): never {
  if (error instanceof SessionError && error.report.code === sqlState('not-found'))
    throw new SessionError('42P01', error.message, { hint: error.report.hint });
  throw error;
}
