import type { WorkQueue } from '@svc/db/leases';

/**
 * Decides which queues to poll next: those that were announced, those that lacked a free slot, and occasionally
 * all of them, because an announcement may be lost. Polling every queue each time would cost a small query more than its
 * own statements.
 */
export class PollQueue {
  private readonly every: readonly WorkQueue[];
  private readonly everyMs: number;
  private announced = new Set<WorkQueue>();
  private withoutSlot = new Set<WorkQueue>();
  private lastFullPollAt = Number.NEGATIVE_INFINITY;

  constructor(every: readonly WorkQueue[], everyMs: number) {
    this.every = every;
    this.everyMs = everyMs;
  }

  /** Null if announcements may have been missed. */
  announce(queue: string | null): void {
    for (const q of this.every) if (queue === null || queue === q) this.announced.add(q);
  }

  /** Work of this queue may be waiting, but no slot was free. */
  markWithoutSlot(queue: WorkQueue): void {
    this.withoutSlot.add(queue);
  }

  /** Work of this queue may be waiting already. */
  mayHaveWork(queue: WorkQueue): boolean {
    return this.announced.has(queue) || this.withoutSlot.has(queue);
  }

  /** A slot is free again. Returns whether that is a reason to poll. */
  slotFreed(): boolean {
    for (const queue of this.withoutSlot) this.announced.add(queue);
    this.withoutSlot.clear();
    return this.announced.size > 0;
  }

  next(): readonly WorkQueue[] {
    const now = performance.now();
    const queues = [...this.announced];
    this.announced.clear();
    // The loop's own pause ends with a full poll. This covers the case that announcements leave it no pause.
    if (queues.length > 0 && now - this.lastFullPollAt < 3 * this.everyMs) return queues;
    this.lastFullPollAt = now;
    return this.every;
  }
}
