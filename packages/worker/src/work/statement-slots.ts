/** A slot that a query or a load occupies until it releases it. */
export interface StatementSlot {
  /** Counts a running statement as long. Returns false, and changes nothing, if all slots for long ones are taken. */
  tryBecomeLong(): boolean;
  release(): void;
}

/**
 * Slots for queries and loads. Long ones leave one slot to short ones, unless there is only one (QUERY-10).
 */
export class StatementSlots {
  private readonly count: number;
  private readonly maxLong: number;
  private taken = 0;
  private long = 0;

  constructor(count: number) {
    this.count = count;
    this.maxLong = Math.max(1, count - 1);
  }

  tryAcquire(isLong: boolean): StatementSlot | null {
    if (this.taken === this.count || (isLong && this.long === this.maxLong)) return null;
    this.taken++;
    if (isLong) this.long++;
    return this.slot(isLong);
  }

  private slot(startsLong: boolean): StatementSlot {
    let isLong = startsLong;
    return {
      tryBecomeLong: () => {
        if (isLong) return true;
        if (this.long === this.maxLong) return false;
        this.long++;
        isLong = true;
        return true;
      },
      release: () => {
        this.taken--;
        if (isLong) this.long--;
      },
    };
  }
}
