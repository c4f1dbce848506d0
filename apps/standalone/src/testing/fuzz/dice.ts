/** Choices that follow from a seed, so that a failure can be repeated. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** In [0, 1): mulberry32. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True in that share of cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(of: readonly T[]): T {
    if (of.length === 0) throw new Error('nothing to choose from');
    return of[this.below(of.length)]!;
  }
}
