import type { Settings } from '@svc/core/settings';
import type { QueryEngine } from './query-engine.ts';
import { runQuery } from './run-query.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { trinoEngine } from './trino/index.ts';

/** The engine in a child process next to the worker. */
export const duckdbEngine = (sandbox: Sandbox): QueryEngine => ({
  name: 'duckdb',
  run: (request) => runQuery(sandbox, request),
});

/** The engine that the operator configured. */
export function queryEngine(sandbox: Sandbox, settings: Settings): QueryEngine {
  if (settings.queryEngine === 'duckdb') return duckdbEngine(sandbox);
  const {
    trinoUrl: url,
    trinoUser: user,
    trinoPassword: password,
    trinoToken: token,
    trinoCatalog: catalog,
  } = settings;
  return trinoEngine(sandbox, { url: url!, user, password, token, catalog });
}
