import type { WorkKind } from '@svc/db/leases';

/**
 * Decides which kinds of work to poll next: those that were announced, those that lacked a free slot, and occasionally
 * all of them, because an announcement may be lost. Polling every kind each time would cost a small query more than its
 * own statements.
 */
export class Turns {
  private readonly every: readonly WorkKind[];
  private readonly everyMs: number;
  private wanted = new Set<WorkKind>();
  private short = new Set<WorkKind>();
  private lastFull = Number.NEGATIVE_INFINITY;

  constructor(every: readonly WorkKind[], everyMs: number) {
    this.every = every;
    this.everyMs = everyMs;
  }

  /** Null if announcements may have been missed. */
  announced(kind: string | null): void {
    for (const k of this.every) if (kind === null || kind === k) this.wanted.add(k);
  }

  /** Work of this kind may be waiting, but no slot was free. */
  missed(kind: WorkKind): void {
    this.short.add(kind);
  }

  /** Work of this kind may be waiting already. */
  waits(kind: WorkKind): boolean {
    return this.wanted.has(kind) || this.short.has(kind);
  }

  /** A slot is free again. Returns whether that is a reason to poll. */
  again(): boolean {
    for (const kind of this.short) this.wanted.add(kind);
    this.short.clear();
    return this.wanted.size > 0;
  }

  take(): readonly WorkKind[] {
    const now = performance.now();
    const kinds = [...this.wanted];
    this.wanted.clear();
    // The loop's own pause ends with a full poll. This covers the case that announcements leave it no pause.
    if (kinds.length > 0 && now - this.lastFull < 3 * this.everyMs) return kinds;
    this.lastFull = now;
    return this.every;
  }
}
