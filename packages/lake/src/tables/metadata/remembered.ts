interface Entry<V> {
  readonly value: Promise<V>;
  /** Milliseconds, by the clock of the limits. */
  used: number;
  /** Zero until the value is there. */
  size: number;
}

/** What nobody asked for so long is forgotten. */
const IDLE_MS = 10 * 60_000;

interface Limits<V> {
  readonly most: number;
  readonly sizeOf: (value: V) => number;
  /** Milliseconds since whenever; the process's own clock when left out. */
  readonly now?: () => number;
}

/** What was read once and stays right, by its name: those used in the last ten minutes, as many as a size allows. */
export class Remembered<V> {
  private readonly entries = new Map<string, Entry<V>>();
  private readonly limits: Required<Limits<V>>;
  private size = 0;

  constructor(limits: Limits<V>) {
    this.limits = { now: () => performance.now(), ...limits };
  }

  /** What is remembered under the name, or what `read` gives, which is asked once however many wait for it. */
  get(name: string, read: () => Promise<V>): Promise<V> {
    const known = this.entries.get(name);
    if (known === undefined) return this.put(name, read());
    // The one used last goes last.
    known.used = this.limits.now();
    this.entries.delete(name);
    this.entries.set(name, known);
    return known.value;
  }

  /** Remembers a value in place of what there was; one that fails is forgotten. */
  put(name: string, value: Promise<V>): Promise<V> {
    this.forget([name]);
    this.forgetIdle();
    const entry = { value, used: this.limits.now(), size: 0 };
    this.entries.set(name, entry);
    value.then(
      (found) => this.count(name, entry, this.limits.sizeOf(found)),
      () => this.entries.get(name) === entry && this.forget([name]),
    );
    return value;
  }

  /** Nobody will ask for these again. */
  forget(names: Iterable<string>): void {
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
      if (this.size <= this.limits.most) return;
      this.forget([oldest]);
    }
  }

  private forgetIdle(): void {
    const before = this.limits.now() - IDLE_MS;
    for (const [name, { used }] of this.entries) {
      if (used >= before) return;
      this.forget([name]);
    }
  }
}
