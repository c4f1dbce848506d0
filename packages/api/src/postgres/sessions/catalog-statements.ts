import type { QueryParams } from '@svc/core/queries';
import { isVectorColumn, type QueryError } from '@svc/lake/queries';
import { type CatalogDescription, type CatalogOutcome, mayReadCatalog } from '../introspection/index.ts';
import { settingCalls } from '../statements/setting-calls.ts';
import {
  INT2_VECTOR,
  OID_ARRAY,
  OID_VECTOR,
  type PgType,
  pgTypeOf,
  type RowBatch,
  rowsOfArrow,
} from '../values/index.ts';
import { type Cancellable, CancellableRequest } from './cancellation.ts';
import { errorOf } from './failures.ts';
import { inferredTypes } from './parameter-casts.ts';
import type { Description, Execution } from './portals.ts';
import { completeRows, type ResultColumn, RowCursor } from './row-output.ts';
import type { SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import { reportChanges } from './setting-changes.ts';

/** Statements that only read the catalog. They are answered without a query record. */
export class CatalogStatements {
  private readonly options: SessionOptions;

  private readonly started: (request: Cancellable) => void;

  /** @param started called with each request, which can be cancelled from then on */
  constructor(options: SessionOptions, started: (request: Cancellable) => void) {
    this.options = options;
    this.started = started;
  }

  /** Null for any other statement. @throws SessionError, ServiceError */
  async answer(sql: string, params: QueryParams | null): Promise<Execution | null> {
    if (!mayReadCatalog(sql)) return null;
    const outcome = await this.request<CatalogOutcome>(sql, params, false);
    if (outcome.kind === 'not-catalog') return null;
    if (outcome.kind === 'failed') throw failed(outcome.error, sql);
    const { rows, location } = outcome;
    const columns = outcome.columns.map(columnWithOids);
    const { settings, sink } = this.options;
    const set = rows?.length === 0 ? [] : settingCalls(sql, params);
    const changes = set.map((call) => {
      const change = settings.set(call.name, call.value, call);
      // Outside a transaction, a local value applies to this statement only.
      return call.isLocal ? { ...change, warning: null } : change;
    });
    const warnings = reportChanges(sink, changes);
    const cursor =
      location === null ? completeRows(columns, rows ?? []) : new RowCursor(this.stored(columns, location));
    return { columns, rows: cursor, run: null, tag: (count) => `SELECT ${count}`, warnings };
  }

  /** Null for any other statement. @throws SessionError, ServiceError */
  async describe(sql: string): Promise<Description | null> {
    if (!mayReadCatalog(sql)) return null;
    const outcome = await this.request<CatalogDescription>(sql, null, true);
    if (outcome.kind === 'not-catalog') return null;
    if (outcome.kind === 'failed') throw failed(outcome.error, sql);
    return {
      columns: outcome.columns.map(columnWithOids),
      parameterTypes: inferredTypes(sql, outcome.parameterTypes).map((type) => withOids(type).oid),
    };
  }

  private request<T>(sql: string, params: QueryParams | null, describe: boolean): Promise<T> {
    const { client, signedIn, origin, settings, pid } = this.options;
    const { searchPath } = settings;
    const body = {
      sql,
      params,
      describe,
      search_path: searchPath,
      settings: Object.fromEntries(settings.all),
      pid,
      address: origin.address,
    };
    const session = { origin, searchPath, describe, onStored: () => undefined };
    const url = `/postgres/${encodeURIComponent(signedIn.environment)}/catalog`;
    const request = new CancellableRequest();
    this.started(request);
    return request.send(
      (signal) => client.call<T>(signedIn, 'POST', url, { body, session, signal }),
      settings.statementTimeoutMs,
    );
  }

  /** The rows of a large answer, whose file nobody else reads. */
  private async *stored(columns: readonly ResultColumn[], location: string): AsyncGenerator<RowBatch> {
    const { results, store } = this.options.deps;
    try {
      yield* rowsOfArrow(columns, results.arrow(location));
    } finally {
      await store.remove(location);
    }
  }
}

const failed = ({ code, message }: QueryError, sql: string): SessionError =>
  errorOf({ code, detail: message, remedy: null }, sql);

/** Lists of 64-bit integers in the catalog are OIDs; drivers know their type without looking it up. */
const withOids = (type: PgType): PgType => (type.name === '_int8' ? OID_ARRAY : type);

function columnWithOids({ name, type }: ResultColumn): ResultColumn {
  const { name: typeName } = pgTypeOf(type);
  const isVector = isVectorColumn(name);
  if (typeName === '_int8') return { name, type: (isVector ? OID_VECTOR : OID_ARRAY).name };
  return { name, type: typeName === '_int4' && isVector ? INT2_VECTOR.name : type };
}
