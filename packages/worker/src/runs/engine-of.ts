import type { Asset } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import type { QueryEngine } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';
import { failure } from '../work/failures.ts';

/** What runs an asset's statement and checks: the engine of its header, or the one that the operator chose for the environment. */
export function engineOf(
  { engines, settings }: Pick<WorkerDeps, 'engines' | 'settings'>,
  environment: string,
  { name, engine, source }: Pick<Asset, 'name' | 'engine' | 'source'>,
): QueryEngine | Failure {
  const chosen = settings.trinoEnvironments;
  const isChosen = source.language === 'sql' && (chosen.includes('*') || chosen.includes(environment));
  if ((engine ?? (isChosen ? 'trino' : 'duckdb')) === 'duckdb') return engines.duckdb;
  if (engines.trino !== null) return engines.trino;
  return failure(
    'engine-unavailable',
    `${name} is built on Trino, which this service doesn't have.`,
    'Remove engine: trino from its header, or have the operator set SVC_QUERY__TRINO_URL.',
  );
}
