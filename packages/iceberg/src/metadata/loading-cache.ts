interface Entry<V> {
  readonly value: Promise<V>;
  /** Milliseconds of the clock in the limits. */
  usedAt: number;
  /** Zero until the value has loaded. */
  size: number;
}

/** An entry that is unused for this long is removed. */
const IDLE_MS = 10 * 60_000;

interface Limits<V> {
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
  /** Milliseconds since an arbitrary start (default: the process's own clock). */
  readonly now?: () => number;
}

/** Caches immutable values by name: those used in the last ten minutes, up to a maximum size. */
export class LoadingCache<V> {
  private readonly entries = new Map<string, Entry<V>>();
  private readonly limits: Required<Limits<V>>;
  private size = 0;

  constructor(limits: Limits<V>) {
    this.limits = { now: () => performance.now(), ...limits };
  }

  /** Returns the cached value or the result of `read`, which runs once for all concurrent callers. */
  get(name: string, read: () => Promise<V>): Promise<V> {
    const entry = this.entries.get(name);
    if (entry === undefined) return this.put(name, read());
    // In order of use: the most recently used entry comes last.
    entry.usedAt = this.limits.now();
    this.entries.delete(name);
    this.entries.set(name, entry);
    return entry.value;
  }

  /** Caches a value, replacing any previous one; a value that fails to load is removed. */
  put(name: string, value: Promise<V>): Promise<V> {
    this.evict([name]);
    this.evictIdle();
    const entry = { value, usedAt: this.limits.now(), size: 0 };
    this.entries.set(name, entry);
    value.then(
      (found) => this.count(name, entry, this.limits.sizeOf(found)),
      () => this.entries.get(name) === entry && this.evict([name]),
    );
    return value;
  }

  /** Removes entries that nobody will request again. */
  evict(names: Iterable<string>): void {
    for (const name of names) {
      this.size -= this.entries.get(name)?.size ?? 0;
      this.entries.delete(name);
    }
  }

  private count(name: string, entry: Entry<V>, size: number): void {
    if (this.entries.get(name) !== entry) return;
    entry.size = size;
    this.size += size;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.limits.maxSize) return;
      this.evict([oldest]);
    }
  }

  private evictIdle(): void {
    const before = this.limits.now() - IDLE_MS;
    for (const [name, { usedAt }] of this.entries) {
      if (usedAt >= before) return;
      this.evict([name]);
    }
  }
}
