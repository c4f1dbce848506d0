import type { Settings } from '@svc/core/settings';
import { type QueryOutcome, type QueryRequest, runQuery } from './run-query.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { trinoEngine } from './trino/index.ts';

/** What runs the statements of `svc sql`. Both kinds guard, plan and write results alike; see decision 25. */
export interface QueryEngine {
  readonly name: 'duckdb' | 'trino';
  /** Every failure of the statement is a value. */
  readonly run: (request: QueryRequest) => Promise<QueryOutcome>;
}

/** The engine beside the worker. */
export const duckdbEngine = (sandbox: Sandbox): QueryEngine => ({
  name: 'duckdb',
  run: (request) => runQuery(sandbox, request),
});

/** The engine that the operator has chosen. */
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
