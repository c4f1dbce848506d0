import type { AffectedRows } from '@svc/core/queries';
import type { Transaction } from '@svc/db/connection';
import type { TrinoEngine } from '@svc/lake/engines';
import type { ChangeParameters, QueryEngine, QueryOutcome, QueryRequest, Relation, Resolve } from '@svc/lake/queries';
import type { WorkerDeps } from '../work/deps.ts';
import type { Origin } from '../work/events.ts';
import { type failure, failureOf, type Requester } from '../work/failures.ts';
import type { CommitAlongside } from './commit-change.ts';
import { droppedFailure } from './dropped-failure.ts';

/** Ends a change of rows; nothing was changed. */
export class ChangeFailedError extends Error {
  readonly failure: ReturnType<typeof failure>;

  constructor(of: ReturnType<typeof failure>) {
    super(of.detail);
    this.failure = of;
  }
}

/** What a change needs to know about the work that it belongs to. */
export interface ChangeWork {
  deps: WorkerDeps;
  environment: { id: string; name: string };
  origin: Origin;
  /** Other tables that the change reads, as its principal may read them. */
  resolve: Resolve;
  /** See `sandboxOwner`. */
  owner: string;
  /** The reader to whom error remedies apply. */
  requester: Requester | undefined;
  signal: AbortSignal;
  /** A location for files that only this claim uses. */
  scratch: string;
  params: ChangeParameters;
  /** The syntax and functions of the statement (default: the engine's own). */
  dialect?: QueryRequest['dialect'];
  /** The rows that are merged by key. */
  source?: Relation;
  /** What runs the change. */
  engine: QueryEngine | TrinoEngine;
  /** Lets an operator of an external engine find the statement. */
  traceToken?: string;
  /** Whether to count the rows only. */
  dryRun: boolean;
  /** Verifies the contents that the change leads to, before they are committed. @throws ChangeFailedError */
  verify?: (contents: Relation) => Promise<void>;
  /** What else the commit changes. There is then a commit even if no row changes. */
  alongside?: CommitAlongside;
  /** Finishes the work; with a transaction, in the one that commits the change. */
  finish: (affected: AffectedRows, commit: { tx: Transaction; snapshotId: number } | null) => Promise<void>;
}

/** The table was dropped while its change ran. */
export const droppedTable = (table: { namespace: string; table: string }): ChangeFailedError =>
  new ChangeFailedError(droppedFailure(table));

/** @throws ChangeFailedError */
export function succeeded(
  { requester }: Pick<ChangeWork, 'requester'>,
  outcome: QueryOutcome,
): Extract<QueryOutcome, { ok: true }> {
  if (outcome.ok) return outcome;
  throw new ChangeFailedError(failureOf(outcome.error, requester));
}
