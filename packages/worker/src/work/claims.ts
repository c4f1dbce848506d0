import { setMaxListeners } from 'node:events';
import type { Span } from '@svc/core/traces';
import type { Database } from '@svc/db/connection';
import {
  type Claim,
  claimWork,
  kindOf,
  queryQueue,
  renewLeases,
  WORK_KINDS,
  type WorkKind,
  type WorkQueue,
} from '@svc/db/leases';
import { type ClaimedQuery, claimQuery, filterCancelledQueries, type StoredQuery } from '@svc/db/queries';
import { filterCancelledRuns } from '@svc/db/runs';
import { filterStoppedWrites } from '@svc/db/writes';
import type { WorkMetrics } from '../metrics/work-metrics.ts';
import type { StatementSlot } from './statement-slots.ts';
import type { UnstoredQuery } from './unstored-query.ts';

/** A slot of the dispatcher. Those of statements can become one for long statements; see `StatementSlot`. */
export type WorkSlot = Pick<StatementSlot, 'release'> & Partial<StatementSlot>;

/** Why work is stopped before it finishes. */
export type StopReason = 'cancelled' | 'lease-lost' | 'shutting-down';

export interface ActiveClaim extends Claim {
  kind: WorkKind;
  /** Queries only: what the claim returned about the query. */
  query?: ClaimedQuery;
  /** Queries only: the query, if this process runs it before it is stored. */
  unstored?: UnstoredQuery;
  /** Queries only: called when the query finishes, if a caller in this process waits for it. */
  onFinished?: (query?: StoredQuery) => void;
  /** The slot that it occupies. A query that isn't stored yet takes one when it needs a process. */
  slot?: WorkSlot;
  /** Queries that aren't stored yet: waits for their slot. Fails with a SlotsTakenError if they must wait in the queue. */
  takeSlot?: () => Promise<void>;
  /** Queries only: whether it was returned to the queue instead of being finished. */
  isRequeued?: boolean;
  /** The span of its execution, if it is traced. */
  span?: Span;
  signal: AbortSignal;
  stop: (reason: StopReason) => void;
}

/** The work this process has leased. Renews all leases together and stops work that is lost or cancelled. */
export class Claims {
  private readonly active = new Map<string, ActiveClaim>();
  private readonly db: Database;
  private readonly owner: string;
  private readonly leaseMs: number;
  private readonly clock: () => Date;
  private readonly metrics: Pick<WorkMetrics, 'leaseLost'> | undefined;

  constructor(options: {
    db: Database;
    owner: string;
    leaseMs: number;
    clock: () => Date;
    metrics?: Pick<WorkMetrics, 'leaseLost'> | undefined;
  }) {
    this.db = options.db;
    this.owner = options.owner;
    this.leaseMs = options.leaseMs;
    this.clock = options.clock;
    this.metrics = options.metrics;
  }

  async claim(queue: WorkQueue): Promise<ActiveClaim | null> {
    const taking = { owner: this.owner, leaseMs: this.leaseMs, now: this.clock() };
    const { prisma } = this.db;
    const kind = kindOf(queue);
    const claim = await (kind === 'queries'
      ? claimQuery(prisma, { ...taking, isLong: queue === queryQueue(true) })
      : claimWork(prisma, { ...taking, kind }));
    return claim === null ? null : this.add(kind, claim);
  }

  /** Adds a claim; its lease is renewed from now on. */
  add(kind: WorkKind, claim: Claim & Pick<ActiveClaim, 'query' | 'unstored'>): ActiveClaim {
    const controller = new AbortController();
    const active: ActiveClaim = {
      ...claim,
      kind,
      signal: controller.signal,
      stop: (reason) => controller.abort(reason),
    };
    // All tasks of a run wait for this signal.
    setMaxListeners(0, controller.signal);
    // A worker that was asleep until its lease expired may claim the work again before it notices.
    this.active.get(claim.id)?.stop('lease-lost');
    this.active.set(claim.id, active);
    return active;
  }

  /** A query that this worker requeued may be claimed again already. */
  remove(claim: ActiveClaim): void {
    if (this.active.get(claim.id) === claim) this.active.delete(claim.id);
  }

  all(): ActiveClaim[] {
    return [...this.active.values()];
  }

  /** Renews every lease and stops work whose lease this process has lost. */
  async renew(): Promise<void> {
    for (const kind of WORK_KINDS) {
      const ids = this.all()
        .filter((claim) => claim.kind === kind && claim.unstored?.isRunning !== false)
        .map(({ id }) => id);
      const { owner, leaseMs } = this;
      const renewedIds = new Set(await renewLeases(this.db.prisma, { kind, owner, ids, leaseMs, now: this.clock() }));
      for (const id of ids) {
        if (renewedIds.has(id) || !this.active.has(id)) continue;
        this.metrics?.leaseLost(kind);
        this.active.get(id)?.stop('lease-lost');
      }
    }
  }

  /** Stops work that was cancelled, and loads whose principal was deactivated. */
  async stopCancelled(): Promise<void> {
    const ids = (kind: WorkKind) =>
      this.all()
        .filter((claim) => claim.kind === kind)
        .map(({ id }) => id);
    const cancelled = [
      ...(await filterCancelledQueries(this.db.prisma, ids('queries'))),
      ...(await filterCancelledRuns(this.db.prisma, ids('runs'))),
      ...(await filterStoppedWrites(this.db.prisma, ids('writes'))),
    ];
    for (const id of cancelled) this.active.get(id)?.stop('cancelled');
  }
}
