import type { Database } from '@svc/db/connection';
import { holdRole, type RoleLease, releaseRole, roleHeldUntil } from '@svc/db/leases';

const NAME = 'scheduler';
/** How late a role that was given back is taken, at most. */
const LOOK_MS = 500;
/** How often one looks whose last holder died in the middle of a transaction, which the server ends soon. */
const OVERDUE_MS = 50;

/** The role that one worker holds at a time: schedules, sweeps. Kept by renewing its lease, given back when it stops. */
export class SchedulerRole {
  private lease: RoleLease | null = null;
  /** When it was last renewed, by this process's clock. */
  private renewed = 0;
  private pause = LOOK_MS;
  private readonly options: { db: Database; owner: string; leaseMs: number; clock: () => Date };

  constructor(options: { db: Database; owner: string; leaseMs: number; clock: () => Date }) {
    this.options = options;
  }

  /** The lease while this process holds the role; the database has the last word, by its fence. */
  get current(): RoleLease | null {
    return this.lease;
  }

  /** When to look again, in milliseconds: another's lease is taken as soon as it is over. */
  get pauseMs(): number {
    return this.pause;
  }

  /**
   * Looks whether the role is free, or, after a third of the lease, renews it; to be called often. True when it has just
   * been taken.
   */
  async look(): Promise<boolean> {
    const { db, owner, leaseMs, clock } = this.options;
    const now = clock();
    const held = this.lease;
    this.pause = LOOK_MS;
    if (held === null) {
      const left = ((await roleHeldUntil(db.prisma, NAME))?.getTime() ?? 0) - now.getTime();
      this.pause = left > 0 ? Math.min(left + 1, LOOK_MS) : OVERDUE_MS;
      if (left > 0) return false;
    } else if (Math.abs(now.getTime() - this.renewed) < leaseMs / 3) return false;
    this.lease = await holdRole(db.prisma, { name: NAME, holder: owner, now, leaseMs });
    this.renewed = now.getTime();
    if (this.lease !== null) this.pause = LOOK_MS;
    return this.lease !== null && this.lease.fence !== held?.fence;
  }

  async release(): Promise<void> {
    const { lease } = this;
    this.lease = null;
    if (lease !== null) await releaseRole(this.options.db.prisma, lease);
  }
}
