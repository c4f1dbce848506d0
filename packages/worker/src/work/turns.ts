import type { WorkKind } from '@svc/db/leases';

/**
 * Which kinds of work to look for next: those announced, those a slot was missing for, and now and then every kind, for
 * an announcement may get lost. Looking for all of them each time costs a small query more than its own statements.
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

  /** Null when announcements may have been missed. */
  announced(kind: string | null): void {
    for (const k of this.every) if (kind === null || kind === k) this.wanted.add(k);
  }

  /** There may be work of this kind, but no slot was free. */
  missed(kind: WorkKind): void {
    this.short.add(kind);
  }

  /** Some of this kind may wait already. */
  waits(kind: WorkKind): boolean {
    return this.wanted.has(kind) || this.short.has(kind);
  }

  /** A slot is free again: whether that gives reason to look. */
  again(): boolean {
    for (const kind of this.short) this.wanted.add(kind);
    this.short.clear();
    return this.wanted.size > 0;
  }

  take(): readonly WorkKind[] {
    const now = performance.now();
    const kinds = [...this.wanted];
    this.wanted.clear();
    // The loop's own pause ends in a full look; this one is for when announcements leave it no pause.
    if (kinds.length > 0 && now - this.lastFull < 3 * this.everyMs) return kinds;
    this.lastFull = now;
    return this.every;
  }
}
