import type { Settings } from '@svc/core/settings';
import { type QueryEngine, runQuery, type Sandbox } from '../queries/index.ts';
import { trinoEngine } from '../trino/index.ts';

/** The engine that the operator configured: Trino, or DuckDB in a child process next to the worker. */
export function queryEngine(sandbox: Sandbox, settings: Settings): QueryEngine {
  if (settings.queryEngine === 'duckdb') return { name: 'duckdb', run: (request) => runQuery(sandbox, request) };
  const {
    trinoUrl: url,
    trinoUser: user,
    trinoPassword: password,
    trinoToken: token,
    trinoCatalog: catalog,
  } = settings;
  return trinoEngine(sandbox, { url: url!, user, password, token, catalog });
}
