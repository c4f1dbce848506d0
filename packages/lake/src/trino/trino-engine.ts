import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { currentSchema, type IcebergField, type StagedChange, type TableMetadata } from '@svc/iceberg';
import type { ExternalEngine } from '../queries/external-engine.ts';
import { openQuery } from '../queries/open-query.ts';
import { describe, failuresOf, inSandbox, type TableRequest } from '../queries/prepare-query.ts';
import type { QueryEngine } from '../queries/query-engine.ts';
import { childExitError, nullNotAllowed, type QueryError, QueryRejectedError } from '../queries/query-errors.ts';
import type { OpenRequest, QueryRequest } from '../queries/query-request.ts';
import type { CatalogTable } from '../queries/relations/relations.ts';
import { changeExpressions } from '../queries/row-changes/change-expressions.ts';
import type { Rewriting } from '../queries/row-changes/change-sql.ts';
import { runQuery } from '../queries/run-query.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import type { TrinoSql } from '../queries/sql-text.ts';
import type { StatementParams } from '../queries/statement/read-statement.ts';
import { CatalogTables } from './catalog-tables.ts';
import type { PlanType } from './plan-types.ts';
import { RowFile } from './row-file.ts';
import { stagedLine, stagedQuery } from './staged-rows.ts';
import type { StagingTables } from './staging.ts';
import {
  cancelTraced,
  type Page,
  runStatement,
  type TrinoAddress,
  TrinoStatementError,
  TrinoUnreachableError,
} from './statement-client.ts';
import {
  type InsertTarget,
  optimizeStatement,
  startTranslation,
  translate,
  translateChange,
  translateInsert,
} from './translate.ts';
import { trinoError } from './trino-errors.ts';

export interface TrinoOptions extends TrinoAddress {
  /** The name of an environment's catalog; `{environment}` is replaced with the environment's name. */
  readonly catalog: string;
  /** Where Trino writes rows before they are committed to their table. */
  readonly staging: StagingTables;
  /** Waits between two attempts of a request. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Trino can also change the rows of a table itself. */
export interface TrinoEngine extends QueryEngine {
  readonly name: 'trino';
  /** Runs an UPDATE, DELETE or MERGE on a copy of the table's metadata. Returns every failure of the statement as a value. */
  readonly change: (request: ChangeRequest) => Promise<ChangeOutcome>;
  /** Why Trino can't run a query; null if it can. Nothing is sent to Trino. */
  readonly refusal: (request: Omit<TableRequest, 'onProgress'>) => Promise<QueryError | null>;
  /** Compacts small files and files with deletes, on a copy of the table's metadata. */
  readonly compact: (request: CompactRequest) => Promise<ChangeOutcome>;
}

export type CompactRequest = Pick<OpenRequest, 'limits' | 'signal' | 'traceToken' | 'retried'> &
  Pick<ChangeRequest, 'environment' | 'target'> & {
    /** Size from which Trino leaves a file as it is. */
    readonly smallBytes: number;
  };

/** The statement of a change without its texts: they are parts of another SELECT. */
export type ChangeRequest = Omit<OpenRequest, 'sql' | 'params' | 'environment'> &
  Required<Pick<OpenRequest, 'environment'>> & {
    readonly change: Rewriting;
    /** The parameters in a statement. */
    readonly params: (sql: string) => StatementParams;
    /** The table that changes; `resolve` knows its rows as the table `target` of a change. */
    readonly target: TableMetadata;
  };

export type ChangeOutcome =
  | {
      readonly ok: true;
      /** Rows that were inserted, updated or deleted. */
      readonly affected: number;
      readonly change: StagedChange;
      /** The changed table in the catalog, until `close`. */
      readonly catalogTable: CatalogTable;
      readonly close: () => Promise<void>;
    }
  | { readonly ok: false; readonly error: QueryError };

/**
 * Runs statements with Trino instead of DuckDB. DuckDB still parses and validates the statement, resolves names and types, and applies
 * policies and views. Its plan is printed as SQL for Trino. DuckDB writes the rows of a result to its file; rows for a table are
 * written by Trino.
 */
export const trinoEngine = (sandbox: Sandbox, options: TrinoOptions): TrinoEngine => ({
  name: 'trino',
  change: (request) => new TrinoRun(sandbox, options).change(request),
  compact: (request) => new TrinoRun(sandbox, options).compact(request),
  refusal: (request) => new TrinoRun(sandbox, options).refusal(request),
  run: (request) => runQuery(sandbox, request, new TrinoRun(sandbox, options)),
  open: (request) => openQuery(sandbox, request, new TrinoRun(sandbox, options)),
});

class TrinoRun implements ExternalEngine {
  private readonly sandbox: Sandbox;
  private readonly options: TrinoOptions;
  private readonly tables: CatalogTables;
  private environment = '';

