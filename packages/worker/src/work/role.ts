import type { Database } from '@svc/db/connection';
import { holdRole, type RoleLease, releaseRole } from '@svc/db/leases';

const NAME = 'scheduler';

/** The role that one worker holds at a time: schedules, sweeps. Kept by renewing its lease, given back when it stops. */
export class SchedulerRole {
  private lease: RoleLease | null = null;
  /** When it was last renewed, by this process's clock. */
  private renewed = 0;
  private readonly options: { db: Database; owner: string; leaseMs: number; clock: () => Date };

  constructor(options: { db: Database; owner: string; leaseMs: number; clock: () => Date }) {
    this.options = options;
  }

  /** The lease while this process holds the role; the database has the last word, by its fence. */
  get current(): RoleLease | null {
    return this.lease;
  }

  /** Looks whether the role is free, or, after a third of the lease, renews it; to be called often. */
  async look(): Promise<void> {
    const { db, owner, leaseMs, clock } = this.options;
    const now = clock();
    if (this.lease !== null && Math.abs(now.getTime() - this.renewed) < leaseMs / 3) return;
    this.lease = await holdRole(db.prisma, { name: NAME, holder: owner, now, leaseMs });
    this.renewed = now.getTime();
  }

  async release(): Promise<void> {
    const { lease } = this;
    this.lease = null;
    if (lease !== null) await releaseRole(this.options.db.prisma, lease);
  }
}
