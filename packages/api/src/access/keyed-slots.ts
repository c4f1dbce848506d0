interface Running {
  count: number;
  readonly waiting: (() => void)[];
}

/** Limits how much work runs at a time for each key. What waits runs in order. */
export class KeyedSlots {
  private readonly max: number;
  private readonly running = new Map<string, Running>();

  constructor(max: number) {
    this.max = max;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.running.get(key) ?? { count: 0, waiting: [] };
    this.running.set(key, running);
    if (running.count < this.max) running.count++;
    else await new Promise<void>((resolve) => running.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = running.waiting.shift();
      if (next !== undefined) next();
      else if (--running.count === 0) this.running.delete(key);
    }
  }
}
