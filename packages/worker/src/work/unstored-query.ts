import type { Transaction } from '@svc/db/connection';
import {
  type FirstLease,
  type NewQuery,
  newRecord,
  type QueryCompletion,
  type StoredQuery,
  storeRunning,
  submitQuery,
} from '@svc/db/queries';
import type { WorkerDeps } from './deps.ts';

interface UnstoredOptions {
  query: NewQuery;
  /** From the time at which it starts. */
  lease: FirstLease;
  /** How long it may run before it is stored, in milliseconds. */
  momentMs: number;
  /** Called if it must stop, because it was stored too late for its cancellation. */
  onCancelled: () => void;
}

/**
 * A query whose client waits in this process. Most end within a moment, and are stored once, with their end. One that takes
 * longer, or that something interrupts, is stored as running, as if it had been claimed from the queue.
 */
export class UnstoredQuery {
  /** Resolves with its record when it is stored, as running or with its end; rejects if it can't be stored. */
  readonly stored: Promise<StoredQuery>;
  /** Whether it is stored as running: only then there is a lease to renew. */
  isRunning = false;
  private readonly deps: Pick<WorkerDeps, 'db' | 'statements'>;
  private readonly options: UnstoredOptions;
  private lease: FirstLease;
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> | null = null;
  private resolve!: (query: StoredQuery) => void;
  private reject!: (error: unknown) => void;

  constructor(deps: Pick<WorkerDeps, 'db' | 'statements'>, options: UnstoredOptions) {
    this.deps = deps;
    this.options = options;
    this.stored = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.lease = options.lease;
    this.startTimer();
  }

  /** Its moment is over for as long as it waits for a slot. */
  pause(): void {
    clearTimeout(this.timer);
  }

  /** It starts now, after it waited for its slot. */
  resume(now: Date): void {
    if (this.storing !== null) return;
    this.lease = { ...this.lease, now };
    this.startTimer();
  }

  private startTimer(): void {
    // If this fails, `stored` rejects, and so does the next attempt to store the query.
    this.timer = setTimeout(() => this.store().catch(() => undefined), this.options.momentMs);
  }

  /** Stores it in the queue, and leaves it to another execution. Returns false if it is stored as running. */
  async enqueue(isLong: boolean): Promise<boolean> {
    if (this.storing !== null) {
      await this.storing;
      return false;
    }
    const query = { ...this.options.query, isLong };
    this.storing = this.storeAs(async (prisma) => this.resolve(await submitQuery(prisma, query)));
    await this.storing;
    return true;
  }

  /** Stores it as running, unless it is stored already. */
  async store(): Promise<void> {
    this.storing ??= this.storeAs((prisma) => this.storeAsRunning(prisma));
    await this.storing;
  }

  /** Stores it with its end, and returns its record; null if it is stored as running. */
  async end(completion: QueryCompletion): Promise<StoredQuery | null> {
    if (this.storing !== null) {
      await this.storing;
      return null;
    }
    clearTimeout(this.timer);
    const ending = this.deps.statements.storeFinished({ query: this.options.query, lease: this.lease, completion });
    this.storing = ending.then(() => undefined);
    this.storing.catch(() => undefined);
    try {
      const record = await ending;
      this.resolve(record);
      return record;
    } catch (error) {
      this.storing = null;
      throw error;
    }
  }

  private async storeAsRunning(client: Transaction): Promise<void> {
    const { query, onCancelled } = this.options;
    const mustCancel = await storeRunning(client, query, this.lease);
    this.isRunning = true;
    this.resolve(newRecord(query, this.lease));
    if (mustCancel) onCancelled();
  }

  private async storeAs(store: (client: Transaction) => Promise<void>): Promise<void> {
    clearTimeout(this.timer);
    try {
      await store(this.deps.db.prisma);
    } catch (error) {
      this.reject(error);
      throw error;
    }
  }
}
