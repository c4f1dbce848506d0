import type { Settings } from '@svc/core/settings';
import { openQuery, type QueryEngine, runQuery, type Sandbox } from '../queries/index.ts';
import { type StagingTables, type TrinoEngine, trinoEngine } from '../trino/index.ts';

/** The engines of a service. */
export interface Engines {
  /** DuckDB in child processes next to the worker. */
  readonly duckdb: QueryEngine;
  /** Null unless the operator configured one. */
  readonly trino: TrinoEngine | null;
}

export function queryEngines(sandbox: Sandbox, settings: Settings, staging: StagingTables): Engines {
  const duckdb: QueryEngine = {
    name: 'duckdb',
    run: (request) => runQuery(sandbox, request),
    open: (request) => openQuery(sandbox, request),
  };
  const {
    trinoUrl: url,
    trinoUser: user,
    trinoPassword: password,
    trinoToken: token,
    trinoCatalog: catalog,
  } = settings;
  if (url === undefined) return { duckdb, trino: null };
  return { duckdb, trino: trinoEngine(sandbox, { url, user, password, token, catalog, staging }) };
}