  constructor(sandbox: Sandbox, options: TrinoOptions) {
    this.sandbox = sandbox;
    this.options = options;
    this.tables = new CatalogTables((environment) => {
      this.environment = environment;
      return this.catalogOf(environment);
    });
  }

  readonly start = startTranslation;

  readonly readTable: ExternalEngine['readTable'] = (table) => this.tables.add(table);

  readonly rowsOf: ExternalEngine['rowsOf'] = async (prepared, { child, stageDir, request }) => {
    const { sql, types } = await translate(child, prepared, this.tables.source);
    const file = path.join(stageDir, 'rows.jsonl');
    const longest = await this.fetchRows(sql, types, file, request);
    const names = prepared.columns.map(({ name }) => name);
    const columns = prepared.columns.map((column) => ({ ...column, cast: null }));
    return { ...prepared, columns, sql: stagedQuery(file, types, names, longest) };
  };

  readonly writeRows: ExternalEngine['writeRows'] = async (query, { child, fields, output, request }) => {
    const { environment } = request;
    if (environment === undefined) throw new Error('rows are written without an environment');
    this.environment = environment.name;
    const { timeoutMs } = this.limitsOf(request);
    const { tableLocation, target = null } = output;
    const staging = await this.options.staging.forRows({ environment, tableLocation, fields, target, timeoutMs });
    try {
      const { namespace, name } = staging;
      const catalog = this.catalogOf(environment.name);
      const into = { name: [catalog, namespace, name], fields } as const;
      const sql = await translateInsert(child, query, this.tables.source, into);
      // Statistics would be a second commit, and the service keeps its own.
      const written = await this.execute(sql, request, {
        fields,
        session: { [`${catalog}.collect_extended_statistics_on_write`]: 'false' },
      });
      const { files, snapshotId } = await staging.written();
      const rows = files.reduce((sum, file) => sum + Number(file.record_count), 0);
      if (rows !== written) throw new Error(`Trino reports ${written} written rows, and its files have ${rows}`);
      const table = { environment: environment.name, namespace, table: name, fields };
      const catalogTable = { ...table, snapshotId: snapshotId === null ? null : String(snapshotId) };
      return { files, rows, catalogTable, close: staging.close };
    } catch (error) {
      await staging.close();
      throw error;
    }
  };

  async change(request: ChangeRequest): Promise<ChangeOutcome> {
    const { change, target, environment } = request;
    const { fields } = currentSchema(target);
    const { sql, ...expressions } = changeExpressions(change, fields);
    const statement = { ...request, sql, params: request.params(sql) };
    this.environment = environment.name;
    return inSandbox(this.sandbox, statement, async (lease) => {
      const plan = await describe(this.sandbox, lease, statement, { stage: null, external: this });
      const child = await lease.child();
      return this.onCopy(request, async (into) => {
        const written = await translateChange(child, plan, this.tables.source, { expressions, into });
        return this.execute(written, request, { fields, session: {} });
      });
    });
  }

  async compact(request: CompactRequest): Promise<ChangeOutcome> {
    this.environment = request.environment.name;
    return failuresOf(() =>
      this.onCopy(request, async (into) => {
        for await (const page of this.pages(optimizeStatement(into, request.smallBytes), request)) void page;
        return 0;
      }),
    );
  }

  async refusal(request: Omit<TableRequest, 'onProgress'>): Promise<QueryError | null> {
    const outcome = await inSandbox(this.sandbox, request, async (lease) => {
      const plan = await describe(this.sandbox, lease, request, { stage: null, external: this });
      await translate(await lease.child(), plan, this.tables.source);
      return { ok: true } as const;
    });
    return outcome.ok ? null : outcome.error;
  }

