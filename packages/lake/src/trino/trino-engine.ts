import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { QueryEngine } from '../queries/query-engine.ts';
import { childExitError, QueryRejectedError } from '../queries/query-errors.ts';
import { type ExternalEngine, type QueryRequest, runQuery } from '../queries/run-query.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import type { TrinoSql } from '../queries/sql-text.ts';
import { CatalogTables } from './catalog-tables.ts';
import type { PlanType } from './plan-types.ts';
import { stagedLine, stagedQuery } from './staged-rows.ts';
import {
  cancelTraced,
  runStatement,
  type TrinoAddress,
  TrinoStatementError,
  TrinoUnreachableError,
} from './statement-client.ts';
import { startTranslation, translate } from './translate.ts';
import { trinoError } from './trino-errors.ts';

export interface TrinoOptions extends TrinoAddress {
  /** The name of an environment's catalog; `{environment}` is replaced with the environment's name. */
  readonly catalog: string;
  /** Waits between two attempts of a request. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs queries with Trino instead of DuckDB. DuckDB still parses and validates the statement, resolves names and types,
 * and applies policies and views. Its plan is printed as SQL for Trino, and DuckDB writes Trino's rows to result files.
 */
export const trinoEngine = (sandbox: Sandbox, options: TrinoOptions): QueryEngine => ({
  name: 'trino',
  run: (request) => runQuery(sandbox, request, new TrinoRun(sandbox, options)),
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

  private catalogOf(environment: string): string {
    return this.options.catalog.replaceAll('{environment}', environment);
  }

  /** Writes the rows to a file; returns the length of the longest line in bytes. */
  private async fetchRows(
    sql: TrinoSql,
    types: readonly PlanType[],
    file: string,
    request: QueryRequest,
  ): Promise<number> {
    const limits = { ...this.sandbox.options, ...request.limits };
    const late = AbortSignal.timeout(limits.timeoutMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([request.signal, late]);
    const statement = {
      address: this.options,
      sql: sql.text,
      catalog: this.catalogOf(this.environment),
      timeoutSeconds: Math.ceil(limits.timeoutMs / 1000),
      traceToken: request.traceToken ?? 'svc',
      signal,
      pause:
        this.options.pause ?? ((ms: number, abortSignal: AbortSignal) => wait(ms, undefined, { signal: abortSignal })),
    };
    if (request.retried) await cancelTraced(statement);
    const rows = new RowFile(file, limits.tempLimit);
    try {
      for await (const { data, stats } of runStatement(statement)) {
        request.onProgress?.(stats.progressPercentage ?? null);
        for (const row of data) await rows.add(stagedLine(types, row));
      }
      return await rows.close();
    } catch (error) {
      throw this.asQueryError(error, signal, late);
    } finally {
      rows.abandon();
    }
  }

  private asQueryError(error: unknown, signal: AbortSignal, late: AbortSignal): unknown {
    if (signal.aborted) {
      const { code, message } = childExitError(late.aborted && signal.reason === late.reason ? 'timeout' : 'cancelled');
      return new QueryRejectedError(code, message);
    }
    if (error instanceof TrinoStatementError) {
      const { code, message } = trinoError(error.info);
      return new QueryRejectedError(code, message);
    }
    if (error instanceof TrinoUnreachableError)
      return new QueryRejectedError(
        'engine-unavailable',
        `${error.message}. Try again later, or contact the operator.`,
      );
    return error;
  }
}

/** Lines of text in a file of limited size. */
class RowFile {
  private readonly stream: ReturnType<typeof createWriteStream>;
  private readonly limit: number;
  private bytes = 0;
  private longest = 0;

  constructor(file: string, limit: number) {
    this.stream = createWriteStream(file, { mode: 0o600 });
    // Reported by `close` and by the next write.
    this.stream.on('error', () => undefined);
    this.limit = limit;
  }

  async add(line: string): Promise<void> {
    const size = Buffer.byteLength(line);
    this.bytes += size;
    this.longest = Math.max(this.longest, size);
    if (this.bytes > this.limit)
      throw new QueryRejectedError(
        'disk-full',
        'The rows of the query exceed its limit of temporary disk space. Query less data at a time.',
      );
    if (this.stream.errored !== null) throw diskFull(this.stream.errored);
    if (!this.stream.write(line))
      await once(this.stream, 'drain').catch((error: Error) => Promise.reject(diskFull(error)));
  }

  async close(): Promise<number> {
    this.stream.end();
    await finished(this.stream).catch((error: Error) => Promise.reject(diskFull(error)));
    return this.longest;
  }

  abandon(): void {
    this.stream.destroy();
  }
}

function diskFull(error: Error): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error;
  return new QueryRejectedError('disk-full', 'The disk is full. Try again after the operator has freed space.');
}
