import type { EngineChild } from './child-process.ts';

/** How long a child waits for its owner's next query. */
const IDLE_MS = 10_000;
/**
 * A fresh engine is opened slightly later, because the caller that waits for the response needs the processor first: after
 * a fifth of the work's duration, within these bounds. A short query may follow at once; a load must commit first.
 */
const RENEW_AFTER_MS = { min: 10, max: 200 };
/** Bytes of memory; a child that uses more isn't retained. */
const MAX_MEMORY = 350 * 1024 * 1024;
/** A child isn't retained for longer than this in total, so that neither memory nor its folder can grow old. */
const MAX_AGE_MS = 3_600_000;

interface Idle {
  readonly owner: string;
  readonly child: EngineChild;
  /** False if the child must not be used again. */
  readonly settled: Promise<boolean>;
  readonly timers: readonly NodeJS.Timeout[];
}

/** The children that wait for the next query of their owner, in the order in which they became idle. */
export class IdleChildren {
  private readonly idle = new Set<Idle>();
  private readonly limit: number;
  private readonly release: (child: EngineChild) => void;

  /** @param release called with a child that has waited too long, or whose place another needs */
  constructor(limit: number, release: (child: EngineChild) => void) {
    this.limit = limit;
    this.release = release;
  }

  get size(): number {
    return this.idle.size;
  }

  add(owner: string, child: EngineChild, workedMs: number): void {
    if (child.ageMs > MAX_AGE_MS) {
      this.release(child);
      return;
    }
    for (const oldest of [...this.idle].slice(0, Math.max(0, this.idle.size - this.limit + 1))) this.drop(oldest);
    const settled = child.settle().then(
      (memory) => memory <= MAX_MEMORY,
      () => false,
    );
    const pause = Math.min(Math.max(workedMs / 5, RENEW_AFTER_MS.min), RENEW_AFTER_MS.max);
    const openFresh = () => {
      const opened = settled.then((isFit) => (isFit ? child.engines.openFresh() : undefined));
      // A child that fails now fails again when it is used, which reports it.
      opened.catch(() => undefined);
    };
    const entry: Idle = {
      owner,
      child,
      settled,
      timers: [setTimeout(openFresh, pause), setTimeout(() => this.drop(entry), IDLE_MS).unref()],
    };
    this.idle.add(entry);
  }

  /** Takes the owner's child that `has` an engine for the key, or else the one that was used last. */
  async take(owner: string, key: string | null = null): Promise<EngineChild | null> {
    for (;;) {
      const own = [...this.idle].filter((entry) => entry.owner === owner);
      const entry = (key === null ? undefined : own.find(({ child }) => child.engines.has(key))) ?? own.at(-1);
      if (entry === undefined) return null;
      this.forget(entry);
      if ((await entry.settled) && entry.child.alive) return entry.child;
      this.release(entry.child);
    }
  }

  /** Whether one of the owner's children `has` an engine for the key. */
  has(owner: string, key: string): boolean {
    return [...this.idle].some((entry) => entry.owner === owner && entry.child.engines.has(key));
  }

  /** Removes all children and returns them. */
  clear(): EngineChild[] {
    const all = [...this.idle];
    for (const entry of all) this.forget(entry);
    return all.map(({ child }) => child);
  }

  private drop(entry: Idle): void {
    this.forget(entry);
    this.release(entry.child);
  }

  private forget(entry: Idle): void {
    for (const timer of entry.timers) clearTimeout(timer);
    this.idle.delete(entry);
  }
}
