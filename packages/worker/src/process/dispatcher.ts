import { Slots } from '@svc/core/workers';
import { queryQueue, WORK_QUEUES, type WorkQueue } from '@svc/db/leases';
import type { QuerySlot, SlotRequest } from '@svc/db/queries';
import type { ActiveClaim, Claims } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { PollQueue } from '../work/poll-queue.ts';
import { type StatementSlot, StatementSlots } from '../work/statement-slots.ts';
import { WaitingQueries } from '../work/waiting-queries.ts';
import { performWork } from './perform-work.ts';

/** Maximum deploys and runs per worker. `SVC_WORKER__CONCURRENCY` limits their tasks and queries. */
const MAX_DEPLOYS = 2;
const MAX_RUNS = 100;
/** Maximum tables that one worker maintains at once besides its statements; nobody waits for maintenance. */
const MAX_MAINTENANCE = 1;
const GRACE_MS = 10_000;
/** How long a query may wait in memory. After that it is stored, so that lists show it and other workers can take it. */
const MEMORY_WAIT_MS = 200;

type Slot = Pick<StatementSlot, 'release'> & Partial<StatementSlot>;

/** Claims work while slots are free, and performs it. */
export class Dispatcher {
  private readonly deps: WorkerDeps;
  private readonly claims: Claims;
  private readonly lease: QuerySlot['lease'];
  private readonly running = new Set<Promise<void>>();
  private readonly statements: StatementSlots;
  private readonly slots: Record<'maintenance' | 'deploys' | 'runs', Slots>;
  /** Tasks have their own slots: a Python task waits for its queries, so it must not occupy a slot they need. */
  private readonly tasks: Slots;
  private readonly pollQueue: PollQueue;
  private readonly waitingQueries = new WaitingQueries<QuerySlot>();
  /** Submitters of queries that have a slot and are being stored. */
  private readonly storing = new Set<{ readonly submitterId: string }>();
  private readonly wake: () => void;
  private stopping = false;

  /** @param options.wake runs `claimWork` soon */
  constructor(deps: WorkerDeps, claims: Claims, options: { leaseMs: number; pollMs: number; wake: () => void }) {
    const { leaseMs, pollMs, wake } = options;
    this.deps = deps;
    this.claims = claims;
    this.wake = wake;
    this.lease = { owner: deps.owner, leaseMs };
    this.pollQueue = new PollQueue(WORK_QUEUES, pollMs);
    const { workerConcurrency } = deps.settings;
    this.statements = new StatementSlots(workerConcurrency);
    this.tasks = new Slots(workerConcurrency);
    this.slots = {
      maintenance: new Slots(MAX_MAINTENANCE),
      deploys: new Slots(MAX_DEPLOYS),
      runs: new Slots(MAX_RUNS),
    };
  }

  /** Work was queued there, or in any queue if the notification was lost. */
  announce(queue: string | null): void {
    this.pollQueue.announce(queue);
    this.wake();
  }

  /**
   * Claims everything that is due for a poll, as far as there are slots. Queues that share slots take turns, and those that
   * got none are the first to get one next time: otherwise loads would wait for as long as long queries arrive.
   */
  async claimWork(signal: AbortSignal): Promise<Record<string, number>> {
    let queues = this.pollQueue.next();
    while (queues.length > 0) {
      const further: WorkQueue[] = [];
      for (const queue of queues) if (!signal.aborted && (await this.claimNext(queue))) further.push(queue);
      queues = further;
    }
    return {};
  }

  /**
   * A slot for a query that the API of this process is about to store. A short query waits a moment for it. Null if it must go
   * to the queue: no slot became free, or queries that already wait there go first.
   */
  async reserveQuerySlot({ isLong, submitterId }: SlotRequest): Promise<QuerySlot | null> {
    const queue = queryQueue(isLong);
    if (this.stopping || this.pollQueue.mayHaveWork(queue)) return null;
    const slot = this.acquire(queue);
    if (slot !== null) return this.querySlot(slot, submitterId, false);
    return isLong ? null : this.waitingQueries.wait(submitterId, MEMORY_WAIT_MS);
  }

  private querySlot(slot: Slot, submitterId: string, hasWaited: boolean): QuerySlot {
    const storing = { submitterId };
    this.storing.add(storing);
    return {
      lease: this.lease,
      hasWaited,
      start: (claim) =>
        new Promise((onFinished) => {
          const activeClaim = this.claims.add('queries', { ...claim, onFinished });
          this.storing.delete(storing);
          this.execute(activeClaim, slot);
          if (this.stopping) activeClaim.stop('shutting-down');
        }),
      release: () => {
        this.storing.delete(storing);
        this.free(slot);
      },
    };
  }

  /** Lets active work run for a while, then stops the rest and waits for it. */
  async stop(): Promise<void> {
    this.waitingQueries.clear();
    await waitUpTo(this.running, GRACE_MS);
    this.stopping = true;
    for (const claim of this.claims.all()) claim.stop('shutting-down');
    await Promise.all(this.running);
  }

  /** Returns whether another poll may find more. */
  private async claimNext(queue: WorkQueue): Promise<boolean> {
    const slot = this.acquire(queue);
    if (slot === null) {
      this.pollQueue.markWithoutSlot(queue);
      return false;
    }
    const claim = await this.claims.claim(queue).catch((error: unknown) => {
      slot.release();
      throw error;
    });
    if (claim === null) {
      slot.release();
      return false;
    }
    this.execute(claim, slot);
    return claim.hasMore !== false;
  }

  private acquire(queue: WorkQueue): Slot | null {
    if (queue === 'queries') return this.statements.tryAcquire(false);
    // A load takes time, like a long query.
    if (queue === 'long-queries' || queue === 'writes') return this.statements.tryAcquire(true);
    const slots = this.slots[queue];
    return slots.tryAcquire() ? slots : null;
  }

  private execute(claim: ActiveClaim, slot: Slot): void {
    if (slot.tryBecomeLong !== undefined) claim.tryBecomeLong = slot.tryBecomeLong;
    const work = performWork(this.deps, claim, this.tasks).finally(() => {
      this.claims.remove(claim);
      this.running.delete(work);
      this.free(slot);
      claim.onFinished?.();
    });
    this.running.add(work);
  }

  private free(slot: Slot): void {
    slot.release();
    this.startWaiting();
    if (this.pollQueue.slotFreed()) this.wake();
  }

  /** Queries that wait in memory came before those in the queue, for later ones go to the queue as well. */
  private startWaiting(): void {
    while (this.waitingQueries.size > 0) {
      const slot = this.acquire('queries');
      if (slot === null) return;
      this.waitingQueries.startNext(
        (submitterId) => this.runningOf(submitterId),
        (submitterId) => this.querySlot(slot, submitterId, true),
      );
    }
  }

  private runningOf(submitterId: string): number {
    const queries = this.claims.all().filter(({ query }) => query?.submitter_id === submitterId);
    return queries.length + [...this.storing].filter((query) => query.submitterId === submitterId).length;
  }
}

async function waitUpTo(running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled([...running]), late]);
  clearTimeout(timer);
}
