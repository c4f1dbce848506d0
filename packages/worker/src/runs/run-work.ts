import type { Asset } from '@svc/core/deploys';
import type { CheckResult } from '@svc/core/runs';
import type { Transaction } from '@svc/db/connection';
import type { StoredVersion } from '@svc/db/deploys';
import type { ReadInput } from '@svc/db/lineage';
import type { StoredRun, StoredTaskRow } from '@svc/db/runs';
import type { TrinoEngine } from '@svc/lake/engines';
import type { QueryEngine } from '@svc/lake/queries';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { Origin, RequestedBy } from '../work/events.ts';
import type { RunLogger } from './run-log.ts';
import type { WaitingInterpreter } from './waiting-interpreter.ts';

/** A claimed run with everything its tasks need. */
export interface RunWork {
  deps: WorkerDeps;
  claim: ActiveClaim;
  run: StoredRun;
  version: StoredVersion;
  environment: { id: string; name: string };
  principal: { id: string; name: string };
  origin: Origin & { principal: { id: string; name: string } };
  /** What caused the run, for AUTHORIZATION_DENIED events of its tasks. */
  request: RequestedBy;
  log: RunLogger;
  interpreters: WaitingInterpreter;
}

/** One task of a run: an asset to build. */
export interface TaskWork extends RunWork {
  task: StoredTaskRow;
  asset: Asset;
  /** Runs the statement and the checks of the asset. */
  engine: QueryEngine | TrinoEngine;
  /** The results of the checks that ran, which the task records. */
  checks: CheckResult[];
  /** The tables that its statement read; null for a function, whose reads aren't known. */
  inputs: { read: readonly ReadInput[] | null };
  /** Aborted when the run is stopped or the task times out. */
  signal: AbortSignal;
}

/** The project whose asset a table becomes. Tables in a development namespace belong to none, so they expire like any other. */
export const builderOf = ({ version }: Pick<RunWork, 'version'>): string | null =>
  version.dev_namespace === null ? version.repository_id : null;

/** Finishes the task in the transaction that stores the table that it built. */
export type FinishTask = (tx: Transaction, rows: number | null, tableId: string) => Promise<void>;
