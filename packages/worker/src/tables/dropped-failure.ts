import type { Failure } from '@svc/core/errors';
import { failure } from '../work/failures.ts';

/** Why work on a table failed that was dropped after the work had started. */
export const droppedFailure = ({ namespace, table }: { namespace: string; table: string }): Failure =>
  failure('not-found', `The table ${namespace}.${table} was dropped in the meantime.`);
