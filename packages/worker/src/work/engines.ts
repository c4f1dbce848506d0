import type { Asset } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import type { Settings } from '@svc/core/settings';
import type { TrinoEngine } from '@svc/lake/engines';
import type { QueryEngine } from '@svc/lake/queries';
import type { WorkerDeps } from './deps.ts';
import { failure } from './failures.ts';

/** Whether the operator chose Trino for the assets and tables of an environment. */
export const buildsOnTrino = (
  { trinoEnvironments: chosen }: Pick<Settings, 'trinoEnvironments'>,
  environment: string,
) => chosen.includes('*') || chosen.includes(environment);

/**
 * What runs an asset's statement and checks: the engine of its header, or the one that the operator chose for the environment. DuckDB
 * checks rows that Python or Spark made.
 */
export function engineOf(
  { engines, settings }: Pick<WorkerDeps, 'engines' | 'settings'>,
  environment: string,
  { name, engine, source }: Pick<Asset, 'name' | 'engine' | 'source'>,
): QueryEngine | TrinoEngine | Failure {
  const isChosen = source.language === 'sql' && buildsOnTrino(settings, environment);
  if ((engine ?? (isChosen ? 'trino' : 'duckdb')) !== 'trino') return engines.duckdb;
  if (engines.trino !== null) return engines.trino;
  return failure(
    'engine-unavailable',
    `${name} is built on Trino, which this service doesn't have.`,
    'Remove engine: trino from its header, or have the operator set SVC_QUERY__TRINO_URL.',
  );
}