  /** Runs a statement on a copy of the table's metadata; `work` returns the number of rows that it affects. */
  private async onCopy(
    { environment, target, ...request }: Pick<ChangeRequest, 'environment' | 'target' | 'limits'>,
    work: (into: InsertTarget) => Promise<number>,
  ): Promise<Extract<ChangeOutcome, { ok: true }>> {
    const { fields } = currentSchema(target);
    const { timeoutMs } = this.limitsOf(request);
    const staging = await this.options.staging.forChange({ environment, target, timeoutMs });
    try {
      const { namespace, name } = staging;
      const affected = await work({ name: [this.catalogOf(environment.name), namespace, name], fields });
      const change = await staging.written();
      const { snapshotId } = change;
      const table = { environment: environment.name, namespace, table: name, fields };
      const catalogTable = { ...table, snapshotId: snapshotId === null ? null : String(snapshotId) };
      return { ok: true, affected, change, catalogTable, close: staging.close };
    } catch (error) {
      await staging.close();
      throw error;
    }
  }

  private catalogOf(environment: string): string {
    return this.options.catalog.replaceAll('{environment}', environment);
  }

  private limitsOf(request: Pick<QueryRequest, 'limits'>) {
    return { ...this.sandbox.options, ...request.limits };
  }

  /** Writes the rows to a file; returns the length of the longest line in bytes. */
  private async fetchRows(
    sql: TrinoSql,
    types: readonly PlanType[],
    file: string,
    request: QueryRequest,
  ): Promise<number> {
    const rows = new RowFile(file, this.limitsOf(request).tempLimit);
    try {
      for await (const { data } of this.pages(sql, request)) {
        for (const row of data) await rows.add(stagedLine(types, row));
      }
      return await rows.close();
    } finally {
      rows.abandon();
    }
  }

  /** Runs a statement that writes to a table with these columns; returns the number of rows. */
  private async execute(
    sql: TrinoSql,
    request: RunRequest,
    { fields, session }: { fields: readonly IcebergField[]; session: Readonly<Record<string, string>> },
  ): Promise<number> {
    let written: number | undefined;
    try {
      for await (const { updateCount } of this.pages(sql, request, session)) written = updateCount ?? written;
    } catch (error) {
      throw nullError(error, fields) ?? error;
    }
    if (written === undefined) throw new Error("Trino didn't report how many rows it wrote");
    return written;
  }

  /** Runs a statement; reports its failures as those of the query. */
  private async *pages(
    sql: TrinoSql,
    request: RunRequest,
    session: Readonly<Record<string, string>> = {},
  ): AsyncGenerator<Page> {
    const limits = this.limitsOf(request);
    const late = AbortSignal.timeout(limits.timeoutMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([request.signal, late]);
    const statement = {
      address: this.options,
      sql: sql.text,
      catalog: this.catalogOf(this.environment),
      session,
      timeoutSeconds: Math.ceil(limits.timeoutMs / 1000),
      traceToken: request.traceToken ?? 'svc',
      signal,
      pause:
        this.options.pause ?? ((ms: number, abortSignal: AbortSignal) => wait(ms, undefined, { signal: abortSignal })),
    };
    if (request.retried) await cancelTraced(statement);
    try {
      for await (const page of runStatement(statement)) {
        request.onProgress?.(page.stats.progressPercentage ?? null);
        yield page;
      }
    } catch (error) {
      throw asQueryError(error, signal, late);
    }
  }
}

type RunRequest = Pick<QueryRequest, 'limits' | 'signal' | 'traceToken' | 'retried' | 'onProgress'>;

/** Trino's message contains the name of the table's column, which its writer knows. */
const NULL_IN_COLUMN = /^NULL value not allowed for NOT NULL column: (.+)$/;

/** The error for a null in a column that must not be null; null for any other error. */
function nullError(error: unknown, fields: readonly IcebergField[]): QueryRejectedError | null {
  const cause = error instanceof QueryRejectedError ? error.cause : null;
  if (!(cause instanceof TrinoStatementError)) return null;
  const column = NULL_IN_COLUMN.exec(cause.info.message)?.[1];
  const field = fields.find(({ name }) => name.toLowerCase() === column?.toLowerCase());
  return field === undefined ? null : nullNotAllowed(field.name);
}

function asQueryError(error: unknown, signal: AbortSignal, late: AbortSignal): unknown {
  if (signal.aborted) {
    const { code, message } = childExitError(late.aborted && signal.reason === late.reason ? 'timeout' : 'cancelled');
    return new QueryRejectedError(code, message);
  }
  if (error instanceof TrinoStatementError) {
    const { code, message } = trinoError(error.info);
    return new QueryRejectedError(code, message, { cause: error });
  }
  if (error instanceof TrinoUnreachableError)
    return new QueryRejectedError('engine-unavailable', `${error.message}. Try again later, or contact the operator.`);
  return error;
}
