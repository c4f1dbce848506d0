import type { Database } from '@svc/db/connection';
import {
  acquireLeaderLease,
  type LeaderLease,
  leaderLeaseExpiry,
  releaseLeaderLease,
  shortenLeaderLease,
} from '@svc/db/leases';

const NAME = 'scheduler';
/** Maximum delay until a released leader lease is taken. */
const POLL_MS = 500;
/** Poll interval when the leader died in the middle of a transaction, which the server soon aborts. */
const OVERDUE_MS = 50;

/**
 * The leader lease for schedules and sweeps, which one worker has at a time. It is renewed regularly and released on
 * stop.
 */
export class LeaderElector {
  private lease: LeaderLease | null = null;
  /** When it was last renewed, by this process's clock. */
  private renewed = 0;
  private pause = POLL_MS;
  private readonly options: { db: Database; owner: string; leaseMs: number; clock: () => Date };

  constructor(options: { db: Database; owner: string; leaseMs: number; clock: () => Date }) {
    this.options = options;
  }

  /** The lease while this process is the leader. Only the database can confirm it, with the fence. */
  get current(): LeaderLease | null {
    return this.lease;
  }

  /** Milliseconds until the next poll: another worker's lease is taken as soon as it expires. */
  get pauseMs(): number {
    return this.pause;
  }

  /**
   * Takes the lease if it is free, or renews it after a third of its duration. Call it often. Returns true if it was
   * just taken.
   */
  async poll(): Promise<boolean> {
    const { db, owner, leaseMs, clock } = this.options;
    const now = clock();
    const previous = this.lease;
    this.pause = POLL_MS;
    if (previous === null) {
      const remainingMs = ((await leaderLeaseExpiry(db.prisma, NAME))?.getTime() ?? 0) - now.getTime();
      if (remainingMs > leaseMs) await shortenLeaderLease(db.prisma, { name: NAME, now });
      this.pause = remainingMs > 0 ? Math.min(remainingMs + 1, POLL_MS) : OVERDUE_MS;
      if (remainingMs > 0) return false;
    } else if (Math.abs(now.getTime() - this.renewed) < leaseMs / 3) return false;
    this.lease = await acquireLeaderLease(db.prisma, { name: NAME, holder: owner, now, leaseMs });
    this.renewed = now.getTime();
    if (this.lease !== null) this.pause = POLL_MS;
    return this.lease !== null && this.lease.fence !== previous?.fence;
  }

  async release(): Promise<void> {
    const { lease } = this;
    this.lease = null;
    if (lease !== null) await releaseLeaderLease(this.options.db.prisma, lease);
  }
}
