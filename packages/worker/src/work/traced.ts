import type { Span } from '@svc/core/traces';
import type { WorkKind } from '@svc/db/leases';
import type { QueryEngine } from '@svc/lake/queries';
import type { ActiveClaim } from './claims.ts';
import type { WorkerDeps } from './deps.ts';

/** Span names: one piece of work of each kind. */
const NAMES: Record<WorkKind, string> = {
  queries: 'query',
  writes: 'write',
  maintenance: 'maintenance',
  deploys: 'deploy',
  runs: 'run',
};

type Traced = Pick<WorkerDeps, 'db'>;

/** Runs claimed work in a span of the trace of the request that created it. */
export function traced({ db: { traces } }: Traced, claim: ActiveClaim, work: () => Promise<void>): Promise<void> {
  if (traces === undefined) return work();
  const fields = { 'svc.work.id': claim.id, 'svc.work.fence': Number(claim.fence) };
  return traces.inSpan(
    { name: NAMES[claim.kind], kind: 'consumer', parent: claim.traceparent, attributes: fields },
    (span) => {
      claim.span = span;
      return work();
    },
  );
}

/** Adds the final status in the work's record to its span. */
export function traceOutcome(
  { span }: { span?: Span },
  { status, error }: { status: string; error?: { code: string } | null },
): void {
  span?.setAttributes({ 'svc.status': status });
  if (status === 'failed') span?.fail(error?.code ?? 'failed');
}

/** Wraps the engine in a span for each statement. The span doesn't contain the statement. */
export function tracedEngine<E extends QueryEngine>(engine: E, { db: { traces } }: Traced): E {
  if (traces === undefined) return engine;
  const spanOptions = { name: 'statement', kind: 'client', fields: { 'db.system.name': engine.name } } as const;
  return { ...engine, run: (request) => traces.inChildSpan(spanOptions, () => engine.run(request)) };
}
