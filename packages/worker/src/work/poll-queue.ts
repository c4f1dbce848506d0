import type { WorkKind } from '@svc/db/leases';

/**
 * Decides which kinds of work to poll next: those that were announced, those that lacked a free slot, and occasionally
 * all of them, because an announcement may be lost. Polling every kind each time would cost a small query more than its
 * own statements.
 */
export class PollQueue {
  private readonly every: readonly WorkKind[];
  private readonly everyMs: number;
  private announcedKinds = new Set<WorkKind>();
  private lackedSlot = new Set<WorkKind>();
  private lastFull = Number.NEGATIVE_INFINITY;

  constructor(every: readonly WorkKind[], everyMs: number) {
    this.every = every;
    this.everyMs = everyMs;
  }

  /** Null if announcements may have been missed. */
  announced(kind: string | null): void {
    for (const k of this.every) if (kind === null || kind === k) this.announcedKinds.add(k);
  }

  /** Work of this kind may be waiting, but no slot was free. */
  noSlot(kind: WorkKind): void {
    this.lackedSlot.add(kind);
  }

  /** Work of this kind may be waiting already. */
  mayWait(kind: WorkKind): boolean {
    return this.announcedKinds.has(kind) || this.lackedSlot.has(kind);
  }

  /** A slot is free again. Returns whether that is a reason to poll. */
  slotFreed(): boolean {
    for (const kind of this.lackedSlot) this.announcedKinds.add(kind);
    this.lackedSlot.clear();
    return this.announcedKinds.size > 0;
  }

  take(): readonly WorkKind[] {
    const now = performance.now();
    const kinds = [...this.announcedKinds];
    this.announcedKinds.clear();
    // The loop's own pause ends with a full poll. This covers the case that announcements leave it no pause.
    if (kinds.length > 0 && now - this.lastFull < 3 * this.everyMs) return kinds;
    this.lastFull = now;
    return this.every;
  }
}
