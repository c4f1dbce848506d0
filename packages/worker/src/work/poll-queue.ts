import type { WorkKind } from '@svc/db/leases';

/**
 * Decides which kinds of work to poll next: those that were announced, those that lacked a free slot, and occasionally
 * all of them, because an announcement may be lost. Polling every kind each time would cost a small query more than its
 * own statements.
 */
export class PollQueue {
  private readonly every: readonly WorkKind[];
  private readonly everyMs: number;
  private announced = new Set<WorkKind>();
  private withoutSlot = new Set<WorkKind>();
  private lastFullPollAt = Number.NEGATIVE_INFINITY;

  constructor(every: readonly WorkKind[], everyMs: number) {
    this.every = every;
    this.everyMs = everyMs;
  }

  /** Null if announcements may have been missed. */
  announce(kind: string | null): void {
    for (const k of this.every) if (kind === null || kind === k) this.announced.add(k);
  }

  /** Work of this kind may be waiting, but no slot was free. */
  markWithoutSlot(kind: WorkKind): void {
    this.withoutSlot.add(kind);
  }

  /** Work of this kind may be waiting already. */
  mayHaveWork(kind: WorkKind): boolean {
    return this.announced.has(kind) || this.withoutSlot.has(kind);
  }

  /** A slot is free again. Returns whether that is a reason to poll. */
  slotFreed(): boolean {
    for (const kind of this.withoutSlot) this.announced.add(kind);
    this.withoutSlot.clear();
    return this.announced.size > 0;
  }

  next(): readonly WorkKind[] {
    const now = performance.now();
    const kinds = [...this.announced];
    this.announced.clear();
    // The loop's own pause ends with a full poll. This covers the case that announcements leave it no pause.
    if (kinds.length > 0 && now - this.lastFullPollAt < 3 * this.everyMs) return kinds;
    this.lastFullPollAt = now;
    return this.every;
  }
}
